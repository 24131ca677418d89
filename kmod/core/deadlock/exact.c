// SPDX-License-Identifier: GPL-2.0
/* Algorithm exact: events and the state they change. */
#include "exact_parts.h"

static unsigned int lle_exact_pool(const struct lle_dl_params *p)
{
	if (p->pool)
		return p->pool;
	return min(LLE_EXACT_PER_EGRESS * p->ports, LLE_EXACT_POOL);
}

static size_t lle_exact_fixed(const struct lle_dl_params *p)
{
	return sizeof(struct lle_exact) +
	       lle_exact_pool(p) * sizeof(struct lle_exact_entry) +
	       p->ports * sizeof(struct lle_exact_port);
}

size_t lle_exact_state_size(const struct lle_dl_params *p)
{
	const struct lle_exact *d;

	return lle_exact_fixed(p) - sizeof(d->map.bytes) - sizeof(d->map.row) -
	       sizeof(d->map.sums) - sizeof(d->stats);
}

size_t lle_exact_size(const struct lle_dl_params *p)
{
	return lle_exact_fixed(p) + sizeof(struct lle_dl_stats) +
	       lle_dl_map_size(p->ports) +
	       p->ports * sizeof(struct lle_dl_sums);
}

static_assert(sizeof(struct lle_exact_entry) % sizeof(u64) == 0);

/* Members of @memory are ordered by alignment, the strictest first. */
struct lle_exact *lle_exact_init(void *memory, const struct lle_dl_params *p)
{
	struct lle_exact *d = memory;
	unsigned int i;

	memset(memory, 0, lle_exact_size(p));
	d->sw = p->sw;
	d->prio = p->prio;
	d->pool = lle_exact_pool(p);
	d->fabric = p->fabric;
	d->guard = lle_exact_time(p->guard_ns);
	d->hop_ns = p->hop_ns;
	d->stats = (void *)(d + 1);
	d->entry = (void *)(d->stats + 1);
	lle_dl_map_init(&d->map, p->ports, d->entry + d->pool);
	d->map.sums = (void *)d->map.row + lle_dl_map_size(p->ports);
	d->port = (void *)(d->map.sums + p->ports);
	for (i = 0; i < p->ports; i++) {
		d->port[i].epoch = p->first;
		d->port[i].seq = p->first;
	}
	return d;
}

void lle_exact_enq_held(struct lle_exact *d, unsigned int egress,
			unsigned int ingress, u32 len)
{
	*lle_dl_map_pair(&d->map, egress, ingress) += len;
	d->map.sums[ingress].held += len;
	if (d->fabric & BIT_ULL(ingress) &&
	    lle_exact_condition_hard(d, ingress))
		d->due |= BIT_ULL(ingress);
}

/* It was dropped, or in flight when the pause arrived. */
void lle_exact_deq_held(struct lle_exact *d, unsigned int egress,
			unsigned int ingress, u32 len)
{
	*lle_dl_map_pair(&d->map, egress, ingress) -= len;
	d->map.sums[ingress].held -= len;
	if (!(d->initiators & BIT_ULL(ingress)))
		return;
	d->unheld |= BIT_ULL(ingress);
	d->recheck |= BIT_ULL(ingress);
	d->leaky |= BIT_ULL(egress);
}

/* Forgets the previous pause of an ingress. */
static void lle_exact_reset(struct lle_exact *d, unsigned int ingress)
{
	u64 others = ~BIT_ULL(ingress);

	d->pausing &= others;
	d->initiators &= others;
	d->declared &= others;
	d->deferred &= others;
	d->unheld &= others;
	d->due &= others;
	d->recheck &= others;
	d->withdrawing &= others;
	d->refreshed &= others;
	lle_exact_rival_reset(&d->port[ingress]);
	d->port[ingress].sent = 0;
	d->port[ingress].again = 0;
	lle_exact_send_drop(d, ingress, NULL);
	lle_exact_table_clear_sent(d, ingress);
	lle_exact_table_purge(d);
}

void lle_exact_pause_tx(struct lle_exact *d, unsigned int ingress,
			u32 xon_bytes, u64 now_ns)
{
	struct lle_exact_port *port = &d->port[ingress];

	lle_exact_reset(d, ingress);
	d->pausing |= BIT_ULL(ingress);
	d->broken &= ~BIT_ULL(ingress);
	d->map.sums[ingress].xon = xon_bytes;
	port->epoch++;
	port->seq++;
	port->trigger = lle_dl_trigger_blame(d, ingress,
					     lle_exact_time(now_ns));
	if (d->fabric & BIT_ULL(ingress) &&
	    lle_exact_condition_hard(d, ingress))
		d->due |= BIT_ULL(ingress);
}

