/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Algorithm exact: a switch finds, in one round, the deadlocks that it is part
 * of. Documentation/guide/deadlock.rst explains the conditions and the symbols,
 * deadlock-wire.rst the protocol.
 *
 * One instance is one lossless priority of one switch. It gets packets, pauses
 * and messages, and returns messages to send and ingresses that are dead.
 * Ingress i: this switch pauses the neighbour of port i. Egress p: the
 * neighbour of port p pauses this switch. An egress is held if that neighbour
 * is a switch and has said which of its pauses this is.
 *
 * A probe with the set U of initiators, sent through ingress i, says: this
 * pause of i will not end before that of a member of U. The switch sends it if
 * more bytes of i than XON wait at held egresses that have received such
 * probes. A member of U removes itself from U, as no pause ends before itself;
 * if U is empty then, its pause will never end. Ingress i is hard if it pauses
 * and held egresses keep it above XON.
 *
 * Differences from the paper ("DCFIT: Initial Trigger-Based PFC Deadlock
 * Detection in the Data Plane"):
 *
 *  1. Paused, causal and pausing is not a deadlock yet: the ingress may drain
 *     at other egresses. Probes only go through hard ingresses, so a probe that
 *     returns is certain. No second round asks for RESUME tags (section 3.2).
 *  2. Every ingress that becomes hard is an initiator, not only triggers and
 *     middle switches (3.3, 3.4). This closes each loop in one pass, also if
 *     its trigger is off the loop or has resumed before the probe returns.
 *  3. A probe may carry two initiators, for an ingress that waits at two
 *     egresses neither of which holds it alone.
 *  4. An egress stores several IDs, the paper's port one (3.2). A pool bounds
 *     their number in a switch.
 *  5. A packet that makes an ingress hard starts probes, too: no pause frame
 *     would. Refreshes repeat probes, as frames are lost. Hops, and probes
 *     between two refreshes, are bounded, as IDs may circle.
 *  6. XON is fixed while a pause lasts: a dynamic one could rise and end it.
 *  7. Of several initiators on a loop the smallest one that gets its probe back
 *     declares, the others wait for it, so that one switch breaks the loop: see
 *     exact_rival.c.
 *  8. A pause that ends without draining says so (BROKEN), and statements that
 *     were made because of it are taken back (CANCEL).
 *  9. An ingress takes over the trigger of a paused egress if paused egresses
 *     alone keep it above XON; in the paper, if any packet waits there (3.1).
 *     An egress also counts as paused for 1/8 of its pause afterwards.
 * 10. Packets and own pauses only change counters and sets, to keep the packet
 *     path short. lle_exact_run() evaluates them a little later.
 */
#ifndef LLE_CORE_EXACT_H
#define LLE_CORE_EXACT_H

#include "map.h"
#include "wire.h"

/* Probes of others that an ingress sends between two refreshes; hops. */
#define LLE_DL_CAP		16
#define LLE_DL_HOPS 64

/* Refreshes of a pause that repeat all that a loop may need. */
#define LLE_EXACT_AGAIN 4

/* Entries of an egress; of a switch: 64 ports take less than 3 KB of state. */
#define LLE_EXACT_PER_EGRESS 4
#define LLE_EXACT_POOL		40

/* Messages in struct lle_dl_out; probes that wait for a pause frame. */
#define LLE_DL_SENDS	64
#define LLE_EXACT_RIDES 4

/* Times are in units of 1024 ns, modulo 2^32: 73 minutes. */
#define LLE_EXACT_TIME_SHIFT 10

static inline u32 lle_exact_time(u64 ns)
{
	return ns >> LLE_EXACT_TIME_SHIFT;
}

/**
 * struct lle_dl_params - parameters of an instance
 * @sw: number of the switch, not 0
 * @prio: the priority
 * @ports: ports of the switch, at most LLE_MAX_PORTS
 * @pool: entries of all egresses; 0: a default for @ports
 * @fabric: bit p: the neighbour of port p is a switch that sends and reads
 *	messages
 * @guard_ns: G: a pause that ends by itself sooner than this does not count;
 *	longer than a message takes around a loop
 * @hop_ns: t_h, time of a message from hop to hop
 * @first: number before that of the first pause; should differ from where an
 *	earlier instance of the switch began
 */
struct lle_dl_params {
	u16 sw;
	u8 prio;
	u8 ports;
	u8 pool;
	u64 fabric;
	u64 guard_ns;
	u64 hop_ns;
	u16 first;
};

/**
 * enum lle_exact_rival - why another initiator may declare a deadlock
 * @LLE_EXACT_NONE: it may not
 * @LLE_EXACT_STOPPED: a smaller one is on the loop, but its own probe has
 *	stopped on the way
 * @LLE_EXACT_ELSEWHERE: a smaller one may be on another loop of the knot
 * @LLE_EXACT_SMALLER: a smaller one is on the loop, and gets its probe back
 * @LLE_EXACT_FULL: this switch has no room to break the deadlock without loss
 * @LLE_EXACT_DECLARED: one has declared
 */
enum lle_exact_rival {
	LLE_EXACT_NONE,
	LLE_EXACT_STOPPED,
	LLE_EXACT_ELSEWHERE,
	LLE_EXACT_SMALLER,
	LLE_EXACT_FULL,
	LLE_EXACT_DECLARED,
};

/**
 * struct lle_exact_port - a port, as ingress and as egress
 * @expire: egress: when its pause ends by itself; after the pause: until when
 *	it counts as paused for the initial trigger; lle_exact_time()
 * @defer: ingress that has deferred: until when; that has asked: until when the
 *	answer is due; lle_exact_time()
 * @hop_epoch: egress: number of the neighbour's pause that holds it; host port:
 *	pauses of the host
 * @epoch: ingress: number of its pause, in all its messages
 * @seq: ingress: number of its latest own probe, in its ID
 * @held_by: egress: initial trigger of its pause
 * @trigger: ingress: initial trigger of its pause
 * @sent: ingress: probes of other initiators since the last refresh
 * @rival: ingress: why it has deferred last, enum lle_exact_rival
 * @asked: ingress: times that it has asked about a deadlock, see exact_rival.c
 * @again: ingress: refreshes while it was hard; set back when it sends
 *	something new
 * @news: ingress: has sent something new since the last lle_exact_news()
 */
struct lle_exact_port {
	u32 expire;
	u32 defer;
	u16 hop_epoch;
	u16 epoch;
	u16 seq;
	struct lle_dl_id held_by;
	struct lle_dl_id trigger;
	u8 sent : 7;
	u8 news : 1;
	u8 rival;
	u8 asked;
	u8 again;
};

/**
 * struct lle_dl_stats - counters
 * @probes: probes sent
 * @cancels: cancels sent
 * @declared: deadlocks declared
 * @deferred: times an initiator let another one declare
 * @evicted: entries removed for want of room
 * @capped: probes not sent: too many since the last refresh
 * @overrun: messages not sent: too many at once
 */
struct lle_dl_stats {
	u64 probes;
	u64 cancels;
	u64 declared;
	u64 deferred;
	u64 evicted;
	u64 capped;
	u64 overrun;
};

/**
 * struct lle_dl_send - a message of an ingress
 * @port: the ingress
 * @msg: the message
 */
struct lle_dl_send {
	u8 port;
	struct lle_dl_msg msg;
};

/**
 * struct lle_exact - state of a priority of a switch
 * @map: traffic mapping
 * @fabric: as struct lle_dl_params
 * @pausing: ingresses that pause their neighbours
 * @initiators: those of them that have been hard in this pause
 * @declared: those of them that never will resume
 * @deferred: those of them that let another one declare first
 * @torn: those of them with packets that left a held egress
 * @due: those of them that have to be evaluated
 * @recheck: those of them that may have to take back statements
 * @unsaid: those of them that have to take back all: @out had no room for the
 *	cancel of one
 * @told: those of them that have sent a pause frame since the last refresh
 * @leaky: egresses that packets have left while they were held, for @recheck
 * @broken: ingresses that have not ended their last pause by draining
 * @evicted: egresses that have lost entries for want of room
 * @lately: egresses that are resumed, but may still count as paused for the
 *	initial trigger
 * @guard: guard_ns of struct lle_dl_params, lle_exact_time()
 * @hop_ns: as struct lle_dl_params
 * @sw: as struct lle_dl_params
 * @prio: as struct lle_dl_params
 * @pool: number of entries
 * @turn: entry at which the search for pairs begins
 * @keeps: a deadlock is only reported, so one declaration is enough
 * @full: this switch has no room to break a deadlock without loss
 * @ride: probes that wait for the next pause frame; free: no initiators
 * @entry: entries of all egresses
 * @port: by port
 * @stats: counters
 */
struct lle_exact {
	struct lle_dl_map map;
	u64 fabric;
	u64 pausing;
	u64 initiators;
	u64 declared;
	u64 deferred;
	u64 torn;
	u64 due;
	u64 recheck;
	u64 unsaid;
	u64 told;
	u64 leaky;
	u64 broken;
	u64 evicted;
	u64 lately;
	u32 guard;
	u32 hop_ns;
	u16 sw;
	u8 prio;
	u8 pool;
	u8 turn;
	bool keeps;
	bool full;
	struct lle_dl_send ride[LLE_EXACT_RIDES];
	struct lle_exact_entry *entry;
	struct lle_exact_port *port;
	struct lle_dl_stats *stats;
};

/**
 * struct lle_dl_out - results of one or more events
 * @declared: bit i: ingress i is dead: report it, then break the deadlock
 * @num: number of @send
 * @send: messages in frames of their own, in the order in which they leave a
 *	port: after its pause frame, and after those of earlier calls
 *
 * Calls add to it. The caller sets @declared and @num to 0 afterwards.
 */
struct lle_dl_out {
	u64 declared;
	u32 num;
	struct lle_dl_send send[LLE_DL_SENDS];
};

/**
 * struct lle_dl_report - a deadlock
 * @initiator: the ingress that found it, me(i)
 * @trigger: the initial trigger of its pause
 * @hops: length of the loop
 * @egresses: egresses where its packets wait for its own pause;
 *	lle_exact_held_by() is the initial trigger of each
 */
struct lle_dl_report {
	struct lle_dl_id initiator;
	struct lle_dl_id trigger;
	u8 hops;
	u64 egresses;
};

/**
 * lle_exact_size() - compute the memory of an instance
 * @p: its parameters
 *
 * Return: bytes.
 */
size_t lle_exact_size(const struct lle_dl_params *p);

/**
 * lle_exact_state_size() - compute the part that is state (paper section 5)
 * @p: its parameters
 *
 * Return: bytes, without counters of bytes and events and the pointers to them.
 */
size_t lle_exact_state_size(const struct lle_dl_params *p);

/**
 * lle_exact_init() - initialise an instance without packets or pauses
 * @memory: lle_exact_size() bytes, aligned as a u64
 * @p: parameters
 *
 * Return: the instance, which is at @memory.
 */
struct lle_exact *lle_exact_init(void *memory, const struct lle_dl_params *p);

void lle_exact_enq_held(struct lle_exact *d, unsigned int egress,
			unsigned int ingress, u32 len);
void lle_exact_deq_held(struct lle_exact *d, unsigned int egress,
			unsigned int ingress, u32 len);

/**
 * lle_exact_enq() - count a packet that is queued
 * @d: the instance
 * @egress: the port at which it is queued
 * @ingress: the port at which it arrived
 * @len: bytes that it is charged with to the ingress; not 0
 *
 * Context: any; the caller serialises all calls of one switch.
 */
static inline void lle_exact_enq(struct lle_exact *d, unsigned int egress,
				 unsigned int ingress, u32 len)
{
	if (!lle_dl_map_enq(&d->map, egress, ingress, len))
		lle_exact_enq_held(d, egress, ingress, len);
}

/**
 * lle_exact_deq() - count a packet that leaves or is dropped
 * @d: as lle_exact_enq()
 * @egress: as lle_exact_enq()
 * @ingress: as lle_exact_enq()
 * @len: as lle_exact_enq()
 */
static inline void lle_exact_deq(struct lle_exact *d, unsigned int egress,
				 unsigned int ingress, u32 len)
{
	if (!lle_dl_map_deq(&d->map, egress, ingress, len))
		lle_exact_deq_held(d, egress, ingress, len);
}

/**
 * lle_exact_pause_tx() - an ingress has crossed XOFF
 * @d: the instance
 * @ingress: the port
 * @xon_bytes: occupancy at which it will resume; fixed while it pauses
 * @now_ns: the time
 */
void lle_exact_pause_tx(struct lle_exact *d, unsigned int ingress,
			u32 xon_bytes, u64 now_ns);

/**
 * lle_exact_resume_tx() - an ingress resumes its neighbour
 * @d: the instance
 * @ingress: the port
 * @broken: it has not drained to XON. The instance itself knows of packets that
 *	lle_exact_deq() took from a held egress
 */
void lle_exact_resume_tx(struct lle_exact *d, unsigned int ingress,
			 bool broken);

/**
 * lle_exact_ride() - get the message for a pause or resume frame
 * @d: the instance
 * @ingress: the port that is about to send the frame
 * @pause: the frame begins or repeats a pause; otherwise it resumes
 * @msg: result, written only if true is returned
 *
 * For a pause: a probe that waits for it, or else just the number of the pause.
 * For a resume: BROKEN, if the pause was, until the next pause.
 *
 * Return: whether there is a message.
 */
bool lle_exact_ride(struct lle_exact *d, unsigned int ingress, bool pause,
		    struct lle_dl_msg *msg);

/**
 * lle_exact_is_due() - test whether lle_exact_run() has to be called soon
 * @d: the instance
 *
 * To be asked after each call.
 */
static inline bool lle_exact_is_due(const struct lle_exact *d)
{
	return d->due | d->recheck | d->unsaid;
}

/**
 * lle_exact_run() - evaluate changes by packets and own pauses
 * @d: the instance
 * @now_ns: the time
 * @out: messages to send, deadlocks
 *
 * Evaluates no more than @out has room for: call it again as long as
 * lle_exact_is_due(). Events that evaluate do this, too, with the state after
 * the event: a loop that the event opens is no longer declared.
 */
void lle_exact_run(struct lle_exact *d, u64 now_ns, struct lle_dl_out *out);

/**
 * lle_exact_refresh() - an ingress is about to repeat its pause
 * @d: the instance
 * @ingress: the port
 * @now_ns: the time
 * @out: messages to send; the pause frame that follows takes the first probe
 *
 * A lost message costs the time until the next refresh. The first one is best
 * some hops after the pause or after news. LLE_EXACT_AGAIN refreshes, or half
 * as many after news, repeat the own probe and those of smaller initiators;
 * later ones repeat one probe in turn.
 */
void lle_exact_refresh(struct lle_exact *d, unsigned int ingress, u64 now_ns,
		       struct lle_dl_out *out);

/**
 * lle_exact_news() - test and clear: has an ingress sent something new?
 * @d: the instance
 * @ingress: the port
 *
 * Return: whether it has since the last call.
 */
static inline bool lle_exact_news(struct lle_exact *d, unsigned int ingress)
{
	bool news = d->port[ingress].news;

	d->port[ingress].news = false;
	return news;
}

/**
 * lle_exact_pause_rx() - an egress is paused, or its pause repeated
 * @d: the instance
 * @egress: the port
 * @msg: message in the frame about this priority; NULL: none
 * @until_ns: when the pause ends by itself; within half an hour from now
 * @now_ns: the time
 * @out: messages to send, deadlocks
 *
 * A pause without @msg holds no packets until a message says which pause it is.
 * To be called when the egress has stopped: a packet that leaves it later makes
 * the pause of its ingress end as BROKEN.
 */
void lle_exact_pause_rx(struct lle_exact *d, unsigned int egress,
			const struct lle_dl_msg *msg, u64 until_ns, u64 now_ns,
			struct lle_dl_out *out);

/**
 * lle_exact_resume_rx() - an egress is resumed, or its pause has expired
 * @d: the instance
 * @egress: the port
 * @broken: the frame said so, or the pause has expired, or the queue of the
 *	egress is about to be dropped
 * @since_ns: when its pause began; within half an hour from now
 * @now_ns: the time
 * @out: messages to send
 *
 * To be called before a packet leaves the egress. Declares nothing, as several
 * pauses may end at once.
 */
void lle_exact_resume_rx(struct lle_exact *d, unsigned int egress, bool broken,
			 u64 since_ns, u64 now_ns, struct lle_dl_out *out);

/**
 * lle_exact_message_rx() - process a message from a frame of its own
 * @d: the instance
 * @egress: the port that received it
 * @msg: the message
 * @now_ns: the time
 * @out: messages to send, deadlocks
 */
void lle_exact_message_rx(struct lle_exact *d, unsigned int egress,
			  const struct lle_dl_msg *msg, u64 now_ns,
			  struct lle_dl_out *out);

/**
 * lle_exact_configure() - change parameters of an instance
 * @d: the instance
 * @fabric: as struct lle_dl_params
 * @guard_ns: as struct lle_dl_params
 * @hop_ns: as struct lle_dl_params
 * @keeps: deadlocks are only reported, not broken, so one initiator of a loop
 *	declares; false after lle_exact_init()
 */
static inline void lle_exact_configure(struct lle_exact *d, u64 fabric,
				       u64 guard_ns, u64 hop_ns, bool keeps)
{
	d->keeps = keeps;
	d->fabric = fabric;
	d->guard = lle_exact_time(guard_ns);
	d->hop_ns = min_t(u64, hop_ns, U32_MAX);
}

/**
 * lle_exact_set_full() - note whether the switch can break a deadlock without
 *	loss
 * @d: the instance
 * @full: it has no room for that
 */
static inline void lle_exact_set_full(struct lle_exact *d, bool full)
{
	d->full = full;
}

/**
 * lle_exact_pausing() - get the ingresses that pause a switch
 * @d: the instance
 *
 * Return: bit i: ingress i, which has to be refreshed.
 */
static inline u64 lle_exact_pausing(const struct lle_exact *d)
{
	return d->pausing & d->fabric;
}

/**
 * lle_exact_stats() - get the counters
 * @d: the instance
 */
static inline const struct lle_dl_stats *
lle_exact_stats(const struct lle_exact *d)
{
	return d->stats;
}

/**
 * lle_exact_timer_wait() - get the time until lle_exact_timer() is due
 * @d: the instance
 * @now_ns: the time
 *
 * Return: nanoseconds from now; U64_MAX: not needed.
 */
u64 lle_exact_timer_wait(const struct lle_exact *d, u64 now_ns);

/**
 * lle_exact_timer() - let initiators that have deferred ask, or declare
 * @d: the instance
 * @now_ns: the time
 * @out: messages to send, deadlocks
 */
void lle_exact_timer(struct lle_exact *d, u64 now_ns, struct lle_dl_out *out);

/**
 * lle_exact_report() - describe a deadlock
 * @d: the instance
 * @ingress: the port that was declared; still pauses
 * @now_ns: the time
 * @report: result
 */
void lle_exact_report(const struct lle_exact *d, unsigned int ingress,
		      u64 now_ns, struct lle_dl_report *report);

/**
 * lle_exact_held_by() - get the initial trigger of the pause of an egress
 * @d: the instance
 * @egress: the port; is paused
 */
static inline struct lle_dl_id lle_exact_held_by(const struct lle_exact *d,
						 unsigned int egress)
{
	return d->port[egress].held_by;
}

#endif /* LLE_CORE_EXACT_H */
