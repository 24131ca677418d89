// SPDX-License-Identifier: GPL-2.0
/*
 * Records found deadlocks and the walks along their loops, to which it adds own
 * hops. Functions run under the switch's lock, unless they take it.
 */
#include "../tx.h"
#include "deadlock.h"

/* Longest wait for a walk; then the loop is broken without it. */
#define LLE_DEADLOCK_WALK_NS	(10 * NSEC_PER_MSEC)

static struct lle_deadlock_who lle_deadlock_who(struct lle_dl_id id)
{
	return (struct lle_deadlock_who){
		.sw = id.sw,
		.slot = id.port,
		.host = id.host,
		.seq = id.seq,
	};
}

static struct lle_deadlock_hop lle_deadlock_hop(const struct lle_dl_hop *hop)
{
	return (struct lle_deadlock_hop){
		.sw = hop->sw,
		.ingress = hop->ingress,
		.egress = hop->egress,
		.bytes = hop->bytes,
		.trigger = lle_deadlock_who(hop->trigger),
		.age_ns = hop->age_ns,
	};
}

static u64 lle_deadlock_age_ns(const struct lle_deadlock *dl, unsigned int slot,
			       unsigned int prio, u64 now_ns)
{
	const struct lle_port *port = rcu_dereference(dl->sw->slot[slot]);

	return port ? now_ns - port->ingress[prio].paused_since_ns : 0;
}

/* Describes this switch as a hop of a loop. */
static void lle_deadlock_own_hop(const struct lle_deadlock *dl,
				 unsigned int prio, unsigned int egress,
				 unsigned int ingress, u64 now_ns,
				 struct lle_dl_hop *hop)
{
	lle_exact_walk_hop(dl->exact[prio], egress, ingress, hop);
	hop->age_ns = lle_deadlock_age_ns(dl, ingress, prio, now_ns);
}

/*
 * A walk takes each ingress once: returns @slots without those taken. A
 * repeated walk has another number in min.port.
 */
static u64 lle_deadlock_walk_by(struct lle_deadlock *dl,
				const struct lle_dl_msg *msg, u64 slots)
{
	const struct lle_dl_id *id = &msg->id[0];

	if (dl->walk_prio != msg->prio || dl->walk.sw != id->sw ||
	    dl->walk.port != id->port || dl->walk.seq != id->seq ||
	    dl->walk_turn != msg->min.port)
		dl->walked = 0;
	dl->walk_prio = msg->prio;
	dl->walk_turn = msg->min.port;
	dl->walk = *id;
	slots &= ~dl->walked;
	dl->walked |= slots;
	return slots;
}

static void lle_deadlock_send_walk(struct lle_deadlock *dl,
				   struct lle_deadlock_record *r, u64 now_ns)
{
	unsigned int prio = r->info.prio, slot = r->info.initiator.slot;
	struct lle_dl_msg msg;

	r->again_ns = r->until_ns;
	lle_exact_walk_begin(dl->exact[prio], slot, &msg);
	if (msg.id[0].seq != r->info.initiator.seq)
		return;
	/* two rounds of the loop, then four, eight and so on */
	r->again_ns = now_ns + ((2 * r->length * dl->hop_ns) << r->walks);
	msg.min.port = r->walks++;
	lle_deadlock_walk_by(dl, &msg, BIT_ULL(slot));
	lle_deadlock_event_append(dl, slot, &msg);
}

static void lle_deadlock_record(struct lle_deadlock *dl, unsigned int prio,
				unsigned int ingress, u64 now_ns)
{
	struct lle_dl_report report;
	struct lle_deadlock_record *r;
	struct lle_dl_hop hop;

	lle_exact_report(dl->exact[prio], ingress, now_ns, &report);
	/* no egress holds it */
	if (!report.egresses)
		return;
	lle_deadlock_own_hop(dl, prio, __ffs64(report.egresses), ingress,
			     now_ns, &hop);
	r = &dl->record[dl->found % LLE_DEADLOCK_RECORDS];
	r->info = (struct lle_deadlock_info){
		.number = ++dl->found,
		.prio = prio,
		.bytes = hop.bytes,
		.initiator = lle_deadlock_who(report.initiator),
		.trigger = lle_deadlock_who(report.trigger),
		.since_ns = now_ns - hop.age_ns,
		.declared_ns = now_ns,
	};
	r->length = report.hops;
	r->egresses = report.egresses;
	r->hops = 1;
	r->hop[0] = lle_deadlock_hop(&hop);
	r->until_ns = now_ns + LLE_DEADLOCK_WALK_NS;
	r->walks = 0;
	lle_deadlock_send_walk(dl, r, now_ns);
}

