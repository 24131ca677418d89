/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_TYPES_DEADLOCK_H
#define LLE_TYPES_DEADLOCK_H

#include <linux/hrtimer.h>
#include <linux/interrupt.h>
#include <linux/lossless.h>
#include <linux/pkt_sch_lossless.h>

#include "../../core/deadlock/exact.h"

struct lle_switch;

#define LLE_DEADLOCK_RECORDS	8	/* deadlocks that a switch records */

/**
 * struct lle_deadlock_who - a pause by a switch port or a host
 * @sw: number of the switch; 0: trigger unknown
 * @slot: number of the port
 * @host: 1: the host at this port pauses the port; 0: the port pauses its peer
 * @seq: number of the pause
 */
struct lle_deadlock_who {
	u16 sw;
	u8 slot;
	u8 host;
	u32 seq;
};

/* A switch on the loop of a deadlock, as deadlock-hop in lossless.yaml */
struct lle_deadlock_hop {
	u16 sw;
	u8 ingress;
	u8 egress;
	u32 bytes;
	struct lle_deadlock_who trigger;
	u64 age_ns;
};

/* A deadlock, as deadlock in lossless.yaml, where @loop is called complete */
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

/*
 * Counters of the deadlock detection of a switch, as deadlock-stats in
 * Documentation/netlink/specs/lossless.yaml, which explains the members.
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
 * @trigger: initial trigger of the last deadlock
 * @declared_ns: time of its detection
 * @in_row: deadlocks in a row with @trigger
 * @again: demotions in a row, each soon after the last
 * @until_ns: earliest promotion; 0: never lossy
 * @lost: packets lost when @until_ns was last set
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
 * @hops: known hops: 1 until the walk is back
 * @hop: these hops, this switch first
 * @length: hops of the loop, counted by the probe
 * @egresses: bit s: its packets wait at slot s, where the walk comes back
 * @until_ns: time when the walk is given up; 0: ended
 * @again_ns: time when the walk is repeated
 * @walks: walks sent
 * @tell: to be reported
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
 * @ports: capacity in slots
 * @action: enum lle_deadlock_action
 * @exact: the algorithm, by priority
 * @out: messages to be sent
 * @sending: messages that @work is sending
 * @escape: by priority: ingresses with a broken deadlock; their packets to
 *	@escape_egress are parked on arrival
 * @escape_egress: by priority: held egresses of the loop, not resumed since
 * @demoted: by priority: ingresses that were made lossy
 * @expired: by priority: egresses to evaluate: pause ended without a resume
 * @repeat: bit s: slot s has pauses to be repeated
 * @hop_ns: time of a pause from switch to switch (t_h)
 * @repeat_min_ns: time until a pause is first repeated
 * @repeat_max_ns: longest time between two repeats
 * @turn: priority, modulo 8, that the next repeating frame checks first
 * @work: evaluates and sends, without a qdisc's lock
 * @timer: runs @work at a timeout
 * @found: deadlocks found
 * @record: the last deadlocks; number n is at (n - 1) % LLE_DEADLOCK_RECORDS
 * @walk: last walk received or begun
 * @walk_prio: its priority
 * @walk_turn: its number within a deadlock
 * @walked: bit s: forwarded by slot s
 * @telling: the deadlock that @work reports
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

/* Runs before qdiscs kicked now: a pause frame finds its probe. BH off. */
static inline void lle_deadlock_look(struct lle_deadlock *dl)
{
	tasklet_hi_schedule(&dl->work);
}

#endif /* LLE_TYPES_DEADLOCK_H */
