// SPDX-License-Identifier: GPL-2.0
/* losslessctl watchdog show */
#include <stdlib.h>
#include <string.h>

#include "ctl.h"

static bool watchdog_is_on(const void *item, const void *arg)
{
	(void)arg;
	return ((const struct lle_nl_watchdog *)item)->detection_ms;
}

/* @arg: bool: also those that are all 0 */
static bool watchdog_not_zero(const void *item, const void *arg)
{
	const struct lle_nl_watchdog *w = item;
	const struct lle_watchdog_stats *s = &w->stats;

	return *(const bool *)arg || w->stormed || s->detected || s->tx_packets ||
	       s->tx_dropped || s->rx_packets || s->rx_dropped;
}

static void watchdog_settings_text(const void *item, const void *arg)
{
	char detection[CTL_TEXT], restoration[CTL_TEXT] = "never";
	const struct lle_nl_watchdog *w = item;
	char name[CTL_TEXT];

	(void)arg;
	snprintf(detection, sizeof(detection), "%u ms", w->detection_ms);
	if (w->restoration_ms)
		snprintf(restoration, sizeof(restoration), "%u ms",
			 w->restoration_ms);
	printf("%-16s%-6u%-9s%-16s%s\n",
	       lle_nl_dev_text(name, w->who.ifname), w->prio,
	       lle_nl_action_name(w->action), detection, restoration);
}

static struct json_object *watchdog_settings_json(const void *item, const void *arg)
{
	const struct lle_nl_watchdog *w = item;
	struct json_object *o = ctl_object();

	(void)arg;
	ctl_put_who(o, &w->who);
	ctl_put_u64(o, "prio", w->prio);
	ctl_put_text(o, "action", lle_nl_action_name(w->action));
	ctl_put_u64(o, "detection_ms", w->detection_ms);
	ctl_put_u64(o, "restoration_ms", w->restoration_ms);
	return o;
}

static void watchdog_pair(__u64 a, __u64 b, int width)
{
	width -= printf("%llu/%llu", a, b);
	printf("%*s", width > 0 ? width : 1, "");
}

static void watchdog_counters_text(const void *item, const void *arg)
{
	const struct lle_nl_watchdog *w = item;
	const struct lle_watchdog_stats *s = &w->stats;
	char name[CTL_TEXT], queue[CTL_TEXT + 4];

	(void)arg;
	snprintf(queue, sizeof(queue), "%s:%u",
		 lle_nl_dev_text(name, w->who.ifname), w->prio);
	printf("%-20s%-13s", queue, w->stormed ? "stormed" : "operational");
	watchdog_pair(s->detected, s->restored, 25);
	watchdog_pair(s->tx_packets, s->tx_dropped, 16);
	watchdog_pair(s->rx_packets, s->rx_dropped, 16);
	watchdog_pair(s->last_tx_packets, s->last_tx_dropped, 16);
	printf("%llu/%llu\n", s->last_rx_packets, s->last_rx_dropped);
}

/* With the settings */
static struct json_object *watchdog_counters_json(const void *item, const void *arg)
{
	struct json_object *o = watchdog_settings_json(item, arg);
	const struct lle_nl_watchdog *w = item;

	ctl_put_text(o, "status", w->stormed ? "stormed" : "operational");
	ctl_put_watchdog_stats(o, &w->stats);
	return o;
}

static const struct ctl_rows watchdog_settings = {
	sizeof(struct lle_nl_watchdog),
	"PORT            PRIO  ACTION   DETECTION TIME  RESTORATION TIME",
	watchdog_is_on, watchdog_settings_text, watchdog_settings_json
};

/* The columns and their names are those of SONiC's pfcwd. */
const struct ctl_rows watchdog_counters = {
	sizeof(struct lle_nl_watchdog),
	"QUEUE               STATUS       STORM DETECTED/RESTORED  TX OK/DROP      RX OK/DROP      TX LAST OK/DROP RX LAST OK/DROP",
	watchdog_not_zero, watchdog_counters_text, watchdog_counters_json
};

static enum ctl_exit
watchdog_check_storm(const struct lle_nl_watchdog *watchdogs, int num)
{
	for (int i = 0; i < num; i++)
		if (watchdogs[i].stormed)
			return CTL_FAIL;
	return CTL_OK;
}

enum ctl_exit ctl_watchdog_show(struct ctl *c, int argc, char **argv)
{
	static const struct option names[] = {
		{ "empty", no_argument, NULL, 'e' },
		{ "check-storm", no_argument, NULL, 'C' }, {}
	};
	struct lle_nl_watchdog *watchdogs = NULL;
	bool empty = false, check = false, stats;
	enum ctl_exit ret;
	int letter, num;

	while ((letter = ctl_option(c, argc, argv, "e", names))) {
		if (letter == '?')
			return CTL_USAGE;
		empty |= letter == 'e';
		check |= letter == 'C';
	}
	if (argc - optind != 1)
		return ctl_wrong(c, "watchdog show: config or stats is required");
	stats = !strcmp(argv[optind], "stats");
	if (!stats && strcmp(argv[optind], "config"))
		return ctl_wrong(c, "watchdog show: \"%s\" is neither config nor stats",
				 argv[optind]);
	if (!stats && (empty || check))
		return ctl_wrong(c, "watchdog show: these are options of stats");
	if (!ctl_open(c))
		return CTL_FAIL;
	num = lle_nl_get_watchdogs(c->nl, &watchdogs);
	if (!check || num < 0)
		return ctl_show(c, stats ? &watchdog_counters : &watchdog_settings, watchdogs, num,
				&empty, stats ? "no watchdog has detected a storm; -e shows all" :
				"no watchdog is on: \"losslessctl watchdog start\" turns watchdogs on");
	ret = watchdog_check_storm(watchdogs, num);
	free(watchdogs);
	return ret;
}
