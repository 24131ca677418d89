// SPDX-License-Identifier: GPL-2.0
/*
 * Messages with the number and initial trigger of a pause. The next pause frame
 * carries the first probe, others have their own frames (paper section 3.3).
 */
#include "exact_parts.h"

static struct lle_dl_send *lle_exact_waiting(struct lle_exact *d,
					     unsigned int ingress)
{
	struct lle_dl_send *r;

	for (r = d->ride; r < d->ride + LLE_EXACT_RIDES; r++)
		if (r->msg.num_ids && r->port == ingress)
			return r;
	return NULL;
}

/* A free slot, if a pause frame will leave without a probe so far */
static struct lle_dl_send *lle_exact_seat(struct lle_exact *d,
					  unsigned int ingress)
{
	struct lle_dl_send *r;

	if (d->refreshed & BIT_ULL(ingress) || lle_exact_waiting(d, ingress))
		return NULL;
	for (r = d->ride; r < d->ride + LLE_EXACT_RIDES; r++)
		if (!r->msg.num_ids)
			return r;
	return NULL;
}

void lle_exact_send_drop(struct lle_exact *d, unsigned int ingress,
			 const struct lle_dl_id *id)
{
	struct lle_dl_send *r = lle_exact_waiting(d, ingress);

	if (r && (!id || lle_dl_id_same(r->msg.id[0], *id) ||
		  lle_dl_id_same(r->msg.id[1], *id)))
		r->msg.num_ids = 0;
}

static struct lle_dl_msg lle_exact_blank(const struct lle_exact *d,
					 unsigned int ingress, u8 type)
{
	return (struct lle_dl_msg) {
		.type = type,
		.prio = d->prio,
		.hop_epoch = d->port[ingress].epoch,
		.trig = d->port[ingress].trigger,
	};
}

bool lle_exact_send_ride(struct lle_exact *d, unsigned int ingress, bool pause,
			 struct lle_dl_msg *msg)
{
	u64 says = d->fabric & (pause ? d->pausing : d->broken & ~d->pausing);
	struct lle_dl_send *r;

	if (!(says & BIT_ULL(ingress)))
		return false;
	*msg = lle_exact_blank(d, ingress, pause ? LLE_DL_NONE : LLE_DL_BROKEN);
	if (!pause)
		return true;

	d->refreshed |= BIT_ULL(ingress);
	r = lle_exact_waiting(d, ingress);
	if (r) {
		*msg = r->msg;
		r->msg.num_ids = 0;
	}
	return true;
}

struct lle_dl_msg *lle_exact_send_message(struct lle_exact *d,
					  unsigned int ingress, u8 type,
					  struct lle_dl_out *out)
{
	struct lle_dl_send *send = NULL;

	if (type == LLE_DL_PROBE)
		send = lle_exact_seat(d, ingress);
	if (!send && out->num < LLE_DL_SENDS)
		send = &out->send[out->num++];
	if (!send) {
		d->stats->overrun++;
		return NULL;
	}
	send->port = ingress;
	send->msg = lle_exact_blank(d, ingress, type);
	return &send->msg;
}

/* @min becomes 0 if the ingress has declared. */
static void lle_exact_send(struct lle_exact *d, unsigned int ingress,
			   struct lle_dl_set set, struct lle_dl_id min, u8 hops,
			   bool waits, struct lle_dl_out *out)
{
	struct lle_exact_port *port = &d->port[ingress];
	struct lle_dl_msg *msg;

	if (d->declared & BIT_ULL(ingress))
		min = (struct lle_dl_id) {};

	msg = lle_exact_send_message(d, ingress, LLE_DL_PROBE, out);
	if (!msg)
		return;
	msg->num_ids = lle_dl_set_num(set);
	msg->id[0] = set.id[0];
	msg->id[1] = set.id[1];
	msg->min = min;
	msg->hops = hops;
	msg->waits = waits;
	port->again = min_t(u8, port->again, LLE_EXACT_AGAIN / 2);
	port->news = true;
	d->stats->probes++;
}

void lle_exact_send_own(struct lle_exact *d, unsigned int ingress, u32 now,
			struct lle_dl_out *out)
{
	struct lle_dl_id me = lle_exact_me(d, ingress);

	lle_exact_send(d, ingress, lle_dl_set_one(me), me, 1,
		       lle_exact_rival_waits(d, ingress, now), out);
}

bool lle_exact_send_capped(struct lle_exact *d, unsigned int ingress)
{
	if (d->port[ingress].sent < LLE_DL_CAP)
		return false;
	d->stats->capped++;
	return true;
}

void lle_exact_send_upstream(struct lle_exact *d, unsigned int ingress,
			     struct lle_dl_set set,
			     const struct lle_exact_proof *proof, u32 now,
			     struct lle_dl_out *out)
{
	if (proof->near >= LLE_DL_HOPS)
		return;
	d->port[ingress].sent++;
	lle_exact_send(d, ingress,
		       lle_dl_set_without(set, lle_exact_me(d, ingress)),
		       lle_exact_rival_min(d, ingress, set, now),
		       proof->near + 1, proof->waits, out);
}
