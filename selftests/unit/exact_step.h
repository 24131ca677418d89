/* SPDX-License-Identifier: GPL-2.0 */
/* Steps of vectors/exact.h, for the unit test and for selftests/proof/ */
#ifndef LLE_EXACT_STEP_H
#define LLE_EXACT_STEP_H

#include "../vectors/exact.h"
#include "exact_core.h"
#include "text.h"

#define UNIT_NS		(1 << LLE_EXACT_TIME_SHIFT)
#define LONG		1000000

static inline int put_msg(char *text, int at, const struct lle_dl_msg *m)
{
	static const char *const name[] = {
		[LLE_DL_PROBE] = "probe ",
		[LLE_DL_CANCEL] = "cancel ",
		[LLE_DL_BROKEN] = "broken",
		[LLE_DL_NONE] = "",
	};

	at = put_text(text, at, "%s", name[m->type]);
	if (m->type == LLE_DL_CANCEL && !m->num_ids)
		at = put_text(text, at, "all");
	if (m->num_ids)
		at = put_id(text, at, m->id[0]);
	if (m->num_ids > 1) {
		at = put_text(text, at, "+");
		at = put_id(text, at, m->id[1]);
	}
	if (m->type == LLE_DL_PROBE)
		at = put_text(text, at, " min %u.%u hops %u%s",
			       m->min.sw, m->min.port, m->hops,
			       m->waits ? " waits" : "");
	return at;
}

/* What is due remains so, and no frame leaves. */
static inline void exact_step(struct lle_exact *d, const struct dcfit_step *s,
			      u64 now_ns, struct lle_dl_out *out)
{
	u64 until_ns = now_ns + (u64)(s->n ? s->n : LONG) * UNIT_NS;
	struct lle_dl_msg msg = s->msg;

	msg.num_ids = !!msg.id[0].sw + !!msg.id[1].sw;
	switch (s->event) {
	case END:
		break;
	case ENQ:
		lle_exact_enq(d, s->port, s->from, s->n);
		break;
	case DEQ:
		lle_exact_deq(d, s->port, s->from, s->n);
		break;
	case PAUSE_TX:
		lle_exact_pause_tx(d, s->port, s->n, now_ns);
		break;
	case REFRESH:
		lle_exact_refresh(d, s->port, now_ns, out);
		break;
	case RESUME_TX:
	case BREAK:
		lle_exact_resume_tx(d, s->port, s->event == BREAK);
		break;
	case PAUSE_RX:
	case PAUSE_MUTE:
		lle_exact_pause_rx(d, s->port,
				   s->event == PAUSE_RX ? &msg : NULL, until_ns,
				   now_ns, out);
		break;
	case RESUME_RX:
	case EXPIRE:
		lle_exact_resume_rx(d, s->port, s->event == EXPIRE, now_ns,
				    now_ns, out);
		break;
	case RX:
		lle_exact_message_rx(d, s->port, &msg, now_ns, out);
		break;
	case WAIT:
		if (!lle_exact_timer_wait(d, now_ns))
			lle_exact_timer(d, now_ns, out);
		break;
	case FULL:
		lle_exact_set_full(d, s->n);
		break;
	}
}

#endif /* LLE_EXACT_STEP_H */
