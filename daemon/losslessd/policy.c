// SPDX-License-Identifier: GPL-2.0
/*
 * Watchdogs. Settings made by hand stay until the configuration is read again or
 * the port changes. Without an action, only what the daemon started is stopped.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <syslog.h>

#include "changes.h"
#include "log.h"
#include "policy.h"

/* A port when its watchdogs were set */
struct known {
	unsigned int ifindex;
	char ifname[IFNAMSIZ];
	uint8_t pfc_en;
	bool is_on;	/* the daemon has started them */
};

static struct known *known;
static unsigned int num_known;

static struct known *find(unsigned int ifindex)
{
	unsigned int i;

	for (i = 0; i < num_known; i++)
		if (known[i].ifindex == ifindex)
			return &known[i];
	return NULL;
}

static void remember(const struct lle_nl_port *port, bool is_on)
{
	struct known *k = find(port->who.ifindex), *more;

	if (!k) {
		more = reallocarray(known, num_known + 1, sizeof(*known));
		if (!more)
			return;
		known = more;
		k = &known[num_known++];
		k->ifindex = port->who.ifindex;
	}
	memcpy(k->ifname, port->who.ifname, sizeof(k->ifname));
	k->pfc_en = port->pfc_en;
	k->is_on = is_on;
}

struct search {
	const struct conf *conf;
	const struct conf_port *found;
};

static void look_at_name(const char *name, void *arg)
{
	struct search *search = arg;

	if (!search->found)
		search->found = conf_port_of(search->conf, name);
}

/* The watchdog of the section with a name of the port, or that of all ports */
static struct conf_watchdog watchdog_of(struct lle_nl *nl, const struct conf *conf,
					const struct lle_nl_port *port)
{
	struct search search = { .conf = conf };
	struct conf_watchdog w = conf->watchdog;

	look_at_name(port->who.ifname, &search);
	if (!search.found && conf->num_ports)
		lle_nl_get_altnames(nl, port->who.ifindex, look_at_name, &search);
	if (search.found)
		return search.found->watchdog;
	if (w.action >= 0 && port->facing != LLE_FACING_EDGE && !conf->fabric)
		w.action = CONF_OFF;
	return w;
}

static void debug_change(const char *name, const struct lle_nl_watchdog_change *change)
{
	char prios[LLE_NL_WORD];

	lle_nl_prios_text(prios, change->prios);
	if (!change->detection_ms)
		log_debug(TOPIC_WATCHDOGS, "port %s: watchdogs of priorities %s: off", name, prios);
	else
		log_debug(TOPIC_WATCHDOGS, "port %s: watchdogs of priorities %s: %s, detection %d ms, restoration %d ms",
			  name, prios, lle_nl_action_name(change->action),
			  change->detection_ms, change->restoration_ms);
}

static void change_watchdogs(struct lle_nl *nl, const struct lle_nl_port *port,
			     const struct lle_nl_watchdog_change *change)
{
	if (!change->prios)
		return;
	debug_change(port->who.ifname, change);
	if (lle_nl_set_watchdog(nl, change) < 0)
		log_say(LOG_WARNING, "%s: its watchdogs cannot be set: %s",
			port->who.ifname, lle_nl_text(nl));
}

/* A priority without PFC must have no watchdog, as none can be set there. */
static void stop(struct lle_nl *nl, const struct lle_nl_port *port, uint8_t prios)
{
	change_watchdogs(nl, port, &(struct lle_nl_watchdog_change){
		.ifindex = port->who.ifindex, .prios = prios,
		.action = -1, .restoration_ms = -1,
	});
}

static void set(struct lle_nl *nl, const struct conf *conf,
		const struct lle_nl_port *port)
{
	const struct known *k = find(port->who.ifindex);
	struct conf_watchdog w = watchdog_of(nl, conf, port);
	uint8_t before = k ? k->pfc_en : 0;
	bool was_on = k && k->is_on;

	remember(port, w.action >= 0);
	stop(nl, port, before & ~port->pfc_en);
	if (w.action >= 0)
		change_watchdogs(nl, port, &(struct lle_nl_watchdog_change){
			.ifindex = port->who.ifindex, .prios = port->pfc_en,
			.action = w.action, .detection_ms = w.detection_ms,
			.restoration_ms = w.restoration_ms,
		});
	else if (w.action == CONF_OFF || was_on)
		stop(nl, port, port->pfc_en);
}

/* Only a port that is new, or has other lossless priorities or another name */
void policy_port(struct lle_nl *nl, const struct conf *conf,
		 const struct lle_nl_port *port)
{
	const struct known *k = find(port->who.ifindex);

	if (k && k->pfc_en == port->pfc_en && !strcmp(k->ifname, port->who.ifname))
		return;
	if (k)
		changes_pfc(port, k->pfc_en);
	set(nl, conf, port);
}

static void all_ports(struct lle_nl *nl, const struct conf *conf,
		      void (*fn)(struct lle_nl *nl, const struct conf *conf,
				 const struct lle_nl_port *port))
{
	struct lle_nl_port *ports;
	int i, n;

	n = lle_nl_get_ports(nl, &ports);
	if (n < 0) {
		log_say(LOG_ERR, "the ports cannot be read: %s",
			lle_nl_text(nl));
		return;
	}
	for (i = 0; i < n; i++)
		fn(nl, conf, &ports[i]);
	free(ports);
}

void policy_apply(struct lle_nl *nl, const struct conf *conf)
{
	all_ports(nl, conf, set);
}

/* After events were lost */
void policy_resync(struct lle_nl *nl, const struct conf *conf)
{
	all_ports(nl, conf, policy_port);
}

void policy_forget(unsigned int ifindex)
{
	struct known *k = find(ifindex);

	if (k)
		*k = known[--num_known];
}

void policy_free(void)
{
	free(known);
	known = NULL;
	num_known = 0;
}
