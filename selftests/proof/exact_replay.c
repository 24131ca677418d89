// SPDX-License-Identifier: GPL-2.0
/*
 * Reads the runs of exact_trace.c, or of a verifier with -DTRACE, and takes the same
 * steps at one switch, as the unit test does: it has to send the same, and to be in
 * the same state. Prints how many runs agree.
 *
 * Exit status: 0 all agree; 1 one does not, or no run was read.
 */
#include "../unit/tap.h"
#include "../unit/exact_schedule.h"

static struct lle_dl_params from;

static bool begins(const char *line)
{
	from = (struct lle_dl_params){ .prio = 3 };
	if (sscanf(line, "+ %hu %hhu %hhu %llu %llu %llu", &from.sw, &from.ports, &from.pool,
		   &from.fabric, &from.guard_ns, &from.hop_ns) != 6)
		return false;
	begin(&from);
	return true;
}

/* Of the waits, only that of one ingress is over. */
static void wait_ends(const struct dcfit_step *s)
{
	u64 others = d->deferred & ~BIT_ULL(s->port);
	u32 now = lle_exact_time(now_ns), *defer = &d->port[s->port].defer;
	unsigned int p;

	lle_dl_for_each(p, others)
		d->port[p].defer += LONG;
	if ((s32)(*defer - now) > 0)
		*defer = now;
	exact_step(d, s, now_ns, &out);
	lle_dl_for_each(p, others)
		d->port[p].defer -= LONG;
}

static bool steps(const char *line)
{
	unsigned int v[17], n;
	struct dcfit_step s;
	int length;

	for (n = 0; n < ARRAY_SIZE(v); n++, line += length)
		if (sscanf(line, "%u%n", &v[n], &length) != 1)
			return false;
	s = (struct dcfit_step){ v[1], v[2], v[3], v[4], .msg = {
		.type = v[5], .hop_epoch = v[6], .min = { .sw = v[7], .port = v[8] },
		.hops = v[9], .waits = v[10], .id = { ID(v[11], v[12], v[13]),
						      ID(v[14], v[15], v[16]) } } };
	now_ns = (u64)v[0] * UNIT_NS;
	if (s.event == WAIT)
		wait_ends(&s);
	else
		exact_step(d, &s, now_ns, &out);
	if (s.event == PAUSE_TX)
		run();
	return true;
}

static bool emits(const char *line)
{
	unsigned int port, pause;

	if (sscanf(line, "- %u %u", &port, &pause) != 2)
		return false;
	leaves(port, pause);
	return true;
}

static bool agrees(const char *line)
{
	unsigned long long pausing, initiators, declared, deferred;
	char text[TEXT];
	int at = put_text(text, 0, "%s", said()), head = 0;

	while (lle_exact_is_due(d)) {
		const char *more;

		run();
		more = said();
		at = put_text(text, at, "%s%s", at && *more ? "; " : "", more);
	}
	sscanf(line, "= %llx %llx %llx %llx%n", &pausing, &initiators, &declared, &deferred,
	       &head);
	return head && d->pausing == pausing && d->initiators == initiators &&
	       d->declared == declared && d->deferred == deferred &&
	       !strcmp(line + head + 1, text);
}

int main(void)
{
	unsigned int runs = 0, wrong = 0;
	static char line[2 * TEXT];
	bool is_right = true;

	while (fgets(line, sizeof(line), stdin)) {
		line[strcspn(line, "\n")] = 0;
		if (begins(line)) {
			runs++;
			is_right = true;
		} else if (is_right && d && line[0] == '=' && !agrees(line)) {
			is_right = false;
			wrong++;
		} else if (is_right && d && !emits(line)) {
			steps(line);
		}
	}
	printf("%u of %u agree\n", runs - wrong, runs);
	return wrong || !runs;
}
