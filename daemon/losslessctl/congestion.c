// SPDX-License-Identifier: GPL-2.0
/* losslessctl congestion: state of regional congestion mitigation (RCM). */
#include "ctl.h"

struct ctl_congested {
	bool all;	/* also ports without congestion */
	uint8_t prios;	/* bit p: priority p */
};

/* Has a role, isolates a flow, or asks the upstream neighbour to hold one */
static bool ctl_is_congested(const struct lle_nl_congestion *n)
{
	const struct lle_congestion *i = &n->info;

	return i->role != LOSSLESS_CRD_ROLE_NONE || i->ids || i->tells || i->tells_class;
}

static bool ctl_congestion_wanted(const void *item, const void *arg)
{
	const struct lle_nl_congestion *n = item;
	const struct ctl_congested *want = arg;

	return want->prios >> n->prio & 1 && (want->all || ctl_is_congested(n));
}

/* Why an ID is isolated; "lingering": the reason ended a moment ago. */
static const char *ctl_congested_by(const struct lle_congested *id)
{
	if (id->local)
		return id->remote ? "both" : "local";
	return id->remote ? "remote" : "lingering";
}

static void ctl_congestion_text(const void *item, const void *arg)
{
	const struct lle_nl_congestion *n = item;
	const struct lle_congestion *i = &n->info;
	char name[CTL_TEXT], window[CTL_TEXT] = "-";

	(void)arg;
	if (i->window)
		snprintf(window, sizeof(window), "%u/%u", i->wc_bytes, i->w_bytes);
	printf("%-16s%-5u%-8s%3u %10u %17s %10u %5u %5u%c %5u%s\n",
	       lle_nl_dev_text(name, n->who.ifname), n->prio,
	       lle_nl_crd_role_name(i->role), i->fb, i->virtual_bytes, window,
	       i->isolated_bytes, i->ids, i->held, i->class_held ? '*' : ' ',
	       i->tells, i->tells_class ? "*" : "");
	for (unsigned int k = 0; k < n->num_ids; k++) {
		const struct lle_congested *id = &n->ids[k];

		printf("    %08x: %u bytes, %s%s", id->name, id->bytes,
		       ctl_congested_by(id), id->held ? ", held" : "");
		if (id->asked)
			printf(", %u neighbour%s asked", id->asked,
			       id->asked > 1 ? "s" : "");
		printf("\n");
	}
	if (i->ids > n->num_ids)
		printf("    and %u more\n", i->ids - n->num_ids);
}

static struct json_object *ctl_congested_json(const struct lle_congested *id)
{
	struct json_object *o = ctl_object();

	ctl_put_u64(o, "id", id->name);
	ctl_put_u64(o, "bytes", id->bytes);
	ctl_put_bool(o, "local", id->local);
	ctl_put_bool(o, "remote", id->remote);
	ctl_put_bool(o, "held", id->held);
	ctl_put_u64(o, "asked", id->asked);
	return o;
}

static struct json_object *ctl_congestion_json(const void *item, const void *arg)
{
	struct json_object *o = ctl_object(), *array = ctl_array();
	const struct lle_nl_congestion *n = item;
	const struct lle_congestion *i = &n->info;

	(void)arg;
	ctl_put_who(o, &n->who);
	ctl_put_u64(o, "prio", n->prio);
	ctl_put_text(o, "role", lle_nl_crd_role_name(i->role));
	ctl_put_u64(o, "fb", i->fb);
	ctl_put_u64(o, "fbr", i->fbr);
	ctl_put_u64(o, "virtual_bytes", i->virtual_bytes);
	if (i->window) {
		ctl_put_u64(o, "w_bytes", i->w_bytes);
		ctl_put_u64(o, "wc_bytes", i->wc_bytes);
	}
	ctl_put_u64(o, "isolated_bytes", i->isolated_bytes);
	ctl_put_u64(o, "ids", i->ids);
	ctl_put_u64(o, "held", i->held);
	ctl_put_bool(o, "class_held", i->class_held);
	ctl_put_u64(o, "tells", i->tells);
	ctl_put_bool(o, "tells_class", i->tells_class);
	ctl_put_u64(o, "in_bytes", i->in_bytes);
	ctl_put_u64(o, "room_bytes", i->room_bytes);
	ctl_put_u64(o, "qeq_bytes", i->qeq_bytes);
	ctl_put_u64(o, "identified", i->identified);
	ctl_put_u64(o, "regions", i->regions);
	ctl_put_u64(o, "root_ns", i->root_ns);
	ctl_put_u64(o, "cn_sent", i->cn_sent);
	ctl_put_u64(o, "cn_received", i->cn_received);
	ctl_put_u64(o, "cn_ignored", i->cn_ignored);
	for (unsigned int k = 0; k < n->num_ids; k++)
		ctl_put(array, NULL, ctl_congested_json(&n->ids[k]));
	ctl_put(o, "isolated", array);
	return o;
}

static const struct ctl_rows ctl_congestion_rows = {
	sizeof(struct lle_nl_congestion),
	"PORT            PRIO ROLE     FB      QUEUE            WINDOW   ISOLATED   IDS  HELD  TELLS",
	ctl_congestion_wanted, ctl_congestion_text, ctl_congestion_json
};

enum ctl_exit ctl_congestion_show(struct ctl *c, int argc, char **argv)
{
	static const struct option names[] = {
		{ "all", no_argument, NULL, 'a' }, {}
	};
	struct ctl_congested want = { .prios = 0xff };
	struct lle_nl_congestion *all;
	unsigned int ifindex = 0;
	enum ctl_exit ret;
	int letter, num;

	while ((letter = ctl_option(c, argc, argv, "a", names))) {
		if (letter != 'a')
			return CTL_USAGE;
		want.all = true;
	}
	ret = ctl_dev_prio(c, argc, argv, &ifindex, &want.prios);
	if (ret)
		return ret;
	num = lle_nl_get_congestions(c->nl, ifindex, &all);
	return ctl_show(c, &ctl_congestion_rows, all, num, &want,
			num ? "no port is in a region of congestion; -a shows all" :
			      "no priority of a port has RCM: rcm of tc-lossless(8) turns it on");
}
