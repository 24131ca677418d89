// SPDX-License-Identifier: GPL-2.0
/* losslessctl path: path groups. */
#include "ctl.h"

static void ctl_path_text(const void *item, const void *arg)
{
	char name[IF_NAMESIZE], text[CTL_TEXT];
	const struct lle_nl_path *p = item;

	(void)arg;
	printf("%-7u %-7u %-9s %-9u %-9" PRIu64 " %-9" PRIu64 " ", p->group, p->sw,
	       p->adaptive ? "yes" : "no", p->gap_us, (uint64_t)p->stats.moved,
	       (uint64_t)p->stats.saved);
	for (unsigned int i = 0; i < p->ports; i++)
		printf("%s%s", i ? " " : "",
		       if_indextoname(p->ifindex[i], name) ?
			       lle_nl_dev_text(text, name) : "?");
	printf("\n");
}

static struct json_object *ctl_path_json(const void *item, const void *arg)
{
	struct json_object *o = ctl_object(), *array = ctl_array();
	const struct lle_nl_path *p = item;
	char name[IF_NAMESIZE];

	(void)arg;
	ctl_put_u64(o, "group", p->group);
	ctl_put_u64(o, "switch", p->sw);
	ctl_put_bool(o, "adaptive", p->adaptive);
	ctl_put_u64(o, "gap_us", p->gap_us);
	ctl_put_u64(o, "moved", p->stats.moved);
	ctl_put_u64(o, "saved", p->stats.saved);
	for (unsigned int i = 0; i < p->ports; i++)
		ctl_put_text(array, NULL, if_indextoname(p->ifindex[i], name) ?
						  name : "");
	ctl_put(o, "ports", array);
	return o;
}

static const struct ctl_rows ctl_path_rows = {
	sizeof(struct lle_nl_path),
	"GROUP   SWITCH  ADAPTIVE  GAP_US    MOVED     SAVED     PORTS",
	NULL, ctl_path_text, ctl_path_json
};

enum ctl_exit ctl_path_show(struct ctl *c, int argc, char **argv)
{
	enum ctl_exit ret = ctl_words(c, argc, argv, "path show", 0);
	struct lle_nl_path *paths;
	int num;

	if (ret)
		return ret;
	if (!ctl_open(c))
		return CTL_FAIL;
	num = lle_nl_get_paths(c->nl, &paths);
	return ctl_show(c, &ctl_path_rows, paths, num, NULL,
			"no path groups: \"losslessctl path set\" makes one");
}

/* GROUP DEV DEV... */
static enum ctl_exit ctl_path_words(struct ctl *c, int num, char **word,
				    struct lle_nl_path *path)
{
	enum ctl_exit ret = CTL_OK;

	if (num < 3)
		return ctl_wrong(c, "path set: GROUP and two devices at least are wanted");
	if (num > 1 + LOSSLESS_PATHS_MAX)
		return ctl_wrong(c, "path set: a group has %u devices at most",
				 LOSSLESS_PATHS_MAX);
	if (ctl_number(c, "GROUP", word[0], 0, UINT32_MAX, &path->group))
		return CTL_USAGE;
	for (int i = 1; i < num && !ret; i++)
		ret = ctl_ifindex(c, word[i], &path->ifindex[path->ports++]);
	return ret;
}

enum ctl_exit ctl_path_set(struct ctl *c, int argc, char **argv)
{
	static const struct option names[] = {
		{ "adaptive", no_argument, NULL, 'a' },
		{ "gap", required_argument, NULL, 'g' }, {}
	};
	struct lle_nl_path path = {};
	enum ctl_exit ret;
	int letter;

	while ((letter = ctl_option(c, argc, argv, "ag:", names))) {
		if (letter == 'a')
			path.adaptive = true;
		else if (letter != 'g' ||
			 ctl_number(c, "gap", optarg, 1, 60000000, &path.gap_us))
			return CTL_USAGE;
	}
	ret = ctl_path_words(c, argc - optind, argv + optind, &path);
	if (ret)
		return ret;
	if (!ctl_open(c))
		return CTL_FAIL;
	return lle_nl_set_path(c->nl, &path) ? ctl_refused(c) : CTL_OK;
}

enum ctl_exit ctl_path_del(struct ctl *c, int argc, char **argv)
{
	uint32_t group;

	if (ctl_option(c, argc, argv, "", NULL))
		return CTL_USAGE;
	if (argc - optind != 1)
		return ctl_wrong(c, "path del: GROUP is required");
	if (ctl_number(c, "GROUP", argv[optind], 0, UINT32_MAX, &group))
		return CTL_USAGE;
	if (!ctl_open(c))
		return CTL_FAIL;
	return lle_nl_del_path(c->nl, group) ? ctl_refused(c) : CTL_OK;
}
