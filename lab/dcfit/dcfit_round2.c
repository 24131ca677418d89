// SPDX-License-Identifier: GPL-2.0
/*
 * Algorithm dcfit, second round: when an ID {S,P,Seq} is back at an egress p
 * where P has packets, a consistency check follows the same path: each ingress
 * in delta_p has sent the ID of p, at the latest at a refresh. It is a deadlock
 * if each egress is still paused and stores the ID (section 3.2, lemma 3.2).
 */
#include "../../kmod/core/deadlock/exact_parts.h"
#include "dcfit_round2.h"

struct lle_dl_id lle_dcfit_trigger(const struct lle_dcfit *d,
				   unsigned int ingress)
{
	unsigned int cause;

	if (d->port[ingress].initial)
		return lle_dcfit_me(d, ingress);
	cause = lle_dl_trigger_cause(&d->map, d->map.paused, ingress, 0);
	return cause < d->map.ports ? d->port[cause].trig :
				      (struct lle_dl_id) {};
}

void lle_dcfit_send(struct lle_dcfit *d, unsigned int ingress,
		    const struct lle_dl_msg *msg, struct lle_dl_out *out)
{
	struct lle_dcfit_port *port = &d->port[ingress];
	struct lle_dl_send *send;

	if (msg->hops > LLE_DL_HOPS)
		return;
	if (port->sent == LLE_DL_CAP) {
		d->stats->capped++;
		return;
	}
	if (out->num == LLE_DL_SENDS) {
		d->stats->overrun++;
		return;
	}
	port->sent++;
	d->stats->probes++;
	send = &out->send[out->num++];
	send->port = ingress;
	send->msg = *msg;
	send->msg.prio = d->prio;
	send->msg.num_ids = 1;
	send->msg.hop_epoch = port->seq;
}

static bool lle_dcfit_latest(const struct lle_dcfit *d, struct lle_dl_id id,
			     struct lle_dl_id trig)
{
	unsigned int p;

	if (lle_dcfit_same(id, trig))
		return d->port[id.port].initial &&
		       d->port[id.port].seq == id.seq;
	for (p = 0; p < d->map.ports; p++)
		if (d->port[p].later && lle_dcfit_same(d->port[p].trig, trig))
			return true;
	return false;
}

/* Is an own ID back where its ingress waits (section 3.2)? */
static bool lle_dcfit_closed(const struct lle_dcfit *d, unsigned int egress,
			     struct lle_dl_id id, struct lle_dl_id trig)
{
	return id.port < d->map.ports && !d->port[id.port].loop &&
	       lle_dcfit_waits(d, egress, id.port) &&
	       lle_dcfit_latest(d, id, trig);
}

void lle_dcfit_close(struct lle_dcfit *d, unsigned int egress,
		     struct lle_dl_id id, struct lle_dl_id trig,
		     struct lle_dl_out *out)
{
	const struct lle_dl_msg msg = {
		.type = LLE_DL_CONSISTENCY,
		.hops = 1,
		.id = { id },
		.trig = trig,
	};

	if (lle_dcfit_closed(d, egress, id, trig))
		lle_dcfit_send(d, id.port, &msg, out);
}

void lle_dcfit_consistency_rx(struct lle_dcfit *d, unsigned int egress,
			      const struct lle_dl_msg *msg,
			      struct lle_dl_out *out)
{
	bool middle = !lle_dl_id_same(msg->id[0], msg->trig);
	struct lle_dl_id id = middle ? msg->id[0] : msg->trig;
	struct lle_dl_msg next = *msg;
	unsigned int i;

	if (!lle_dcfit_same(middle ? d->port[egress].mid : d->port[egress].trig,
			    id))
		return;
	if (lle_dcfit_own(d, id)) {
		if (!lle_dcfit_closed(d, egress, id, msg->trig))
			return;
		d->port[id.port].loop = msg->hops;
		d->stats->declared++;
		out->declared |= BIT_ULL(id.port);
		return;
	}
	next.hops++;
	for (i = 0; i < d->map.ports; i++)
		if (lle_dcfit_waits(d, egress, i))
			lle_dcfit_send(d, i, &next, out);
}
