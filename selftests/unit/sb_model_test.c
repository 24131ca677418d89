// SPDX-License-Identifier: GPL-2.0
/* kmod/core/buffer/sb.c against sb_oracle.h: no byte is lost or made up. */
#include "prng.h"
#include "tap.h"

#include "sb_oracle.h"
#include "../../kmod/core/buffer/credit.c"
#include "../../kmod/core/buffer/sb.c"

#define STEPS		40000
#define PACKETS		4096

static const struct config {
	const char *name;
	u32 shared;
	struct lle_sb_params p;
	u32 shortest, longest;
	bool toggle;
	bool resize; /* from 0 to headroom_bytes */
} configs[] = {
	{ "alpha 1/16",
	  200000,
	  { .to_alpha = 6, .xon_delta_bytes = 3036, .headroom_bytes = 20000 },
	  60,
	  1518 },
	{ "alpha 1/64, little headroom",
	  200000,
	  { .to_alpha = 4, .xon_delta_bytes = 3036, .headroom_bytes = 3000 },
	  60,
	  1518 },
	{ "alpha 1",
	  100000,
	  { .to_alpha = 10, .xon_delta_bytes = 100, .headroom_bytes = 5000 },
	  60,
	  9022 },
	{ "alpha 1024",
	  100000,
	  { .to_alpha = 20, .xon_delta_bytes = 3036, .headroom_bytes = 20000 },
	  60,
	  1518 },
	{ "reserved bytes",
	  30000,
	  { .to_alpha = 8,
	    .reserved_bytes = 5000,
	    .xon_delta_bytes = 3036,
	    .headroom_bytes = 10000 },
	  60,
	  1518 },
	{ "reserved bytes, xon-delta of 1",
	  20000,
	  { .to_alpha = 8,
	    .reserved_bytes = 5000,
	    .xon_delta_bytes = 1,
	    .headroom_bytes = 10000 },
	  60,
	  1518 },
	{ "static xoff",
	  500000,
	  { .xoff_bytes = 20000,
	    .xon_delta_bytes = 3036,
	    .headroom_bytes = 10000 },
	  60,
	  1518 },
	{ "static xoff, more of it than there is",
	  50000,
	  { .xoff_bytes = 20000,
	    .reserved_bytes = 100,
	    .xon_delta_bytes = 3036,
	    .headroom_bytes = 10000 },
	  1,
	  1518 },
	{ "xon-delta above everything",
	  30000,
	  { .to_alpha = 7, .xon_delta_bytes = 1000000, .headroom_bytes = 9000 },
	  60,
	  1518 },
	{ "bytes",
	  1000,
	  { .to_alpha = 6,
	    .reserved_bytes = 3,
	    .xon_delta_bytes = 2,
	    .headroom_bytes = 7 },
	  1,
	  3 },
	{ "nothing shared",
	  0,
	  { .to_alpha = 10,
	    .reserved_bytes = 50,
	    .xon_delta_bytes = 10,
	    .headroom_bytes = 100 },
	  1,
	  60 },
	{ "PFC on and off",
	  60000,
	  { .to_alpha = 6,
	    .reserved_bytes = 2000,
	    .xon_delta_bytes = 3036,
	    .headroom_bytes = 20000 },
	  60,
	  1518,
	  true },
	{ "PFC on and off, static xoff",
	  60000,
	  { .xoff_bytes = 10000,
	    .xon_delta_bytes = 3036,
	    .headroom_bytes = 20000 },
	  60,
	  1518,
	  true },
	{ "headroom of any size",
	  100000,
	  { .to_alpha = 6, .xon_delta_bytes = 3036, .headroom_bytes = 20000 },
	  60,
	  1518,
	  false,
	  true },
	{ "headroom of any size, static xoff, reserved bytes",
	  60000,
	  { .xoff_bytes = 8000,
	    .reserved_bytes = 2000,
	    .xon_delta_bytes = 3036,
	    .headroom_bytes = 20000 },
	  60,
	  1518,
	  false,
	  true },
	{ "headroom of any size, PFC on and off",
	  60000,
	  { .xoff_bytes = 8000,
	    .xon_delta_bytes = 3036,
	    .headroom_bytes = 20000 },
	  60,
	  1518,
	  true,
	  true },
};

