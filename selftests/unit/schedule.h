/* SPDX-License-Identifier: GPL-2.0 */
/* Applies vectors/exact.h or vectors/dcfit.h; compares the output as text. */
#ifndef LLE_SCHEDULE_H
#define LLE_SCHEDULE_H

#include "text.h"

static struct lle_dl_out out;

/* Provided by the algorithm under test: */

static void begin_schedule(void);
static void happen(const struct dcfit_step *s);
/* Returns the output as text, and clears it. */
static const char *said(void);
/* Returns the new length of @text. */
static int put_msg(char *text, int at, const struct lle_dl_msg *m);

static inline void put_out(char *text, int at)
{
	unsigned int n;

	for (n = 0; n < out.num; n++) {
		at = put_text(text, at, "%s%u:", at ? "; " : "",
			       out.send[n].port);
		at = put_msg(text, at, &out.send[n].msg);
	}
	lle_dl_for_each(n, out.declared)
		at = put_text(text, at, "%s%u dead",
			       at ? "; " : "", n);
	out.num = 0;
}

static inline bool follow(const struct dcfit_vector *v)
{
	const struct dcfit_step *s;
	const char *want, *got;

	begin_schedule();
	for (s = v->step; s->event != END; s++) {
		happen(s);
		want = s->out ? s->out : "";
		got = said();
		require(!strcmp(got, want), "step %d: \"%s\", not \"%s\"",
			(int)(s - v->step) + 1, got, want);
	}
	return true;
}

#endif /* LLE_SCHEDULE_H */
