// SPDX-License-Identifier: GPL-2.0
/* losslessctl prio */
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "counter_names_gen.h"
#include "ctl.h"

#define FIELD(key, member) { #key, offsetof(struct lle_prio_stats, member) },

static const struct {
	const char *key;
	size_t at;
} ctl_prio_fields[] = {
	LLE_PRIO_KEYS(FIELD)
};

struct ctl_prio {
	bool all;	/* also with all counters 0 */
	uint8_t prios;	/* bit p: priority p */
};

static bool ctl_prio_wanted(const struct ctl_prio *want,
			    const struct lle_nl_port *port, unsigned int prio)
{
	struct lle_prio_stats zero = { .prio = prio };

	if (!(port->stats_prios & want->prios & 1U << prio))
		return false;
	return want->all || memcmp(&zero, &port->stats[prio], sizeof(zero));
}

static void ctl_prio_text(const struct lle_nl_port *port,
			  const struct lle_prio_stats *s)
{
	const char *before = "    dropped:";
	char name[CTL_TEXT], rx[CTL_TEXT], tx[CTL_TEXT];

	printf("%-16s%-5u%12llu %12llu %10llu %12s%c %10llu %12s%c\n",
	       lle_nl_dev_text(name, port->who.ifname), (unsigned int)s->prio,
	       s->rx_packets, s->tx_packets, s->rx_pause,
	       lle_nl_time_text(rx, s->rx_pause_duration * 1000),
	       s->rx_paused ? '*' : ' ', s->tx_pause,
	       lle_nl_time_text(tx, s->tx_pause_duration * 1000),
	       s->tx_paused ? '*' : ' ');
	for (unsigned int i = 0; i < LLE_NUM_DROP; i++) {
		if (!lle_nl_drop(s, i))
			continue;
		printf("%s %s %" PRIu64, before, lle_nl_drop_name(i), lle_nl_drop(s, i));
		before = ",";
	}
	if (*before == ',')
		printf("\n");
}

struct json_object *ctl_prio_json(const struct lle_nl_port *port,
				  const struct lle_prio_stats *s)
{
	struct json_object *o = ctl_object(), *drops = ctl_object();
	unsigned int i;

	ctl_put_who(o, &port->who);
	ctl_put_u64(o, "prio", s->prio);
	for (i = 0; i < ARRAY_SIZE(ctl_prio_fields); i++)
		ctl_put_u64(o, ctl_prio_fields[i].key,
			    *(const __u64 *)((const char *)s +
					     ctl_prio_fields[i].at));
	ctl_put_bool(o, "rx_paused", s->rx_paused);
	ctl_put_bool(o, "tx_paused", s->tx_paused);
	for (i = 0; i < LLE_NUM_DROP; i++)
		ctl_put_u64(drops, lle_nl_drop_name(i), lle_nl_drop(s, i));
	ctl_put(o, "drops", drops);
	return o;
}

/* The priorities of ports that are wanted; NULL: no JSON, printed as text. */
static struct json_object *ctl_prio_list(const struct ctl *c, const struct ctl_prio *want,
					 const struct lle_nl_port *ports, int num)
{
	struct json_object *array = c->json ? ctl_array() : NULL;
	unsigned int shown = 0;

	if (!c->json)
		printf("%-16s%-5s%12s %12s %10s %12s  %10s %12s\n", "PORT",
		       "PRIO", "RX-PACKETS", "TX-PACKETS", "RX-PAUSES",
		       "RX-PAUSED", "TX-PAUSES", "TX-PAUSED");
	for (int i = 0; i < num; i++)
		for (unsigned int p = 0; p < LLE_NUM_PRIO; p++) {
			if (!ctl_prio_wanted(want, &ports[i], p))
				continue;
			shown++;
			if (c->json)
				ctl_put(array, NULL,
					ctl_prio_json(&ports[i],
						      &ports[i].stats[p]));
			else
				ctl_prio_text(&ports[i], &ports[i].stats[p]);
		}
	ctl_empty(c, shown, num ? "all counters are 0; -a shows them" : CTL_NO_PORTS);
	return array;
}

/* Skips priorities without a count. Return: an array; NULL: printed as text */
struct json_object *ctl_prio_of(const struct ctl *c, const struct lle_nl_port *port)
{
	return ctl_prio_list(c, &(struct ctl_prio){ .prios = 0xff }, port, 1);
}

enum ctl_exit ctl_prio_show(struct ctl *c, int argc, char **argv)
{
	static const struct option names[] = {
		{ "all", no_argument, NULL, 'a' }, {}
	};
	struct ctl_prio want = { .prios = 0xff };
	struct lle_nl_port *ports;
	struct json_object *array;
	enum ctl_exit ret;
	int letter, num;

	while ((letter = ctl_option(c, argc, argv, "a", names))) {
		if (letter != 'a')
			return CTL_USAGE;
		want.all = true;
	}
	if (argc - optind > 2)
		return ctl_wrong(c, "prio: unknown argument \"%s\"", argv[optind + 2]);
	if (argc - optind == 2 && ctl_prios(c, argv[optind + 1], &want.prios))
		return CTL_USAGE;
	ret = ctl_get_ports(c, argv[optind], &ports, &num);
	if (ret)
		return ret;
	array = ctl_prio_list(c, &want, ports, num);
	if (array)
		ctl_print_json(c, array);
	free(ports);
	return CTL_OK;
}
