/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Follows the schedules of vectors/exact.h and vectors/dcfit.h: applies their
 * events to a switch, and compares its output as text.
 */
#ifndef LLE_SCHEDULE_H
#define LLE_SCHEDULE_H

#define TEXT	256

/* The output of the switch under test. */
static struct lle_dl_out out;

/* What the algorithm under test has to provide: */

/* Starts anew. */
static void begin_schedule(void);
/* Applies an event. */
static void happen(const struct dcfit_step *s);
/* Returns the output as text, and clears it. */
static const char *said(void);
/* Appends a message to @text. Returns its new length. */
static int put_msg(char *text, int at, const struct lle_dl_msg *m);

static int put_id(char *text, int at, struct lle_dl_id id)
{
	return at + snprintf(text + at, TEXT - at, "%u.%u.%u", id.sw, id.port,
			     id.seq);
}

/* Appends separate messages and declarations, and clears the messages. */
static void put_out(char *text, int at)
{
	unsigned int n;

	for (n = 0; n < out.num; n++) {
		at += snprintf(text + at, TEXT - at, "%s%u:", at ? "; " : "",
			       out.send[n].port);
		at = put_msg(text, at, &out.send[n].msg);
	}
	lle_dl_for_each(n, out.declared)
		at += snprintf(text + at, TEXT - at, "%s%u dead",
			       at ? "; " : "", n);
	out.num = 0;
}

static bool follow(const struct dcfit_vector *v)
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
