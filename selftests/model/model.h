/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A network of switches in discrete ticks: a link carries a one-byte packet per
 * tick. kmod/core/ decides: sb.c on pauses, exact.c on deadlocks.
 */
#ifndef LLE_MODEL_H
#define LLE_MODEL_H

#include "../../kmod/core/deadlock/exact.h"
#include "../../kmod/core/buffer/sb.h"
#include "../unit/exact_packets.h"
#include "../unit/prng.h"

#ifdef MODE_DCFIT
#include "dcfit.h"
#define PAPER true
#else
#define PAPER false
#endif

#define SWITCHES	8
#define PORTS		8
#define FLOWS		48
#define HOPS		10
#define QUEUE		512	/* a power of two */
#define WIRE		8	/* a power of two; longer than any delay */
#define CONTROL		256	/* a power of two */
#define PARKED		255	/* ingress of a packet that is not charged */
#define MEMORY		16384

#define PAUSE_TICKS	100
/* An early refresh, in case the pause is lost; then intervals double. */
#define REFRESH_FIRST	10
#define REFRESH_TICKS	40
#define TICK_NS		(1 << LLE_EXACT_TIME_SHIFT)

/* Bit of an ingress port */
#define NODE(sw, port)	((sw) * PORTS + (port))

enum graph {
	G0,		/* rings with few chords, simple detours */
	G1,		/* routes that pass switches twice */
	G2,		/* many chords and flows, XON far below XOFF */
	LINE,		/* no loop is possible */
	DIAMOND,	/* the paper's figure 4 */
	RESUME,		/* a loop of pauses, one of which ends */
	OUTSIDE,	/* rings, and a host off the ring that pauses */
};

/* Loss and discard are of 1000. */
struct setting {
	enum graph graph;
	bool dynamic; /* thresholds depend on the free buffer */
	u16 loss_msg;
	u16 loss_pfc; /* pauses and resumes */
	u8 jitter; /* largest extra delay of frames without data, ticks */
	u16 discard; /* ticks in which a paused queue is discarded */
	u16 breaks; /* ticks from declaration to break; 0: no break */
	/* largest delay, ticks, after frames have left; 0: before they leave */
	u8 late;
	u8 pool; /* entries of a switch; 0: the default */
	u32 ticks;
};

/* @egress: the last one leads to a host; @window: packets that may be in flight */
struct flow {
	u8 sw;
	u8 ingress;
	u8 hops;
	u8 rate;
	u16 window;
	u8 egress[HOPS];
};

struct packet {
	u8 flow;
	u8 hop;
	u8 ingress;
};

struct control {
	u32 due;
	enum { PAUSE, RESUMES, MESSAGE } kind;
	bool has_msg;
	struct lle_dl_pad pad;
};

/* A port and its link to the peer */
struct port {
	u8 peer_sw, peer_port;
	bool host;

	u16 head, len; /* of queue */
	struct packet queue[QUEUE];
	struct packet wire[WIRE]; /* flow FLOWS: none */
	u16 control_head, control_len;
	u32 control_due; /* of the last frame */
	struct control control[CONTROL];

	bool paused; /* egress */
	u32 since; /* egress: start of its pause */
	u32 until;

	u16 count[PORTS]; /* ingress: packets by egress */
	u32 refresh; /* ingress: time of the next refresh */
	u32 interval; /* ingress: from that to the one after */
	u32 again; /* ingress: time of a repeated resume; 0: none */
	u32 broken_at; /* ingress: time of its break; 0: none */
	struct lle_sb_pg pg;
	bool never;

	u64 seed; /* host: random numbers of its transmissions */
	bool stopped;
	u8 flow[FLOWS], flows, next;
	u32 storm[2]; /* host: first and last tick of its pause */
};

struct switch_model {
	u8 ports;
	struct port port[PORTS];
	struct lle_sb sb;
	struct lle_sb_params params;
	u32 run_at; /* tick of the next evaluation; 0: none */
	struct lle_exact *dcfit;
	u64 memory[MEMORY / sizeof(u64)];
};

struct result {
	u32 dead; /* tick of the first deadlock; 0: none */
	u32 found; /* tick of the first declaration that is not wrong */
	u32 around; /* time of a message around its loop */
	/*
	 * knots: ingresses that keep each other above XON; with breaks:
	 * declarations
	 */
	u32 cores;
	u32 missed; /* knots without a declaration */
	u32 missed_simple; /* part of missed: loops of single egresses */
	u32 duplicates; /* more declarations in a knot, before its break */
	u32 declared;
	u32 wrong; /* declarations without a deadlock */
	u32 early; /* wrong, but a discard or break just before is not yet known */
	u32 pauses; /* frames that begin a pause, up to the deadlock */
	u32 frames; /* first and repeated pauses with a message, up to the deadlock */
	u32 probes;
	u32 alone; /* part of probes: in frames of their own */
	u32 cancels; /* up to the deadlock */
	u32 loops; /* checks that saw a loop of pauses without a deadlock */
	u32 discarded;
	u32 overrun; /* messages beyond the capacity of a link */
	u32 miscounted; /* pairs of ports with a counter that differs from the queue */
};

struct model {
	u64 seed;
	u32 now;
	u8 switches;
	u8 flows;
	u8 delay; /* of each link, ticks */
	struct setting set;
	struct flow flow[FLOWS];
	struct switch_model sw[SWITCHES];
	struct lle_dl_out out;
	struct result result;
	u64 declared; /* ingresses by NODE(), not broken yet */
	struct lle_dl_id trigger; /* of the first report */
	u32 discarded; /* tick of the last discard or break */
	bool changed; /* a deadlock may have formed since the last check */
	bool complete; /* all deadlocks are declared */
};

/* graph.c */
void graph_make(struct model *m);

/* oracle.c */
u64 oracle_dead(const struct model *m);
void oracle_cores(const struct model *m, u64 dead, struct result *r);
bool oracle_loop(const struct model *m);

/* sim.c */
void sim_run(struct model *m, const struct setting *set, u64 seed);
bool sim_averted(struct model *m, u64 seed);

#endif /* LLE_MODEL_H */
