/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_TYPES_DEADLOCK_H
#define LLE_TYPES_DEADLOCK_H

#include <linux/hrtimer.h>
#include <linux/interrupt.h>
#include <linux/lossless.h>
#include <linux/pkt_sch_lossless.h>

#include "../../core/deadlock/exact.h"

struct lle_switch;

/* Deadlocks that a switch remembers. */
#define LLE_DEADLOCK_RECORDS	8

/**
 * struct lle_deadlock_who - one pause, of a switch port or of a host
 * @sw: number of the switch; of a trigger 0: not known
 * @slot: number of the port in its switch
 * @host: 1: a host at this port pauses the port; 0: the port pauses its link
 *	partner
 * @seq: number of the pause
 */
struct lle_deadlock_who {
	u16 sw;
	u8 slot;
	u8 host;
	u32 seq;
};

/**
 * struct lle_deadlock_hop - a switch on the loop of a deadlock
 * @sw: number of the switch
 * @ingress: slot of the port that pauses its upstream neighbour
 * @egress: slot of the port at which packets from @ingress wait
 * @trigger: initial trigger of the pause
 * @bytes: bytes from @ingress that wait at @egress
 * @age_ns: duration of the pause when the switch reported it, ns
 */
struct lle_deadlock_hop {
	u16 sw;
	u8 ingress;
	u8 egress;
	u32 bytes;
	struct lle_deadlock_who trigger;
	u64 age_ns;
};

/**
 * struct lle_deadlock_info - a deadlock
 * @number: number of the deadlock, counted per switch
 * @prio: priority
 * @loop: 1: the whole loop is known
 * @cure: enum lossless_deadlock_cure
 * @resolved: 1: the host that triggered it was quarantined, or its switch was
 *	asked to do so
 * @initiator: the pause that waits for itself
 * @trigger: initial trigger of that pause
 * @since_ns: start of that pause, ns of CLOCK_MONOTONIC
 * @declared_ns: time of the detection
 * @reported_ns: time of the report, after the walk along the loop came back or
 *	was lost; 0: not yet
 * @bytes: bytes that wait at this switch
 * @parked_bytes: bytes parked at first to break the loop
 * @dropped_bytes: bytes dropped to break the loop
 */
struct lle_deadlock_info {
	u64 number;
	u8 prio;
	u8 loop;
	u8 cure;
	u8 resolved;
	u32 bytes;
	struct lle_deadlock_who initiator;
	struct lle_deadlock_who trigger;
	u64 since_ns;
	u64 declared_ns;
	u64 reported_ns;
	u32 parked_bytes;
	u32 dropped_bytes;
};

/**
 * struct lle_deadlock_stats - counters of the deadlock detection of a switch
 * @declared: deadlocks found
 * @probes: probes sent
 * @cancels: messages sent that withdraw probes
 * @sent: messages sent in frames of their own
 * @received: messages received, in any frame
 * @ignored: messages ignored because they exceeded the rate limit
 * @timers: evaluations that a timer started
 * @broken: deadlocks broken
 * @demoted: times a hop became lossy after repeated deadlocks
 * @lossy: hops that are lossy now
 * @parked_bytes: bytes parked so far
 * @parking_bytes: bytes parked now
 * @parking_max_bytes: high-water mark of @parking_bytes
 * @parking_limit_bytes: limit of @parking_bytes, as of the last deadlock broken
 */
struct lle_deadlock_stats {
	u64 declared;
	u64 probes;
	u64 cancels;
	u64 sent;
	u64 received;
	u64 ignored;
	u64 timers;
	u64 broken;
	u64 demoted;
	u64 lossy;
	u64 parked_bytes;
	u64 parking_bytes;
	u64 parking_max_bytes;
	u64 parking_limit_bytes;
};

/**
 * struct lle_demotion - repeated deadlocks of an ingress; under the switch's
 *	lock
 * @trigger: initial trigger of the last of them
 * @declared_ns: time when that was found
 * @in_row: number of deadlocks in a row with that trigger
 * @again: number of times it was made lossy soon after the time before
 * @until_ns: time when it may be lossless again; 0: it never was lossy
 * @lost: number of packets lost when @until_ns was last set
 */
