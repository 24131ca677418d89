// SPDX-License-Identifier: GPL-2.0
/*
 * losslessctl save: the settings of all ports and switches of the network
 * namespace, as commands that set them. Sizes, rates and times are exact.
 */
#include <stdlib.h>

#include "ctl.h"
#include "save.h"

/* dcb sets them: they are not options of the qdisc. */
static enum ctl_exit ctl_save_ethertypes(struct ctl *c, FILE *to, const char *dev)
{
	struct lle_nl_ethertype *types;
	int num, i;

	num = lle_nl_get_ethertypes(c->nl, dev, &types);
	if (num < 0)
		return ctl_refused(c);
	if (num)
		fprintf(to, "dcb app replace dev %s ethtype-prio", dev);
	for (i = 0; i < num; i++)
		fprintf(to, " %#x:%u", types[i].type, types[i].prio);
	if (num)
		fprintf(to, "\n");
	free(types);
	return CTL_OK;
}

/* The options of a lossless qdisc include those of the switch. */
static enum ctl_exit ctl_save_qdiscs(struct ctl *c, FILE *to)
{
	enum ctl_exit ret = CTL_OK;
	struct lle_nl_qdisc *qdiscs;
	char name[IF_NAMESIZE];
	int num, i;

	num = lle_nl_get_qdiscs(c->nl, &qdiscs);
	if (num < 0)
		return ctl_refused(c);
	for (i = 0; i < num && !ret; i++) {
		/* a device that has just been removed */
		if (!if_indextoname(qdiscs[i].ifindex, name))
			continue;
		fprintf(to, "tc qdisc replace dev %s root handle %x: lossless", name,
			qdiscs[i].handle >> 16);
		if (lossless_write_opt(to, qdiscs[i].options))
			ret = ctl_fail("%s: the module has options that this version of losslessctl does not know: install the tools of the module's version",
				       name);
		fprintf(to, "\n");
		if (!ret)
			ret = ctl_save_ethertypes(c, to, name);
	}
	lle_nl_free_qdiscs(qdiscs, num);
	return ret;
}

static bool ctl_save_same(const struct lle_nl_watchdog *a, const struct lle_nl_watchdog *b)
{
	return a->who.ifindex == b->who.ifindex && a->action == b->action &&
	       a->detection_ms == b->detection_ms && a->restoration_ms == b->restoration_ms;
}

/* Sorted by port. One command sets all priorities with the same settings. */
static enum ctl_exit ctl_save_watchdogs(struct ctl *c, FILE *to)
{
	struct lle_nl_watchdog *w;
	const char *comma;
	int num, i, j;

	num = lle_nl_get_watchdogs(c->nl, &w);
	if (num < 0)
		return ctl_refused(c);
	for (i = 0; i < num; i++) {
		if (!w[i].detection_ms)
			continue;
		fprintf(to, "losslessctl watchdog start -a %s -r %u %s %u prio",
			lle_nl_action_name(w[i].action), w[i].restoration_ms,
			w[i].who.ifname, w[i].detection_ms);
		comma = " ";
		for (j = num - 1; j > i; j--) {
			if (!ctl_save_same(&w[i], &w[j]))
				continue;
			fprintf(to, "%s%u", comma, w[j].prio);
			comma = ",";
			w[j].detection_ms = 0;
		}
		fprintf(to, "%s%u\n", comma, w[i].prio);
	}
	free(w);
	return CTL_OK;
}

static enum ctl_exit ctl_save_paths(struct ctl *c, FILE *to)
{
	struct lle_nl_path *paths;
	char name[IF_NAMESIZE];
	unsigned int j;
	int num, i;

	num = lle_nl_get_paths(c->nl, &paths);
	if (num < 0)
		return ctl_refused(c);
	for (i = 0; i < num; i++) {
		fprintf(to, "losslessctl path set %s-g %u %u", paths[i].adaptive ? "-a " : "",
			paths[i].gap_us, paths[i].group);
		for (j = 0; j < paths[i].ports; j++)
			if (if_indextoname(paths[i].ifindex[j], name))
				fprintf(to, " %s", name);
		fprintf(to, "\n");
	}
	free(paths);
	return CTL_OK;
}

static enum ctl_exit ctl_save_switches(struct ctl *c, FILE *to)
{
	struct lle_nl_switch *switches;
	int num, i;

	num = lle_nl_get_switches(c->nl, &switches);
	if (num < 0)
		return ctl_refused(c);
	for (i = 0; i < num; i++)
		if (switches[i].discard)
			fprintf(to, "losslessctl switch discard %u on\n", switches[i].id);
	free(switches);
	return CTL_OK;
}

/* @c: open, in the network namespace to save */
enum ctl_exit ctl_save_all(struct ctl *c, FILE *to)
{
	enum ctl_exit ret;

	ret = ctl_save_qdiscs(c, to);
	if (!ret)
		ret = ctl_save_paths(c, to);
	if (!ret)
		ret = ctl_save_watchdogs(c, to);
	if (!ret)
		ret = ctl_save_switches(c, to);
	return ret;
}

enum ctl_exit ctl_save(struct ctl *c, int argc, char **argv)
{
	enum ctl_exit ret = ctl_words(c, argc, argv, "save", 0);

	if (ret)
		return ret;
	if (!ctl_open(c))
		return CTL_FAIL;
	printf("# losslessctl " LLE_VERSION " save\n");
	return ctl_save_all(c, stdout);
}
