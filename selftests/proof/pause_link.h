/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A link with 1 byte/ns for pause.pml: kmod/core/pfc/ and kmod/core/buffer/ as
 * they are. The receiver has one lossless group and the computed headroom; its
 * egress takes packets, or not. The sender obeys pauses after the reaction time.
 * Both ends begin frames of two sizes at any time. Times are relative to now, so
 * results hold for ever.
 */
#ifndef LLE_PAUSE_LINK_H
#define LLE_PAUSE_LINK_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef PAUSE_C		/* a copy with a bug */
#define PAUSE_C	"../../kmod/core/pfc/pause.c"
#endif
#ifndef WATCHDOG_C
#define WATCHDOG_C "../../kmod/core/pfc/watchdog.c"
#endif
#include PAUSE_C
#include WATCHDOG_C
#include "../../kmod/core/pfc/history.c"
#include "../../kmod/core/buffer/sb.c"
#include "../../kmod/core/buffer/credit.c"
#include "digest.h"

#define TICK	20	/* ns */
#define RATE	1000000000ULL
#define BASE	(1ULL << 40)	/* now */
#ifndef FRAME
#define FRAME	80	/* largest frame; others have half of it */
#endif
#ifndef OVERHEAD
#define OVERHEAD 20
#endif
#ifndef DELAY
#define DELAY	20
#endif
#ifndef REACTION
#define REACTION 20
#endif
#ifndef LOSSES
#define LOSSES	0	/* lost pauses and resumes */
#endif
#ifndef LESS
#define LESS	0	/* bytes of headroom less than computed */
#endif
#ifndef OTHERS
#define OTHERS	1	/* other groups take all shared bytes, and return them */
#endif
#ifndef SIZES
#define SIZES	2	/* of frames; 1: and the receiver sends only pauses */
#endif
#ifndef DETECT
#define DETECT	0	/* of the sender's watchdog; 0: off */
#endif
#ifndef RESTORE
#define RESTORE	200
#endif
#define XOFF	160
#define QUANTA	lle_pause_quanta_min(FRAME, OVERHEAD)
#define PAUSE_NS ((int)lle_pause_quanta_to_ns(QUANTA, RATE))
#define PFC	(LLE_PFC_FRAME_LEN + OVERHEAD)
/* from the wish to pause or resume to the reaction */
#define IN_TIME	(PFC + FRAME + OVERHEAD + DELAY + REACTION)
#define LONGEST	2000	/* times beyond it are equal */

enum { DATA, RESUME, PAUSE, NEITHER };

static struct link {
	int32_t until, since, ended, refresh;	/* of rx and tx */
	int32_t peer_busy, busy;		/* the link, in each direction */
	uint8_t paused, sent, want;
	struct { int16_t at; uint8_t len, kind; } fly[6];
	uint8_t flies, queued[14], queue, losses;
	struct lle_sb sb;
	struct lle_sb_pg pg;
	int32_t others;		/* shared bytes */
	int32_t asked, over;	/* since the receiver wants a pause, a resume */
	int32_t stuck, quiet;	/* since the sender is paused, is not */
	int32_t next;		/* step of the watchdog */
	uint8_t stormed, spoiled;
	/* what may happen */
	uint8_t send[2], reply[2], drain, lose, take, halted;
} link_ __attribute__((aligned(8)));

static struct lle_pause_rx rx;
static struct lle_pause_tx tx;
static struct lle_sb_params params;
static const char *wrong;
static unsigned long storms, cut;

/* With -DTELL a trail prints what happens, one event a line. */
#ifdef TELL
#define tell(...) printf(__VA_ARGS__)
#else
#define tell(...) do { } while (0)
#endif

static void load(void)
{
	memset(&rx, 0, sizeof(rx));
	memset(&tx, 0, sizeof(tx));
	rx.paused = link_.paused;
	rx.until_ns[0] = BASE + link_.until;
	rx.since_ns[0] = BASE + link_.since;
	lle_history_add(&rx.history[0], BASE + link_.ended, BASE + link_.ended);
	tx.sent = link_.sent;
	tx.refresh_ns = BASE + link_.refresh;
}

static int32_t at_least(int64_t ns, int32_t least)
{
	return ns < least ? least : ns;
}