struct lle_demotion {
	struct lle_deadlock_who trigger;
	u64 declared_ns;
	u8 in_row;
	u8 again;
	u64 until_ns;
	u64 lost;
};

/**
 * struct lle_deadlock_record - a deadlock that the switch has found
 * @info: its report
 * @hops: number of known hops: 1 until the walk is back
 * @hop: these hops, this switch first
 * @length: hops of the loop, as counted by the probe
 * @egresses: bit s: packets of the first hop wait for themselves at egress slot
 *	s; a walk that arrives there is back
 * @until_ns: time when the walk is given up; 0: it is back, or was given up
 * @again_ns: time when the walk is repeated
 * @walks: number of walks that were sent
 * @tell: it is to be reported
 */
struct lle_deadlock_record {
	struct lle_deadlock_info info;
	u32 hops;
	struct lle_deadlock_hop hop[LLE_DL_HOPS];
	u8 length;
	u64 egresses;
	u64 until_ns;
	u64 again_ns;
	u8 walks;
	bool tell;
};

/**
 * struct lle_deadlock - deadlock detection of a switch; under its lock
 * @sw: the switch
 * @ports: number of slots that it has room for
 * @action: enum lle_deadlock_action
 * @exact: the algorithm, by priority
 * @out: messages to be sent
 * @sending: messages that @work is sending
 * @escape: by priority: ingresses with a broken deadlock; their packets to
 *	@escape_egress are parked on arrival
 * @escape_egress: by priority: egresses of the loop that were held, and have
 *	not been resumed since
 * @demoted: by priority: ingresses that were made lossy
 * @expired: by priority: egresses with a pause that ended without a resume, to
 *	be evaluated
 * @repeat: bit s: slot s has pauses to be repeated
 * @hop_ns: time of a pause from one switch to the next one (t_h)
 * @repeat_min_ns: time until a pause is first repeated
 * @repeat_max_ns: longest time between two repeats
 * @turn: priority, modulo 8, that a frame which only repeats pauses looks at
 *	first
 * @work: evaluates and sends, without a qdisc's lock
 * @timer: runs @work when time alone may have changed something
 * @found: number of deadlocks found
 * @record: the last of them; number n is at (n - 1) % LLE_DEADLOCK_RECORDS
 * @walk: the last walk that has come, or begun
 * @walk_prio: its priority
 * @walk_turn: its number, of those of a deadlock
 * @walked: bit s: it has gone on by slot s
 * @telling: the deadlock that @work is reporting
 * @stats: counters, without those of @exact
 */
struct lle_deadlock {
	struct lle_switch *sw;
	u8 ports;
	u8 action;
	struct lle_exact *exact[LLE_NUM_PRIO];
	struct lle_dl_out out;
	struct lle_dl_out sending;
	u64 escape[LLE_NUM_PRIO];
	u64 escape_egress[LLE_NUM_PRIO];
	u64 demoted[LLE_NUM_PRIO];
	u64 expired[LLE_NUM_PRIO];
	u64 repeat;
	u64 hop_ns;
	u64 repeat_min_ns;
	u64 repeat_max_ns;
	u8 turn;
	struct tasklet_struct work;
	struct hrtimer timer;
	u64 found;
	struct lle_deadlock_record record[LLE_DEADLOCK_RECORDS];
	struct lle_dl_id walk;
	u8 walk_prio;
	u8 walk_turn;
	u64 walked;
	struct lle_deadlock_record telling;
	struct lle_deadlock_stats stats;
};

/**
 * lle_deadlock_look() - evaluate and send, soon
 * @dl: detection of a switch
 *
 * Context: BH off. It runs before the qdiscs that are kicked at the same time,
 * so that a pause frame finds the probe that it is to carry.
 */
static inline void lle_deadlock_look(struct lle_deadlock *dl)
{
	tasklet_hi_schedule(&dl->work);
}

#endif /* LLE_TYPES_DEADLOCK_H */
