// SPDX-License-Identifier: GPL-2.0
/* losslessctl history */
#include "ctl.h"

static bool ctl_history_wanted(const void *item, const void *arg)
{
	const struct lle_nl_history *h = item;
	const struct ctl_pauses *p = arg;

	return p->prios >> h->prio & 1;
}

static void ctl_history_text(const void *item, const void *arg)
{
	uint64_t now_ns = ((const struct ctl_pauses *)arg)->now_ns;
	const struct lle_nl_history *h = item;
	char total[CTL_TEXT], longest[CTL_TEXT], text[CTL_TEXT];

	printf("%-16s%-5u%-4s%10" PRIu64 " %12s %12s",
	       lle_nl_dev_text(text, h->who.ifname), h->prio,
	       ctl_direction_name(h->direction), h->count,
	       lle_nl_time_text(total, h->total_ns),
	       lle_nl_time_text(longest, h->longest_ns));
	if (h->since_ns)
		printf("  paused for %s",
		       lle_nl_time_text(text, now_ns - h->since_ns));
	printf("\n");
	for (unsigned int i = 0; i < h->num_episodes; i++) {
		printf("    %s ago,",
		       lle_nl_time_text(text, now_ns - h->episodes[i].start_ns));
		printf(" for %s\n", lle_nl_time_text(text, h->episodes[i].ns));
	}
}

static struct json_object *ctl_history_json(const void *item, const void *arg)
{
	struct json_object *o = ctl_object(), *array = ctl_array(), *episode;
	uint64_t now_ns = ((const struct ctl_pauses *)arg)->now_ns;
	const struct lle_nl_history *h = item;

	ctl_put_who(o, &h->who);
	ctl_put_u64(o, "prio", h->prio);
	ctl_put_text(o, "direction", ctl_direction_name(h->direction));
	ctl_put_u64(o, "now_ns", now_ns);
	ctl_put_bool(o, "paused", h->since_ns);
	if (h->since_ns)
		ctl_put_u64(o, "since_ns", h->since_ns);
	ctl_put_u64(o, "count", h->count);
	ctl_put_u64(o, "total_ns", h->total_ns);
	ctl_put_u64(o, "longest_ns", h->longest_ns);
	for (unsigned int i = 0; i < h->num_episodes; i++) {
		episode = ctl_object();
		ctl_put_u64(episode, "start_ns", h->episodes[i].start_ns);
		ctl_put_u64(episode, "duration_ns", h->episodes[i].ns);
		ctl_put(array, NULL, episode);
	}
	ctl_put(o, "episodes", array);
	return o;
}

const struct ctl_rows ctl_history_rows = {
	sizeof(struct lle_nl_history),
	"PORT            PRIO DIR     PAUSES        TOTAL      LONGEST",
	ctl_history_wanted, ctl_history_text, ctl_history_json
};

enum ctl_exit ctl_history(struct ctl *c, int argc, char **argv)
{
	struct ctl_pauses p = { .prios = 0xff };
	struct lle_nl_history *all;
	unsigned int ifindex = 0;
	enum ctl_exit ret;
	int num;

	if (ctl_option(c, argc, argv, "", NULL))
		return CTL_USAGE;
	ret = ctl_dev_prio(c, argc, argv, &ifindex, &p.prios);
	if (ret)
		return ret;
	num = lle_nl_get_histories(c->nl, ifindex, &all);
	/* after the answer, so that no time in it is in the future */
	p.now_ns = ctl_now_ns();
	return ctl_show(c, &ctl_history_rows, all, num, &p, "no pauses so far");
}
