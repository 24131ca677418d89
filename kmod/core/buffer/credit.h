/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Shared bytes that an egress queue has borrowed, to charge packets without the
 * lock of the switch. The rules are in credit.c.
 */
#ifndef LLE_CORE_CREDIT_H
#define LLE_CORE_CREDIT_H

#include "sb.h"

/**
 * struct lle_sb_credit - shared bytes lent to an egress queue
 * @bytes: bytes that it may use; below 0 only while a packet is refused
 * @keep: bytes to which the loan is filled up; 0: there is none now, and a
 *	packet that leaves returns its bytes to the buffer
 * @listed: it is one of the buffer's borrowers
 * @next: the next one of these
 *
 * @bytes is atomic. The others are written by calls that the caller serialises
 * on one buffer.
 */
struct lle_sb_credit {
	atomic_t bytes;
	u32 keep;
	bool listed;
	struct lle_sb_credit *next;
};

/**
 * enum lle_sb_repaid - result for a packet that leaves
 * @LLE_SB_REPAID: its bytes are credit again
 * @LLE_SB_REPAID_LOOK: likewise, and lle_sb_look() has to be called
 * @LLE_SB_NOT_REPAID: nothing has been done: use lle_sb_release()
 */
enum lle_sb_repaid {
	LLE_SB_REPAID,
	LLE_SB_REPAID_LOOK,
	LLE_SB_NOT_REPAID,
};

/**
 * lle_sb_lend() - fill up the loan of an egress queue, if many bytes are free
 * @sb: the buffer
 * @credit: the loan
 * @ports: number of ports that may borrow, not 0
 *
 * Context: serialised, as lle_sb_admit().
 */
void lle_sb_lend(struct lle_sb *sb, struct lle_sb_credit *credit,
		 unsigned int ports);

/**
 * lle_sb_reclaim() - take all loans back
 * @sb: the buffer
 *
 * Context: serialised, as lle_sb_admit().
 */
void lle_sb_reclaim(struct lle_sb *sb);

/**
 * lle_sb_settle() - take back what a loan has too much, or after its end
 * @sb: the buffer
 * @credit: the loan
 *
 * Context: serialised, as lle_sb_admit().
 */
void lle_sb_settle(struct lle_sb *sb, struct lle_sb_credit *credit);

/**
 * lle_sb_lent() - compute the bytes that are lent and not used
 * @sb: the buffer
 *
 * Context: serialised, as lle_sb_admit().
 */
u64 lle_sb_lent(const struct lle_sb *sb);

/**
 * lle_sb_look() - do what a packet has left to do
 * @sb: the buffer
 * @pg: its priority group
 * @credit: the loan that got its bytes
 *
 * Context: serialised, as lle_sb_admit(). Return: as lle_sb_check_xon().
 */
static inline bool lle_sb_look(struct lle_sb *sb, struct lle_sb_pg *pg,
			       struct lle_sb_credit *credit)
{
	lle_sb_settle(sb, credit);
	return lle_sb_check_xon(pg);
}

/**
 * lle_sb_borrow() - charge an arriving packet to a loan
 * @sb: the buffer
 * @p: parameters of the ingress port
 * @pg: the packet's priority group
 * @credit: loan of its egress queue
 * @len: its bytes
 *
 * Context: calls on one @credit are serialised; others may run at the same time.
 * Return: false: nothing has been done; use lle_sb_admit().
 */
static inline bool lle_sb_borrow(const struct lle_sb *sb,
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

/**
 * lle_sb_repay() - release a packet that leaves or is dropped, to a loan
 * @pg: its priority group
 * @credit: loan of its egress queue
 * @len: bytes it was admitted with
 *
 * Context: as lle_sb_borrow().
 */
static inline enum lle_sb_repaid lle_sb_repay(struct lle_sb_pg *pg,
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
		return LLE_SB_REPAID_LOOK;
	return LLE_SB_REPAID;
}

#endif /* LLE_CORE_CREDIT_H */
