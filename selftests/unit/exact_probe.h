/* SPDX-License-Identifier: GPL-2.0 */
/* Probes of another switch, and those that are sent */
#ifndef LLE_EXACT_PROBE_H
#define LLE_EXACT_PROBE_H

#include "prng.h"
#include "tap.h"

#include "exact_schedule.h"

#define CAP		16
#define OTHER	"0:probe 8.0.1 min 7.0 hops 2"
#define OWN	"probe 7.0.1 min 7.0 hops 1 waits"

static struct lle_exact *new_exact(const struct lle_dl_params *p)
{
	return lle_exact_init(kmalloc(lle_exact_size(p), GFP_KERNEL), p);
}

static unsigned int probes(void)
{
	unsigned int n, count = 0;

	if (frame.kind)
		count += frame.send.msg.type == LLE_DL_PROBE;
	for (n = 0; n < out.num; n++)
		count += out.send[n].msg.type == LLE_DL_PROBE;
	frame.kind = NULL;
	out.num = 0;
	out.declared = 0;
	return count;
}

/* Ten bytes of ingress 0 at egress 1, which received probe 8.0.1 */
static void probed(void)
{
	begin(&params);
	enq(1, 0, 10);
	pause_rx(1);
	probe_rx(1, 8, 1);
}

static void rx(unsigned int egress, u8 type, unsigned int a, unsigned int b)
{
	happen(&(struct dcfit_step){ RX, egress, .msg = {
		.type = type, .hop_epoch = 1, .hops = 1, .min = { .sw = a },
		.id = { { .sw = a, .seq = 1 }, { .sw = b, .seq = !!b } } } });
}

#endif /* LLE_EXACT_PROBE_H */
