// SPDX-License-Identifier: GPL-2.0
/*
 * What an ingress says to its neighbour. Each message has the number of its pause
 * and the initial trigger. A pause frame that is about to be sent carries the first
 * probe (D21), the others go in frames of their own (D22).
 */
#include "exact_send.h"

/* The probe of an ingress that waits for a pause frame. */
static struct lle_dcfit_send *lle_dcfit_waiting(struct lle_dcfit *d,
						unsigned int ingress)
{
	struct lle_dcfit_send *r;

	for (r = d->ride; r < d->ride + LLE_DCFIT_RIDES; r++)
		if (r->msg.num_ids && r->port == ingress)
			return r;
	return NULL;
}

/* Room for one, if a pause frame will leave that has none. */
static struct lle_dcfit_send *lle_dcfit_seat(struct lle_dcfit *d,
					     unsigned int ingress)
{
	struct lle_dcfit_send *r;

	if (d->told & BIT_ULL(ingress) || lle_dcfit_waiting(d, ingress))
		return NULL;
	for (r = d->ride; r < d->ride + LLE_DCFIT_RIDES; r++)
		if (!r->msg.num_ids)
			return r;
	return NULL;
}

void lle_dcfit_unseat(struct lle_dcfit *d, unsigned int ingress,
		      const struct lle_dcfit_id *id)
{
	struct lle_dcfit_send *r = lle_dcfit_waiting(d, ingress);

	if (r && (!id || lle_dcfit_id_same(r->msg.id[0], *id) ||
		  lle_dcfit_id_same(r->msg.id[1], *id)))
		r->msg.num_ids = 0;
}

static struct lle_dcfit_msg lle_dcfit_blank(const struct lle_dcfit *d,
					    unsigned int ingress, u8 type)
{
	return (struct lle_dcfit_msg){
		.type = type,
		.prio = d->prio,
		.hop_epoch = d->port[ingress].epoch,
		.trig = d->port[ingress].trigger,
	};
}

bool lle_dcfit_ride(struct lle_dcfit *d, unsigned int ingress, bool pause,
		    struct lle_dcfit_msg *msg)
{
	u64 says = d->fabric & (pause ? d->pausing : d->broken & ~d->pausing);
	struct lle_dcfit_send *r;

	if (!(says & BIT_ULL(ingress)))
		return false;
	*msg = lle_dcfit_blank(d, ingress,
			       pause ? LLE_DCFIT_NONE : LLE_DCFIT_BROKEN);
	if (!pause)
		return true;

	d->told |= BIT_ULL(ingress);
	r = lle_dcfit_waiting(d, ingress);
	if (r) {
		*msg = r->msg;
		r->msg.num_ids = 0;
	}
	return true;
}

struct lle_dcfit_msg *lle_dcfit_say(struct lle_dcfit *d, unsigned int ingress,
				    u8 type, struct lle_dcfit_out *out)
{
	struct lle_dcfit_send *send = NULL;

	if (type == LLE_DCFIT_PROBE)
		send = lle_dcfit_seat(d, ingress);
	if (!send && out->num < LLE_DCFIT_SENDS)
		send = &out->send[out->num++];
	if (!send) {
		d->stats->overrun++;
		return NULL;
	}
	send->port = ingress;
	send->msg = lle_dcfit_blank(d, ingress, type);
	return &send->msg;
}

/* SEND(i,U); min = the least on the way, me(i) if it takes part, 0 if it is dead */
static void lle_dcfit_send(struct lle_dcfit *d, unsigned int ingress,
			   struct lle_dcfit_set set,
			   const struct lle_dcfit_proof *proof,
			   struct lle_dcfit_out *out)
{
	struct lle_dcfit_port *port = &d->port[ingress];
	struct lle_dcfit_id min = proof->min;
	struct lle_dcfit_msg *msg;

	if (d->initiators & BIT_ULL(ingress) &&
	    (!proof->verified || port->verify))
		min = lle_dcfit_id_least(min, lle_dcfit_me(d, ingress));
	if (d->declared & BIT_ULL(ingress))
		min = (struct lle_dcfit_id){};

	msg = lle_dcfit_say(d, ingress, LLE_DCFIT_PROBE, out);
	if (!msg)
		return;
	msg->num_ids = lle_dcfit_set_num(set);
	msg->id[0] = set.id[0];
	msg->id[1] = set.id[1];
	msg->min = min;
	msg->hops = proof->near + 1;
	msg->verified = proof->verified;
	port->again = min_t(u8, port->again, LLE_DCFIT_AGAIN / 2);
	port->news = true;
	d->stats->probes++;
}

void lle_dcfit_probe_own(struct lle_dcfit *d, unsigned int ingress,
			 struct lle_dcfit_out *out)
{
	const struct lle_dcfit_proof proof = {
		.min.sw = U16_MAX,
		.verified = d->port[ingress].verify,
	};

	lle_dcfit_send(d, ingress,
		       lle_dcfit_set_one(lle_dcfit_me(d, ingress)), &proof, out);
}

bool lle_dcfit_send_capped(struct lle_dcfit *d, unsigned int ingress)
{
	if (d->port[ingress].sent < LLE_DCFIT_CAP)
		return false;
	d->stats->capped++;
	return true;
}

void lle_dcfit_forward(struct lle_dcfit *d, unsigned int ingress,
		       struct lle_dcfit_set set,
		       const struct lle_dcfit_proof *proof,
		       struct lle_dcfit_out *out)
{
	if (proof->near >= LLE_DCFIT_HOPS)
		return;
	d->port[ingress].sent++;
	lle_dcfit_send(d, ingress,
		       lle_dcfit_set_without(set, lle_dcfit_me(d, ingress)),
		       proof, out);
}