/*
 * Records deadlocks that evaluation has found. Under the switch's lock, RCU, no
 * qdisc's lock held.
 */
void lle_deadlock_record_declared(struct lle_deadlock *dl, unsigned int prio,
				  u64 now_ns)
{
	u64 declared = dl->out.declared;
	unsigned int ingress;

	dl->out.declared = 0;
	lle_dl_for_each(ingress, declared)
		lle_deadlock_record(dl, prio, ingress, now_ns);
}

/**
 * lle_deadlock_record_read() - read the record of a deadlock
 * @sw: the switch
 * @n: number of later deadlocks; 0: the last one
 * @r: result
 * Context: RTNL. Return: false: no such record.
 */
bool lle_deadlock_record_read(struct lle_switch *sw, unsigned int n,
			      struct lle_deadlock_record *r)
{
	struct lle_deadlock *dl;
	bool known;

	spin_lock_bh(&sw->lock);
	dl = sw->deadlock;
	known = dl && n < LLE_DEADLOCK_RECORDS && n < dl->found;
	if (known)
		*r = dl->record[(dl->found - 1 - n) % LLE_DEADLOCK_RECORDS];
	spin_unlock_bh(&sw->lock);
	return known;
}

static void lle_deadlock_complete(struct lle_deadlock *dl,
				  struct lle_deadlock_record *r, u64 now_ns)
{
	r->info.reported_ns = now_ns;
	r->until_ns = 0;
	r->tell = true;
	lle_deadlock_look(dl);
}

/* Copies the next deadlock to be broken and reported to @dl->telling. */
bool lle_deadlock_record_next(struct lle_deadlock *dl)
{
	unsigned int n;

	for (n = 0; n < LLE_DEADLOCK_RECORDS; n++) {
		struct lle_deadlock_record *r = &dl->record[n];

		if (!r->tell)
			continue;
		r->tell = false;
		dl->telling = *r;
		return true;
	}
	return false;
}

/* Records the cure of a deadlock. */
void lle_deadlock_record_done(struct lle_deadlock *dl,
			      const struct lle_deadlock_record *r)
{
	struct lle_deadlock_record *known;

	known = &dl->record[(r->info.number - 1) % LLE_DEADLOCK_RECORDS];
	if (known->info.number == r->info.number)
		known->info = r->info;
}

/*
 * Repeats or gives up walks that are not back. Returns ns until the next call;
 * U64_MAX: not needed. Under the switch's lock.
 */
u64 lle_deadlock_record_retry(struct lle_deadlock *dl, u64 now_ns)
{
	u64 wait_ns = U64_MAX;
	unsigned int n;

	for (n = 0; n < LLE_DEADLOCK_RECORDS; n++) {
		struct lle_deadlock_record *r = &dl->record[n];

		if (!r->until_ns)
			continue;
		if (now_ns >= r->until_ns) {
			lle_deadlock_complete(dl, r, now_ns);
			continue;
		}
		if (now_ns >= r->again_ns)
			lle_deadlock_send_walk(dl, r, now_ns);
		wait_ns = min(wait_ns, min(r->again_ns, r->until_ns) - now_ns);
	}
	return wait_ns;
}

/* Finds the record that waits for a walk; a loop may pass a switch twice. */
static struct lle_deadlock_record *
lle_deadlock_find(struct lle_deadlock *dl, unsigned int egress,
		  const struct lle_dl_msg *msg)
{
	unsigned int n;

	for (n = 0; n < LLE_DEADLOCK_RECORDS; n++) {
		struct lle_deadlock_record *r = &dl->record[n];

		if (r->until_ns && r->info.prio == msg->prio &&
		    r->egresses & BIT_ULL(egress) &&
		    r->info.initiator.sw == msg->id[0].sw &&
		    r->info.initiator.slot == msg->id[0].port &&
		    r->info.initiator.seq == msg->id[0].seq)
			return r;
	}
	return NULL;
}