/* Judges the reason of a drop from the outside. */
static bool justified(unsigned int verdict, const struct lle_sb *sb,
		      const struct lle_sb_params *p,
		      const struct lle_sb_pg *pg, u32 len, bool greedy)
{
	u64 own = pg->reserved;
	u64 rest = greedy ? len : own + len > p->reserved_bytes ?
		   own + len - p->reserved_bytes : 0;
	u64 taken = sb->carved + sb->used;
	u64 spare = taken < sb->size ? sb->size - taken : 0;
	const struct lle_sb_params derived = sb_params(p);

	switch (verdict) {
	case LLE_SB_ADMIT:
		return true;
	case LLE_SB_DROP_BUFFER:
		return !pg->lossless && rest > spare;
	case LLE_SB_DROP_THRESHOLD:
		return !pg->lossless && !greedy && rest &&
		       lle_sb_shared(pg) >= lle_sb_threshold(&derived, spare);
	case LLE_SB_DROP_HEADROOM:
		return pg->lossless && !greedy && rest &&
		       pg->headroom + rest > p->headroom_bytes;
	}
	return false;
}

static struct packet {
	u8 group;
	u8 port;
	u32 len;
} packets[PACKETS];

/* Egress ports, which may borrow */
#define PORTS		3
static struct lle_sb_credit credit[PORTS];

/* sb_in(), or by a loan of an egress port */
static unsigned int arrive(struct lle_sb *sb, const struct lle_sb_params *p,
			   struct lle_sb_pg *pg, u32 len,
			   struct lle_sb_credit *c, unsigned int *borrowed)
{
	const struct lle_sb_params derived = sb_params(p);
	unsigned int got;

	pg->closed = !derived.quick_bytes;
	if (pg->closed)
		pg->careful = true;
	if (c && lle_credit_borrow(sb, &derived, pg, c, len)) {
		++*borrowed;
		return LLE_SB_ADMIT;
	}
	got = sb_in(sb, p, pg, len);
	if (c && got == LLE_SB_ADMIT && !pg->careful)
		lle_credit_lend(sb, c, PORTS);
	return got;
}

static bool leave(struct lle_sb *sb, struct lle_sb_pg *pg, u32 len,
		  struct lle_sb_credit *c)
{
	if (!c)
		return sb_out(sb, pg, len);
	switch (lle_credit_repay(pg, c, len)) {
	case LLE_SB_REPAID:
		return true;
	case LLE_SB_REPAID_RECHECK:
		return !lle_credit_recheck(sb, pg, c);
	case LLE_SB_NOT_REPAID:
		break;
	}
	return sb_out(sb, pg, len);
}

/* Headroom shrinks when empty: carved plus shared bytes do not grow. */
static bool resize(struct lle_sb *sb, struct sb_oracle *o,
		   struct lle_sb_params *p, struct lle_sb_pg *pgs, u32 bytes)
{
	u64 before = sb->carved + sb->used;
	bool shrinks = bytes <= p->headroom_bytes;
	unsigned int g;

	p->headroom_bytes = bytes;
	sb->carved = lle_sb_carve(p, ORACLE_GROUPS);
	for (g = 0; g < ORACLE_GROUPS; g++)
		lle_sb_set_headroom(sb, &pgs[g], bytes);
	lle_sb_publish(sb);
	sb_oracle_resize(o, sb->carved);
	require(!shrinks || sb->carved + sb->used <= before, "%llu, %llu",
		sb->carved + sb->used, before);
	return true;
}