static void store(void)
{
	const struct lle_episode *last = lle_history_last(&rx.history[0], 0);

	link_.paused = rx.paused;
	link_.until = rx.paused ? rx.until_ns[0] - BASE : 0;
	link_.since = DETECT && rx.paused ? at_least(rx.since_ns[0] - BASE, -DETECT - TICK) : 0;
	link_.ended = DETECT ? at_least(last->start_ns + last->ns - BASE, -RESTORE - TICK) : 0;
	link_.sent = tx.sent;
	link_.refresh = tx.sent ? tx.refresh_ns - BASE : 0;
	link_.pg.occ_max = 0;
	link_.pg.headroom_max = 0;
	link_.sb.used_max = 0;
}

static void fly(int at, int len, int kind)
{
	if (link_.flies == ARRAY_SIZE(link_.fly)) {
		cut++;
		return;
	}
	link_.fly[link_.flies].at = at;
	link_.fly[link_.flies].len = len;
	link_.fly[link_.flies++].kind = kind;
}

static int land(int n)
{
	memmove(&link_.fly[n], &link_.fly[n + 1],
		(ARRAY_SIZE(link_.fly) - 1 - n) * sizeof(link_.fly[0]));
	memset(&link_.fly[--link_.flies], 0, sizeof(link_.fly[0]));
	return n;
}

/* As the kernel's timer: at changes, and when it is due */
static void watch(void)
{
	const struct lle_watchdog_config times = { DETECT, RESTORE };
	struct lle_watchdog_state state = { .stormed = link_.stormed };
	struct lle_watchdog_view view;
	uint64_t next_ns;

	if (!DETECT)
		return;
	lle_pause_rx_update(&rx, BASE);
	view.stuck_since_ns = rx.paused ? rx.since_ns[0] : LLE_WATCHDOG_NEVER;
	view.quiet_since_ns = lle_pause_rx_quiet_since(&rx, 0);
	switch (lle_watchdog_step(&times, &state, &view, BASE, &next_ns)) {
	case LLE_WATCHDOG_STORM:
		storms++;
		link_.spoiled = 1;
		if (link_.stuck < DETECT)
			wrong = "a storm is declared early";
		break;
	case LLE_WATCHDOG_RESTORE:
		if (link_.quiet < RESTORE)
			wrong = "a storm ends early";
		break;
	case LLE_WATCHDOG_NONE:
		break;
	}
	link_.stormed = state.stormed;
	link_.next = next_ns == U64_MAX ? LONGEST : next_ns - BASE;
}

/* After each event: what may happen next, and the digest of the state */
static void may(void)
{
	int paused;

	load();
	paused = lle_pause_rx_update(&rx, BASE) & 1 && !link_.stormed;
	store();
	link_.send[1] = link_.peer_busy <= 0 && !paused && !wrong;
	link_.send[0] = link_.send[1] && SIZES > 1;
	link_.reply[1] = SIZES > 1 && link_.busy <= 0 && !wrong &&
			 !lle_pause_tx_due(&tx, link_.want, BASE);
	link_.reply[0] = link_.reply[1];
	link_.drain = link_.queue > 0 && !wrong;
	link_.lose = link_.losses > 0 && link_.flies && link_.fly[0].kind != DATA && !wrong;
	link_.take = OTHERS && !wrong;
	link_.halted = !!wrong;
	digest(&link_, sizeof(link_));
}

static void link_init(void)
{
	const struct lle_sb_headroom need = {
		.rate = RATE, .delay_ns = DELAY, .reaction_ns = REACTION,
		.frame_bytes = FRAME, .piece_bytes = FRAME, .piece_frames = 1,
		.overhead_bytes = OVERHEAD,
	};

	params = (struct lle_sb_params){
		.xoff_bytes = XOFF, .xon_delta_bytes = 80,
		.headroom_bytes = lle_sb_headroom_need(&need) - LESS,
	};
	lle_sb_params_init(&params);
	link_.sb.size = 2000;
	link_.sb.carved = params.headroom_bytes;
	link_.pg.lossless = true;
	link_.losses = LOSSES;
	link_.next = LONGEST;
	may();
}

/* The sender begins a frame. */
static void do_send(int big)
{
	int len = big ? FRAME : FRAME / 2;

	tell("send %d\n", len);
	if (link_.asked > IN_TIME && !LOSSES && !link_.spoiled)
		wrong = "the sender is not paused in time";
	link_.peer_busy = len + OVERHEAD;
	fly(len + OVERHEAD + DELAY, len, DATA);
	may();
}

/* The receiver begins a frame of its own. */
static void do_reply(int big)
{
	tell("reply\n");
	link_.busy = (big ? FRAME : FRAME / 2) + OVERHEAD;
	may();
}

