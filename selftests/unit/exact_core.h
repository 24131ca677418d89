/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Algorithm exact. MUTANT_* plant bugs for selftests/model/run.sh: a macro
 * replaces, in later files, a function of an earlier file.
 */
#include "../../kmod/core/deadlock/exact_table.h"
#include "exact_packets.h"

#ifdef MUTANT_CAUSAL	/* any byte keeps an ingress paused, as in the paper */
#define lle_dl_map_exceeds(bytes, xon) ((void)(xon), (bytes) > 0)
#define lle_dl_map_over(m, i)	((m)->sums[i].held > 0)
#endif
#ifdef MUTANT_EQUAL	/* >= instead of > */
#define lle_dl_map_exceeds(bytes, xon) ((bytes) >= (xon))
#define lle_dl_map_over(m, i)	((m)->sums[i].held >= (m)->sums[i].xon)
#endif
#ifdef MUTANT_CAP	/* no limit of forwarded probes */
#undef LLE_DL_CAP
#define LLE_DL_CAP 255
#endif
#ifdef MUTANT_OWN	/* an ID in a set stays in it */
#define lle_dl_set_without(set, id) ((void)(id), (set))
#endif

#include "../../kmod/core/deadlock/wire.c"
#include "../../kmod/core/deadlock/map.c"
#include "../../kmod/core/deadlock/exact_table.c"

#ifdef MUTANT_STALE	/* own IDs of earlier pauses count */
#define lle_exact_table_is_stale(d, set) ((void)(d), (void)(set), false)
#endif
#ifdef MUTANT_ALL	/* every initiator declares */
#define lle_dl_id_less(a, b) ((void)(a), (void)(b), false)
#endif

#include "../../kmod/core/deadlock/exact_condition.c"
#include "../../kmod/core/deadlock/exact_rival.c"
#ifdef MUTANT_MIN	/* the smallest counts, even if its probe has stopped */
#define lle_exact_rival_min(d, i, set, now) \
	((void)(now), lle_dl_id_least(proof->min, lle_exact_me(d, i)))
#endif
#ifdef MUTANT_ROOT	/* no initiator reports that it waits for others */
#define lle_exact_rival_waits(d, i, now) ((void)(now), false)
#endif

#include "../../kmod/core/deadlock/exact_send.c"
#ifdef MUTANT_YIELD	/* the first one with its probe back declares */
#define lle_exact_rival_yield(d, i, proof, now) ((void)(proof), false)
#endif
#ifdef MUTANT_ASK	/* after its wait, an ingress declares without asking */
#define lle_exact_rival_ask(d, ingress, now) false
#endif

#include "../../kmod/core/deadlock/exact_declare.c"
#ifdef MUTANT_SEAT	/* a message in line for a pause stays */
#define lle_exact_send_drop(d, i, id) ((void)(id))
#endif

#include "../../kmod/core/deadlock/exact_cancel.c"
#include "../../kmod/core/deadlock/trigger.c"

#ifdef MUTANT_CANCEL	/* obsolete probes are not cancelled */
#define lle_exact_cancel_retract(d, egress, id, now, out)	\
	({                                                     \
		struct lle_dl_set _gone[LLE_EXACT_PER_EGRESS]; \
		lle_exact_table_take(d, egress, id, _gone);    \
	})
#define lle_exact_cancel_recheck(d, i, now, out) ((void)(now))
#endif
#ifdef MUTANT_CLEAR	/* a resume keeps the probes of the pause */
#define lle_exact_table_take(d, egress, id, gone) ((void)(gone))
#endif
#ifdef MUTANT_EPOCH	/* a lost resume has no effect */
#define lle_dl_id_newer(a, b) false
#endif
#ifdef MUTANT_LAP	/* that one has declared is not forwarded */
#define lle_exact_table_store(d, egress, set, msg)		\
	do {							\
		struct lle_dl_msg _msg = *(msg);		\
								\
		if (!_msg.min.sw)				\
			_msg.min = _msg.id[0];			\
		lle_exact_table_store(d, egress, set, &_msg);	\
	} while (0)
#endif
#ifdef MUTANT_TIMER	/* an ingress that has deferred never declares */
#define lle_exact_timer lle_exact_timer_all
#endif
#ifdef MUTANT_XON	/* XON changes while the ingress pauses */
#define lle_exact_pause_tx lle_exact_pause_tx_frozen
#endif
#ifdef MUTANT_TRIGGER	/* each pause is its own trigger */
#define lle_dl_trigger_blame(d, i, now) lle_exact_me(d, i)
#endif
#ifdef MUTANT_REFRESH	/* a refresh has no messages */
#define lle_exact_refresh lle_exact_refresh_all
#endif

#include "../../kmod/core/deadlock/exact.c"

#ifdef MUTANT_XON
#undef lle_exact_pause_tx
void lle_exact_pause_tx(struct lle_exact *d, unsigned int ingress,
			u32 xon_bytes, u64 now_ns)
{
	lle_exact_pause_tx_frozen(d, ingress, xon_bytes - xon_bytes / 4,
				  now_ns);
}
#endif
#ifdef MUTANT_REFRESH
#undef lle_exact_refresh
void lle_exact_refresh(struct lle_exact *d, unsigned int ingress, u64 now_ns,
		       struct lle_dl_out *out)
{
	lle_exact_run(d, now_ns, out);
}
#endif
#ifdef MUTANT_TIMER
#undef lle_exact_timer
void lle_exact_timer(struct lle_exact *d, u64 now_ns, struct lle_dl_out *out)
{
	d->deferred = 0;
}
#endif