/* BROKEN withdraws statements for which no cancel was sent in time. */
void lle_exact_resume_tx(struct lle_exact *d, unsigned int ingress, bool broken)
{
	u64 bit = d->pausing & BIT_ULL(ingress);

	if (broken || (d->unheld | d->withdrawing) & bit)
		d->broken |= bit;
	lle_exact_reset(d, ingress);
}

/* Withdraws false statements before later events delete the record of them. */
static void lle_exact_amend(struct lle_exact *d, u32 now,
			    struct lle_dl_out *out)
{
	u64 open = d->recheck | d->withdrawing;
	unsigned int i;

	lle_dl_for_each(i, open) {
		if (out->num > LLE_DL_SENDS / 2)
			break;
		if (d->withdrawing & BIT_ULL(i))
			lle_exact_cancel_all(d, i, out);
		else
			lle_exact_cancel_recheck(d, i, now, out);
		d->recheck &= ~BIT_ULL(i);
	}
	if (!d->recheck)
		d->leaky = 0;
}

void lle_exact_run(struct lle_exact *d, u64 now_ns, struct lle_dl_out *out)
{
	u32 now = lle_exact_time(now_ns);
	unsigned int i;
	u64 due;

	lle_exact_amend(d, now, out);
	due = d->due;
	lle_dl_for_each(i, due) {
		if (out->num > LLE_DL_SENDS / 2)
			break;
		if (lle_exact_condition_hard(d, i))
			lle_exact_declare_eval(d, i, NULL, now, out);
		d->due &= ~BIT_ULL(i);
	}
}

/*
 * lle_exact_declare_repeat() evaluates the ingress, so lle_exact_run() need
 * not.
 */
void lle_exact_refresh(struct lle_exact *d, unsigned int ingress, u64 now_ns,
		       struct lle_dl_out *out)
{
	d->due &= ~BIT_ULL(ingress);
	lle_exact_run(d, now_ns, out);
	if (!(d->pausing & d->fabric & BIT_ULL(ingress)))
		return;

	d->refreshed &= ~BIT_ULL(ingress);
	d->port[ingress].sent = 0;
	if (lle_exact_condition_hard(d, ingress))
		lle_exact_declare_repeat(d, ingress, lle_exact_time(now_ns),
					 out);
}

static void lle_exact_release(struct lle_exact *d, unsigned int egress,
			      bool broken, u32 now, struct lle_dl_out *out)
{
	struct lle_dl_set gone[LLE_EXACT_PER_EGRESS];

	if (!(d->map.paused & BIT_ULL(egress)))
		return;
	lle_dl_map_resume(&d->map, egress);
	if (broken)
		lle_exact_cancel_retract(d, egress, NULL, now, out);
	else
		lle_exact_table_take(d, egress, NULL, gone);
	d->evicted &= ~BIT_ULL(egress);
}

void lle_exact_resume_rx(struct lle_exact *d, unsigned int egress, bool broken,
			 u64 since_ns, u64 now_ns, struct lle_dl_out *out)
{
	u32 now = lle_exact_time(now_ns);

	lle_exact_amend(d, now, out);
	if (d->map.paused & BIT_ULL(egress)) {
		d->lately |= BIT_ULL(egress);
		d->port[egress].expire =
			lle_dl_trigger_blame_until(lle_exact_time(since_ns),
						   now);
	}
	lle_exact_release(d, egress, broken, now, out);
}

/*
 * Is the message about the pause that holds the egress? If it is about a later
 * one, the resume in between was lost. A pause frame (@rides) always is about
 * the present pause: a restarted neighbour may number from anywhere.
 */
static bool lle_exact_current(struct lle_exact *d, unsigned int egress,
			      const struct lle_dl_msg *msg, bool rides, u32 now,
			      struct lle_dl_out *out)
{
	struct lle_exact_port *port = &d->port[egress];

	if (d->map.held & BIT_ULL(egress)) {
		if (msg->hop_epoch == port->hop_epoch)
			return true;
		if (!rides && !lle_dl_id_newer(msg->hop_epoch, port->hop_epoch))
			return false;
		lle_exact_release(d, egress, true, now, out);
		d->map.paused |= BIT_ULL(egress);
	}
	port->hop_epoch = msg->hop_epoch;
	port->held_by = msg->trig;
	lle_dl_map_hold(&d->map, egress);
	return true;
}

