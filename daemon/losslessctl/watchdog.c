// SPDX-License-Identifier: GPL-2.0
/* losslessctl watchdog start, stop, clear */
#include <stdlib.h>
#include <string.h>

#include "ctl.h"

/* A change of watchdogs */
struct ctl_watchdog {
	char **words;	/* device names, or "all" */
	int num_words;
	bool fabric;	/* "all" includes ports that face switches */
	uint8_t prios;	/* bit p: priority p; 0: all lossless priorities */
	struct lle_nl_watchdog_change change;
	int done;	/* number of ports changed */
};

static bool watchdog_is_all(const struct ctl_watchdog *w)
{
	return w->num_words == 1 && !strcmp(w->words[0], "all");
}

static enum ctl_exit watchdog_set(struct ctl *c, struct ctl_watchdog *w,
				  unsigned int ifindex, uint8_t prios)
{
	w->change.ifindex = ifindex;
	w->change.prios = prios;
	if (lle_nl_set_watchdog(c->nl, &w->change))
		return ctl_refused(c);
	w->done++;
	return CTL_OK;
}

/* The watchdog requires PFC on the priority. */
static enum ctl_exit watchdog_start_port(struct ctl *c, struct ctl_watchdog *w,
					 const struct lle_nl_port *port)
{
	uint8_t prios = w->prios ? w->prios & port->pfc_en : port->pfc_en;
	uint8_t lacks = w->prios & ~port->pfc_en;
	char name[CTL_TEXT], text[CTL_TEXT], words[CTL_WORDS];

	lle_nl_dev_text(name, port->who.ifname);
	if (lacks)
		ctl_warn("%s: no PFC on priority %s: skipped; \"tc qdisc change dev %s root lossless prio-pfc%s\" turns it on",
			 name, lle_nl_prios_text(text, lacks), name,
			 ctl_prio_words(words, lacks, " %d:on"));
	else if (!prios)
		ctl_warn("%s: no priority has PFC: skipped; \"tc qdisc change dev %s root lossless prio-pfc PRIO:on\" turns it on",
			 name, name);
	return prios ? watchdog_set(c, w, port->who.ifindex, prios) : CTL_OK;
}

static enum ctl_exit watchdog_start_all(struct ctl *c, struct ctl_watchdog *w)
{
	enum ctl_exit ret = CTL_OK;
	struct lle_nl_port *ports;
	int num, i;

	num = lle_nl_get_ports(c->nl, &ports);
	if (num < 0)
		return ctl_refused(c);
	for (i = 0; i < num && !ret; i++)
		if (w->fabric || ports[i].facing == LLE_FACING_EDGE)
			ret = watchdog_start_port(c, w, &ports[i]);
	free(ports);
	return ret;
}

/* Check all names before the first change. */
static enum ctl_exit watchdog_start_named(struct ctl *c, struct ctl_watchdog *w)
{
	struct lle_nl_port *ports = calloc(w->num_words, sizeof(*ports));
	enum ctl_exit ret = CTL_OK;
	unsigned int ifindex;
	int i;

	if (!ports)
		return ctl_fail("out of memory");
	for (i = 0; i < w->num_words && !ret; i++) {
		ret = ctl_ifindex(c, w->words[i], &ifindex);
		if (!ret && lle_nl_get_port(c->nl, ifindex, &ports[i]))
			ret = ctl_refused(c);
	}
	for (i = 0; i < w->num_words && !ret; i++)
		ret = watchdog_start_port(c, w, &ports[i]);
	free(ports);
	return ret;
}

static enum ctl_exit watchdog_action(const struct ctl *c, const char *word,
				     int *action)
{
	for (*action = 0; *action <= (int)LLE_NL_ACTION_MAX; ++*action)
		if (!strcmp(word, lle_nl_action_name(*action)))
			return CTL_OK;
	return ctl_wrong(c, "action: \"%s\" is not drop, forward or alert",
			 word);
}

static bool watchdog_has(const struct ctl_watchdog *w, const char *word)
{
	for (int i = 0; i < w->num_words; i++)
		if (!strcmp(w->words[i], word))
			return true;
	return false;
}

static bool ctl_wd_is_number(const char *word)
{
	return word[strspn(word, "0123456789,")] == '\0';
}

/* DEV...|all DETECTION_MS [prio P,...] */
static enum ctl_exit watchdog_words(const struct ctl *c, struct ctl_watchdog *w)
{
	uint32_t ms;

