/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Algorithm exact: a switch finds its deadlocks in one round. See
 * Documentation/guide/deadlock.rst for the conditions and symbols, and
 * deadlock-wire.rst for the protocol.
 *
 * An instance is one lossless priority of one switch. Ingress i: this switch
 * pauses the neighbour of port i. Egress p: the neighbour of port p pauses this
 * switch. An egress is held if its neighbour is a switch and sent the number of
 * this pause.
 *
 * A probe with the set U of initiators, sent through ingress i, states: this
 * pause of i will not end before that of a member of U. The switch sends it if
 * more than XON bytes of i wait at held egresses that received such probes. A
 * member of U removes itself from U, as no pause ends before itself; if U
 * becomes empty, its pause will never end. Ingress i is hard if it pauses and
 * held egresses keep it above XON.
 *
 * Differences from the paper ("DCFIT: Initial Trigger-Based PFC Deadlock
 * Detection in the Data Plane"):
 *
 *  1. Only hard ingresses send probes, as others may still drain. So a probe
 *     that returns is certain, without a second round (section 3.2).
 *  2. Every hard ingress is an initiator, not only triggers and middle switches
 *     (3.3, 3.4): one pass closes each loop, whatever became of its trigger.
 *  3. A probe may carry two initiators, for an ingress that waits at two
 *     egresses neither of which holds it alone.
 *  4. An egress stores several IDs, from a pool; in the paper, one (3.2).
 *  5. A packet that makes an ingress hard also starts probes, as no pause frame
 *     would. Refreshes repeat probes, as frames are lost. Hops, and probes
 *     between two refreshes, are bounded, as IDs may circle.
 *  6. XON is fixed during a pause: a dynamic one could rise and end it.
 *  7. On a loop, only the smallest initiator that gets its probe back declares,
 *     so that one switch breaks it: exact_rival.c.
 *  8. A pause that ends without draining is marked BROKEN, and a CANCEL
 *     withdraws statements that depended on it.
 *  9. An ingress takes over the trigger of a paused egress if paused egresses
 *     alone keep it above XON; in the paper, if any packet waits there (3.1).
 *     An egress also counts as paused for 1/8 of its pause afterwards.
 * 10. To keep the packet path short, packets and own pauses only change
 *     counters and sets, which lle_exact_run() evaluates later.
 */
#ifndef LLE_CORE_EXACT_H
#define LLE_CORE_EXACT_H

#include "map.h"
#include "wire.h"

/* Forwarded probes of an ingress between two refreshes; hops. */
#define LLE_DL_CAP		16
#define LLE_DL_HOPS 64

/* Refreshes of a pause that repeat all probes that a loop may need. */
#define LLE_EXACT_AGAIN 4

/* Entries per egress; per switch: 64 ports take less than 3 KB of state. */
#define LLE_EXACT_PER_EGRESS 4
#define LLE_EXACT_POOL		40

/* Messages in struct lle_dl_out; probes that wait for a pause frame. */
#define LLE_DL_SENDS	64
#define LLE_EXACT_RIDES 4

/* Times as u32: units of 1024 ns, modulo 2^32: 73 minutes */
#define LLE_EXACT_TIME_SHIFT 10

static inline u32 lle_exact_time(u64 ns)
{
	return ns >> LLE_EXACT_TIME_SHIFT;
}

/**
 * struct lle_dl_params - parameters of an instance
 * @sw: number of the switch, not 0
 * @prio: the priority
 * @ports: at most LLE_MAX_PORTS
 * @pool: entries of all egresses; 0: a default for @ports
 * @fabric: bit p: the neighbour of port p is a switch that exchanges messages
 * @guard_ns: G: pauses that expire sooner do not count; longer than a round
 * @hop_ns: t_h, delay of a message per hop
 * @first: number before the first pause; should differ after a restart
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
 * @LLE_EXACT_NONE: no reason
 * @LLE_EXACT_STOPPED: a smaller one is on the loop, but its probe has stopped
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
 * @expire: egress: end of its pause, then of its time as paused for the trigger
 * @defer: ingress: end of its deferral, or of its time for an answer
 * @hop_epoch: egress: number of the pause that holds it, or of a host's pause
 * @epoch: ingress: number of its pause, in all its messages
 * @seq: ingress: number of its latest own probe, in its ID
 * @held_by: egress: initial trigger of its pause
 * @trigger: ingress: initial trigger of its pause
 * @sent: ingress: forwarded probes since the last refresh
 * @rival: ingress: reason of its last deferral, enum lle_exact_rival
 * @cause: ingress: egress from which it has its trigger; the number of ports: none
 * @asked: ingress: questions about a deadlock, see exact_rival.c
 * @again: ingress: refreshes while hard; reduced by something new
 * @news: ingress: has sent something new since lle_exact_news()
 */
struct lle_exact_port {
	u32 expire;
	u32 defer;
	u16 hop_epoch;
	u16 epoch;
	u16 seq;
	struct lle_dl_id held_by;
	struct lle_dl_id trigger;
	u8 sent : 5;
	u8 rival : 3;
	u8 cause : 7;
	u8 news : 1;
	u8 asked;
	u8 again;
};

/**
 * struct lle_dl_stats - counters
 * @probes: probes sent
 * @cancels: cancels sent
 * @declared: deadlocks declared
 * @deferred: times an initiator let another one declare
 * @evicted: entries removed for lack of room
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
 * struct lle_dl_send - a message to send
 * @port: the ingress that sends it
 * @msg: the message
 */
struct lle_dl_send {
	u8 port;
	struct lle_dl_msg msg;
};

/**
 * struct lle_exact - state of a priority of a switch
 * @map: traffic mapping
 * @fabric: as in struct lle_dl_params
 * @pausing: ingresses that pause their neighbours
 * @initiators: pausing ingresses that have been hard in this pause
 * @declared: pausing ingresses that will never resume
 * @deferred: pausing ingresses that let another one declare first
 * @unheld: pausing ingresses with packets that left a held egress
 * @due: pausing ingresses to be evaluated
 * @recheck: pausing ingresses that may have to withdraw statements
 * @withdrawing: pausing ingresses that must withdraw all: @out had no room
 * @refreshed: pausing ingresses that sent a pause frame since the last refresh
 * @leaky: egresses that packets left while held, for @recheck
 * @broken: ingresses that have not ended their last pause by draining
 * @evicted: egresses that lost entries for lack of room
 * @lately: resumed egresses that may count as paused for the trigger
 * @guard: guard_ns of struct lle_dl_params, lle_exact_time()
 * @hop_ns: as in struct lle_dl_params
 * @sw: as in struct lle_dl_params
 * @prio: as in struct lle_dl_params
 * @pool: number of entries
 * @turn: first entry of the next search for pairs
 * @keeps: deadlocks are only reported: one declaration is enough
 * @full: this switch has no room to break a deadlock without loss
 * @ride: probes that wait for a pause frame; free: no initiators
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
	u64 unheld;
	u64 due;
	u64 recheck;
	u64 withdrawing;
	u64 refreshed;
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
 * struct lle_dl_out - results of events, which add to it
 * @declared: bit i: ingress i is dead: report it, then break the deadlock
 * @num: number of @send; the caller clears it and @declared afterwards
 * @send: messages in own frames, to leave in order behind the pause frame
 */
struct lle_dl_out {
	u64 declared;
	u32 num;
	struct lle_dl_send send[LLE_DL_SENDS];
};

/**
 * struct lle_dl_report - a deadlock
 * @initiator: the ingress that found it, me(i)
 * @trigger: initial trigger of its pause
 * @hops: length of the loop
 * @egresses: egresses where its packets wait for its own pause
 */
struct lle_dl_report {
	struct lle_dl_id initiator;
	struct lle_dl_id trigger;
	u8 hops;
	u64 egresses;
};

/* me(i): the present pause of ingress i, as an initiator */
static inline struct lle_dl_id lle_exact_me(const struct lle_exact *d,
					    unsigned int ingress)
{
	return (struct lle_dl_id) {
		.sw = d->sw,
		.port = ingress,
		.seq = d->port[ingress].seq,
	};
}

/**
 * lle_exact_size() - compute the memory of an instance
 * @p: parameters
 * Return: bytes.
 */
size_t lle_exact_size(const struct lle_dl_params *p);

/**
 * lle_exact_state_size() - compute the size of the state (paper section 5)
 * @p: parameters
 * Return: bytes, without counters and the pointers to them.
 */
size_t lle_exact_state_size(const struct lle_dl_params *p);

/**
 * lle_exact_init() - initialise an instance without packets or pauses
 * @memory: lle_exact_size() bytes, aligned as a u64
 * @p: parameters
 * Return: the instance, at @memory.
 */
struct lle_exact *lle_exact_init(void *memory, const struct lle_dl_params *p);

/*
 * A packet of @len bytes from @ingress, not 0, is queued at a held egress, or
 * leaves it. If the egress is not held, the caller changes its row of the map.
 * Context: any; the caller serialises all calls per switch.
 */
void lle_exact_enq_held(struct lle_exact *d, unsigned int egress,
			unsigned int ingress, u32 len);
void lle_exact_deq_held(struct lle_exact *d, unsigned int egress,
			unsigned int ingress, u32 len);

/**
 * lle_exact_pause_tx() - an ingress has crossed XOFF
 * @d: instance
 * @ingress: port
 * @xon_bytes: XON, fixed during the pause
 * @now_ns: the time
 */
void lle_exact_pause_tx(struct lle_exact *d, unsigned int ingress,
			u32 xon_bytes, u64 now_ns);

/**
 * lle_exact_resume_tx() - an ingress resumes its neighbour
 * @d: instance
 * @ingress: port
 * @broken: without draining to XON; implied if packets left a held egress
 */
void lle_exact_resume_tx(struct lle_exact *d, unsigned int ingress,
			 bool broken);

/**
 * lle_exact_send_ride() - get the message for a pause or resume frame
 * @d: instance
 * @ingress: port that is about to send the frame
 * @pause: the frame begins or repeats a pause; otherwise it resumes
 * @msg: result if true: a probe or the number of the pause; BROKEN
 * Return: whether there is a message.
 */
bool lle_exact_send_ride(struct lle_exact *d, unsigned int ingress, bool pause,
			 struct lle_dl_msg *msg);

/* Must lle_exact_run() be called soon? Test after each call. */
static inline bool lle_exact_is_due(const struct lle_exact *d)
{
	return d->due | d->recheck | d->withdrawing;
}

/**
 * lle_exact_run() - evaluate changes by packets and own pauses
 * @d: instance
 * @now_ns: the time
 * @out: messages to send, deadlocks
 *
 * Repeat it with an empty @out while lle_exact_is_due(). Other events call it,
 * too, after their change: a loop that they open is not declared.
 */
void lle_exact_run(struct lle_exact *d, u64 now_ns, struct lle_dl_out *out);

/**
 * lle_exact_refresh() - an ingress is about to repeat its pause
 * @d: instance
 * @ingress: port
 * @now_ns: the time
 * @out: messages to send; the pause frame takes the first probe
 *
 * Lost messages wait for it, so the first one should follow a pause, or news,
 * after some hops. LLE_EXACT_AGAIN refreshes (half as many after news) repeat
 * the own and smaller probes; later ones, one probe in turn.
 */
void lle_exact_refresh(struct lle_exact *d, unsigned int ingress, u64 now_ns,
		       struct lle_dl_out *out);

/* Test and clear: has an ingress sent something new? */
static inline bool lle_exact_news(struct lle_exact *d, unsigned int ingress)
{
	bool news = d->port[ingress].news;

	d->port[ingress].news = false;
	return news;
}

/**
 * lle_exact_pause_rx() - an egress is paused, or its pause repeated
 * @d: instance
 * @egress: port; has stopped: a packet that leaves later breaks pauses
 * @msg: message for this priority; NULL: the pause does not hold packets until
 *	a message with its number arrives
 * @until_ns: end of the pause by itself; within half an hour
 * @now_ns: the time
 * @out: messages to send, deadlocks
 */
void lle_exact_pause_rx(struct lle_exact *d, unsigned int egress,
			const struct lle_dl_msg *msg, u64 until_ns, u64 now_ns,
			struct lle_dl_out *out);

/**
 * lle_exact_resume_rx() - an egress is resumed, or its pause has expired
 * @d: instance
 * @egress: port; no packet has left it yet
 * @broken: set in the frame; also if the pause expired or the queue is dropped
 * @since_ns: begin of its pause; within half an hour
 * @now_ns: the time
 * @out: messages to send; no deadlocks, as several pauses may end at once
 */
void lle_exact_resume_rx(struct lle_exact *d, unsigned int egress, bool broken,
			 u64 since_ns, u64 now_ns, struct lle_dl_out *out);

/**
 * lle_exact_message_rx() - process a message from its own frame
 * @d: instance
 * @egress: port that received it
 * @msg: the message
 * @now_ns: the time
 * @out: messages to send, deadlocks
 */
void lle_exact_message_rx(struct lle_exact *d, unsigned int egress,
			  const struct lle_dl_msg *msg, u64 now_ns,
			  struct lle_dl_out *out);

/* @keeps: deadlocks are only reported, so one initiator per loop declares. */
static inline void lle_exact_configure(struct lle_exact *d, u64 fabric,
				       u64 guard_ns, u64 hop_ns, bool keeps)
{
	d->keeps = keeps;
	d->fabric = fabric;
	d->guard = lle_exact_time(guard_ns);
	d->hop_ns = min_t(u64, hop_ns, U32_MAX);
}

static inline void lle_exact_set_full(struct lle_exact *d, bool full)
{
	d->full = full;
}

/* Ingresses that pause a switch and have to be refreshed */
static inline u64 lle_exact_pausing(const struct lle_exact *d)
{
	return d->pausing & d->fabric;
}

static inline const struct lle_dl_stats *
lle_exact_stats(const struct lle_exact *d)
{
	return d->stats;
}

/**
 * lle_exact_timer_wait() - get the time until lle_exact_timer() is due
 * @d: instance
 * @now_ns: the time
 * Return: nanoseconds from now; U64_MAX: not needed.
 */
u64 lle_exact_timer_wait(const struct lle_exact *d, u64 now_ns);

/**
 * lle_exact_timer() - let initiators that have deferred ask, or declare
 * @d: instance
 * @now_ns: the time
 * @out: messages to send, deadlocks
 */
void lle_exact_timer(struct lle_exact *d, u64 now_ns, struct lle_dl_out *out);

/**
 * lle_exact_report() - describe a deadlock
 * @d: instance
 * @ingress: port that was declared and still pauses
 * @now_ns: the time
 * @report: result
 */
void lle_exact_report(const struct lle_exact *d, unsigned int ingress,
		      u64 now_ns, struct lle_dl_report *report);

#endif /* LLE_CORE_EXACT_H */