/* Stores a probe, unless it went too far or names an earlier own pause. */
static void lle_exact_probe_rx(struct lle_exact *d, unsigned int egress,
			       const struct lle_dl_msg *msg, u32 now,
			       struct lle_dl_out *out)
{
	struct lle_dl_set set = lle_dl_set_two(msg->id[0], msg->id[1]);

	if (msg->num_ids == 1)
		set = lle_dl_set_one(msg->id[0]);
	if (msg->hops > LLE_DL_HOPS || lle_exact_table_is_stale(d, set))
		return;
	lle_exact_table_store(d, egress, set, msg);
	lle_exact_declare_eval_causal(d, egress, &set, now, out);
}

/* Processes a message, except for the pause of its frame. */
static void lle_exact_read(struct lle_exact *d, unsigned int egress,
			   const struct lle_dl_msg *msg, bool rides, u32 now,
			   struct lle_dl_out *out)
{
	if (!(d->fabric & d->map.paused & BIT_ULL(egress)) ||
	    !lle_exact_current(d, egress, msg, rides, now, out))
		return;

	switch (msg->type) {
	case LLE_DL_PROBE:
		lle_exact_probe_rx(d, egress, msg, now, out);
		break;
	case LLE_DL_CANCEL:
		lle_exact_cancel_retract(d, egress,
					 msg->num_ids ? &msg->id[0] : NULL, now,
					 out);
		break;
	case LLE_DL_BROKEN:
		lle_exact_release(d, egress, true, now, out);
		break;
	}
}

void lle_exact_message_rx(struct lle_exact *d, unsigned int egress,
			  const struct lle_dl_msg *msg, u64 now_ns,
			  struct lle_dl_out *out)
{
	u32 now = lle_exact_time(now_ns);

	lle_exact_amend(d, now, out);
	lle_exact_read(d, egress, msg, false, now, out);
	if (msg->type == LLE_DL_NONE)
		lle_exact_declare_eval_causal(d, egress, NULL, now, out);
	lle_exact_run(d, now_ns, out);
}

void lle_exact_pause_rx(struct lle_exact *d, unsigned int egress,
			const struct lle_dl_msg *msg, u64 until_ns, u64 now_ns,
			struct lle_dl_out *out)
{
	struct lle_exact_port *port = &d->port[egress];
	u32 now = lle_exact_time(now_ns);

	lle_exact_amend(d, now, out);
	port->expire = lle_exact_time(until_ns);
	if (!(d->map.paused & BIT_ULL(egress)))
		port->held_by = (struct lle_dl_id) {};
	if (!((d->fabric | d->map.paused) & BIT_ULL(egress)))
		port->held_by = (struct lle_dl_id) {
			.sw = d->sw,
			.port = egress,
			.host = 1,
			.seq = ++port->hop_epoch,
		};
	d->map.paused |= BIT_ULL(egress);
	d->lately &= ~BIT_ULL(egress);
	if (msg)
		lle_exact_read(d, egress, msg, true, now, out);
	lle_exact_declare_eval_causal(d, egress, NULL, now, out);
	lle_exact_run(d, now_ns, out);
}

u64 lle_exact_timer_wait(const struct lle_exact *d, u64 now_ns)
{
	u32 now = lle_exact_time(now_ns);
	u64 deferred = d->deferred;
	u64 wait_ns = U64_MAX;
	unsigned int i;

	lle_dl_for_each(i, deferred) {
		s32 wait = max((s32)(d->port[i].defer - now), 0);

		wait_ns = min(wait_ns, (u64)wait << LLE_EXACT_TIME_SHIFT);
	}
	return wait_ns;
}

void lle_exact_timer(struct lle_exact *d, u64 now_ns, struct lle_dl_out *out)
{
	u32 now = lle_exact_time(now_ns);
	unsigned int i;
	u64 deferred;

	lle_exact_run(d, now_ns, out);
	deferred = d->deferred;
	lle_dl_for_each(i, deferred) {
		if ((s32)(d->port[i].defer - now) <= 0)
			lle_exact_declare_waited(d, i, now, out);
	}
}

void lle_exact_report(const struct lle_exact *d, unsigned int ingress,
		      u64 now_ns, struct lle_dl_report *report)
{
	struct lle_dl_id me = lle_exact_me(d, ingress);
	struct lle_exact_proof proof;

	lle_exact_condition_holds(d, ingress, lle_dl_set_one(me),
				  lle_exact_time(now_ns), &proof);
	*report = (struct lle_dl_report) {
		.initiator = me,
		.trigger = d->port[ingress].trigger,
		.hops = proof.hops,
		.egresses = proof.egresses,
	};
}
