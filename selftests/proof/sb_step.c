/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Shared buffer, for cbmc: one step from any state that satisfies inv() ends in
 * such a state. So inv() holds for ever, for any number of packets, groups and
 * ports: the group and two loans are here, all others are one sum.
 *
 * STEP: 0 a packet arrives; 1 leaves; 2 loans are taken back; 3 one is settled;
 * 4 XON is computed anew; 5 PFC is switched on or off; 6 the headroom changes.
 */
#ifndef SB_C		/* a copy with a bug */
#define SB_C	"../../kmod/core/buffer/sb.c"
#endif
#ifndef CREDIT_C
#define CREDIT_C "../../kmod/core/buffer/credit.c"
#endif
#include SB_C
#include CREDIT_C

#define BITS	18	/* of sizes: the least loan needs 2^17 free bytes */
#define PORTS	4
#define ANY(type) nondet_##type()

_Bool nondet_bool(void);
u32 nondet_u32(void);
u64 nondet_u64(void);
#define assume __CPROVER_assume

static struct lle_sb sb;
static struct lle_sb_params p;
static struct lle_sb_pg pg;
static struct lle_sb_credit loan[2];
static u64 others;	/* shared bytes of all other groups, and their loans */
static u64 charged;	/* packets of the group that have not left */

#define IS(what, x)					\
	do {						\
		if (prove)				\
			__CPROVER_assert(x, what);	\
		else					\
			assume(x);			\
	} while (0)

/* Assumed before the step; each line is proved after it. */
static void inv(bool prove)
{
	const struct lle_sb_credit *i = sb.borrowers;
	u64 lent = 0, listed = 0, n;

	for (n = 0; n < 2; n++) {
		IS("a loan is not negative", atomic_read(&loan[n].bytes) >= 0);
		IS("a loan is bounded", loan[n].keep <= LLE_SB_LOAN_MAX);
		IS("a loan is listed",
		   loan[n].listed || !(loan[n].keep | atomic_read(&loan[n].bytes)));
		lent += atomic_read(&loan[n].bytes);
		listed += loan[n].listed;
	}
	for (n = 0; n < 2 && i; n++, i = i->next)
		listed -= i->listed;
	IS("each loan is listed once", !listed && !i);
	IS("size", sb.size < 1ULL << BITS && sb.carved <= sb.size);
	IS("never beyond the total", sb.used <= sb.size && sb.carved + sb.used <= sb.size);
	IS("carved", (u64)p.reserved_bytes + (pg.lossless ? p.headroom_bytes : 0) <= sb.carved);
	IS("no underflow", atomic_read(&pg.shared) >= 0);
	IS("conservation", sb.used == others + lle_sb_shared(&pg) + lent);
	IS("reserved", pg.reserved <= p.reserved_bytes);
	IS("headroom", pg.headroom <= p.headroom_bytes);
	IS("lossy", pg.lossless || (!pg.headroom && !pg.xoff));
	IS("charged = arrived - left", charged == lle_sb_occ(&pg));
	IS("a pause has packets that end it", !pg.xoff || charged);
	IS("careful", pg.careful == (pg.closed || pg.xoff || pg.headroom || pg.reserved));
	IS("published", sb.free == (sb.borrowers ? lle_sb_free(&sb) : 0));
}

/* As lle_admit() */
static void arrive(struct lle_sb_credit *credit, u32 len)
{
	unsigned int verdict = LLE_SB_ADMIT;
	u32 headroom = pg.headroom;

	if (!lle_credit_borrow(&sb, &p, &pg, credit, len)) {
		if (!credit->keep && atomic_read(&credit->bytes))
			lle_credit_settle(&sb, credit);
		verdict = lle_sb_admit(&sb, &p, &pg, len);
		if (!verdict && !pg.careful && ANY(bool))
			lle_credit_lend(&sb, credit, PORTS);
	}
	if ((verdict & ~LLE_SB_XOFF) == LLE_SB_ADMIT)
		charged += len;
	else
		__CPROVER_assert(!pg.lossless || (u64)headroom + len > p.headroom_bytes,
				 "a lossless packet is dropped only if the headroom is full");
	__CPROVER_assert(pg.headroom <= headroom || pg.xoff, "headroom in use implies XOFF");
}

/* As lle_admit_release() */
static void leave(struct lle_sb_credit *credit, u32 len)
{
	assume(len <= charged);
	switch (lle_credit_repay(&pg, credit, len)) {
	case LLE_SB_NOT_REPAID:
		lle_sb_release(&sb, &pg, len);
		break;
	case LLE_SB_REPAID_RECHECK:
		lle_credit_recheck(&sb, &pg, credit);
		break;
	case LLE_SB_REPAID:
		break;
	}
	charged -= len;
}

static u32 size(void)
{
	u32 bytes = ANY(u32);

	assume(bytes < 1U << BITS);
	return bytes;
}

/* Carve, then change: PFC only if the buffer has the bytes. */
static void carve(s64 more)
{
	assume(more <= 0 || sb.carved + sb.used + more <= sb.size);
	sb.carved += more;
	lle_sb_publish(&sb);
}

static void set_lossless(bool lossless)
{
	carve((s64)p.headroom_bytes * (lossless - pg.lossless));
	lle_sb_set_lossless(&sb, &pg, lossless);
}

static void set_headroom(u32 bytes)
{
	assume(pg.lossless && bytes <= p.headroom_bytes);
	carve((s64)bytes - p.headroom_bytes);
	lle_sb_set_headroom(&sb, &pg, bytes);
	p.headroom_bytes = bytes;
}

int main(void)
{
	u32 len = size();

	sb.size = size();
	sb.carved = size();
	sb.used = size();
	sb.free = size();
	p.reserved_bytes = size();
	p.xoff_bytes = size();
	p.xon_delta_bytes = size();
	p.headroom_bytes = size();
	p.to_alpha = LLE_TO_ALPHA_ONE;
	lle_sb_params_init(&p);
	pg.lossless = ANY(bool);
	pg.xoff = ANY(bool);
	pg.careful = ANY(bool);
	pg.closed = ANY(bool);
	pg.shared.counter = size();
	pg.reserved = size();
	pg.headroom = size();
	pg.xon = size();
	others = size();
	charged = size();
	for (int n = 0; n < 2; n++) {
		loan[n].bytes.counter = size();
		loan[n].keep = size();
		loan[n].listed = true;
	}
	loan[0].next = &loan[1];
	sb.borrowers = &loan[0];
	assume(len && len < 1U << (BITS - 4));
	inv(false);
	switch (STEP) {
	case 0:
		arrive(&loan[0], len);
		break;
	case 1:
		leave(&loan[0], len);
		break;
	case 2:
		lle_credit_reclaim(&sb);
		break;
	case 3:
		lle_credit_settle(&sb, &loan[0]);
		break;
	case 4:
		lle_sb_recheck(&sb, &p, &pg);
		break;
	case 5:
		set_lossless(ANY(bool));
		break;
	case 6:
		set_headroom(size());
		break;
	}
	inv(true);
	return 0;
}
