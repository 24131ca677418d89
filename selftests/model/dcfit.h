/* SPDX-License-Identifier: GPL-2.0 */
/* Algorithm dcfit: replaces the functions of exact.h. */
#ifndef LLE_MODEL_PAPER_H
#define LLE_MODEL_PAPER_H

#include "../../lab/dcfit/dcfit.h"

#define lle_exact		lle_dcfit
#define lle_exact_init		lle_dcfit_init
#define lle_exact_enq		lle_dcfit_enq
#define lle_exact_deq		lle_dcfit_deq
#define lle_exact_send_ride	lle_dcfit_ride
#define lle_exact_is_due lle_dcfit_is_due

/* No times; each pause ends with a resume. */
#define lle_exact_resume_tx(d, i, broken)	lle_dcfit_resume_tx(d, i)
#define lle_exact_pause_tx(d, i, xon, now) lle_dcfit_pause_tx(d, i, xon)
#define lle_exact_run(d, now, out)	((void)(now), lle_dcfit_run(d, out))
#define lle_exact_refresh(d, i, now, out)	lle_dcfit_refresh(d, i, out)
#define lle_exact_pause_rx(d, p, msg, until, now, out) \
	lle_dcfit_pause_rx(d, p, msg, out)
#define lle_exact_resume_rx(d, p, broken, since, now, out) \
	((void)(broken), lle_dcfit_resume_rx(d, p, out))
#define lle_exact_message_rx(d, p, msg, now, out) \
	lle_dcfit_message_rx(d, p, msg, out)
#define lle_exact_timer_wait(d, now) 1
#define lle_exact_timer(d, now, out) \
	do {                         \
	} while (0)
#define lle_exact_report(d, i, now, report) lle_dcfit_report(d, i, report)

#endif /* LLE_MODEL_PAPER_H */
