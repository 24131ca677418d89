// SPDX-License-Identifier: GPL-2.0
/* DCFIT: what happens, and what it changes. */
#include "blame.h"
#include "exact_cancel.h"

static unsigned int lle_dcfit_pool(const struct lle_dcfit_params *p)
{
	if (p->pool)
		return p->pool;
	return min(LLE_DCFIT_PER_EGRESS * p->ports, LLE_DCFIT_POOL);
}

static size_t lle_dcfit_fixed(const struct lle_dcfit_params *p)
{
	return sizeof(struct lle_dcfit) +
	       lle_dcfit_pool(p) * sizeof(struct lle_dcfit_entry) +
	       p->ports * sizeof(struct lle_dcfit_port);
}

size_t lle_dcfit_state_size(const struct lle_dcfit_params *p)
{
	const struct lle_dcfit *d;

	return lle_dcfit_fixed(p) - sizeof(d->map.bytes) -
	       sizeof(d->map.row) - sizeof(d->map.sums) - sizeof(d->stats);
}

size_t lle_dcfit_size(const struct lle_dcfit_params *p)
{
	return lle_dcfit_fixed(p) + sizeof(struct lle_dcfit_stats) +
	       lle_dcfit_map_size(p->ports) +
	       p->ports * sizeof(struct lle_dcfit_sums);
}

static_assert(sizeof(struct lle_dcfit_entry) % sizeof(u64) == 0);

/* The strictest alignment first. */
struct lle_dcfit *lle_dcfit_init(void *memory,
				 const struct lle_dcfit_params *p)
{
	struct lle_dcfit *d = memory;
	unsigned int i;

	memset(memory, 0, lle_dcfit_size(p));
	d->sw = p->sw;
	d->prio = p->prio;
	d->pool = lle_dcfit_pool(p);
	d->fabric = p->fabric;
	d->guard = lle_dcfit_time(p->guard_ns);
	d->hop_ns = p->hop_ns;
	d->stats = (void *)(d + 1);
	d->entry = (void *)(d->stats + 1);
	lle_dcfit_map_init(&d->map, p->ports, d->entry + d->pool);
	d->map.sums = (void *)d->map.row + lle_dcfit_map_size(p->ports);
	d->port = (void *)(d->map.sums + p->ports);
	for (i = 0; i < p->ports; i++) {
		d->port[i].epoch = p->first;
		d->port[i].seq = p->first;
	}
	return d;
}

/* ENQ at an egress that is held */
void lle_dcfit_enq_held(struct lle_dcfit *d, unsigned int egress,
			unsigned int ingress, u32 len)
{
	*lle_dcfit_map_pair(&d->map, egress, ingress) += len;
	d->map.sums[ingress].held += len;
	if (d->fabric & BIT_ULL(ingress) && lle_dcfit_hard(d, ingress))
		d->due |= BIT_ULL(ingress);
}

/*
 * DEQ from an egress that is held: dropped, or on its way when it was paused. Who has
 * said nothing yet has nothing to take back.
 */
void lle_dcfit_deq_held(struct lle_dcfit *d, unsigned int egress,
			unsigned int ingress, u32 len)
{
	*lle_dcfit_map_pair(&d->map, egress, ingress) -= len;
	d->map.sums[ingress].held -= len;
	if (!(d->initiators & BIT_ULL(ingress)))
		return;
	d->torn |= BIT_ULL(ingress);
	d->recheck |= BIT_ULL(ingress);
	d->leaky |= BIT_ULL(egress);
}

/* A pause of an ingress begins or ends: nothing of the one before is left. */
static void lle_dcfit_reset(struct lle_dcfit *d, unsigned int ingress)
{
	u64 others = ~BIT_ULL(ingress);

	d->pausing &= others;
	d->initiators &= others;
	d->declared &= others;
	d->deferred &= others;
	d->torn &= others;
	d->due &= others;
	d->recheck &= others;
	d->unsaid &= others;
	d->told &= others;
	d->port[ingress].verify = 0;
	d->port[ingress].sent = 0;
	d->port[ingress].again = 0;
	lle_dcfit_unseat(d, ingress, NULL);
	lle_dcfit_unsend(d, ingress);
	lle_dcfit_purge(d);
}

void lle_dcfit_pause_tx(struct lle_dcfit *d, unsigned int ingress,
			u32 xon_bytes, u64 now_ns)
{
	struct lle_dcfit_port *port = &d->port[ingress];

	lle_dcfit_reset(d, ingress);
	d->pausing |= BIT_ULL(ingress);
	d->broken &= ~BIT_ULL(ingress);
	d->map.sums[ingress].xon = xon_bytes;
	port->epoch++;
	port->seq++;
	port->trigger = lle_dcfit_blame(d, ingress, lle_dcfit_time(now_ns));
	if (d->fabric & BIT_ULL(ingress) && lle_dcfit_hard(d, ingress))
		d->due |= BIT_ULL(ingress);
}

