// SPDX-License-Identifier: GPL-2.0
/* losslessctl deadlock */
#include <stdlib.h>
#include <string.h>

#include "ctl.h"

struct ctl_deadlocks {
	uint64_t now_ns;	/* after the read */
	struct lle_nl_deadlock *all;	/* newest first */
	int num;
	/* of @all by all switches, newest first */
	struct lle_nl_deadlock *reports;
	int num_reports;
	struct lle_nl_ports ports;	/* of this network namespace */
	bool last;	/* show only the last one of each switch and priority */
};

static const char *const ctl_holds[] = {
	[LLE_NL_UNKNOWN] = "whether it holds is not known here",
	[LLE_NL_OVER] = "it is over",
	[LLE_NL_HOLDS] = "it holds",
};

static enum ctl_exit ctl_deadlock_ask(struct ctl *c, struct ctl_deadlocks *x)
{
	if (!ctl_open(c))
		return CTL_FAIL;
	x->num = lle_nl_get_deadlocks(c->nl, &x->all);
	if (x->num < 0)
		return ctl_refused(c);
	x->ports.num = lle_nl_get_ports(c->nl, &x->ports.all);
	if (x->ports.num < 0)
		return ctl_refused(c);
	/* after the answers, so that no time in them is in the future */
	x->now_ns = ctl_now_ns();
	x->num_reports = x->num;
	x->reports = calloc(x->num + 1, sizeof(*x->reports));
	if (!x->reports)
		return ctl_fail("out of memory");
	memcpy(x->reports, x->all, x->num * sizeof(*x->reports));
	x->num = lle_nl_deadlock_unite(x->all, x->num);
	return CTL_OK;
}

static bool ctl_deadlock_wanted(const void *item, const void *arg)
{
	const struct ctl_deadlocks *x = arg;

	return !x->last ||
	       lle_nl_deadlock_is_last(x->all, (const struct lle_nl_deadlock *)item - x->all);
}

static void ctl_deadlock_text(const void *item, const void *arg)
{
	const struct lle_nl_deadlock *d = item;
	const struct ctl_deadlocks *x = arg;
	char text[CTL_TEXT];

	lle_nl_deadlock_print(stdout, d, &x->ports);
	printf(", %s ago", lle_nl_time_text(text, x->now_ns -
						  d->info.declared_ns));
	if (x->last)
		printf("; %s", ctl_holds[lle_nl_deadlock_holds(d, &x->ports)]);
	printf("\n");
}

static struct json_object *ctl_deadlock_json(const void *item, const void *arg)
{
	const struct lle_nl_deadlock *d = item;
	const struct ctl_deadlocks *x = arg;
	enum lle_nl_holds holds = lle_nl_deadlock_holds(d, &x->ports);
	struct json_object *o = ctl_object(), *ids = ctl_array();
	char id[CTL_TEXT];

	ctl_put_deadlock(o, d, &x->ports);
	for (int i = 0; i < x->num_reports; i++)
		if (lle_nl_deadlock_same(d, &x->reports[i]))
			ctl_put_text(ids, NULL, lle_nl_deadlock_id(id, &x->reports[i]));
	ctl_put(o, "reports", ids);
	ctl_put_u64(o, "duplicates", d->duplicates);
	ctl_put_u64(o, "now_ns", x->now_ns);
	if (x->last && holds != LLE_NL_UNKNOWN)
		ctl_put_bool(o, "holds", holds == LLE_NL_HOLDS);
	return o;
}

static const struct ctl_rows ctl_deadlock_rows = {
	sizeof(struct lle_nl_deadlock), NULL, ctl_deadlock_wanted, ctl_deadlock_text,
	ctl_deadlock_json
};

static enum ctl_exit ctl_deadlock_list(struct ctl *c, int argc, char **argv, bool last)
{
	enum ctl_exit ret = ctl_words(c, argc, argv, "deadlock", 0);
	struct ctl_deadlocks x = { .last = last };

	if (ret)
		return ret;
	ret = ctl_deadlock_ask(c, &x);
	if (!ret)
		ret = ctl_show(c, &ctl_deadlock_rows, x.all, x.num, &x, "no deadlock so far");
	else
		free(x.all);
	free(x.reports);
	free(x.ports.all);
	return ret;
}

enum ctl_exit ctl_deadlock_show(struct ctl *c, int argc, char **argv)
{
	return ctl_deadlock_list(c, argc, argv, true);
}

enum ctl_exit ctl_deadlock_history(struct ctl *c, int argc, char **argv)
{
	return ctl_deadlock_list(c, argc, argv, false);
}
