/* SPDX-License-Identifier: GPL-2.0 */
/*
 * DCFIT, certain in one pass: a switch finds the deadlocks it is part of.
 *
 * One instance is one lossless priority of one switch. It is told of packets,
 * pauses and messages, and says what to send and what is dead. "Ingress i": we
 * pause the peer of port i. "Egress p": the peer of port p pauses us.
 *
 * A probe with the set U of initiators, sent through ingress i, says: this pause
 * of i will not end before that of a member of U. It is sent when more bytes of
 * i than XON wait at egresses that are held by such probes. Whoever is in U
 * drops itself from U, as no pause ends before itself; when U is empty then the
 * pause will never end.
 *
 * What differs from the paper ("DCFIT: Initial Trigger-Based PFC Deadlock Detection
 * in the Data Plane"); D and A are the numbers of its rules and of their holes:
 *
 *  1. Paused, causal and pausing is not yet dead: an ingress may drain at other
 *     egresses. Probes go where bytes hold an ingress above XON, hence they are
 *     certain when they come back, and no second round asks for RESUME tags
 *     (D6, D18-D20, A3, A7, A32).
 *  2. Every ingress that becomes hard is an initiator, not only triggers and middle
 *     switches (D12, D21, D23, D24): that closes each loop in one pass, wherever
 *     its trigger is (D26, A31).
 *  3. A probe may carry two initiators, for an ingress that waits at two egresses,
 *     none of which alone holds it (A33).
 *  4. A port stores several IDs, a switch a bounded number (A6): D13 with a pool.
 *  5. Probes also go when a packet makes an ingress hard, and are repeated with the
 *     pause, as frames are lost (A4, A5); the number of hops and of probes per
 *     refresh is bounded (A30).
 *  6. XON is the one of the beginning of the pause, for as long as it lasts (A7).
 *  7. Of several initiators on a loop the smallest declares, the others wait for it
 *     (A8).
 *  8. A pause that ends otherwise than by draining says so (BROKEN), and what was
 *     said because of it is taken back (CANCEL) (A11, A24).
 *  9. The trigger of a paused egress is taken over by an ingress that paused egresses
 *     would keep above XON; D9 and A2 take it over for any packet that waits. And who
 *     was paused for most of the time until now counts as paused.
 * 10. Packets and pauses of its own only change counters and sets: whoever forwards
 *     packets does not evaluate. lle_exact_run() does, a little later.
 */
#ifndef LLE_CORE_EXACT_H
#define LLE_CORE_EXACT_H

#include "map.h"
#include "wire.h"

/* What an ingress sends of others' between two refreshes: CAP. */
#define LLE_DL_CAP		16
#define LLE_DL_HOPS 64

/* So many refreshes of a pause say again all that a loop may need. */
#define LLE_EXACT_AGAIN 4

/* Entries of an egress, of a switch: E, and what 3 KB leave room for. */
#define LLE_EXACT_PER_EGRESS 4
#define LLE_EXACT_POOL		40

/* Messages in struct lle_dl_out, and probes that wait for a pause frame. */
#define LLE_DL_SENDS	64
#define LLE_EXACT_RIDES 4

/* Times are in units of 1024 ns, modulo 2^32: 73 minutes. */
#define LLE_EXACT_TIME_SHIFT 10

static inline u32 lle_exact_time(u64 ns)
{
	return ns >> LLE_EXACT_TIME_SHIFT;
}

/**
 * struct lle_dl_params - what an instance has to know
 * @sw: number of the switch, not 0
 * @prio: the priority
 * @ports: of the switch, at most LLE_MAX_PORTS
 * @pool: entries of all egresses; 0: as many as are good for @ports
 * @fabric: ports whose peer is a switch that speaks DCFIT
 * @guard_ns: a pause that ends by itself sooner than that is not relied on, G;
 *	longer than a message takes round a loop
 * @hop_ns: what a message takes from hop to hop, t_h
 * @first: pauses are numbered from here on; at best not from where an instance that was
 *	there before has begun
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
 * struct lle_exact_port - a port, as ingress and as egress
 * @expire: egress: when its pause ends by itself; if it is over, until when it counts
 *	for blame
 * @defer: ingress: when it probes again, if it is one that has deferred
 * @hop_epoch: egress: which pause of its peer holds it; of a host: how many it sent
 * @epoch: ingress: which pause it is in, ep
 * @seq: ingress: which of its probes is the latest, Q
 * @held_by: egress: initial trigger of its pause, trigE
 * @trigger: ingress: initial trigger of its pause, trigI
 * @sent: ingress: probes since the last refresh that were not its own
 * @verify: ingress: times it has probed again, vfy
 * @again: ingress: times it has refreshed its pause, while it was hard; less if it has said
 *	what it had not said before
 * @news: ingress: it has, and lle_exact_news() has not been asked
 */