/* What could not be taken back in time is taken back as a whole. */
void lle_dcfit_resume_tx(struct lle_dcfit *d, unsigned int ingress,
			 bool broken)
{
	u64 bit = d->pausing & BIT_ULL(ingress);

	if (broken || (d->torn | d->unsaid) & bit)
		d->broken |= bit;
	lle_dcfit_reset(d, ingress);
}

/* Take back what is not true any more: before what was said, and why, is forgotten. */
static void lle_dcfit_amend(struct lle_dcfit *d, u32 now,
			    struct lle_dcfit_out *out)
{
	u64 open = d->recheck | d->unsaid;
	unsigned int i;

	lle_dcfit_for_each(i, open) {
		if (out->num > LLE_DCFIT_SENDS / 2)
			break;
		if (d->unsaid & BIT_ULL(i))
			lle_dcfit_cancel_all(d, i, out);
		else
			lle_dcfit_recheck(d, i, now, out);
		d->recheck &= ~BIT_ULL(i);
	}
	if (!d->recheck)
		d->leaky = 0;
}

void lle_dcfit_run(struct lle_dcfit *d, u64 now_ns, struct lle_dcfit_out *out)
{
	u32 now = lle_dcfit_time(now_ns);
	unsigned int i;
	u64 due;

	lle_dcfit_amend(d, now, out);
	due = d->due;
	lle_dcfit_for_each(i, due) {
		if (out->num > LLE_DCFIT_SENDS / 2)
			break;
		if (lle_dcfit_hard(d, i))
			lle_dcfit_eval(d, i, NULL, now, out);
		d->due &= ~BIT_ULL(i);
	}
}

/* What is due of the ingress is evaluated here. */
void lle_dcfit_refresh(struct lle_dcfit *d, unsigned int ingress, u64 now_ns,
		       struct lle_dcfit_out *out)
{
	d->due &= ~BIT_ULL(ingress);
	lle_dcfit_run(d, now_ns, out);
	if (!(d->pausing & d->fabric & BIT_ULL(ingress)))
		return;

	d->told &= ~BIT_ULL(ingress);
	d->port[ingress].sent = 0;
	if (lle_dcfit_hard(d, ingress))
		lle_dcfit_eval_again(d, ingress, lle_dcfit_time(now_ns), out);
}

static void lle_dcfit_release(struct lle_dcfit *d, unsigned int egress,
			      bool broken, u32 now, struct lle_dcfit_out *out)
{
	struct lle_dcfit_set gone[LLE_DCFIT_PER_EGRESS];

	if (!(d->map.paused & BIT_ULL(egress)))
		return;
	lle_dcfit_map_resume(&d->map, egress);
	if (broken)
		lle_dcfit_retract(d, egress, NULL, now, out);
	else
		lle_dcfit_take(d, egress, NULL, gone);
	d->evicted &= ~BIT_ULL(egress);
}

void lle_dcfit_resume_rx(struct lle_dcfit *d, unsigned int egress, bool broken,
			 u64 since_ns, u64 now_ns, struct lle_dcfit_out *out)
{
	u32 now = lle_dcfit_time(now_ns);

	lle_dcfit_amend(d, now, out);
	if (d->map.paused & BIT_ULL(egress)) {
		d->lately |= BIT_ULL(egress);
		d->port[egress].expire =
			lle_dcfit_blame_until(lle_dcfit_time(since_ns), now);
	}
	lle_dcfit_release(d, egress, broken, now, out);
}

/*
 * Is the message about the pause that holds the egress? If it is about a later one
 * then the RESUME in between is lost. A pause frame (@rides) is about the one that lasts,
 * whatever its number is: a neighbour that has begun anew numbers from anywhere.
 */
static bool lle_dcfit_current(struct lle_dcfit *d, unsigned int egress,
			      const struct lle_dcfit_msg *msg, bool rides,
			      u32 now, struct lle_dcfit_out *out)
{
	struct lle_dcfit_port *port = &d->port[egress];

	if (d->map.held & BIT_ULL(egress)) {
		if (msg->hop_epoch == port->hop_epoch)
			return true;
		if (!rides && !lle_dcfit_newer(msg->hop_epoch, port->hop_epoch))
			return false;
		lle_dcfit_release(d, egress, true, now, out);
		d->map.paused |= BIT_ULL(egress);
	}
	port->hop_epoch = msg->hop_epoch;
	port->held_by = msg->trig;
	lle_dcfit_map_hold(&d->map, egress);
	return true;
}

/* PROBE_RX: keep it, unless it has come too far or is about the past. */
static void lle_dcfit_probe_rx(struct lle_dcfit *d, unsigned int egress,
			       const struct lle_dcfit_msg *msg, u32 now,
			       struct lle_dcfit_out *out)
{
	struct lle_dcfit_set set = lle_dcfit_set_two(msg->id[0], msg->id[1]);

