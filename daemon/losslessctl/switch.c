// SPDX-License-Identifier: GPL-2.0
/* losslessctl switch */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "ctl.h"

static void ctl_switch_text(const struct lle_nl_switch *sw)
{
	printf("%-8u%-7u%-12u%-12u%-12" PRIu64 "%-12" PRIu64 "%s\n", sw->id,
	       sw->ports, sw->buffer_bytes, sw->shared_bytes, sw->used_bytes,
	       sw->used_max_bytes, sw->discard ? "on" : "off");
}

static struct json_object *
ctl_deadlock_stats_json(const struct lle_deadlock_stats *s)
{
	struct json_object *o = ctl_object();

	ctl_put_u64(o, "declared", s->declared);
	ctl_put_u64(o, "probes", s->probes);
	ctl_put_u64(o, "cancels", s->cancels);
	ctl_put_u64(o, "sent", s->sent);
	ctl_put_u64(o, "received", s->received);
	ctl_put_u64(o, "ignored", s->ignored);
	ctl_put_u64(o, "timers", s->timers);
	ctl_put_u64(o, "broken", s->broken);
	ctl_put_u64(o, "demoted", s->demoted);
	ctl_put_u64(o, "lossy", s->lossy);
	ctl_put_u64(o, "parked_bytes", s->parked_bytes);
	ctl_put_u64(o, "parking_bytes", s->parking_bytes);
	ctl_put_u64(o, "parking_max_bytes", s->parking_max_bytes);
	ctl_put_u64(o, "parking_limit_bytes", s->parking_limit_bytes);
	return o;
}

struct json_object *ctl_switch_json(const struct lle_nl_switch *sw)
{
	struct json_object *o = ctl_object();

	ctl_put_u64(o, "switch", sw->id);
	ctl_put_u64(o, "ports", sw->ports);
	ctl_put_u64(o, "buffer_bytes", sw->buffer_bytes);
	ctl_put_u64(o, "shared_bytes", sw->shared_bytes);
	ctl_put_u64(o, "used_bytes", sw->used_bytes);
	ctl_put_u64(o, "used_max_bytes", sw->used_max_bytes);
	ctl_put_bool(o, "discard", sw->discard);
	ctl_put_text(o, "deadlock", ctl_deadlock_name(sw->deadlock));
	ctl_put(o, "deadlocks", ctl_deadlock_stats_json(&sw->deadlocks));
	return o;
}

static enum ctl_exit ctl_switch_id(const struct ctl *c, const char *word,
				   uint32_t *id)
{
	return ctl_number(c, "switch", word, 0, UINT32_MAX, id);
}

/* @word: number of a switch; NULL: all */
static enum ctl_exit ctl_get_switches(struct ctl *c, const char *word,
				      struct lle_nl_switch **switches, int *num)
{
	uint32_t id;

	if (word && ctl_switch_id(c, word, &id))
		return CTL_USAGE;
	if (!ctl_open(c))
		return CTL_FAIL;
	*switches = NULL;
	if (!word) {
		*num = lle_nl_get_switches(c->nl, switches);
		return *num < 0 ? ctl_refused(c) : CTL_OK;
	}
	*num = 1;
	*switches = malloc(sizeof(**switches));
	if (!*switches)
		return ctl_fail("switch: %s", strerror(ENOMEM));
	if (!lle_nl_get_switch(c->nl, id, *switches))
		return CTL_OK;
	free(*switches);
	return ctl_refused(c);
}

enum ctl_exit ctl_switch_show(struct ctl *c, int argc, char **argv)
{
	struct lle_nl_switch *switches;
	struct json_object *array;
	enum ctl_exit ret;
	int num, i;

	if (ctl_option(c, argc, argv, "", NULL))
		return CTL_USAGE;
	if (argc - optind > 1)
		return ctl_wrong(c, "switch: unknown argument \"%s\"",
				 argv[optind + 1]);
	ret = ctl_get_switches(c, argv[optind], &switches, &num);
	if (ret)
		return ret;

	if (c->json) {
		array = ctl_array();
		for (i = 0; i < num; i++)
			ctl_put(array, NULL, ctl_switch_json(&switches[i]));
		ctl_print_json(c, array);
	} else {
		printf("%-8s%-7s%-12s%-12s%-12s%-12s%s\n", "SWITCH", "PORTS",
		       "BUFFER", "SHARED", "USED", "MAX", "DISCARD");
		for (i = 0; i < num; i++)
			ctl_switch_text(&switches[i]);
		ctl_empty(c, num, CTL_NO_PORTS);
	}
	free(switches);
	return CTL_OK;
}

static enum ctl_exit ctl_switch_done(const struct ctl *c, int err)
{
	if (err)
		return ctl_refused(c);
	if (*lle_nl_text(c->nl))
		ctl_warn("%s", lle_nl_text(c->nl));
	return CTL_OK;
}

enum ctl_exit ctl_switch_set(struct ctl *c, int argc, char **argv)
{
	uint32_t id, bytes;
	char **word;

	if (ctl_option(c, argc, argv, "", NULL))
		return CTL_USAGE;
	word = argv + optind;
	if (argc - optind != 3 || strcmp(word[1], "buffer"))
		return ctl_wrong(c, "switch set: ID buffer SIZE is required");
	if (ctl_switch_id(c, word[0], &id) ||
	    ctl_size(c, "buffer", word[2], LLE_BUFFER_MIN, LLE_BUFFER_MAX,
		     &bytes))
		return CTL_USAGE;
	if (!ctl_open(c))
		return CTL_FAIL;
	return ctl_switch_done(c, lle_nl_set_buffer(c->nl, id, bytes));
}

enum ctl_exit ctl_switch_discard(struct ctl *c, int argc, char **argv)
{
	char **word;
	uint32_t id;
	bool on;

	if (ctl_option(c, argc, argv, "", NULL))
		return CTL_USAGE;
	word = argv + optind;
	if (argc - optind != 2)
		return ctl_wrong(c, "switch discard: ID on|off is required");
	on = !strcmp(word[1], "on");
	if (!on && strcmp(word[1], "off"))
		return ctl_wrong(c, "switch discard: \"%s\" is neither on nor off",
				 word[1]);
	if (ctl_switch_id(c, word[0], &id))
		return CTL_USAGE;
	if (!ctl_open(c))
		return CTL_FAIL;
	return ctl_switch_done(c, lle_nl_set_discard(c->nl, id, on));
}
