/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Schedules of algorithm dcfit, by hand from the rules of the paper, for switch
 * 7 with ports to switches (0, 1, 2) and to a host (3): events, and the messages
 * that they cause. Text as in vectors/exact.h; "check": a checking message,
 * "sure": a temporal consistency check; h: a host; "for": another trigger.
 */
#ifndef LLE_VECTORS_DCFIT_H
#define LLE_VECTORS_DCFIT_H

#include "exact.h"

#define OF_TRIGGER(what, how_far, ...)					\
	.msg = { .type = (what), .hops = (how_far),			\
		 .id = { __VA_ARGS__ }, .trig = __VA_ARGS__ }
#define OF_MIDDLE(what, how_far, initiator, ...)			\
	.msg = { .type = (what), .hops = (how_far),			\
		 .id = { initiator }, .trig = __VA_ARGS__ }
#define CHECK(how_far, ...)						\
	OF_TRIGGER(LLE_DL_CHECK, how_far, __VA_ARGS__)
#define SURE(how_far, ...)						\
	OF_TRIGGER(LLE_DL_CONSISTENCY, how_far, __VA_ARGS__)

static const struct lle_dl_id mine4 = ID(7, 0, 4), mine3 = ID(7, 0, 3),
				 other = ID(8, 1, 1);

/* Ingress 0 is a trigger; a pause with a message arrives at egress 2. */
#define PAUSED(...)							\
	{ ENQ, 2, 0, 10 },						\
	{ PAUSE_TX, 0, .out = "0:pause check 7.0.1 hops 1" },		\
	{ PAUSE_RX, 2, __VA_ARGS__ }
/* The middle switch: one trigger pauses two egresses. */
#define TWICE								\
	{ ENQ, 1, 0, 5 },						\
	{ ENQ, 2, 0, 10 },						\
	{ PAUSE_TX, 0, .out = "0:pause check 7.0.1 hops 1" },		\
	{ PAUSE_RX, 1, CHECK(1, ID(9, 0, 1)),				\
	  .out = "0:check 9.0.1 hops 2" },				\
	{ PAUSE_RX, 2, CHECK(1, ID(9, 0, 4)),				\
	  .out = "0:check 9.0.4 hops 2; 0:check 7.0.4 for 9.0.4 hops 1" }