struct lle_exact_port {
	u32 expire;
	u32 defer;
	u16 hop_epoch;
	u16 epoch;
	u16 seq;
	struct lle_dl_id held_by;
	struct lle_dl_id trigger;
	u8 sent;
	u8 verify;
	u8 again;
	bool news;
};

/**
 * struct lle_dl_stats - what has happened
 * @probes: sent
 * @cancels: sent
 * @declared: deadlocks
 * @deferred: times an initiator let another one declare
 * @evicted: entries that there was no room for
 * @capped: probes not sent, too many since the last refresh
 * @overrun: messages not sent, too many at once
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
 * @pausing: ingresses that pause their peers
 * @initiators: those of them that have been hard, init
 * @declared: those of them that never will resume
 * @deferred: those of them that let another one declare first
 * @torn: those of them whose packets left an egress that is held
 * @due: those of them that have to be evaluated
 * @recheck: those of them that may have to take back what they have said
 * @unsaid: those of them that have to take back all: there was no room to say what
 * @told: those of them whose pause frame has left
 * @leaky: egresses that packets have left while they were held, for @recheck
 * @broken: ingresses whose last pause was not ended by draining
 * @evicted: egresses that have forgotten probes for want of room
 * @lately: egresses whose last pause is over, but may count for blame
 * @guard: as struct lle_dl_params, lle_exact_time()
 * @hop_ns: as struct lle_dl_params
 * @sw: as struct lle_dl_params
 * @prio: as struct lle_dl_params
 * @pool: number of entries
 * @turn: where the search for pairs begins
 * @keeps: who declares a deadlock leaves it as it is
 * @ride: probes that wait for the next pause frame; free: no initiators
 * @entry: of all egresses
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
	struct lle_dl_send ride[LLE_EXACT_RIDES];
	struct lle_exact_entry *entry;
	struct lle_exact_port *port;
	struct lle_dl_stats *stats;
};

/**
 * struct lle_dl_out - what has to be done after one or more events
 * @declared: ingresses that are found dead: report them, then break the deadlock
 * @num: number of @send
 * @send: messages in frames of their own, in the order in which they have to leave a
 *	port: behind its pause frame, and behind those of any call before
 *
 * Calls add to it. The caller sets @declared and @num to 0 when that is done.
 */
struct lle_dl_out {
	u64 declared;
	u32 num;
	struct lle_dl_send send[LLE_DL_SENDS];
};

/**
 * struct lle_dl_report - a deadlock
 * @initiator: who has found it, me(i)
 * @trigger: the initial trigger of its pause
 * @hops: length of the loop
 * @egresses: where its packets wait for themselves; lle_exact_held_by() is the
 *	initial trigger of each
 */
struct lle_dl_report {
	struct lle_dl_id initiator;
	struct lle_dl_id trigger;
	u8 hops;
	u64 egresses;
};

/**
 * lle_exact_size() - memory of an instance
 * @p: its parameters
 *
 * Return: bytes.
 */
size_t lle_exact_size(const struct lle_dl_params *p);

/**
 * lle_exact_state_size() - how much of it is state (D31)
 * @p: its parameters
 *
 * Return: bytes, without counters of bytes and events and the pointers to them.
 */
size_t lle_exact_state_size(const struct lle_dl_params *p);

/**
 * lle_exact_init() - begin, without packets or pauses
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
 * lle_exact_enq() - ENQ: a packet is queued
 * @d: the instance
 * @egress: at this port
 * @ingress: by which it came
 * @len: its bytes, as they are charged to the ingress; not 0
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
 * lle_exact_deq() - DEQ: a packet leaves, or is dropped
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
 * lle_exact_pause_tx() - PAUSE_TX: an ingress has crossed XOFF
 * @d: the instance
 * @ingress: the port
 * @xon_bytes: at which it will resume; does not change while it pauses
 * @now_ns: the time
 */
void lle_exact_pause_tx(struct lle_exact *d, unsigned int ingress,
			u32 xon_bytes, u64 now_ns);

/**
 * lle_exact_resume_tx() - RESUME_TX: an ingress resumes its peer
 * @d: the instance
 * @ingress: the port
 * @broken: not as it has drained to XON; packets that lle_exact_deq() took from
 *	an egress that is held are known here
 */
void lle_exact_resume_tx(struct lle_exact *d, unsigned int ingress,
			 bool broken);

/**
 * lle_exact_ride() - what a pause or resume frame that is about to be sent says
 * @d: the instance
 * @ingress: by which port
 * @pause: it begins or repeats a pause; otherwise it resumes
 * @msg: result, written only if true is returned
 *
 * For a pause: a probe that waits for it, or only which pause it is. For a resume:
 * BROKEN, if it was, until the next pause.
 *
 * Return: whether it says anything.
 */
bool lle_exact_ride(struct lle_exact *d, unsigned int ingress, bool pause,
		    struct lle_dl_msg *msg);

/**
 * lle_exact_is_due() - is there anything to be evaluated?
 * @d: the instance
 *
 * To be asked after each call; if so then lle_exact_run() has to be called soon.
 */
