/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A network of switches in ticks: a link carries one packet a tick, a packet is one
 * byte. The switches are kmod/core/: sb.c says when to pause, exact.c what is dead.
 */
#ifndef LLE_MODEL_H
#define LLE_MODEL_H

#include "../../kmod/core/deadlock/exact.h"
#include "../../kmod/core/buffer/sb.h"
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
#define MEMORY		16384

#define PAUSE_TICKS	100
/* A pause is repeated soon, in case it is lost, then half as often each time. */
#define REFRESH_FIRST	10
#define REFRESH_TICKS	40
#define TICK_NS		(1 << LLE_EXACT_TIME_SHIFT)

/* Ingresses of all switches, bit NODE(sw, port) of a word. */
#define NODE(sw, port)	((sw) * PORTS + (port))

enum graph {
	G0,		/* rings with few chords, simple detours */
	G1,		/* routes that pass switches twice */
	G2,		/* many chords and flows, XON far below XOFF */
	LINE,		/* no loop is possible */
	DIAMOND,	/* the paper's figure 4 */
	RESUME,		/* a loop of pauses, one of which ends */
};

/**
 * struct setting - what a row of the table is run with
 * @graph: enum graph
 * @dynamic: thresholds follow the free buffer
 * @loss_msg: of 1000 messages in frames of their own so many are lost
 * @loss_pfc: of 1000 pauses and resumes
 * @jitter: ticks by which frames without data may be late
 * @discard: of 1000 ticks a paused queue is discarded in so many
 * @late: evaluation comes up to so many ticks later, at the end of one, as that of the
 *	kernel does: frames have left by then; 0: at once, before they do
 * @laps: when all is declared go on for so many times round the loop
 * @pool: entries of a switch; 0: the default
 * @ticks: length of a run
 */
struct setting {
	enum graph graph;
	bool dynamic;
	u16 loss_msg;
	u16 loss_pfc;
	u8 jitter;
	u16 discard;
	u8 late;
	u8 laps;
	u8 pool;
	u32 ticks;
};

/*
 * Egress ports from switch to switch, the last one is a host's; so many packets may
 * be on the way.
 */
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
	u16 epoch;
	bool has_msg;
	struct lle_dl_pad pad;
};

/**
 * struct port - a port of a switch, and its link away from it
 * @peer_sw: at the other end
 * @peer_port: there
 * @host: the other end is a host
 * @queue: packets, from @head on, @len
 * @wire: by the tick they arrive in; flow is 0xff: none
 * @control: frames on the link, from @control_head on, @control_len, the last one due
 *	at @control_due
 * @paused: as egress
 * @since: as egress: when its pause began
 * @until: as egress
 * @by_epoch: as egress: the pause it obeys, as the oracle counts them
 * @epoch: as ingress: pauses it has sent, as the oracle counts them
 * @count: as ingress: packets by egress
 * @refresh: as ingress: when the pause is repeated
 * @interval: as ingress: and after what time once more
 * @again: as ingress: when the resume is repeated; 0: not
 * @pg: as ingress
 * @never: as ingress, or as a host: it does not pause
 * @seed: the host: of the times at which it sends
 * @stopped: the host: it is paused
 * @flow: the host: one of its flows is next; @flows of them from @first on
 * @storm: the host: it pauses the switch from tick to tick
 */
struct port {
	u8 peer_sw, peer_port;
	bool host;

	u16 head, len;
	struct packet queue[QUEUE];
	struct packet wire[WIRE];
	u16 control_head, control_len;
	u32 control_due;
	struct control control[CONTROL];

	bool paused;
	u32 since;
	u32 until;
	u16 by_epoch;

	u16 epoch;
	u16 count[PORTS];
	u32 refresh;
	u32 interval;
	u32 again;
	struct lle_sb_pg pg;
	bool never;

	u64 seed;
	bool stopped;
	u8 flow[FLOWS], flows, next;
	u32 storm[2];
};

/**
 * struct switch_model - a switch
 * @ports: number of @port
 * @port: by number
 * @sb: the buffer
 * @params: its thresholds
 * @run_at: tick in which what is due is evaluated; 0: nothing is
 * @dcfit: the core
 * @memory: its state
 */
struct switch_model {
	u8 ports;
	struct port port[PORTS];
	struct lle_sb sb;
	struct lle_sb_params params;
	u32 run_at;
	struct lle_exact *dcfit;
	u64 memory[MEMORY / sizeof(u64)];
};

/**
 * struct result - of one run
 * @dead: tick of the first deadlock; 0: none
 * @found: tick of the first declaration
 * @around: shortest time of a message round the first deadlock
 * @cores: knots that hold themselves, at the end
 * @missed: those in which nobody has declared
 * @missed_simple: those of them that are a loop of single egresses
 * @duplicates: declarations in a knot but for the first
 * @declared: declarations
 * @wrong: those by an ingress that was not dead
 * @early: as @wrong, but just after a queue was discarded: nobody could know yet
 * @pauses: frames that begin a pause, up to the deadlock
 * @frames: those, and those that repeat one
 * @probes: up to the deadlock
 * @alone: those of them in frames of their own
 * @cancels: up to the deadlock
 * @loops: looks at which pauses formed a loop that was not dead
 * @discarded: queues
 * @overrun: messages that did not fit on a link
 * @miscounted: pairs whose counters are not what is queued
 */
struct result {
	u32 dead;
	u32 found;
	u32 around;
	u32 cores;
	u32 missed;
	u32 missed_simple;
	u32 duplicates;
	u32 declared;
	u32 wrong;
	u32 early;
	u32 pauses;
	u32 frames;
	u32 probes;
	u32 alone;
	u32 cancels;
	u32 loops;
	u32 discarded;
	u32 overrun;
	u32 miscounted;
};

/**
 * struct model - a run
 * @seed: state of the random numbers
 * @now: tick
 * @switches: number of @sw
 * @flows: number of @flow
 * @delay: of all links
 * @set: how it is run
 * @flow: by number
 * @sw: by number
 * @out: what the core wants
 * @result: so far
 * @declared: ingresses, by NODE()
 * @trigger: that is named by the first one
 * @discarded: tick in which a queue was, last
 * @changed: something may be dead that was not
 * @complete: all that was dead has been declared
 */
struct model {
	u64 seed;
	u32 now;
	u8 switches;
	u8 flows;
	u8 delay;
	struct setting set;
	struct flow flow[FLOWS];
	struct switch_model sw[SWITCHES];
	struct lle_dl_out out;
	struct result result;
	u64 declared;
	struct lle_dl_id trigger;
	u32 discarded;
	bool changed;
	bool complete;
};

/* graph.c */
void graph_make(struct model *m);

/* oracle.c */
u64 oracle_dead(const struct model *m);
u32 oracle_around(const struct model *m, u64 dead);
void oracle_cores(const struct model *m, u64 dead, struct result *r);
bool oracle_loop(const struct model *m);

/* sim.c */
void sim_run(struct model *m, const struct setting *set, u64 seed);
bool sim_averted(struct model *m, u64 seed);

#endif /* LLE_MODEL_H */
