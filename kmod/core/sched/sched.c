// SPDX-License-Identifier: GPL-2.0
/*
 * Strict priority and deficit round robin, as in ets(8): 802.1Q 37.3. The
 * priorities of a band take turns packet by packet. A paused queue is not
 * ready, and stops no other. An empty band loses its deficit at its turn.
 */
#include "sched.h"

/* The next ready priority, cyclically */
static unsigned int lle_sched_turn(const struct lle_sched *s, unsigned int band,
				   u8 ready)
{
	unsigned int after = s->served[band] + 1;
	unsigned int high = (ready >> after) << after;

	return __ffs(high ? high : ready);
}

/* Pass the turn to the next deficit round robin band. */
static void lle_sched_next(struct lle_sched *s,
			   const struct lle_sched_params *p)
{
	s->band = s->band + 1 < p->bands ? s->band + 1 : p->strict;
	s->deficit_bytes[s->band] += p->quantum_bytes[s->band];
}

unsigned int lle_sched_pick(struct lle_sched *s,
			    const struct lle_sched_params *p, u8 ready,
			    const u32 *head_bytes)
{
	unsigned int prio, b;
	u8 mine;

	for (b = 0; b < p->strict; b++) {
		mine = p->prios[b] & ready;
		if (mine) {
			prio = lle_sched_turn(s, b, mine);
			s->served[b] = prio;
			return prio;
		}
	}

	/* a parameter change may have left the turn outside the round */
	if (s->band < p->strict || s->band >= p->bands)
		s->band = p->strict;

	for (;; lle_sched_next(s, p)) {
		b = s->band;
		mine = p->prios[b] & ready;
		if (!mine) {
			s->deficit_bytes[b] = 0;
			continue;
		}
		prio = lle_sched_turn(s, b, mine);
		if (head_bytes[prio] <= s->deficit_bytes[b]) {
			s->deficit_bytes[b] -= head_bytes[prio];
			s->served[b] = prio;
			return prio;
		}
	}
}
