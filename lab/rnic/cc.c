// SPDX-License-Identifier: GPL-2.0
/* Congestion controls by name. */
#include <linux/string.h>

#include "rnic.h"

static void rnic_dcqcn_init(struct rnic_flow *flow)
{
	dcqcn_init(&flow->qp->dcqcn, &rnic_config.dcqcn);
}

static u64 rnic_dcqcn_send(struct rnic_flow *flow, u32 bytes, u64 now_ns)
{
	return dcqcn_send(&flow->qp->dcqcn, &rnic_config.dcqcn, bytes, now_ns);
}

static void rnic_dcqcn_cnp(struct rnic_flow *flow, u64 now_ns)
{
	dcqcn_cnp(&flow->qp->dcqcn, &rnic_config.dcqcn, now_ns);
}

static const struct rnic_cc rnic_cc_dcqcn = {
	.name = "dcqcn",
	.init = rnic_dcqcn_init,
	.send = rnic_dcqcn_send,
	.cnp = rnic_dcqcn_cnp,
};

static const struct rnic_cc *const rnic_ccs[] = {
	&rnic_cc_dcqcn,
	&rnic_cc_ldcp,
	&rnic_cc_ldcp_rate,
};

/* Return: NULL: unknown name. */
const struct rnic_cc *rnic_cc_find(const char *name)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rnic_ccs); i++)
		if (!strcmp(rnic_ccs[i]->name, name))
			return rnic_ccs[i];
	return NULL;
}