static bool model(const struct config *c, u64 seed, bool lend)
{
	struct lle_sb_params p = c->p;
	struct lle_sb_pg pgs[ORACLE_GROUPS] = {}, before;
	struct sb_oracle o = { .p = &p };
	unsigned int i, g, n = 0, drops = 0, xoffs = 0;
	unsigned int got, want, port, borrowed = 0;
	struct lle_sb sb = {}, sb_before;
	u64 outstanding = 0, most, occ;
	const char *broken;

	sb.carved = lle_sb_carve(&c->p, ORACLE_GROUPS);
	sb.size = sb.carved + c->shared;
	o.size = sb.size;
	o.carved = sb.carved;
	most = sb.size;
	for (g = 0; g < ORACLE_GROUPS; g++) {
		pgs[g].lossless = g % 4 && g != ORACLE_GREEDY;
		o.pg[g].lossless = pgs[g].lossless;
	}

	for (i = 0; i < STEPS; i++) {
		u64 r = prng(&seed);
		u32 len = prng_range(&seed, c->shortest, c->longest);
		bool fill = (i / 1500) % 2 ? r % 8 < 3 : r % 8 < 5;

		g = (r >> 16) % ORACLE_GROUPS;
		if (c->toggle && !(r >> 32 & 127) && g != ORACLE_GREEDY) {
			require(sb_set(&sb, &pgs[g], r >> 63), "step %u", i);
			sb_oracle_set(&o, g, r >> 63);
		} else if (c->resize && !(r >> 48 & 255)) {
			require(resize(&sb, &o, &p, pgs,
				       prng_range(&seed, 0,
						  c->p.headroom_bytes)),
				"step %u", i);
			/* grown headroom may overlap shared bytes in use */
			most = max(sb.size, sb.used + sb.carved);
		} else if (fill && n < PACKETS) {
			before = pgs[g];
			sb_before = sb;
			sb_before.used -= lle_credit_lent(&sb);
			port = (r >> 24) % PORTS;
			got = arrive(&sb, g == ORACLE_GREEDY ?
				     &oracle_greedy : &p, &pgs[g], len,
				     lend ? &credit[port] : NULL, &borrowed);
			want = sb_oracle_in(&o, g, len);
			require(got == want, "step %u: %u, want %u", i, got,
				want);
			require(c->toggle || justified(got, &sb_before, &p,
						       &before, len,
						       g == ORACLE_GREEDY),
				"step %u: %u", i, got);
			xoffs += pgs[g].xoff && !before.xoff;
			drops += got != LLE_SB_ADMIT;
			if (got == LLE_SB_ADMIT) {
				packets[n++] =
					(struct packet){ g, port, len };
				outstanding += len;
			}
		} else if (n) {
			struct packet *x = &packets[(r >> 40) % n];

			g = x->group;
			len = x->len;
			require(leave(&sb, &pgs[g], len,
				      lend ? &credit[x->port] : NULL),
				"step %u", i);
			sb_oracle_out(&o, g, len);
			*x = packets[--n];
			outstanding -= len;
		}

		require(sb_oracle_agrees(&o, pgs), "step %u group %u", i, g);
		broken = sb_broken_strict(&sb, &p, pgs, ORACLE_GROUPS);
		require(!broken, "step %u: %s", i, broken);
		most = max(sb.size, min(most, sb.used + sb.carved));
		require(c->toggle || sb.used + sb.carved <= most,
			"step %u: %llu", i, sb.used);
		for (occ = 0, g = 0; g < ORACLE_GROUPS; g++)
			occ += lle_sb_occ(&pgs[g]);
		require(occ == outstanding, "step %u: %llu of %llu", i, occ,
			outstanding);
	}
	require(drops > 20 && xoffs > 20, "%u drops, %u times XOFF", drops,
		xoffs);

	while (n) {
		n--;
		leave(&sb, &pgs[packets[n].group], packets[n].len,
		      lend ? &credit[packets[n].port] : NULL);
	}
	lle_credit_reclaim(&sb);
	/* little is not lent, reserved bytes are not borrowed */
	require(borrowed > STEPS / 100 || !lend || c->shared < 100000 ||
			c->p.reserved_bytes,
		"%u", borrowed);
	require(!sb.used, "%llu", sb.used);
	for (g = 0; g < ORACLE_GROUPS; g++)
		require(!lle_sb_occ(&pgs[g]) && !lle_sb_shared(&pgs[g]) && !pgs[g].headroom &&
				!pgs[g].xoff,
			"group %u: %u, %u, %u, %d", g, lle_sb_occ(&pgs[g]),
			lle_sb_shared(&pgs[g]), pgs[g].headroom, pgs[g].xoff);
	return true;
}

static void test_model(struct kunit *test)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(configs); i++) {
		ok(model(&configs[i], 1000 + i, false), "%s", configs[i].name);
		ok(model(&configs[i], 2000 + i, true), "%s, loans",
		   configs[i].name);
	}
}

tap_suite("lossless_sb_model",
	  KUNIT_CASE(test_model));