/* A packet leaves the receiver. */
static void do_drain(int all)
{
	int len = link_.queued[0];

	tell("drain\n");
	memmove(link_.queued, link_.queued + 1, sizeof(link_.queued) - 1);
	link_.queued[--link_.queue] = 0;
	if (lle_sb_release(&link_.sb, &link_.pg, len)) {
		link_.want = 0;
		link_.asked = 0;
	}
	may();
}

static void do_take(int all)
{
	int bytes = link_.others ? -link_.others : (int)lle_sb_free(&link_.sb);

	tell("other groups\n");
	link_.others += bytes;
	link_.sb.used += bytes;
	may();
}

static void do_lose(int all)
{
	tell("a pause or resume is lost\n");
	link_.losses--;
	land(0);
	may();
}

static void arrive(int len, int kind)
{
	const struct lle_pfc pfc = {
		.enable = kind != NEITHER,
		.quanta = { kind == PAUSE ? QUANTA : 0 },
	};
	unsigned int verdict;

	if (kind != DATA) {
		lle_pause_rx_frame(&rx, &pfc, 1, RATE, BASE);
		watch();
		return;
	}
	verdict = lle_sb_admit(&link_.sb, &params, &link_.pg, len);
	link_.want |= !!(verdict & LLE_SB_XOFF);
	if ((verdict & ~LLE_SB_XOFF) != LLE_SB_ADMIT) {
		if (!link_.spoiled)
			wrong = "a packet is dropped";
	} else if (link_.queue == sizeof(link_.queued)) {
		cut++;
	} else {
		link_.queued[link_.queue++] = len;
	}
}

/* A time that goes on while @on; beyond @most it makes no difference. */
static int32_t longer(int32_t ns, int on, int32_t most)
{
	return !on ? 0 : ns > most ? ns : ns + TICK;
}

/* Has each change come in time? */
static void check(void)
{
	if (link_.over > (LOSSES ? PAUSE_NS : 0) + IN_TIME + 2 * TICK)
		wrong = "a pause does not end";
	if (DETECT && !link_.stormed && link_.stuck > DETECT + TICK)
		wrong = "a pause goes on, without a storm";
	if (link_.stormed && link_.quiet > RESTORE + TICK)
		wrong = "a storm does not end";
	if (!link_.stormed && !link_.flies && !link_.pg.headroom)
		link_.spoiled = 0;
}

static void do_tick(int all)
{
	struct lle_pfc pfc;

	tell("tick\n");
	load();
	if (link_.busy <= 0 && lle_pause_tx_due(&tx, link_.want, BASE)) {
		lle_pause_tx_build(&tx, link_.want, QUANTA, RATE, BASE, &pfc);
		link_.busy = PFC;
		fly(PFC + DELAY + REACTION, 0,
		    !(pfc.enable & 1) ? NEITHER : pfc.quanta[0] ? PAUSE : RESUME);
	}
	store();
	/* now is TICK later */
	link_.until -= link_.paused ? TICK : 0;
	link_.since -= DETECT && link_.paused ? TICK : 0;
	link_.ended -= DETECT ? TICK : 0;
	link_.refresh -= link_.sent ? TICK : 0;
	link_.next -= link_.next < LONGEST ? TICK : 0;
	link_.peer_busy = at_least(link_.peer_busy - TICK, 0);
	link_.busy = at_least(link_.busy - TICK, 0);
	link_.stuck = longer(link_.stuck, DETECT && link_.paused, DETECT + TICK);
	link_.quiet = longer(link_.quiet, DETECT && !link_.paused, RESTORE + TICK);
	load();
	for (int n = 0; n < link_.flies; n++)
		link_.fly[n].at -= TICK;
	for (int n = 0; n < link_.flies;)
		if (link_.fly[n].at <= 0) {
			int len = link_.fly[n].len, kind = link_.fly[n].kind;

			land(n);
			arrive(len, kind);
		} else {
			n++;
		}
	lle_pause_rx_update(&rx, BASE);
	if (link_.next <= 0 || rx.paused != link_.paused)
		watch();
	store();
	link_.over = longer(link_.over, link_.paused && !link_.want, LONGEST);
	link_.asked = longer(link_.asked, link_.want, IN_TIME);
	check();
	may();
}

static int is_wrong(void)
{
	if (wrong)
		printf("wrong: %s\n", wrong);
	return !!wrong;
}

static void report(void)
{
	printf("storms: %lu; cut: %lu\n", storms, cut);
}

#endif /* LLE_PAUSE_LINK_H */
