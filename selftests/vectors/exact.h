/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Schedules of algorithm exact, by hand from its rules, for switch 7 with ports
 * to switches (0, 1, 2) and to a host (3): events, and the messages that they
 * cause. Guard time G: 10 units, hop delay t_h: 2. In the text: "PORT:" and its
 * message, after "pause" or "resume" in such a frame; initiators are
 * SWITCH.PORT.SEQ; "dead": declared.
 */
#ifndef LLE_VECTORS_EXACT_H
#define LLE_VECTORS_EXACT_H

#include "../../kmod/core/deadlock/exact.h"

enum dcfit_event {
	END,
	ENQ,		/* n bytes of ingress from */
	DEQ,
	PAUSE_TX,	/* n: XON */
	REFRESH,
	RESUME_TX,
	BREAK,		/* RESUME_TX that breaks a loop */
	PAUSE_RX,	/* of n units, or long; with msg */
	PAUSE_MUTE,
	RESUME_RX,
	EXPIRE,
	RX,		/* separate message */
	WAIT,		/* n units, then runs a due timer */
	FULL,		/* no room for a break; n = 0: room */
};

struct dcfit_step {
	enum dcfit_event event;
	u8 port;
	u8 from;
	u32 n;
	struct lle_dl_msg msg;
	const char *out;
};

struct dcfit_vector {
	const char *name;
	struct dcfit_step step[32];
};

#define ID(s, p, q)	{ .sw = s, .port = p, .seq = q }
#define SAYS(epoch)	.msg = { .type = LLE_DL_NONE, .hop_epoch = epoch }
#define PROBE(epoch, how_far, least_sw, least_port, ...)		\
	.msg = { .type = LLE_DL_PROBE, .hop_epoch = epoch,		\
		 .hops = how_far,					\
		 .min = { .sw = least_sw, .port = least_port },		\
		 .id = { __VA_ARGS__ } }
#define CANCEL(epoch, ...)						\
	.msg = { .type = LLE_DL_CANCEL, .hop_epoch = epoch,		\
		 .id = { __VA_ARGS__ } }
#define BROKEN(epoch)	.msg = { .type = LLE_DL_BROKEN, .hop_epoch = epoch }

/* Ingress 0 pauses with @bytes at paused egress 1; XON is 5. */
#define HARD(bytes)							\
	{ ENQ, 1, 0, bytes },						\
	{ PAUSE_TX, 0, .n = 5, .out = "0:pause" },			\
	{ PAUSE_RX, 1, SAYS(1), .out = "0:probe 7.0.1 min 7.0 hops 1" }
/* HARD, then a probe arrives and is forwarded */
#define TOLD								\
	HARD(10),							\
	{ RX, 1, PROBE(1, 1, 8, 0, ID(8, 0, 1)),			\
	  .out = "0:probe 8.0.1 min 7.0 hops 2" }
/* Ingress 0 waits at egress 1, ingress 2 at egress 0. */
#define TWO_WAIT							\
	HARD(10),							\
	{ ENQ, 0, 2, 10 },						\
	{ PAUSE_TX, 2, .n = 5, .out = "2:pause" },			\
	{ PAUSE_RX, 0, SAYS(1), .out = "2:probe 7.2.1 min 7.2 hops 1" }
#define AGAIN "0:pause probe 7.0.1 min 7.0 hops 1"
#define DEAD	"0:probe 7.0.1 min 0.0 hops 1; 0 dead"
#define DEAD_TOO "0:probe 7.0.1 min 0.0 hops 1 waits; 0 dead"
/* The probe of ingress 0, or another one, returns after @how_far hops. */
#define BACK(how_far, least_sw, least_port)				\
	RX, 1, PROBE(1, how_far, least_sw, least_port, ID(7, 0, 1))
/* @number: of the question; the @nth one is back */
#define ASKS(number) "0:probe 7.0." number " min 7.0 hops 1"
#define ANSWER(nth, how_far, least_sw, least_port)			\
	RX, 1, PROBE(1, how_far, least_sw, least_port, ID(7, 0, 1 + (nth)))
#define WAITING(s, p, how_far)						\
	RX, 1, .msg = { .type = LLE_DL_PROBE, .hop_epoch = 1,		\
		 .hops = how_far, .min = { .sw = s, .port = p },	\
		 .waits = true, .id = { ID(s, p, 1) } }