static const struct dcfit_vector dcfit_paper_vectors[] = {
	{ "no pause, no message", {
		{ ENQ, 1, 0, 1000 },
		{ ENQ, 2, 0, 1000 },
		{ DEQ, 1, 0, 1000 },
		{ REFRESH, 0 },
	} },
	{ "a trigger says so, and again", {
		{ ENQ, 1, 0, 10 },
		{ PAUSE_TX, 0, .out = "0:pause check 7.0.1 hops 1" },
		{ REFRESH, 0, .out = "0:pause check 7.0.1 hops 1" },
		{ RESUME_TX, 0 },
		{ REFRESH, 0 },
		{ PAUSE_TX, 0, .out = "0:pause check 7.0.2 hops 1" },
	} },
	{ "to all that pause and have packets there (figure 1)", {
		{ ENQ, 0, 1, 10 },
		{ ENQ, 0, 2, 10 },
		{ ENQ, 2, 0, 10 },
		{ PAUSE_TX, 1, .out = "1:pause check 7.1.1 hops 1" },
		{ PAUSE_TX, 2, .out = "2:pause check 7.2.1 hops 1" },
		{ PAUSE_RX, 0, CHECK(1, ID(9, 0, 1)),
		  .out = "1:check 9.0.1 hops 2; 2:check 9.0.1 hops 2" },
		{ PAUSE_RX, 2, CHECK(1, ID(8, 0, 1)) },
	} },
	{ "once, and again with a newer Seq", {
		PAUSED(CHECK(1, ID(9, 0, 65535)),
		       .out = "0:check 9.0.65535 hops 2"),
		{ PAUSE_RX, 2, CHECK(1, ID(9, 0, 65535)) },
		{ PAUSE_RX, 2, CHECK(1, ID(9, 0, 0)),
		  .out = "0:check 9.0.0 hops 2" },
		{ PAUSE_RX, 2, CHECK(1, ID(9, 0, 65535)) },
		{ RESUME_TX, 0 },
		{ PAUSE_RX, 2, CHECK(1, ID(9, 0, 1)) },
	} },
	{ "nobody pauses; who does later says what is stored", {
		{ ENQ, 2, 0, 10 },
		{ PAUSE_RX, 2, CHECK(1, ID(9, 0, 1)) },
		{ PAUSE_TX, 0, .out = "0:pause check 9.0.1 hops 1" },
		{ RESUME_RX, 2 },
		{ REFRESH, 0, .out = "0:pause" },
		{ PAUSE_MUTE, 2 },
		{ REFRESH, 0, .out = "0:pause" },
	} },
	{ "a host is paused, but hears of nothing", {
		{ ENQ, 2, 3, 10 },
		{ PAUSE_TX, 3 },
		{ PAUSE_RX, 2, CHECK(1, ID(9, 0, 1)) },
		{ REFRESH, 3 },
		{ RESUME_TX, 3 },
	} },
	{ "a host that pauses is a trigger at once", {
		{ ENQ, 3, 0, 10 },
		{ PAUSE_TX, 0, .out = "0:pause check 7.0.1 hops 1" },
		{ PAUSE_MUTE, 3, .out = "0:check 7.3.1h hops 1" },
		{ PAUSE_MUTE, 3 },
		{ RESUME_RX, 3 },
		{ PAUSE_MUTE, 3, .out = "0:check 7.3.2h hops 1" },
		{ RX, 3, CHECK(1, ID(9, 0, 1)) },
	} },
	{ "packets that come to wait later", {
		{ PAUSE_RX, 2, CHECK(1, ID(9, 0, 1)) },
		{ ENQ, 1, 0, 300 },
		{ PAUSE_TX, 0, .out = "0:pause check 7.0.1 hops 1" },
		{ ENQ, 2, 0, 100, .out = "0:check 9.0.1 hops 1" },
		{ ENQ, 2, 0, 100 },
		{ REFRESH, 0, .out = "0:pause check 7.0.1 hops 1; "
				     "0:check 9.0.1 hops 1" },
	} },
	{ "later than what the pause has said: all of it", {
		{ PAUSE_RX, 1, CHECK(1, ID(9, 0, 1)) },
		{ PAUSE_RX, 2, CHECK(1, ID(9, 0, 1)) },
		{ ENQ, 1, 0, 10 },
		{ PAUSE_TX, 0, .out = "0:pause check 9.0.1 hops 1" },
		{ ENQ, 2, 0, 100, .out = "0:check 9.0.1 hops 1; "
					 "0:check 9.0.1 hops 1; "
					 "0:check 7.0.1 for 9.0.1 hops 1" },
	} },
	{ "two causes: most bytes, more than XON", {
		{ ENQ, 2, 0, 2 },
		{ ENQ, 1, 0, 3 },
		{ PAUSE_RX, 1, CHECK(1, ID(8, 0, 1)) },
		{ PAUSE_RX, 2, CHECK(1, ID(9, 0, 1)) },
		{ PAUSE_TX, 0, .n = 2, .out = "0:pause check 8.0.1 hops 1; "
					      "0:check 9.0.1 hops 1" },
		{ RESUME_TX, 0 },
		{ PAUSE_TX, 0, .n = 5, .out = "0:pause check 7.0.2 hops 1; "
					      "0:check 8.0.1 hops 1; "
					      "0:check 9.0.1 hops 1" },
	} },
	{ "a loop, and it lasts", {
		PAUSED(CHECK(3, ID(7, 0, 1)), .out = "0:sure 7.0.1 hops 1"),
		{ PAUSE_RX, 2, CHECK(3, ID(7, 0, 1)),
		  .out = "0:sure 7.0.1 hops 1" },
		{ RX, 2, SURE(3, ID(7, 0, 1)), .out = "0 dead" },
		{ RX, 2, SURE(3, ID(7, 0, 1)) },
		{ RX, 2, CHECK(3, ID(7, 0, 1)) },
		{ RESUME_TX, 0 },
		{ PAUSE_TX, 0, .out = "0:pause check 7.0.2 hops 1" },
		{ RX, 2, CHECK(3, ID(7, 0, 2)), .out = "0:sure 7.0.2 hops 1" },
		{ RX, 2, SURE(3, ID(7, 0, 2)), .out = "0 dead" },
	} },
	{ "an own ID is for nobody else", {
		{ ENQ, 2, 1, 10 },
		{ PAUSE_TX, 1, .out = "1:pause check 7.1.1 hops 1" },
		PAUSED(CHECK(3, ID(7, 0, 1)), .out = "0:sure 7.0.1 hops 1"),
		{ PAUSE_RX, 2, CHECK(3, ID(7, 1, 1)),
		  .out = "1:sure 7.1.1 hops 1" },
	} },
	{ "no loop: without packets there, without a pause, no such port", {
		{ ENQ, 2, 1, 10 },
		{ ENQ, 1, 0, 10 },
		{ PAUSE_TX, 0, .out = "0:pause check 7.0.1 hops 1" },
		{ PAUSE_RX, 2, CHECK(3, ID(7, 0, 1)) },
		{ RX, 2, CHECK(3, ID(7, 1, 1)) },
		{ RX, 2, CHECK(3, ID(7, 12, 1)) },
		{ RX, 2, SURE(3, ID(7, 12, 1)) },
	} },
	{ "no loop any more: its packets have left", {
		PAUSED(CHECK(3, ID(7, 0, 1)), .out = "0:sure 7.0.1 hops 1"),
		{ DEQ, 2, 0, 10 },
		{ RX, 2, SURE(3, ID(7, 0, 1)) },
	} },
	{ "no loop: the pause before", {
		{ ENQ, 2, 0, 10 },
		{ PAUSE_TX, 0, .out = "0:pause check 7.0.1 hops 1" },
		{ RESUME_TX, 0 },
		{ PAUSE_TX, 0, .out = "0:pause check 7.0.2 hops 1" },
		{ PAUSE_RX, 2, CHECK(3, ID(7, 0, 1)) },
		{ RX, 2, SURE(3, ID(7, 0, 1)) },
		{ RX, 2, CHECK(3, ID(7, 0, 2)), .out = "0:sure 7.0.2 hops 1" },
	} },
	{ "no loop: a pause that was no trigger", {
		{ ENQ, 2, 0, 10 },
		{ PAUSE_RX, 2, CHECK(1, ID(9, 0, 1)) },
		{ PAUSE_TX, 0, .out = "0:pause check 9.0.1 hops 1" },
		{ RX, 2, CHECK(3, ID(7, 0, 1)) },
	} },
	{ "the second round goes the way of the first", {
		PAUSED(CHECK(1, ID(9, 0, 1)), .out = "0:check 9.0.1 hops 2"),
		{ RX, 2, SURE(2, ID(9, 0, 1)), .out = "0:sure 9.0.1 hops 3" },
		{ RX, 2, SURE(2, ID(9, 0, 2)) },
		{ RX, 2, SURE(2, ID(8, 0, 1)) },
		{ RX, 1, SURE(2, ID(9, 0, 1)) },
		{ RESUME_RX, 2 },
		{ RX, 2, SURE(2, ID(9, 0, 1)) },
		{ RX, 2, CHECK(2, ID(9, 0, 1)) },
		{ PAUSE_MUTE, 2 },
		{ RX, 2, SURE(2, ID(9, 0, 1)) },
		{ RX, 2, CHECK(2, ID(9, 0, 1)), .out = "0:check 9.0.1 hops 3" },
		{ RX, 2, SURE(2, ID(9, 0, 1)), .out = "0:sure 9.0.1 hops 3" },
	} },
	{ "a middle switch", {
		TWICE,
		{ RX, 2, OF_MIDDLE(LLE_DL_CHECK, 3, mine4, ID(9, 0, 4)),
		  .out = "0:sure 7.0.4 for 9.0.4 hops 1" },
		{ RX, 2, OF_MIDDLE(LLE_DL_CHECK, 3, mine4, ID(9, 0, 4)),
		  .out = "0:sure 7.0.4 for 9.0.4 hops 1" },
		{ RX, 2, OF_MIDDLE(LLE_DL_CHECK, 3, mine3, ID(9, 0, 3)) },
		{ REFRESH, 0, .out = "0:pause check 7.0.1 hops 1; "
				     "0:check 9.0.1 hops 1; "
				     "0:check 9.0.4 hops 1; "
				     "0:check 7.0.4 for 9.0.4 hops 1; "
				     "0:sure 7.0.4 for 9.0.4 hops 1" },
		{ RX, 2, OF_MIDDLE(LLE_DL_CONSISTENCY, 3, mine4,
				   ID(9, 0, 4)), .out = "0 dead" },
	} },
	{ "no middle switch any more", {
		TWICE,
		{ RESUME_RX, 2 },
		{ RX, 1, OF_MIDDLE(LLE_DL_CHECK, 3, mine4, {}) },
		{ RX, 1, OF_MIDDLE(LLE_DL_CHECK, 3, mine4, ID(9, 0, 4)) },
		{ PAUSE_RX, 1, CHECK(1, ID(9, 0, 4)),
		  .out = "0:check 9.0.4 hops 2" },
		{ RX, 1, OF_MIDDLE(LLE_DL_CHECK, 3, mine4, ID(9, 0, 4)) },
		{ PAUSE_RX, 2, CHECK(1, ID(8, 0, 4)),
		  .out = "0:check 8.0.4 hops 2" },
	} },
	{ "none: the same port again, a host in the place of a port", {
		PAUSED(CHECK(1, ID(9, 1, 1)), .out = "0:check 9.1.1 hops 2"),
		{ PAUSE_RX, 2, CHECK(1, ID(9, 1, 2)),
		  .out = "0:check 9.1.2 hops 2" },
		{ ENQ, 1, 0, 1 },
		{ PAUSE_RX, 1, .msg = { .type = LLE_DL_CHECK, .hops = 1,
			.id = { ID(9, 1, 1) },
			.trig = { .sw = 9, .port = 1, .host = 1, .seq = 1 } },
		  .out = "0:check 9.1.1h hops 2" },
	} },
	{ "another middle switch", {
		PAUSED(CHECK(1, ID(9, 0, 1)), .out = "0:check 9.0.1 hops 2"),
		{ RX, 2, OF_MIDDLE(LLE_DL_CHECK, 2, other, ID(9, 0, 1)),
		  .out = "0:check 8.1.1 for 9.0.1 hops 3" },
		{ RX, 2, OF_MIDDLE(LLE_DL_CHECK, 2, other, ID(9, 0, 1)) },
		{ REFRESH, 0, .out = "0:pause check 7.0.1 hops 1; "
				     "0:check 9.0.1 hops 1; "
				     "0:check 8.1.1 for 9.0.1 hops 1" },
		{ RX, 2, OF_MIDDLE(LLE_DL_CONSISTENCY, 2, other,
				   ID(9, 0, 1)),
		  .out = "0:sure 8.1.1 for 9.0.1 hops 3" },
		{ RESUME_RX, 2 },
		{ PAUSE_RX, 2, CHECK(1, ID(9, 0, 1)),
		  .out = "0:check 9.0.1 hops 2" },
		{ RX, 2, OF_MIDDLE(LLE_DL_CONSISTENCY, 2, other,
				   ID(9, 0, 1)) },
	} },
	{ "two ingresses at a middle switch: each for itself", {
		{ ENQ, 2, 1, 10 },
		{ PAUSE_TX, 1, .out = "1:pause check 7.1.1 hops 1" },
		{ ENQ, 2, 0, 10 },
		{ PAUSE_TX, 0, .out = "0:pause check 7.0.1 hops 1" },
		{ PAUSE_RX, 1, CHECK(1, ID(9, 0, 1)) },
		{ PAUSE_RX, 2, CHECK(1, ID(9, 0, 4)),
		  .out = "0:check 9.0.4 hops 2; 0:check 7.0.4 for 9.0.4 hops 1; "
			 "1:check 9.0.4 hops 2; 1:check 7.1.4 for 9.0.4 hops 1" },
		{ RX, 2, OF_MIDDLE(LLE_DL_CHECK, 3, mine4, ID(9, 0, 4)),
		  .out = "0:sure 7.0.4 for 9.0.4 hops 1" },
	} },
	{ "not farther than 64 hops", {
		PAUSED(CHECK(64, ID(9, 0, 1))),
		{ RX, 2, SURE(63, ID(9, 0, 1)), .out = "0:sure 9.0.1 hops 64" },
		{ RX, 2, SURE(64, ID(9, 0, 1)) },
		{ RX, 2, SURE(255, ID(9, 0, 1)) },
		{ RX, 2, CHECK(255, ID(9, 0, 2)) },
		{ RX, 2, CHECK(0, ID(9, 0, 2)) },
		{ RX, 2, CHECK(63, ID(9, 0, 2)), .out = "0:check 9.0.2 hops 64" },
	} },
};

#endif /* LLE_VECTORS_DCFIT_H */
