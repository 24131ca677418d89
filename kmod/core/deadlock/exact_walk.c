// SPDX-License-Identifier: GPL-2.0
/*
 * The walk along a declared loop, upstream; each switch adds its hop. No switch
 * knows which ingresses are on the loop, so the walk takes each way once: the
 * first copy that returns has gone around it.
 */
#include "exact_condition.h"
#include "exact_walk.h"

void lle_exact_walk_begin(const struct lle_exact *d, unsigned int ingress,
			  struct lle_dl_msg *msg)
{
	*msg = (struct lle_dl_msg) {
		.type = LLE_DL_WALK,
		.prio = d->prio,
		.num_ids = 1,
		.hop_epoch = d->port[ingress].epoch,
		.id[0] = lle_exact_me(d, ingress),
		.trig = d->port[ingress].trigger,
	};
}

u64 lle_exact_walk_next(const struct lle_exact *d, unsigned int egress,
			const struct lle_dl_msg *msg)
{
	u64 sent = lle_exact_table_sent(d, lle_dl_set_one(msg->id[0]));
	u64 among = lle_exact_condition_delta(d, egress);
	u64 next = 0;
	unsigned int i;

	if (among & sent)
		among &= sent;
	lle_dl_for_each(i, among)
		if (lle_exact_condition_hard(d, i))
			next |= BIT_ULL(i);
	return next;
}

void lle_exact_walk_hop(const struct lle_exact *d, unsigned int egress,
			unsigned int ingress, struct lle_dl_hop *hop)
{
	*hop = (struct lle_dl_hop) {
		.sw = d->sw,
		.ingress = ingress,
		.egress = egress,
		.bytes = *lle_dl_map_pair(&d->map, egress, ingress),
		.trigger = d->port[ingress].trigger,
	};
}

int lle_exact_walk_egress(const struct lle_exact *d, unsigned int ingress,
			  struct lle_dl_id trigger)
{
	unsigned int p = d->port[ingress].cause;

	if (p < d->map.ports && d->fabric & BIT_ULL(p) &&
	    lle_dl_id_same_ingress(d->port[ingress].trigger, trigger))
		return p;
	for (p = 0; p < d->map.ports; p++)
		if (d->fabric & BIT_ULL(p) &&
		    lle_dl_id_same_ingress(d->port[p].held_by, trigger))
			return p;
	return -1;
}

void lle_exact_walk_parse_hop(const struct lle_dl_wire_hop *wire,
			      struct lle_dl_hop *hop)
{
	*hop = (struct lle_dl_hop) {
		.sw = be16_to_cpu(wire->sw),
		.ingress = wire->ingress,
		.egress = wire->egress,
		.bytes = be32_to_cpu(wire->bytes),
		.age_ns = be64_to_cpu(wire->age_ns),
		.trigger = lle_dl_wire_parse_id(&wire->trig),
	};
	hop->trigger.host = wire->host == 1;
}

void lle_exact_walk_encode_hop(struct lle_dl_wire_hop *wire,
			       const struct lle_dl_hop *hop)
{
	*wire = (struct lle_dl_wire_hop) {
		.sw = cpu_to_be16(hop->sw),
		.ingress = hop->ingress,
		.egress = hop->egress,
		.bytes = cpu_to_be32(hop->bytes),
		.age_ns = cpu_to_be64(hop->age_ns),
		.trig = lle_dl_wire_encode_id(hop->trigger),
		.host = hop->trigger.host,
	};
}