static const struct dcfit_vector dcfit_vectors[] __maybe_unused = {
	{ "no pause, no message", {
		{ ENQ, 1, 0, 1000 },
		{ ENQ, 2, 0, 1000 },
		{ DEQ, 1, 0, 1000 },
		{ REFRESH, 0 },
		{ WAIT, .n = 1000 },
	} },
	{ "a loop: own probe returns", {
		HARD(10),
		{ RX, 1, PROBE(1, 3, 7, 0, ID(7, 0, 1)), .out = DEAD },
		{ RX, 1, PROBE(1, 3, 7, 0, ID(7, 0, 1)) },
		/* from now on its probes carry "declared" */
		{ RX, 1, PROBE(1, 1, 8, 0, ID(8, 0, 1)),
		  .out = "0:probe 8.0.1 min 0.0 hops 2" },
	} },
	{ "the pause carries the first probe", {
		{ ENQ, 1, 0, 10 },
		{ PAUSE_RX, 1, PROBE(1, 1, 8, 0, ID(8, 0, 1)) },
		{ PAUSE_TX, 0, .n = 5,
		  .out = AGAIN " waits; 0:probe 8.0.1 min 7.0 hops 2" },
	} },
	{ "forwarded to those that pause and have packets there", {
		{ ENQ, 2, 0, 10 },
		{ ENQ, 2, 1, 10 },
		{ ENQ, 1, 0, 10 },
		{ PAUSE_TX, 0, .n = 5, .out = "0:pause" },
		{ PAUSE_RX, 2, PROBE(4, 2, 9, 1, ID(9, 1, 1)),
		  .out = "0:probe 7.0.1 min 7.0 hops 1 waits; "
			 "0:probe 9.1.1 min 7.0 hops 3" },
		{ PAUSE_TX, 2, .n = 0, .out = "2:pause" },
	} },
	{ "a host is paused, but hears of nothing", {
		{ ENQ, 1, 3, 10 },
		{ PAUSE_TX, 3, .n = 5 },
		{ PAUSE_RX, 1, PROBE(1, 1, 8, 0, ID(8, 0, 1)) },
		{ REFRESH, 3 },
		{ BREAK, 3 },
	} },
	{ "a host that pauses holds nobody", {
		{ ENQ, 3, 0, 10 },
		{ PAUSE_TX, 0, .n = 5, .out = "0:pause" },
		{ PAUSE_RX, 3, PROBE(1, 1, 8, 0, ID(8, 0, 1)) },
		{ REFRESH, 0, .out = "0:pause" },
	} },
	{ "as many bytes as XON are too few", {
		{ ENQ, 1, 0, 5 },
		{ PAUSE_TX, 0, .n = 5, .out = "0:pause" },
		{ PAUSE_RX, 1, PROBE(1, 1, 8, 0, ID(8, 0, 1)) },
		/* one more byte: this egress alone keeps the pause */
		{ ENQ, 1, 0, 1, .out = "0:probe 7.0.1 min 7.0 hops 1 waits; "
				       "0:probe 8.0.1 min 7.0 hops 2" },
	} },
	{ "bytes at two egresses, held by the same", {
		{ ENQ, 1, 0, 4 },
		{ ENQ, 2, 0, 4 },
		{ PAUSE_TX, 0, .n = 5, .out = "0:pause" },
		{ PAUSE_RX, 1, PROBE(1, 1, 8, 0, ID(8, 0, 1)) },
		{ PAUSE_RX, 2, SAYS(9), .out = "0:probe 7.0.1 min 7.0 hops 1" },
		{ RX, 2, PROBE(9, 4, 2, 1, ID(8, 0, 1)),
		  .out = "0:probe 8.0.1 min 7.0 hops 2" },
	} },
	{ "bytes at two egresses, held by two: a pair", {
		{ ENQ, 1, 0, 4 },
		{ ENQ, 2, 0, 4 },
		{ PAUSE_TX, 0, .n = 5, .out = "0:pause" },
		{ PAUSE_RX, 1, PROBE(1, 1, 8, 0, ID(8, 0, 1)) },
		{ PAUSE_RX, 2, PROBE(9, 4, 9, 1, ID(9, 1, 1)),
		  .out = "0:probe 7.0.1 min 7.0 hops 1" },
		{ REFRESH, 0, .out = AGAIN
		  "; 0:probe 8.0.1+9.1.1 min 7.0 hops 2" },
	} },
	{ "nor is it said because of an egress without packets", {
		{ ENQ, 1, 0, 4 },
		{ ENQ, 2, 0, 4 },
		{ PAUSE_TX, 0, .n = 5, .out = "0:pause" },
		{ PAUSE_RX, 1, PROBE(1, 1, 8, 0, ID(8, 0, 1)) },
		{ PAUSE_RX, 2, PROBE(9, 4, 9, 1, ID(9, 1, 1)),
		  .out = "0:probe 7.0.1 min 7.0 hops 1" },
		{ PAUSE_RX, 0, PROBE(1, 1, 8, 0, ID(8, 0, 1), ID(9, 1, 1)) },
		{ ENQ, 1, 0, 1 },
	} },
	{ "one of the two is itself", {
		{ ENQ, 1, 0, 4 },
		{ ENQ, 2, 0, 4 },
		{ PAUSE_TX, 0, .n = 5, .out = "0:pause" },
		{ PAUSE_RX, 1, PROBE(1, 1, 8, 0, ID(8, 0, 1)) },
		{ PAUSE_RX, 2, PROBE(9, 4, 7, 0, ID(7, 0, 1)),
		  .out = "0:probe 7.0.1 min 7.0 hops 1" },
		{ REFRESH, 0, .out = AGAIN "; 0:probe 8.0.1 min 7.0 hops 2" },
		/* both: no initiator remains in the pair */
		{ RX, 1, PROBE(1, 5, 7, 0, ID(7, 0, 1)), .out = DEAD },
	} },
	{ "a pair goes on, its member drops itself", {
		HARD(10),
		{ RX, 1, PROBE(1, 2, 8, 0, ID(8, 0, 1), ID(9, 0, 1)),
		  .out = "0:probe 8.0.1+9.0.1 min 7.0 hops 3" },
		{ RX, 1, PROBE(1, 2, 7, 0, ID(6, 0, 1), ID(7, 0, 1)),
		  .out = "0:probe 6.0.1 min 7.0 hops 3" },
	} },
	{ "less than is known is not kept", {
		TOLD,
		{ RX, 1, PROBE(1, 2, 8, 0, ID(8, 0, 1), ID(9, 0, 1)) },
		{ REFRESH, 0, .out = AGAIN " waits" },
	} },
	{ "own ID of an earlier pause", {
		HARD(10),
		{ RESUME_TX, 0 },
		{ PAUSE_TX, 0, .n = 5,
		  .out = "0:pause probe 7.0.2 min 7.0 hops 1" },
		{ RX, 1, PROBE(1, 3, 7, 0, ID(7, 0, 1)) },
		{ RX, 1, PROBE(1, 3, 7, 0, ID(7, 0, 2)),
		  .out = "0:probe 7.0.2 min 0.0 hops 1; 0 dead" },
	} },
	{ "no longer than its pause", {
		HARD(10),
		{ RX, 1, PROBE(1, 3, 6, 0, ID(7, 0, 1)) },
		{ RESUME_TX, 0 },
		{ WAIT, .n = 1000 },
	} },
	{ "a newer ID takes the place of an older one (RFC 1982)", {
		HARD(10),
		{ RX, 1, PROBE(1, 1, 6, 0, ID(6, 0, 65535)),
		  .out = "0:probe 6.0.65535 min 6.0 hops 2" },
		{ RX, 1, PROBE(1, 1, 6, 0, ID(6, 0, 0)),
		  .out = "0:probe 6.0.0 min 6.0 hops 2" },
		{ RX, 1, PROBE(1, 1, 6, 0, ID(6, 0, 65535)) },
		{ REFRESH, 0, .out = AGAIN
		  " waits; 0:probe 6.0.0 min 6.0 hops 2" },
	} },
	{ "four refreshes say all, the others one in turn", {
		HARD(10),
		{ RX, 1, PROBE(1, 1, 6, 0, ID(6, 0, 1)),
		  .out = "0:probe 6.0.1 min 6.0 hops 2" },
		{ RX, 1, PROBE(1, 1, 8, 0, ID(8, 0, 1)),
		  .out = "0:probe 8.0.1 min 7.0 hops 2" },
		/* but of a larger initiator */
		{ REFRESH, 0, .out = AGAIN
		  " waits; 0:probe 6.0.1 min 6.0 hops 2" },
		{ REFRESH, 0, .out = AGAIN
		  " waits; 0:probe 6.0.1 min 6.0 hops 2" },
		{ REFRESH, 0, .out = AGAIN
		  " waits; 0:probe 6.0.1 min 6.0 hops 2" },
		{ REFRESH, 0, .out = AGAIN
		  " waits; 0:probe 6.0.1 min 6.0 hops 2" },
		{ REFRESH, 0, .out = AGAIN " waits" },
		{ REFRESH, 0, .out = "0:pause probe 6.0.1 min 6.0 hops 2" },
		{ REFRESH, 0, .out = "0:pause probe 8.0.1 min 7.0 hops 2" },
		/* a new message restarts this */
		{ RX, 1, PROBE(1, 1, 6, 1, ID(6, 1, 1)),
		  .out = "0:probe 6.1.1 min 6.1 hops 2" },
		{ REFRESH, 0, .out = AGAIN
		  " waits; 0:probe 6.0.1 min 6.0 hops 2"
		  "; 0:probe 6.1.1 min 6.1 hops 2" },
	} },
	{ "messages of another pause", {
		{ ENQ, 1, 0, 10 },
		{ PAUSE_TX, 0, .n = 5, .out = "0:pause" },
		{ RX, 1, PROBE(65535, 1, 8, 0, ID(8, 0, 1)) },
		{ PAUSE_RX, 1, SAYS(65535),
		  .out = "0:probe 7.0.1 min 7.0 hops 1" },
		{ RX, 1, PROBE(65534, 1, 8, 0, ID(8, 0, 1)) },
		{ RX, 1, PROBE(65535, 1, 8, 0, ID(8, 0, 1)),
		  .out = "0:probe 8.0.1 min 7.0 hops 2" },
		/* the resume in between was lost */
		{ PAUSE_RX, 1, SAYS(0), .out = "0:cancel 8.0.1" },
		{ REFRESH, 0, .out = AGAIN },
		{ RX, 1, PROBE(0, 1, 8, 0, ID(8, 0, 2)),
		  .out = "0:probe 8.0.2 min 7.0 hops 2" },
		{ RX, 1, SAYS(1), .out = "0:cancel 8.0.2" },
	} },
	{ "a neighbour that has begun anew, with lower numbers", {
		{ ENQ, 1, 0, 10 },
		{ PAUSE_TX, 0, .n = 5, .out = "0:pause" },
		{ PAUSE_RX, 1, SAYS(900),
		  .out = "0:probe 7.0.1 min 7.0 hops 1" },
		{ RX, 1, PROBE(900, 1, 8, 0, ID(8, 0, 1)),
		  .out = "0:probe 8.0.1 min 7.0 hops 2" },
		{ RX, 1, PROBE(3, 1, 8, 0, ID(8, 0, 2)) },
		{ PAUSE_RX, 1, SAYS(3), .out = "0:cancel 8.0.1" },
		{ RX, 1, PROBE(3, 1, 8, 0, ID(8, 0, 2)),
		  .out = "0:probe 8.0.2 min 7.0 hops 2" },
	} },
	{ "a pause whose message comes later", {
		{ ENQ, 1, 0, 10 },
		{ PAUSE_TX, 0, .n = 5, .out = "0:pause" },
		{ PAUSE_MUTE, 1 },
		{ REFRESH, 0, .out = "0:pause" },
		{ RX, 1, SAYS(3), .out = "0:probe 7.0.1 min 7.0 hops 1" },
		{ PAUSE_MUTE, 1 },
		{ RX, 1, PROBE(3, 1, 8, 0, ID(8, 0, 1)),
		  .out = "0:probe 8.0.1 min 7.0 hops 2" },
	} },
	{ "a resume ends what was said", {
		TOLD,
		{ RESUME_RX, 1 },
		{ REFRESH, 0, .out = "0:pause" },
		{ PAUSE_RX, 1, SAYS(2) },
		{ REFRESH, 0, .out = AGAIN },
	} },
	{ "a pause that expires is broken", {
		TOLD,
		{ EXPIRE, 1, .out = "0:cancel 8.0.1" },
		{ RESUME_RX, 1 },
	} },
	{ "BROKEN, in a frame of its own", {
		TOLD,
		{ RX, 1, BROKEN(1), .out = "0:cancel 8.0.1" },
	} },
	{ "CANCEL goes on as far as it matters", {
		TOLD,
		{ RX, 1, CANCEL(1, ID(9, 0, 1)) },
		{ RX, 1, CANCEL(1, ID(8, 0, 1)), .out = "0:cancel 8.0.1" },
		{ RX, 1, CANCEL(1, ID(8, 0, 1)) },
		{ REFRESH, 0, .out = AGAIN },
	} },
	{ "CANCEL of all", {
		TOLD,
		{ RX, 1, CANCEL(1), .out = "0:cancel 8.0.1" },
		{ REFRESH, 0, .out = AGAIN },
	} },
	{ "CANCEL of a pair, by one of it", {
		HARD(10),
		{ RX, 1, PROBE(1, 2, 8, 0, ID(8, 0, 1), ID(9, 0, 1)),
		  .out = "0:probe 8.0.1+9.0.1 min 7.0 hops 3" },
		{ RX, 1, CANCEL(1, ID(9, 0, 1)),
		  .out = "0:cancel 8.0.1; 0:cancel 9.0.1" },
	} },
	{ "CANCEL of itself: what it was dropped from", {
		{ ENQ, 1, 0, 4 },
		{ ENQ, 2, 0, 4 },
		{ PAUSE_TX, 0, .n = 5, .out = "0:pause" },
		{ PAUSE_RX, 1, PROBE(1, 1, 8, 0, ID(8, 0, 1)) },
		{ PAUSE_RX, 2, PROBE(9, 4, 7, 0, ID(7, 0, 1)),
		  .out = "0:probe 7.0.1 min 7.0 hops 1" },
		{ REFRESH, 0, .out = AGAIN "; 0:probe 8.0.1 min 7.0 hops 2" },
		{ RX, 2, CANCEL(9, ID(7, 0, 1)), .out = "0:cancel 8.0.1" },
	} },
	{ "CANCEL while its own probe holds it, which is cancelled next", {
		TOLD,
		{ BACK(5, 6, 2) },
		{ RX, 1, CANCEL(1, ID(8, 0, 1)), .out = "0:cancel 8.0.1" },
		{ RX, 1, CANCEL(1, ID(7, 0, 1)) },
	} },
	{ "not taken back while another egress holds as well", {
		TOLD,
		{ ENQ, 2, 0, 10 },
		{ PAUSE_RX, 2, PROBE(2, 1, 8, 0, ID(8, 0, 1)) },
		{ EXPIRE, 1 },
		{ EXPIRE, 2, .out = "0:cancel 8.0.1" },
	} },
	{ "packets leave an egress that is held", {
		TOLD,
		{ DEQ, 1, 0, 4 },
		{ DEQ, 1, 0, 1, .out = "0:cancel 8.0.1" },
		{ RESUME_TX, 0, .out = "0:resume broken" },
	} },
	{ "a break says so", {
		HARD(10),
		{ BREAK, 0, .out = "0:resume broken" },
		{ RESUME_TX, 0, .out = "0:resume broken" },
		{ PAUSE_TX, 0, .n = 10, .out = "0:pause" },
		{ RESUME_TX, 0 },
	} },
	/* a round of 3 hops takes 3 * t_h = 6 units, of 5 hops 10 */
	{ "a smaller one on the loop, with a probe that came along, declares", {
		HARD(10),
		{ RX, 1, PROBE(1, 1, 6, 0, ID(6, 0, 1)),
		  .out = "0:probe 6.0.1 min 6.0 hops 2" },
		{ BACK(3, 6, 0) },
		/* six rounds */
		{ WAIT, .n = 36 },
		{ WAIT, .n = 1, .out = ASKS("2") " waits" },
		{ BACK(3, 6, 0) },
		/* within two rounds */
		{ WAIT, .n = 13 },
		{ ANSWER(1, 3, 6, 0),
		  .out = "0:probe 7.0.2 min 0.0 hops 1 waits; 0 dead" },
	} },
	{ "a first answer that is late may be about another deadlock", {
		HARD(10),
		{ RX, 1, PROBE(1, 1, 6, 0, ID(6, 0, 1)),
		  .out = "0:probe 6.0.1 min 6.0 hops 2" },
		{ BACK(3, 6, 0) },
		{ WAIT, .n = 37, .out = ASKS("2") " waits" },
		/* two rounds are over */
		{ WAIT, .n = 14 },
		{ ANSWER(1, 3, 6, 0) },
		{ WAIT, .n = 36 },
		{ WAIT, .n = 1, .out = ASKS("3") " waits" },
		{ WAIT, .n = 14 },
		{ ANSWER(2, 3, 6, 0),
		  .out = "0:probe 7.0.3 min 0.0 hops 1 waits; 0 dead" },
	} },
	{ "one with a probe that has stopped gets 0.7 rounds", {
		HARD(10),
		{ BACK(5, 6, 2) },
		{ BACK(5, 6, 2) },
		{ WAIT, .n = 7 },
		{ WAIT, .n = 1, .out = DEAD },
		/* that was all */
		{ BACK(5, 6, 2) },
		{ WAIT, .n = 1000 },
	} },
	{ "unless one declares meanwhile: a reason to ask, even if it is taken back", {
		HARD(10),
		{ BACK(5, 6, 2) },
		{ RX, 1, PROBE(1, 2, 0, 0, ID(8, 0, 1)),
		  .out = "0:probe 8.0.1 min 0.0 hops 3" },
		{ RX, 1, CANCEL(1, ID(8, 0, 1)), .out = "0:cancel 8.0.1" },
		{ WAIT, .n = 8, .out = ASKS("2") },
		{ ANSWER(1, 5, 7, 0), .out = "0:probe 7.0.2 min 0.0 hops 1; 0 dead" },
	} },
	{ "one that may be on another loop is a reason to ask at once", {
		HARD(10),
		{ WAITING(6, 0, 2),
		  .out = "0:probe 6.0.1 min 6.0 hops 3 waits" },
		{ BACK(5, 7, 0), .out = ASKS("2") " waits" },
		{ ANSWER(1, 5, 7, 0),
		  .out = "0:probe 7.0.2 min 0.0 hops 1 waits; 0 dead" },
	} },
	{ "one that waits for no other is on no loop", {
		HARD(10),
		{ RX, 1, PROBE(1, 2, 6, 0, ID(6, 0, 1)),
		  .out = "0:probe 6.0.1 min 6.0 hops 3" },
		{ BACK(5, 7, 0), .out = DEAD_TOO },
	} },
	{ "nor is one with a probe that circles", {
		HARD(10),
		{ WAITING(6, 0, 10),
		  .out = "0:probe 6.0.1 min 6.0 hops 11 waits" },
		{ BACK(5, 7, 0), .out = DEAD_TOO },
	} },
	{ "a larger one is not waited for", {
		HARD(10),
		{ WAITING(8, 0, 2),
		  .out = "0:probe 8.0.1 min 7.0 hops 3 waits" },
		{ BACK(5, 7, 0), .out = DEAD_TOO },
	} },
	{ "one that has declared gets 32 rounds, until the break", {
		HARD(10),
		{ BACK(1, 0, 0) },
		{ WAIT, .n = 64 },
		{ WAIT, .n = 1, .out = ASKS("2") },
		{ ANSWER(1, 1, 0, 0) },
		{ WAIT, .n = 64 },
		{ WAIT, .n = 1, .out = ASKS("3") },
		{ ANSWER(2, 1, 7, 0),
		  .out = "0:probe 7.0.3 min 0.0 hops 1; 0 dead" },
	} },
	{ "without room for a break, others get 12 rounds to declare", {
		{ FULL, .n = 1 },
		HARD(10),
		{ BACK(3, 7, 0) },
		{ WAIT, .n = 72 },
		{ WAIT, .n = 1, .out = ASKS("2") },
		/* it has none: packets will be dropped */
		{ ANSWER(1, 3, 7, 0),
		  .out = "0:probe 7.0.2 min 0.0 hops 1; 0 dead" },
	} },
	{ "without room, one of them declares", {
		{ FULL, .n = 1 },
		HARD(10),
		{ BACK(3, 7, 0) },
		{ WAIT, .n = 73, .out = ASKS("2") },
		{ ANSWER(1, 3, 0, 0) },
		/* it has broken the loop, which closes again */
		{ FULL, .n = 0 },
		{ WAIT, .n = 193, .out = ASKS("3") },
		{ ANSWER(2, 3, 7, 0),
		  .out = "0:probe 7.0.3 min 0.0 hops 1; 0 dead" },
	} },
	{ "after a break, a smaller one may declare the next deadlock first", {
		HARD(10),
		{ RX, 1, PROBE(1, 1, 6, 0, ID(6, 0, 1)),
		  .out = "0:probe 6.0.1 min 6.0 hops 2" },
		{ BACK(3, 6, 0) },
		{ WAIT, .n = 37, .out = ASKS("2") " waits" },
		{ ANSWER(1, 3, 0, 0) },
		{ WAIT, .n = 193, .out = ASKS("3") " waits" },
		{ ANSWER(2, 3, 6, 0) },
		{ WAIT, .n = 37, .out = ASKS("4") " waits" },
	} },
	{ "a loop that was broken is not declared again: no answer", {
		HARD(10),
		{ BACK(3, 0, 0) },
		/* CANCEL of 7.0.1 is lost */
		{ WAIT, .n = 193, .out = ASKS("2") },
		{ BACK(3, 7, 0) },
		{ WAIT, .n = 1000 },
	} },
	{ "one that declares in the meantime, too", {
		HARD(10),
		{ BACK(5, 6, 2) },
		{ RX, 1, PROBE(1, 4, 0, 0, ID(6, 2, 1)),
		  .out = "0:probe 6.2.1 min 0.0 hops 5" },
		{ WAIT, .n = 8 },
		{ WAIT, .n = 320 },
		{ WAIT, .n = 1, .out = ASKS("2") " waits" },
		/* now only the answer counts */
		{ ANSWER(1, 5, 7, 0),
		  .out = "0:probe 7.0.2 min 0.0 hops 1 waits; 0 dead" },
	} },
	{ "a loop that was broken is not declared again if a CANCEL is lost", {
		HARD(10),
		{ BACK(3, 0, 0) },
		/* CANCEL of 7.0.1 is lost */
		{ RESUME_RX, 1 },
		{ PAUSE_RX, 1, SAYS(2) },
		{ WAIT, .n = 192 },
		{ WAIT, .n = 1 },
	} },
	{ "of two ingresses at one egress, one declares", {
		{ ENQ, 1, 0, 10 },
		{ ENQ, 1, 2, 10 },
		{ PAUSE_TX, 0, .n = 5, .out = "0:pause" },
		{ PAUSE_TX, 2, .n = 5, .out = "2:pause" },
		{ PAUSE_RX, 1, SAYS(1),
		  .out = "0:probe 7.0.1 min 7.0 hops 1; "
			 "2:probe 7.2.1 min 7.2 hops 1" },
		{ RX, 1, PROBE(1, 3, 7, 2, ID(7, 2, 1)),
		  .out = "0:probe 7.2.1 min 7.0 hops 4; "
			 "2:probe 7.2.1 min 0.0 hops 1; 2 dead" },
		{ BACK(3, 7, 0), .out = "2:probe 7.0.1 min 0.0 hops 4" },
		{ WAIT, .n = 192 },
	} },
	{ "that one has declared is sent on once more", {
		TOLD,
		{ RX, 1, PROBE(1, 1, 0, 0, ID(8, 0, 1)),
		  .out = "0:probe 8.0.1 min 0.0 hops 2" },
		{ RX, 1, PROBE(1, 1, 0, 0, ID(8, 0, 1)) },
	} },
	{ "a smaller one counts as far as its own probe has come", {
		HARD(10),
		{ RX, 1, PROBE(1, 3, 6, 0, ID(8, 0, 1)),
		  .out = "0:probe 8.0.1 min 7.0 hops 4" },
		{ RX, 1, PROBE(1, 2, 6, 0, ID(6, 0, 1)),
		  .out = "0:probe 6.0.1 min 6.0 hops 3" },
		{ RX, 1, PROBE(1, 3, 6, 0, ID(9, 0, 1)),
		  .out = "0:probe 9.0.1 min 6.0 hops 4" },
	} },
	{ "a pause about to expire is not relied on (G)", {
		{ ENQ, 1, 0, 10 },
		{ PAUSE_TX, 0, .n = 5, .out = "0:pause" },
		{ PAUSE_RX, 1, .n = 20, SAYS(1),
		  .out = "0:probe 7.0.1 min 7.0 hops 1" },
		{ WAIT, .n = 11 },
		{ RX, 1, PROBE(1, 1, 7, 0, ID(7, 0, 1)) },
		{ PAUSE_RX, 1, .n = 10, SAYS(1), .out = DEAD },
	} },
	{ "not farther than 64 hops", {
		HARD(10),
		{ RX, 1, PROBE(1, 65, 7, 0, ID(7, 0, 1)) },
		{ RX, 1, PROBE(1, 65, 8, 0, ID(8, 0, 1)) },
		{ RX, 1, PROBE(1, 64, 8, 0, ID(8, 0, 1)) },
		{ RX, 1, PROBE(1, 63, 9, 0, ID(9, 0, 1)),
		  .out = "0:probe 9.0.1 min 7.0 hops 64" },
		{ RX, 1, PROBE(1, 64, 7, 0, ID(7, 0, 1)), .out = DEAD_TOO },
	} },
	{ "a pause of 2.5 ms", {
		{ ENQ, 1, 0, 10 },
		{ PAUSE_TX, 0, .n = 5, .out = "0:pause" },
		{ PAUSE_RX, 1, .n = 2441, SAYS(1),
		  .out = "0:probe 7.0.1 min 7.0 hops 1" },
		{ RX, 1, PROBE(1, 3, 7, 0, ID(7, 0, 1)), .out = DEAD },
	} },
	{ "pairs with a member of an earlier pause are not stored", {
		HARD(10),
		{ RX, 1, PROBE(1, 2, 6, 0, ID(6, 0, 1), ID(7, 0, 9)) },
	} },
	{ "bytes at an egress with two probes count once", {
		{ ENQ, 0, 0, 2 },
		{ ENQ, 1, 0, 2 },
		{ ENQ, 2, 0, 2 },
		{ PAUSE_TX, 0, .n = 5, .out = "0:pause" },
		{ PAUSE_RX, 0, SAYS(1) },
		{ PAUSE_RX, 1, SAYS(1) },
		{ PAUSE_RX, 2, SAYS(1), .out = "0:probe 7.0.1 min 7.0 hops 1" },
		{ RX, 1, PROBE(1, 1, 8, 0, ID(8, 0, 1)) },
		{ RX, 2, PROBE(1, 1, 8, 0, ID(8, 0, 1)) },
		{ RX, 1, PROBE(1, 1, 9, 0, ID(9, 0, 1)) },
		{ REFRESH, 0, .out = AGAIN },
	} },
	{ "a pair of which the first holds it alone says nothing new", {
		TOLD,
		{ ENQ, 2, 0, 10 },
		{ PAUSE_RX, 2, PROBE(1, 1, 8, 0, ID(8, 0, 1), ID(9, 0, 1)) },
	} },
	{ "nor one of which the second does", {
		TOLD,
		{ ENQ, 2, 0, 10 },
		{ PAUSE_RX, 2, PROBE(1, 1, 6, 0, ID(6, 0, 1), ID(8, 0, 1)) },
	} },
	{ "a cancel of two pairs names each member once", {
		HARD(10),
		{ RX, 1, PROBE(1, 2, 6, 0, ID(6, 0, 1), ID(8, 0, 1)),
		  .out = "0:probe 6.0.1+8.0.1 min 7.0 hops 3" },
		{ RX, 1, PROBE(1, 2, 6, 0, ID(6, 0, 1), ID(9, 0, 1)),
		  .out = "0:probe 6.0.1+9.0.1 min 7.0 hops 3" },
		{ RX, 1, CANCEL(1, ID(6, 0, 1)), .out = "0:cancel 6.0.1; "
		  "0:cancel 8.0.1; 0:cancel 9.0.1" },
	} },
	{ "a broken egress withdraws each of its probes", {
		TOLD,
		{ RX, 1, PROBE(1, 1, 9, 0, ID(9, 0, 1)),
		  .out = "0:probe 9.0.1 min 7.0 hops 2" },
		{ EXPIRE, 1, .out = "0:cancel 8.0.1; 0:cancel 9.0.1" },
	} },
	{ "evictions elsewhere withdraw nothing", {
		TOLD,
		{ PAUSE_RX, 2, PROBE(1, 1, 20, 0, ID(20, 0, 1)) },
		{ RX, 2, PROBE(1, 1, 21, 0, ID(21, 0, 1)) },
		{ RX, 2, PROBE(1, 1, 22, 0, ID(22, 0, 1)) },
		{ RX, 2, PROBE(1, 1, 23, 0, ID(23, 0, 1)) },
		{ RX, 2, PROBE(1, 1, 24, 0, ID(24, 0, 1)) },
		{ DEQ, 1, 0, 4 },
	} },
	{ "two deadlocks, one after the other, are declared once", {
		TWO_WAIT,
		{ RX, 1, PROBE(1, 3, 7, 0, ID(7, 0, 1)), .out = DEAD },
		{ RX, 0, PROBE(1, 3, 7, 2, ID(7, 2, 1)),
		  .out = "2:probe 7.2.1 min 0.0 hops 1; 2 dead" },
		{ REFRESH, 0, .out = "0:pause probe 7.0.1 min 0.0 hops 1" },
		{ REFRESH, 2, .out = "2:pause probe 7.2.1 min 0.0 hops 1" },
	} },
	{ "two that defer both declare", {
		TWO_WAIT,
		{ RX, 1, PROBE(1, 5, 6, 2, ID(7, 0, 1)) },
		{ RX, 0, PROBE(1, 5, 6, 2, ID(7, 2, 1)) },
		{ WAIT, .n = 7 },
		{ WAIT, .n = 1, .out = "0:probe 7.0.1 min 0.0 hops 1; "
		  "2:probe 7.2.1 min 0.0 hops 1; 0 dead; 2 dead" },
	} },
	{ "hairpin: a loop of two switches and one link", {
		{ ENQ, 1, 1, 10 },
		{ PAUSE_TX, 1, .n = 5, .out = "1:pause" },
		{ PAUSE_RX, 1, PROBE(1, 1, 8, 0, ID(8, 0, 1)),
		  .out = "1:probe 7.1.1 min 7.1 hops 1 waits; "
			 "1:probe 8.0.1 min 7.1 hops 2" },
		{ RX, 1, PROBE(1, 1, 7, 1, ID(7, 1, 1)),
		  .out = "1:probe 7.1.1 min 0.0 hops 1 waits; 1 dead" },
	} },
};

#endif /* LLE_VECTORS_EXACT_H */