static void lle_deadlock_back(struct lle_deadlock *dl,
			      struct lle_deadlock_record *r,
			      unsigned int egress, const struct lle_dl_msg *msg,
			      const struct lle_dl_wire_hop *wire, u64 now_ns)
{
	struct lle_dl_hop hop;
	unsigned int n;

	r->hop[0].egress = egress;
	lle_exact_walk_hop(dl->exact[msg->prio], egress, msg->id[0].port, &hop);
	r->hop[0].bytes = hop.bytes;
	for (n = 0; n < msg->hops; n++) {
		lle_exact_walk_parse_hop(&wire[n], &hop);
		r->hop[r->hops++] = lle_deadlock_hop(&hop);
	}
	r->info.loop = 1;
	lle_deadlock_complete(dl, r, now_ns);
}

/* Processes a walk. Returns bit s: forward it by slot s. Under RCU. */
static u64 lle_deadlock_walked(struct lle_deadlock *dl, unsigned int egress,
			       const struct lle_dl_msg *msg,
			       const struct lle_dl_wire_hop *wire, u64 now_ns)
{
	struct lle_deadlock_record *r = lle_deadlock_find(dl, egress, msg);
	u64 next;

	if (r) {
		lle_deadlock_back(dl, r, egress, msg, wire, now_ns);
		return 0;
	}
	next = lle_exact_walk_next(dl->exact[msg->prio], egress, msg);
	return lle_deadlock_walk_by(dl, msg, next);
}

static void lle_deadlock_walk_on(struct lle_port *from, unsigned int slot,
				 const struct lle_dl_msg *msg, const void *said,
				 u64 now_ns)
{
	unsigned int len = msg->hops * sizeof(struct lle_dl_wire_hop);
	struct lle_switch *sw = from->sw;
	struct lle_dl_msg next = *msg;
	struct lle_port *port = NULL;
	struct lle_dl_hop hop;
	struct sk_buff *skb;
	void *rest;

	spin_lock(&sw->lock);
	if (sw->deadlock) {
		lle_deadlock_own_hop(sw->deadlock, msg->prio, from->slot,
				     slot, now_ns, &hop);
		port = rcu_dereference(sw->slot[slot]);
	}
	spin_unlock(&sw->lock);
	if (!port)
		return;

	next.hops++;
	skb = lle_tx_message(port, &next, len + sizeof(struct lle_dl_wire_hop),
			     &rest);
	if (!skb)
		return;
	memcpy(rest, said, len);
	lle_exact_walk_encode_hop(rest + len, &hop);
	lle_tx_send(port, skb);
}

/**
 * lle_deadlock_record_walk() - process a walk
 * @port: the receiving port
 * @msg: the message
 * @skb: its frame, at the message; the caller frees it
 * @now_ns: the time
 * Context: BH off, RCU, no qdisc's lock held.
 */
void lle_deadlock_record_walk(struct lle_port *port,
			      const struct lle_dl_msg *msg, struct sk_buff *skb,
			      u64 now_ns)
{
	unsigned int len = msg->hops * sizeof(struct lle_dl_wire_hop);
	struct lle_switch *sw = port->sw;
	struct lle_deadlock *dl;
	unsigned int slot;
	const void *said;
	u64 next = 0;

	if (msg->hops >= LLE_DL_HOPS - 1 ||
	    !pskb_may_pull(skb, sizeof(struct lle_dl_pad) + len))
		return;
	said = skb->data + sizeof(struct lle_dl_pad);

	spin_lock(&sw->lock);
	dl = sw->deadlock;
	if (dl && lle_deadlock_event_admit(dl, port, now_ns))
		next = lle_deadlock_walked(dl, port->slot, msg, said,
					   now_ns);
	spin_unlock(&sw->lock);

	lle_dl_for_each(slot, next)
		lle_deadlock_walk_on(port, slot, msg, said, now_ns);
}
