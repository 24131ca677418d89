// SPDX-License-Identifier: GPL-2.0
/* Read the state: one object, or all. */
#include <errno.h>

#include "decode.h"
#include "request.h"

struct lle_nl_kind {
	uint8_t cmd;
	size_t size;
	const char *name;
	int (*decode)(struct nlmsghdr *nlh, void *result);
	int (*compare)(const void *a, const void *b);
};

struct lle_nl_all {
	const struct lle_nl_kind *kind;
	struct lle_nl_list list;
};

static int lle_nl_add(struct nlmsghdr *nlh, void *arg)
{
	struct lle_nl_all *all = arg;
	void *item = lle_nl_list_add(&all->list);

	if (!item)
		return -ENOMEM;
	return all->kind->decode(nlh, item) ? -EBADMSG : 0;
}

_Static_assert((int)LOSSLESS_A_CONGESTION_IFINDEX == LOSSLESS_A_HISTORY_IFINDEX,
	       "lle_nl_dump() puts one of them");

/* @ifindex: only objects of this port; 0: of all ports */
static int lle_nl_dump(struct lle_nl *nl, const struct lle_nl_kind *kind,
		       unsigned int ifindex, void *result)
{
	struct lle_nl_all all = {
		.kind = kind, .list = { .size = kind->size, .compare = kind->compare },
	};
	struct nl_msg *msg;
	int err = -EINTR, i;

	for (i = 0; i < LLE_NL_DUMPS && err == -EINTR; i++) {
		all.list.num = 0;
		if (ifindex)
			lle_nl_about_port(nl, ifindex);
		else
			lle_nl_about(nl, "%s", kind->name);
		msg = lle_nl_request(nl, kind->cmd, NLM_F_DUMP);
		if (ifindex)
			msg = lle_nl_fit(msg, msg && !nla_put_u32(msg, LOSSLESS_A_HISTORY_IFINDEX,
								  ifindex));
		err = lle_nl_talk(nl, msg, lle_nl_add, &all);
	}
	return lle_nl_list_end(&all.list, err, result);
}

#define KIND(CMD, object, many, order)	{ LOSSLESS_CMD_##CMD##_GET, \
	sizeof(struct lle_nl_##object), many, lle_nl_decode_##object, lle_nl_compare_##order }

static const struct lle_nl_kind
	lle_nl_switches = KIND(SWITCH, switch, "switches", numbers),
	lle_nl_ports = KIND(PORT, port, "ports", ports),
	lle_nl_histories = KIND(HISTORY, history, "histories", histories),
	lle_nl_watchdogs = KIND(WATCHDOG, watchdog, "watchdogs", prios),
	lle_nl_queues = KIND(QUEUE, queue, "queues", prios),
	lle_nl_congestions = KIND(CONGESTION, congestion, "congestion", prios),
	lle_nl_paths = KIND(PATH, path, "groups of ports", numbers),
	lle_nl_deadlocks = KIND(DEADLOCK, deadlock, "deadlocks", deadlocks);

/* Sorted by number */
int lle_nl_get_switches(struct lle_nl *nl, struct lle_nl_switch **result)
{
	return lle_nl_dump(nl, &lle_nl_switches, 0, result);
}

/* With counters; sorted by switch and ifindex */
int lle_nl_get_ports(struct lle_nl *nl, struct lle_nl_port **result)
{
	return lle_nl_dump(nl, &lle_nl_ports, 0, result);
}

/*
 * Past pauses of priorities that have any; sorted by switch, ifindex, priority and
 * direction. @ifindex: 0: of all ports
 */
int lle_nl_get_histories(struct lle_nl *nl, unsigned int ifindex,
			 struct lle_nl_history **result)
{
	return lle_nl_dump(nl, &lle_nl_histories, ifindex, result);
}

/* Those that are on or have detected a storm; sorted by switch, ifindex and priority */
int lle_nl_get_watchdogs(struct lle_nl *nl, struct lle_nl_watchdog **result)
{
	return lle_nl_dump(nl, &lle_nl_watchdogs, 0, result);
}

/* Those that are not empty; sorted by switch, ifindex and priority */
int lle_nl_get_queues(struct lle_nl *nl, struct lle_nl_queue **result)
{
	return lle_nl_dump(nl, &lle_nl_queues, 0, result);
}

/* RCM of priorities that have it; sorted by switch, ifindex and priority. @ifindex: 0: all */
int lle_nl_get_congestions(struct lle_nl *nl, unsigned int ifindex,
			   struct lle_nl_congestion **result)
{
	return lle_nl_dump(nl, &lle_nl_congestions, ifindex, result);
}

/* All that the switches remember, newest first */
int lle_nl_get_deadlocks(struct lle_nl *nl, struct lle_nl_deadlock **result)
{
	return lle_nl_dump(nl, &lle_nl_deadlocks, 0, result);
}

/* Sorted by number */
int lle_nl_get_paths(struct lle_nl *nl, struct lle_nl_path **result)
{
	return lle_nl_dump(nl, &lle_nl_paths, 0, result);
}

static int lle_nl_get(struct lle_nl *nl, const struct lle_nl_kind *kind,
		      int attr, uint32_t value, void *result)
{
	struct nl_msg *msg = lle_nl_request(nl, kind->cmd, 0);

	msg = lle_nl_fit(msg, msg && !nla_put_u32(msg, attr, value));
	return lle_nl_talk(nl, msg, kind->decode, result);
}

int lle_nl_get_switch(struct lle_nl *nl, uint32_t id,
		      struct lle_nl_switch *result)
{
	lle_nl_about(nl, "switch %u", id);
	return lle_nl_get(nl, &lle_nl_switches, LOSSLESS_A_SWITCH_ID, id, result);
}

/* With counters */
int lle_nl_get_port(struct lle_nl *nl, unsigned int ifindex,
		    struct lle_nl_port *result)
{
	lle_nl_about_port(nl, ifindex);
	return lle_nl_get(nl, &lle_nl_ports, LOSSLESS_A_PORT_IFINDEX, ifindex, result);
}