static inline bool lle_exact_is_due(const struct lle_exact *d)
{
	return d->due | d->recheck | d->unsaid;
}

/**
 * lle_exact_run() - EVAL of what packets and pauses have changed
 * @d: the instance
 * @now_ns: the time
 * @out: what has to be done
 *
 * Evaluates no more than @out has room for: to be called again as long as
 * lle_exact_is_due(). Events that evaluate do this, too, when the state is that after the
 * event: a loop that the event opens is not declared any more.
 */
void lle_exact_run(struct lle_exact *d, u64 now_ns, struct lle_dl_out *out);

/**
 * lle_exact_refresh() - REFRESH: an ingress is about to repeat its pause
 * @d: the instance
 * @ingress: the port
 * @now_ns: the time
 * @out: what has to be done; the pause frame that follows takes the first probe
 *
 * The time until then is what a message that is lost costs. The first one is best some
 * hops after the pause, or after news. The first LLE_EXACT_AGAIN, or half as many after news,
 * say again all that is about itself and smaller initiators, each of the others one probe in
 * turn.
 */
void lle_exact_refresh(struct lle_exact *d, unsigned int ingress, u64 now_ns,
		       struct lle_dl_out *out);

/**
 * lle_exact_news() - has an ingress said what it had not said before?
 * @d: the instance
 * @ingress: the port
 *
 * Return: whether it has since it was asked the last time.
 */
static inline bool lle_exact_news(struct lle_exact *d, unsigned int ingress)
{
	bool news = d->port[ingress].news;

	d->port[ingress].news = false;
	return news;
}

/**
 * lle_exact_pause_rx() - PAUSE_RX: an egress is paused, or its pause repeated
 * @d: the instance
 * @egress: the port
 * @msg: what the frame said of this priority; NULL: nothing, or not a message
 * @until_ns: when the pause ends by itself; within half an hour from now
 * @now_ns: the time
 * @out: what has to be done
 *
 * A pause that has not said which one it is (@msg is NULL) holds nobody until a
 * message comes that says so. To be called when the egress has stopped: what leaves
 * it later ends up as a BROKEN.
 */
void lle_exact_pause_rx(struct lle_exact *d, unsigned int egress,
			const struct lle_dl_msg *msg, u64 until_ns, u64 now_ns,
			struct lle_dl_out *out);

/**
 * lle_exact_resume_rx() - RESUME_RX, EXPIRE: an egress may send
 * @d: the instance
 * @egress: the port
 * @broken: the frame said so; or the pause has ended by itself; or what is queued
 *	here is about to be dropped
 * @since_ns: when its pause began; within half an hour from now
 * @now_ns: the time
 * @out: what has to be done
 *
 * To be called before anything leaves the egress. Declares nothing: several pauses may
 * end at once.
 */
void lle_exact_resume_rx(struct lle_exact *d, unsigned int egress, bool broken,
			 u64 since_ns, u64 now_ns, struct lle_dl_out *out);

/**
 * lle_exact_message_rx() - a message has come in a frame of its own
 * @d: the instance
 * @egress: by which port
 * @msg: the message
 * @now_ns: the time
 * @out: what has to be done
 */
void lle_exact_message_rx(struct lle_exact *d, unsigned int egress,
			  const struct lle_dl_msg *msg, u64 now_ns,
			  struct lle_dl_out *out);

/**
 * lle_exact_configure() - change what an instance has been told at its beginning
 * @d: the instance
 * @fabric: as struct lle_dl_params
 * @guard_ns: as struct lle_dl_params
 * @hop_ns: as struct lle_dl_params
 * @keeps: who declares a deadlock leaves it as it is, so nobody else has to; at first
 *	that is not so
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
 * lle_exact_timer_wait() - when lle_exact_timer() has to be called
 * @d: the instance
 * @now_ns: the time
 *
 * Return: nanoseconds from now; U64_MAX: need not be.
 */
u64 lle_exact_timer_wait(const struct lle_exact *d, u64 now_ns);

/**
 * lle_exact_timer() - DEFER: who has let another one declare looks again
 * @d: the instance
 * @now_ns: the time
 * @out: what has to be done
 */
void lle_exact_timer(struct lle_exact *d, u64 now_ns, struct lle_dl_out *out);

/**
 * lle_exact_report() - what is known of a deadlock
 * @d: the instance
 * @ingress: that was declared, and still pauses
 * @now_ns: the time
 * @report: result
 */
void lle_exact_report(const struct lle_exact *d, unsigned int ingress,
		      u64 now_ns, struct lle_dl_report *report);

/**
 * lle_exact_held_by() - initial trigger of the pause of an egress (D30)
 * @d: the instance
 * @egress: the port; is paused
 */
static inline struct lle_dl_id lle_exact_held_by(const struct lle_exact *d,
						 unsigned int egress)
{
	return d->port[egress].held_by;
}

#endif /* LLE_CORE_EXACT_H */
