// SPDX-License-Identifier: GPL-2.0
/*
 * Changes by other programs that make a priority lossy: agents of LLDP set PFC,
 * and Open vSwitch deletes a qdisc that it does not know.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <syslog.h>

#include "changes.h"
#include "log.h"

/* Events of ports that are gone, since the last look */
static struct lle_nl_port *gone;
static int num_gone;

static void add_author(struct json_object *f, const struct lle_nl_port *port)
{
	if (!*port->author)
		return;
	log_add_text(f, "author", port->author);
	log_add(f, "author_pid", port->author_pid);
}

/* " by NAME (PID)"; empty: not known */
static const char *author_text(char *text, size_t room, const struct lle_nl_port *port)
{
	char name[LLE_NL_WORD];

	*text = '\0';
	if (*port->author)
		snprintf(text, room, " by %s (%u)", lle_nl_dev_text(name, port->author),
			 port->author_pid);
	return text;
}

/* @before: lossless priorities before the event */
void changes_pfc(const struct lle_nl_port *port, uint8_t before)
{
	char author[2 * LLE_NL_WORD];
	struct json_object *f;

	for (int p = 0; p < LLE_NUM_PRIO; p++) {
		if (!((before & ~port->pfc_en) >> p & 1))
			continue;
		f = log_fields("pfc_off", &port->who);
		log_add(f, "prio", p);
		add_author(f, port);
		log_event(LOG_WARNING, f,
			  "port %s: PFC of priority %d was switched off%s: the port drops its packets, and obeys no pauses of it; \"losslessctl doctor\" prints how to mend it",
			  port->who.ifname, p, author_text(author, sizeof(author), port));
	}
}

/* Logged later: its device may go, too, or the qdisc may come back at once. */
void changes_gone(const struct lle_nl_port *port)
{
	struct lle_nl_port *more = reallocarray(gone, num_gone + 1, sizeof(*gone));

	if (!more)
		return;
	gone = more;
	gone[num_gone++] = *port;
}

static const struct lle_nl_device *find_device(const struct lle_nl_device *devices, int num,
					       unsigned int ifindex)
{
	for (int i = 0; i < num; i++)
		if (devices[i].ifindex == ifindex)
			return &devices[i];
	return NULL;
}

static bool is_port(const struct lle_nl_ports *ports, unsigned int ifindex)
{
	for (int i = 0; i < ports->num; i++)
		if (ports->all[i].who.ifindex == ifindex)
			return true;
	return false;
}

static void tell_gone(const struct lle_nl_port *port, const struct lle_nl_device *dev)
{
	struct json_object *f = log_fields("port_gone", &port->who);
	char author[2 * LLE_NL_WORD], keep[128] = "";

	add_author(f, port);
	/* it leaves a qdisc of this type alone */
	if (!strcmp(dev->slave_kind, "openvswitch"))
		snprintf(keep, sizeof(keep),
			 "; ovs-vsctl set port %s qos=@q -- --id=@q create qos type=linux-noop",
			 dev->name);
	log_event(LOG_WARNING, f,
		  "port %s: its qdisc lossless was deleted%s, and the device stays: no priority is lossless there%s",
		  port->who.ifname, author_text(author, sizeof(author), port), keep);
}

/* Log ports that are gone while their devices stay. */
void changes_look(struct lle_nl *nl, const struct lle_nl_ports *ports)
{
	struct lle_nl_device *devices;
	const struct lle_nl_device *dev;
	int num;

	if (!num_gone)
		return;
	num = lle_nl_get_devices(nl, &devices);
	if (num < 0) {
		log_say(LOG_ERR, "the devices cannot be read: %s", lle_nl_text(nl));
		return;
	}
	for (int i = 0; i < num_gone; i++) {
		dev = find_device(devices, num, gone[i].who.ifindex);
		if (dev && !is_port(ports, dev->ifindex))
			tell_gone(&gone[i], dev);
	}
	free(devices);
	changes_free();
}

void changes_free(void)
{
	free(gone);
	gone = NULL;
	num_gone = 0;
}
