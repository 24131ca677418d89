/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A network of switches in discrete ticks: a link carries one packet per tick,
 * a packet has one byte. The switches run kmod/core/: sb.c decides on pauses,
 * exact.c detects deadlocks.
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
#define PARKED		255	/* ingress of a packet that is not charged */
#define MEMORY		16384

#define PAUSE_TICKS	100
/* A refresh follows soon, in case the pause is lost; then intervals double. */
#define REFRESH_FIRST	10
#define REFRESH_TICKS	40
#define TICK_NS		(1 << LLE_EXACT_TIME_SHIFT)

/* Bit of an ingress port in a word of all ingress ports. */
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

/**
 * struct setting - the setting of a row
 * @graph: enum graph
 * @dynamic: thresholds depend on the free buffer
 * @loss_msg: lost separate messages, of 1000
 * @loss_pfc: lost pauses and resumes, of 1000
 * @jitter: largest extra delay of frames without data, in ticks
 * @discard: ticks in which a paused queue is discarded, of 1000
 * @breaks: ticks from the declaration of a deadlock to its break; 0: no break
 * @late: largest delay of an evaluation in ticks; it runs at the end of a tick,
 *	like that of the kernel, when frames have left; 0: before they leave
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
	u16 breaks;
	u8 late;
	u8 pool;
	u32 ticks;
};

/*
 * @egress: ports from switch to switch, the last one leads to a host; @window:
 * packets that may be in flight
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
	bool has_msg;
	struct lle_dl_pad pad;
};

/**
 * struct port - a port of a switch, and its link to the peer
 * @peer_sw: switch at the other end
 * @peer_port: port at the other end
 * @host: the peer is a host
 * @queue: @len packets, from @head on
 * @wire: packet that arrives in a tick; flow FLOWS: none
 * @control: @control_len frames on the link, from @control_head on; the last
 *	one is due at @control_due
 * @paused: egress: paused
 * @since: egress: start of its pause
 * @until: egress: end of its pause
 * @count: ingress: packets by egress
 * @refresh: ingress: time of the next refresh
 * @interval: ingress: time from that refresh to the one after it
 * @again: ingress: time at which the resume is repeated; 0: not
 * @broken_at: ingress: time at which its deadlock is broken; 0: none is
 * @pg: ingress: priority group
 * @never: ingress, or host: never pauses
 * @seed: host: state of the random numbers for its transmissions
 * @stopped: host: paused by the switch
 * @flow: host: its @flows flows, @next is the next one to send
 * @storm: host: first and last tick in which it pauses the switch
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

	u16 count[PORTS];
	u32 refresh;
	u32 interval;
	u32 again;
	u32 broken_at;
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
 * @sb: shared buffer
 * @params: thresholds
 * @run_at: tick of the next evaluation; 0: none is due
 * @dcfit: instance of the algorithm
 * @memory: memory of @dcfit
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
 * struct result - result of a run
 * @dead: tick of the first deadlock; 0: none
 * @found: tick of the first declaration that is not wrong
 * @around: time of a message around the loop of that declaration
 * @cores: knots at the end: sets of ingresses that keep each other above XON;
 *	with breaks: declarations but for @duplicates
 * @missed: knots without a declaration
 * @missed_simple: those of them that are a loop of single egresses
 * @duplicates: declarations in a knot after the first one; with breaks: before
 *	that is broken
 * @declared: declarations
 * @wrong: declarations of an ingress that was not deadlocked
 * @early: as @wrong, but just after a discard or break, which others cannot
 *	know yet
 * @pauses: frames that begin a pause, up to the deadlock
 * @frames: first and repeated pauses with a message, up to the deadlock
 * @probes: probes up to the deadlock
 * @alone: those of them in frames of their own
 * @cancels: CANCEL messages up to the deadlock
 * @loops: checks that saw a loop of pauses without a deadlock
 * @discarded: discarded queues, and breaks
 * @overrun: messages that exceeded the capacity of a link
 * @miscounted: pairs of ports with a counter that differs from the queue
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
 * @delay: delay of each link, in ticks
 * @set: the setting
 * @flow: by number
 * @sw: by number
 * @out: output of the algorithm
 * @result: results so far
 * @declared: declared ingresses, by NODE(); with breaks: not broken yet
 * @trigger: initial trigger in the first report
 * @discarded: tick of the last discard or break
 * @changed: a deadlock may have formed since the last check
 * @complete: all deadlocks are declared
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
void oracle_cores(const struct model *m, u64 dead, struct result *r);
bool oracle_loop(const struct model *m);

/* sim.c */
void sim_run(struct model *m, const struct setting *set, u64 seed);
bool sim_averted(struct model *m, u64 seed);

#endif /* LLE_MODEL_H */