	if (msg->num_ids == 1)
		set = lle_dcfit_set_one(msg->id[0]);
	if (msg->hops > LLE_DCFIT_HOPS || lle_dcfit_set_stale(d, set))
		return;
	lle_dcfit_store(d, egress, set, msg);
	lle_dcfit_eval_causal(d, egress, &set, now, out);
}

/* What a message says, but for the pause that it is about. */
static void lle_dcfit_read(struct lle_dcfit *d, unsigned int egress,
			   const struct lle_dcfit_msg *msg, bool rides,
			   u32 now, struct lle_dcfit_out *out)
{
	if (!(d->fabric & d->map.paused & BIT_ULL(egress)) ||
	    !lle_dcfit_current(d, egress, msg, rides, now, out))
		return;

	switch (msg->type) {
	case LLE_DCFIT_PROBE:
		lle_dcfit_probe_rx(d, egress, msg, now, out);
		break;
	case LLE_DCFIT_CANCEL:
		lle_dcfit_retract(d, egress, msg->num_ids ? &msg->id[0] : NULL,
				  now, out);
		break;
	case LLE_DCFIT_BROKEN:
		lle_dcfit_release(d, egress, true, now, out);
		break;
	}
}

void lle_dcfit_message_rx(struct lle_dcfit *d, unsigned int egress,
			  const struct lle_dcfit_msg *msg, u64 now_ns,
			  struct lle_dcfit_out *out)
{
	u32 now = lle_dcfit_time(now_ns);

	lle_dcfit_amend(d, now, out);
	lle_dcfit_read(d, egress, msg, false, now, out);
	if (msg->type == LLE_DCFIT_NONE)
		lle_dcfit_eval_causal(d, egress, NULL, now, out);
	lle_dcfit_run(d, now_ns, out);
}

void lle_dcfit_pause_rx(struct lle_dcfit *d, unsigned int egress,
			const struct lle_dcfit_msg *msg, u64 until_ns,
			u64 now_ns, struct lle_dcfit_out *out)
{
	struct lle_dcfit_port *port = &d->port[egress];
	u32 now = lle_dcfit_time(now_ns);

	lle_dcfit_amend(d, now, out);
	port->expire = lle_dcfit_time(until_ns);
	if (!(d->map.paused & BIT_ULL(egress)))
		port->held_by = (struct lle_dcfit_id){};
	if (!((d->fabric | d->map.paused) & BIT_ULL(egress)))
		port->held_by = (struct lle_dcfit_id){
			.sw = d->sw,
			.port = egress,
			.host = 1,
			.seq = ++port->hop_epoch,
		};
	d->map.paused |= BIT_ULL(egress);
	d->lately &= ~BIT_ULL(egress);
	if (msg)
		lle_dcfit_read(d, egress, msg, true, now, out);
	lle_dcfit_eval_causal(d, egress, NULL, now, out);
	lle_dcfit_run(d, now_ns, out);
}

u64 lle_dcfit_timer_wait(const struct lle_dcfit *d, u64 now_ns)
{
	u32 now = lle_dcfit_time(now_ns);
	u64 deferred = d->deferred;
	u64 wait_ns = U64_MAX;
	unsigned int i;

	lle_dcfit_for_each(i, deferred) {
		s32 wait = max((s32)(d->port[i].defer - now), 0);

		wait_ns = min(wait_ns, (u64)wait << LLE_DCFIT_TIME_SHIFT);
	}
	return wait_ns;
}

void lle_dcfit_timer(struct lle_dcfit *d, u64 now_ns,
		     struct lle_dcfit_out *out)
{
	u32 now = lle_dcfit_time(now_ns);
	struct lle_dcfit_proof proof;
	unsigned int i;
	u64 deferred;

	lle_dcfit_run(d, now_ns, out);
	deferred = d->deferred;
	lle_dcfit_for_each(i, deferred) {
		struct lle_dcfit_set own = lle_dcfit_set_one(lle_dcfit_me(d, i));

		if ((s32)(d->port[i].defer - now) > 0)
			continue;
		d->deferred &= ~BIT_ULL(i);
		if (!lle_dcfit_holds(d, i, own, now, &proof))
			continue;
		/* what has come back so far is about the past from now on */
		d->port[i].seq++;
		d->port[i].verify++;
		lle_dcfit_purge(d);
		lle_dcfit_probe_own(d, i, out);
	}
}

void lle_dcfit_report(const struct lle_dcfit *d, unsigned int ingress,
		      u64 now_ns, struct lle_dcfit_report *report)
{
	struct lle_dcfit_id me = lle_dcfit_me(d, ingress);
	struct lle_dcfit_proof proof;

	lle_dcfit_holds(d, ingress, lle_dcfit_set_one(me),
			lle_dcfit_time(now_ns), &proof);
	*report = (struct lle_dcfit_report){
		.initiator = me,
		.trigger = d->port[ingress].trigger,
		.hops = proof.hops,
		.egresses = proof.egresses,
	};
}
