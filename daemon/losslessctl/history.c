// SPDX-License-Identifier: GPL-2.0
/* losslessctl history */
#include <stdlib.h>
#include <string.h>

#include "ctl.h"

struct ctl_pauses {
	uint8_t prios;	/* bit p: priority p */
	uint64_t now_ns;	/* after the read */
	struct lle_nl_history *all;
	int num;
};

static void ctl_history_text(const struct lle_nl_history *h, uint64_t now_ns)
{
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

struct json_object *ctl_history_json(const struct lle_nl_history *h, uint64_t now_ns)
{
	struct json_object *o = ctl_object(), *array = ctl_array(), *episode;

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

static void ctl_history_print(const struct ctl *c, const struct ctl_pauses *p)
{
	struct json_object *array = c->json ? ctl_array() : NULL;
	unsigned int shown = 0;

	if (!c->json)
		printf("%-16s%-5s%-4s%10s %12s %12s\n", "PORT", "PRIO", "DIR",
		       "PAUSES", "TOTAL", "LONGEST");
	for (int i = 0; i < p->num; i++) {
		if (!(p->prios >> p->all[i].prio & 1))
			continue;
		shown++;
		if (c->json)
			ctl_put(array, NULL,
				ctl_history_json(&p->all[i], p->now_ns));
		else
			ctl_history_text(&p->all[i], p->now_ns);
	}
	if (c->json)
		ctl_print_json(c, array);
	ctl_empty(c, shown, "no pauses so far");
}

enum ctl_exit ctl_history(struct ctl *c, int argc, char **argv)
{
	struct ctl_pauses p = { .prios = 0xff };
	unsigned int ifindex = 0;
	enum ctl_exit ret;

	if (ctl_option(c, argc, argv, "", NULL))
		return CTL_USAGE;
	ret = ctl_dev_prio(c, argc, argv, &ifindex, &p.prios);
	if (ret)
		return ret;
	p.num = lle_nl_get_histories(c->nl, ifindex, &p.all);
	if (p.num < 0)
		return ctl_refused(c);
	/* after the answer, so that no time in it is in the future */
	p.now_ns = ctl_now_ns();
	ctl_history_print(c, &p);
	free(p.all);
	return CTL_OK;
}
