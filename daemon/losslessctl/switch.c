// SPDX-License-Identifier: GPL-2.0
/* losslessctl switch */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "ctl.h"

static void ctl_switch_text(const void *item, const void *arg)
{
	const struct lle_nl_switch *sw = item;

	(void)arg;
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

static struct json_object *ctl_switch_json(const void *item, const void *arg)
{
	const struct lle_nl_switch *sw = item;
	struct json_object *o = ctl_object();

	(void)arg;
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

const struct ctl_rows ctl_switch_rows = {
	sizeof(struct lle_nl_switch),
	"SWITCH  PORTS  BUFFER      SHARED      USED        MAX         DISCARD",
	NULL, ctl_switch_text, ctl_switch_json
};

static enum ctl_exit ctl_switch_id(const struct ctl *c, const char *word,
				   uint32_t *id)
{
	return ctl_number(c, "switch", word, 0, UINT32_MAX, id);
}

enum ctl_exit ctl_switch_show(struct ctl *c, int argc, char **argv)
{
	enum ctl_exit ret = ctl_words(c, argc, argv, "switch", 1);
	struct lle_nl_switch *switches;
	uint32_t id;
	int num = 1;

	if (ret)
		return ret;
	if (argc > optind && ctl_switch_id(c, argv[optind], &id))
		return CTL_USAGE;
	if (!ctl_open(c))
		return CTL_FAIL;
	if (argc == optind) {
		num = lle_nl_get_switches(c->nl, &switches);
	} else {
		switches = malloc(sizeof(*switches));
		if (!switches)
			return ctl_fail("switch: %s", strerror(ENOMEM));
		if (lle_nl_get_switch(c->nl, id, switches)) {
			free(switches);
			return ctl_refused(c);
		}
	}
	return ctl_show(c, &ctl_switch_rows, switches, num, NULL, CTL_NO_PORTS);
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
