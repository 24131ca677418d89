/* SPDX-License-Identifier: GPL-2.0 */
/* Shared bytes that an egress queue borrows; the rules are in credit.c. */
#ifndef LLE_CORE_CREDIT_H
#define LLE_CORE_CREDIT_H

#include "sb.h"

/**
 * struct lle_sb_credit - shared bytes lent to an egress queue
 * @bytes: unused bytes; below 0 only while a packet is refused; atomic
 * @keep: size of the loan; 0: none, packets that leave return their bytes to
 *	the buffer; writes are serialised
 * @listed: it is in lle_sb.borrowers; serialised
 * @next: next borrower; serialised
 */
struct lle_sb_credit {
	atomic_t bytes;
	u32 keep;
	bool listed;
	struct lle_sb_credit *next;
};

/* Result of lle_credit_repay() */
enum lle_sb_repaid {
	LLE_SB_REPAID,		/* its bytes are credit again */
	LLE_SB_REPAID_RECHECK,	/* and lle_credit_recheck() is due */
	LLE_SB_NOT_REPAID,	/* nothing: use lle_sb_release() */
};

/**
 * lle_credit_lend() - fill up a loan if many bytes are free
 * @sb: the buffer
 * @credit: the loan
 * @ports: number of ports that may borrow, not 0
 * Context: as lle_sb_admit().
 */
void lle_credit_lend(struct lle_sb *sb, struct lle_sb_credit *credit,
		     unsigned int ports);

/**
 * lle_credit_reclaim() - take back all loans
 * @sb: the buffer
 * Context: as lle_sb_admit().
 */
void lle_credit_reclaim(struct lle_sb *sb);

/**
 * lle_credit_settle() - take back the excess of a loan; all of it after its end
 * @sb: the buffer
 * @credit: the loan
 * Context: as lle_sb_admit().
 */
void lle_credit_settle(struct lle_sb *sb, struct lle_sb_credit *credit);

/**
 * lle_credit_lent() - compute the bytes that are lent and unused
 * @sb: the buffer
 * Context: as lle_sb_admit().
 */
u64 lle_credit_lent(const struct lle_sb *sb);

/*
 * Finish a packet after LLE_SB_REPAID_RECHECK.
 * Context: as lle_sb_admit(). Return: as lle_sb_check_xon().
 */
static inline bool lle_credit_recheck(struct lle_sb *sb, struct lle_sb_pg *pg,
				      struct lle_sb_credit *credit)
{
	lle_credit_settle(sb, credit);
	return lle_sb_check_xon(pg);
}

/*
 * Charge an arriving packet of @len bytes to the loan of its egress queue.
 * False: nothing was done; use lle_sb_admit().
 * Context: calls on one @credit are serialised; others may run in parallel.
 */
static inline bool lle_credit_borrow(const struct lle_sb *sb,
				     const struct lle_sb_params *p,
				     struct lle_sb_pg *pg,
				     struct lle_sb_credit *credit, u32 len)
{
	u32 shared;

	/* parameters change while the group is closed */
	if (unlikely(smp_load_acquire(&pg->careful)))
		return false;
	if (unlikely(atomic_sub_return(len, &credit->bytes) < 0))
		goto refuse;
	shared = atomic_add_return(len, &pg->shared);
	if (unlikely(!lle_sb_is_plain(p, shared, READ_ONCE(sb->free)))) {
		atomic_sub(len, &pg->shared);
		goto refuse;
	}
	lle_sb_raise_max(pg, shared);
	return true;

refuse:
	atomic_add(len, &credit->bytes);
	return false;
}

/*
 * Return @len bytes of a packet, as admitted, to the loan of its egress queue.
 * Context: as lle_credit_borrow().
 */
static inline enum lle_sb_repaid lle_credit_repay(struct lle_sb_pg *pg,
						  struct lle_sb_credit *credit,
						  u32 len)
{
	u32 keep = READ_ONCE(credit->keep);
	int bytes;

	if (unlikely(READ_ONCE(pg->careful) || !keep))
		return LLE_SB_NOT_REPAID;
	atomic_sub(len, &pg->shared);
	bytes = atomic_add_return(len, &credit->bytes);
	if (unlikely(!READ_ONCE(credit->keep) || bytes > (int)(2 * keep)))
		return LLE_SB_REPAID_RECHECK;
	return LLE_SB_REPAID;
}

#endif /* LLE_CORE_CREDIT_H */
