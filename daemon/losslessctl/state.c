// SPDX-License-Identifier: GPL-2.0
/* losslessctl state: ports, pauses and queues in one document, for programs. */
#include <stdlib.h>

#include "ctl.h"

/* Frees @items. Return: @num, negative: the client could not get them */
static int put_list(struct json_object *to, const char *key, const struct ctl_rows *rows,
		    void *items, int num, const void *arg)
{
	ctl_put(to, key, ctl_list(rows, items, num, arg));
	free(items);
	return num;
}

static int put_switches(struct ctl *c, struct json_object *to)
{
	struct lle_nl_switch *all = NULL;
	int num = lle_nl_get_switches(c->nl, &all);

	return put_list(to, "switches", &ctl_switch_rows, all, num, NULL);
}

/* The kernel leaves out priorities with nothing but zeros. */
static int put_ports(struct ctl *c, struct json_object *to)
{
	struct json_object *ports = ctl_array(), *prios = ctl_array();
	struct lle_nl_port *all = NULL;
	int num = lle_nl_get_ports(c->nl, &all);

	for (int i = 0; i < num; i++) {
		ctl_put(ports, NULL, ctl_port_json(&all[i]));
		for (unsigned int p = 0; p < LLE_NUM_PRIO; p++)
			if (all[i].stats_prios >> p & 1)
				ctl_put(prios, NULL, ctl_prio_json(&all[i], &all[i].stats[p]));
	}
	ctl_put(to, "ports", ports);
	ctl_put(to, "prios", prios);
	free(all);
	return num;
}

static int put_histories(struct ctl *c, struct json_object *to)
{
	struct lle_nl_history *all = NULL;
	int num = lle_nl_get_histories(c->nl, 0, &all);
	const struct ctl_pauses p = { .prios = 0xff, .now_ns = ctl_now_ns() };

	return put_list(to, "histories", &ctl_history_rows, all, num, &p);
}

static int put_watchdogs(struct ctl *c, struct json_object *to)
{
	struct lle_nl_watchdog *all = NULL;
	int num = lle_nl_get_watchdogs(c->nl, &all);
	const bool any = true;

	return put_list(to, "watchdogs", &watchdog_counters, all, num, &any);
}

static struct json_object *queue_json(const void *item, const void *arg)
{
	struct json_object *o = ctl_object(), *array = ctl_array(), *from;
	const struct lle_nl_queue *q = item;

	(void)arg;
	ctl_put_who(o, &q->who);
	ctl_put_u64(o, "prio", q->prio);
	ctl_put_u64(o, "backlog_bytes", q->backlog_bytes);
	for (unsigned int i = 0; i < q->num_waiting; i++) {
		from = ctl_object();
		ctl_put_u64(from, "ifindex", q->waiting[i].ifindex);
		ctl_put_u64(from, "packets", q->waiting[i].packets);
		ctl_put_u64(from, "bytes", q->waiting[i].bytes);
		ctl_put(array, NULL, from);
	}
	ctl_put(o, "waiting", array);
	return o;
}

static const struct ctl_rows queue_rows = { sizeof(struct lle_nl_queue), .json = queue_json };

static int put_queues(struct ctl *c, struct json_object *to)
{
	struct lle_nl_queue *all = NULL;
	int num = lle_nl_get_queues(c->nl, &all);

	return put_list(to, "queues", &queue_rows, all, num, NULL);
}

enum ctl_exit ctl_state(struct ctl *c, int argc, char **argv)
{
	static const struct option names[] = {
		{ "queues", no_argument, NULL, 'q' }, {}
	};
	struct json_object *o;
	bool queues = false;
	int letter, err;

	while ((letter = ctl_option(c, argc, argv, "q", names))) {
		if (letter != 'q')
			return CTL_USAGE;
		queues = true;
	}
	if (argc > optind)
		return ctl_wrong(c, "state: unknown argument \"%s\"", argv[optind]);
	if (!ctl_open(c))
		return CTL_FAIL;

	o = ctl_object();
	err = put_switches(c, o);
	if (err >= 0)
		err = put_ports(c, o);
	/* in between: counters are a little older, pauses newer */
	ctl_put_u64(o, "time_ns", ctl_now_ns());
	if (err >= 0)
		err = put_histories(c, o);
	if (err >= 0)
		err = put_watchdogs(c, o);
	if (err >= 0 && queues)
		err = put_queues(c, o);
	if (err < 0) {
		json_object_put(o);
		return ctl_refused(c);
	}
	ctl_print_json(c, o);
	return CTL_OK;
}
