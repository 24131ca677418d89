// SPDX-License-Identifier: GPL-2.0
/* Algorithm dcfit: the walk along a declared loop. */
#include "dcfit_round2.h"
#include "dcfit_walk.h"

void lle_dcfit_walk_begin(const struct lle_dcfit *d, unsigned int ingress,
			  struct lle_dl_msg *msg)
{
	*msg = (struct lle_dl_msg) {
		.type = LLE_DL_WALK,
		.prio = d->prio,
		.num_ids = 1,
		.hop_epoch = d->port[ingress].seq,
		.id[0] = lle_dcfit_me(d, ingress),
		.trig = lle_dcfit_trigger(d, ingress),
	};
}

/* All ingresses that wait there have forwarded the ID stored there. */
u64 lle_dcfit_walk_next(const struct lle_dcfit *d, unsigned int egress)
{
	return lle_dl_map_causal(&d->map, egress, lle_dcfit_pausing(d));
}

void lle_dcfit_walk_hop(const struct lle_dcfit *d, unsigned int egress,
			unsigned int ingress, struct lle_dl_hop *hop)
{
	*hop = (struct lle_dl_hop) {
		.sw = d->sw,
		.ingress = ingress,
		.egress = egress,
		.bytes = *lle_dl_map_pair(&d->map, egress, ingress),
		.trigger = lle_dcfit_trigger(d, ingress),
	};
}

int lle_dcfit_trigger_egress(const struct lle_dcfit *d,
			     struct lle_dl_id trigger)
{
	unsigned int p;

	for (p = 0; p < d->map.ports; p++)
		if (d->port[p].fabric &&
		    lle_dcfit_same_ingress(d->port[p].trig, trigger))
			return p;
	return -1;
}
