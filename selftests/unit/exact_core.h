/* SPDX-License-Identifier: GPL-2.0 */
/*
 * kmod/core/dcfit*.c, all of it. With one of the MUTANT_* it has a bug, which the
 * tests have to find (selftests/model/run.sh): a macro takes the place of what one
 * file of it has defined in those that come after.
 */
#include "../../kmod/core/deadlock/exact_table.h"

#ifdef MUTANT_CAUSAL	/* any byte holds an ingress, as in the paper */
#define lle_dcfit_over(bytes, xon)	((void)(xon), (bytes) > 0)
#define lle_dcfit_map_over(m, i)	((m)->sums[i].held > 0)
#endif
#ifdef MUTANT_EQUAL	/* >= for > */
#define lle_dcfit_over(bytes, xon)	((bytes) >= (xon))
#define lle_dcfit_map_over(m, i)	((m)->sums[i].held >= (m)->sums[i].xon)
#endif
#ifdef MUTANT_CAP	/* all is sent on */
#undef LLE_DCFIT_CAP
#define LLE_DCFIT_CAP			255
#endif
#ifdef MUTANT_OWN	/* who is in a set stays in it */
#define lle_dcfit_set_without(set, id)	((void)(id), (set))
#endif

#include "../../kmod/core/deadlock/wire.c"
#include "../../kmod/core/deadlock/map.c"
#include "../../kmod/core/deadlock/exact_table.c"

#ifdef MUTANT_STALE	/* earlier pauses of its own count */
#define lle_dcfit_set_stale(d, set)	((void)(d), (void)(set), false)
#endif
#ifdef MUTANT_ALL	/* all who find themselves declare */
#define lle_dcfit_id_less(a, b)		((void)(a), (void)(b), false)
#endif

#include "../../kmod/core/deadlock/exact_hold.c"
#include "../../kmod/core/deadlock/exact_send.c"
#include "../../kmod/core/deadlock/exact_eval.c"
#ifdef MUTANT_SEAT	/* what waits for a pause frame is not taken back */
#define lle_dcfit_unseat(d, i, id)	((void)(id))
#endif

#include "../../kmod/core/deadlock/exact_cancel.c"
#include "../../kmod/core/deadlock/blame.c"

#ifdef MUTANT_CANCEL	/* what is not true any more is not taken back */
#define lle_dcfit_retract(d, egress, id, now, out) ({		\
	struct lle_dcfit_set _gone[LLE_DCFIT_PER_EGRESS];	\
	lle_dcfit_take(d, egress, id, _gone); })
#define lle_dcfit_recheck(d, i, now, out)	((void)(now))
#endif
#ifdef MUTANT_CLEAR	/* a resume leaves the probes of the pause */
#define lle_dcfit_take(d, egress, id, gone)	((void)(gone))
#endif
#ifdef MUTANT_EPOCH	/* a resume that was lost does not matter */
#define lle_dcfit_newer(a, b)		false
#endif
#ifdef MUTANT_XON	/* XON rises while the ingress pauses */
#define lle_dcfit_pause_tx		lle_dcfit_pause_tx_frozen
#endif
#ifdef MUTANT_REFRESH	/* a pause is repeated, what it says is not */
#define lle_dcfit_refresh		lle_dcfit_refresh_all
#endif

#include "../../kmod/core/deadlock/exact.c"

#ifdef MUTANT_XON
#undef lle_dcfit_pause_tx
void lle_dcfit_pause_tx(struct lle_dcfit *d, unsigned int ingress,
			u32 xon_bytes, u64 now_ns)
{
	lle_dcfit_pause_tx_frozen(d, ingress, xon_bytes - xon_bytes / 4, now_ns);
}
#endif
#ifdef MUTANT_REFRESH
#undef lle_dcfit_refresh
void lle_dcfit_refresh(struct lle_dcfit *d, unsigned int ingress, u64 now_ns,
		       struct lle_dcfit_out *out)
{
	lle_dcfit_run(d, now_ns, out);
}
#endif