	if (w->num_words >= 2 && !strcmp(w->words[w->num_words - 2], "prio")) {
		if (ctl_prios(c, w->words[w->num_words - 1], &w->prios))
			return CTL_USAGE;
		w->num_words -= 2;
	}
	if (watchdog_has(w, "prio") && w->num_words > 2)
		return ctl_wrong(c, "watchdog start: prio and its priorities are the last words, as in \"prio 3,4\"");
	if (w->num_words < 2)
		return ctl_wrong(c, "watchdog start: devices and DETECTION_MS are wanted, as in \"all 100\" or \"DEV 100 prio 3\"");
	if (w->num_words > 2 && ctl_wd_is_number(w->words[w->num_words - 1]) &&
	    ctl_wd_is_number(w->words[w->num_words - 2]))
		return ctl_wrong(c, "watchdog start: priorities follow the word prio, as in \"%s prio %s\"",
				 w->words[w->num_words - 2], w->words[w->num_words - 1]);
	if (ctl_number(c, "DETECTION_MS", w->words[--w->num_words],
		       LOSSLESS_WATCHDOG_MS_MIN, LOSSLESS_WATCHDOG_MS_MAX, &ms))
		return CTL_USAGE;
	w->change.detection_ms = ms;
	if (w->num_words > 1 && watchdog_has(w, "all"))
		return ctl_wrong(c, "watchdog start: either all or devices");
	return CTL_OK;
}

enum ctl_exit ctl_watchdog_start(struct ctl *c, int argc, char **argv)
{
	static const struct option names[] = {
		{ "action", required_argument, NULL, 'a' },
		{ "restoration", required_argument, NULL, 'r' },
		{ "fabric", no_argument, NULL, 'F' }, {}
	};
	struct ctl_watchdog w = {
		.change.action = LOSSLESS_WATCHDOG_ACTION_DROP
	};
	uint32_t ms = LOSSLESS_WATCHDOG_RESTORATION_MS;
	enum ctl_exit ret;
	int letter;

	while ((letter = ctl_option(c, argc, argv, "a:r:", names))) {
		if (letter == 'F')
			w.fabric = true;
		else if (letter == 'a' ?
				 watchdog_action(c, optarg, &w.change.action) :
			 letter != 'r' ||
				 ctl_number(c, "restoration", optarg, 0,
					    LOSSLESS_WATCHDOG_MS_MAX, &ms))
			return CTL_USAGE;
	}
	w.change.restoration_ms = ms;
	w.words = argv + optind;
	w.num_words = argc - optind;
	if (watchdog_words(c, &w))
		return CTL_USAGE;
	if (!ctl_open(c))
		return CTL_FAIL;
	ret = watchdog_is_all(&w) ? watchdog_start_all(c, &w) :
				  watchdog_start_named(c, &w);
	if (!ret && !w.done)
		return ctl_fail("watchdog start: there is no such port with PFC");
	return ret;
}

static enum ctl_exit watchdog_stop_all(struct ctl *c, struct ctl_watchdog *w)
{
	struct lle_nl_watchdog *watchdogs;
	enum ctl_exit ret = CTL_OK;
	int num, i;

	num = lle_nl_get_watchdogs(c->nl, &watchdogs);
	if (num < 0)
		return ctl_refused(c);
	for (i = 0; i < num && !ret; i++)
		if (watchdogs[i].detection_ms)
			ret = watchdog_set(c, w, watchdogs[i].who.ifindex,
					   1U << watchdogs[i].prio);
	free(watchdogs);
	return ret;
}

enum ctl_exit ctl_watchdog_stop(struct ctl *c, int argc, char **argv)
{
	struct ctl_watchdog w = {
		.change = { .restoration_ms = -1, .action = -1 },
	};
	enum ctl_exit ret = CTL_OK;
	unsigned int ifindex;

	if (ctl_option(c, argc, argv, "", NULL))
		return CTL_USAGE;
	w.words = argv + optind;
	w.num_words = argc - optind;
	if (!ctl_open(c))
		return CTL_FAIL;
	if (!w.num_words || watchdog_is_all(&w))
		return watchdog_stop_all(c, &w);
	for (int i = 0; i < w.num_words && !ret; i++) {
		ret = ctl_ifindex(c, w.words[i], &ifindex);
		if (!ret)
			ret = watchdog_set(c, &w, ifindex, 0xff);
	}
	return ret;
}

enum ctl_exit ctl_watchdog_clear(struct ctl *c, int argc, char **argv)
{
	unsigned int ifindex = 0;
	enum ctl_exit ret = ctl_words(c, argc, argv, "watchdog clear", 1);

	if (!ret && argc > optind)
		ret = ctl_ifindex(c, argv[optind], &ifindex);
	if (ret)
		return ret;
	if (!ctl_open(c))
		return CTL_FAIL;
	return lle_nl_clear(c->nl, ifindex) ? ctl_refused(c) : CTL_OK;
}
