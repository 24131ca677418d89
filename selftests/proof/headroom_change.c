/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Headroom, for cbmc: no share of two ports divides by 0 after a change of one.
 */
#include "../../kmod/core/buffer/headroom.c"

_Bool nondet_bool(void);
u8 nondet_u8(void);
#define assume __CPROVER_assume

static struct lle_headroom_ask any_ask(void)
{
	struct lle_headroom_ask ask = {
		.lossless = nondet_u8() & 7,
		.computed = nondet_bool(),
		.fixed_bytes = nondet_u8(),
		.base_bytes = nondet_u8(),
		.need_bytes = nondet_u8(),
	};

	assume(ask.need_bytes >= ask.base_bytes);
	return ask;
}

int main(void)
{
	struct lle_headroom_ask port[2] = { any_ask(), any_ask() };
	struct lle_headroom_demand demand = {};
	u64 size = nondet_u8();

	lle_headroom_add(&demand, &port[0]);
	lle_headroom_add(&demand, &port[1]);
	lle_headroom_sub(&demand, &port[0]);
	port[0] = any_ask();
	lle_headroom_add(&demand, &port[0]);
	for (int n = 0; n < 2; n++)
		if (port[n].computed)
			lle_headroom_share(&demand, size, &port[n]);
	return 0;
}
