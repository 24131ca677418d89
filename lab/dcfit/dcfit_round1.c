// SPDX-License-Identifier: GPL-2.0
/*
 * Algorithm dcfit, first round: a check with an ID {S,P,Seq} goes from a paused
 * egress p upstream through each ingress in delta_p (section 3.2). The ID is an
 * initial trigger (3.3) or a middle switch (3.4).
 */
#include "dcfit_round1.h"
#include "dcfit_round2.h"

static void lle_dcfit_send_check(struct lle_dcfit *d, unsigned int ingress,
				 struct lle_dl_id id, struct lle_dl_id trig,
				 unsigned int hops, struct lle_dl_out *out)
{
	const struct lle_dl_msg msg = {
		.type = LLE_DL_CHECK,
		.hops = hops,
		.id = { id },
		.trig = trig,
	};

	lle_dcfit_send(d, ingress, &msg, out);
}

static void lle_dcfit_tell_trigger(struct lle_dcfit *d, unsigned int egress,
				   unsigned int ingress, bool rides,
				   unsigned int hops, struct lle_dl_out *out)
{
	struct lle_dl_id trig = d->port[egress].trig, me;

	if (!trig.sw)
		return;
	if (lle_dcfit_own(d, trig)) {
		if (trig.port == ingress)
			lle_dcfit_close(d, egress, trig, trig, out);
		return;
	}
	if (!rides)
		lle_dcfit_send_check(d, ingress, trig, trig, hops, out);
	if (!d->port[egress].later)
		return;
	/* a middle switch uses the Seq of the trigger (section 3.4) */
	me = lle_dcfit_me(d, ingress);
	me.seq = trig.seq;
	lle_dcfit_send_check(d, ingress, me, trig, 1, out);
}

static void lle_dcfit_tell_middle(struct lle_dcfit *d, unsigned int egress,
				  unsigned int ingress, struct lle_dl_id trig,
				  unsigned int hops, struct lle_dl_out *out)
{
	struct lle_dl_id mid = d->port[egress].mid;

	if (!mid.sw)
		return;
	if (!lle_dcfit_own(d, mid))
		lle_dcfit_send_check(d, ingress, mid, trig, hops, out);
	else if (mid.port == ingress)
		lle_dcfit_close(d, egress, mid, trig, out);
}

void lle_dcfit_say(struct lle_dcfit *d, unsigned int ingress, bool rides,
		   struct lle_dl_out *out)
{
	struct lle_dl_id said = lle_dcfit_trigger(d, ingress);
	u64 paused = d->map.paused;
	unsigned int p;

	lle_dl_for_each(p, paused) {
		struct lle_dl_id trig = d->port[p].trig;

		if (!lle_dcfit_waits(d, p, ingress))
			continue;
		lle_dcfit_tell_trigger(d, p, ingress,
				       rides && lle_dcfit_same(trig, said), 1,
				       out);
		lle_dcfit_tell_middle(d, p, ingress, trig, 1, out);
	}
}

/* Returns false if the ID is not newer than the stored one. */
static bool lle_dcfit_store(struct lle_dl_id *slot, struct lle_dl_id id)
{
	if (lle_dcfit_same_ingress(*slot, id) &&
	    !lle_dl_id_newer(id.seq, slot->seq))
		return false;
	*slot = id;
	return true;
}

/* Has the trigger paused another egress, too (section 3.4)? */
static bool lle_dcfit_elsewhere(const struct lle_dcfit *d, unsigned int egress,
				struct lle_dl_id trig)
{
	unsigned int p;

	for (p = 0; p < d->map.ports; p++)
		if (p != egress &&
		    lle_dcfit_same_ingress(d->port[p].trig, trig))
			return true;
	return false;
}

void lle_dcfit_trigger_rx(struct lle_dcfit *d, unsigned int egress,
			  struct lle_dl_id trig, unsigned int hops,
			  struct lle_dl_out *out)
{
	struct lle_dcfit_port *port = &d->port[egress];
	bool known = lle_dcfit_same_ingress(port->trig, trig);
	bool news = lle_dcfit_store(&port->trig, trig);
	unsigned int i;

	if (!known)
		port->later = lle_dcfit_elsewhere(d, egress, trig);
	/* own IDs are always processed: the second round may have failed */
	if (!news && !lle_dcfit_own(d, trig))
		return;
	for (i = 0; i < d->map.ports; i++)
		if (lle_dcfit_waits(d, egress, i))
			lle_dcfit_tell_trigger(d, egress, i, false, hops + 1,
					       out);
}

void lle_dcfit_middle_rx(struct lle_dcfit *d, unsigned int egress,
			 const struct lle_dl_msg *msg, struct lle_dl_out *out)
{
	bool news = lle_dcfit_store(&d->port[egress].mid, msg->id[0]);
	unsigned int i;

	if (!news && !lle_dcfit_own(d, msg->id[0]))
		return;
	for (i = 0; i < d->map.ports; i++)
		if (lle_dcfit_waits(d, egress, i))
			lle_dcfit_tell_middle(d, egress, i, msg->trig,
					      msg->hops + 1, out);
}
