// SPDX-License-Identifier: GPL-2.0
/*
 * The shared buffer without a lock in the packet path.
 *
 * An egress queue borrows shared bytes:
 *
 *	C = min(64 KB, free / 8 ports)
 *
 * A packet takes its bytes from the loan of its egress queue, and returns them
 * when it leaves. So packets between different ports write no common memory.
 * Only a loan that is used up, or has twice its size, needs the lock.
 *
 * Invariant, while size and carved do not change:
 *
 *	size >= carved + used,  used = shared bytes of all groups + all loans
 *
 * Loans do not change thresholds:
 *  - A packet is charged to a loan only if it and the next one are below the
 *    threshold even with all loans used. Unused loans raise the threshold.
 *  - Any other packet takes the lock. If lent bytes may change its verdict, all
 *    loans are taken back first, and before each XOFF.
 *  - A group that is paused, or has headroom or reserved bytes in use, is
 *    charged and released under the lock only ("careful").
 *  - A charge is added to the group before the sum is compared: of two at the
 *    same time, one sees both.
 *
 * A packet that leaves while its group crosses the threshold must not miss XON,
 * nor leave its bytes in a loan that has ended. Both need this order, with a
 * full barrier in the middle of each column:
 *
 *	a packet that leaves		the end of all loans, before XOFF
 *	subtract its shared bytes,	write that there is no loan
 *	add them to the loan
 *	read whether there is a loan	read the loan's and the shared bytes
 *
 * So either the right side sees the bytes, or the packet sees the end of the
 * loan, takes the lock, and looks again. selftests/proof/ checks this.
 */
#include "credit.h"

/* Largest and smallest loan, in bytes */
#define LLE_SB_LOAN_MAX		65536
#define LLE_SB_LOAN_MIN		4096
/* All loans of a priority together get 1/8 of the free bytes. */
#define LLE_SB_LOAN_SHARE	8

static u64 lle_sb_take_back(struct lle_sb_credit *credit)
{
	WRITE_ONCE(credit->keep, 0);
	smp_mb();	/* before the bytes are read: see above */
	/* below 0 while a refused packet has not added its bytes again */
	return (s64)atomic_xchg(&credit->bytes, 0);
}

void lle_credit_lend(struct lle_sb *sb, struct lle_sb_credit *credit,
		     unsigned int ports)
{
	u64 loan = div_u64(lle_sb_free(sb), LLE_SB_LOAN_SHARE * ports);
	int more;

	loan = min_t(u64, loan, LLE_SB_LOAN_MAX);
	more = (int)loan - atomic_read(&credit->bytes);
	if (loan < LLE_SB_LOAN_MIN || more <= 0)
		return;
	if (!credit->listed) {
		credit->listed = true;
		credit->next = sb->borrowers;
		sb->borrowers = credit;
	}
	lle_sb_use(sb, more);
	atomic_add(more, &credit->bytes);
	WRITE_ONCE(credit->keep, loan);
}

void lle_credit_reclaim(struct lle_sb *sb)
{
	struct lle_sb_credit *credit;

	while ((credit = sb->borrowers)) {
		sb->borrowers = credit->next;
		credit->listed = false;
		sb->used -= lle_sb_take_back(credit);
	}
	/* refuse packets that are about to be charged to a loan */
	WRITE_ONCE(sb->free, 0);
}

void lle_credit_settle(struct lle_sb *sb, struct lle_sb_credit *credit)
{
	int more = atomic_read(&credit->bytes) - (int)credit->keep;

	if (!credit->keep) {
		sb->used -= lle_sb_take_back(credit);
	} else if (more > 0) {
		atomic_sub(more, &credit->bytes);
		sb->used -= more;
	}
	lle_sb_publish(sb);
}

u64 lle_credit_lent(const struct lle_sb *sb)
{
	const struct lle_sb_credit *credit;
	s64 bytes = 0;

	for (credit = sb->borrowers; credit; credit = credit->next)
		bytes += atomic_read(&credit->bytes);
	return bytes > 0 ? bytes : 0;
}
