// SPDX-License-Identifier: GPL-2.0
/* What doctor reads from the kernel. */
#include <stdlib.h>
#include <string.h>

#include "doctor.h"

static void set_prefix(struct doctor_view *view)
{
	char word[DOCTOR_WORD];

	if (!view->ns->is_named) {
		snprintf(view->prefix, sizeof(view->prefix), "nsenter -n -t %s ",
			 view->ns->name);
		return;
	}
	doctor_word(word, view->ns->name);
	snprintf(view->prefix, sizeof(view->prefix), "ip netns exec %s ", word);
}

static bool read_view(struct doctor_view *view)
{
	struct lle_nl *nl = view->ns->c.nl;

	view->num_devices = lle_nl_get_devices(nl, &view->devices);
	if (view->num_devices >= 0)
		view->num_ports = lle_nl_get_ports(nl, &view->ports);
	return view->num_devices >= 0 && view->num_ports >= 0;
}

/* This network namespace, and those that have a number here. */
static enum ctl_exit read_views(struct doctor *d)
{
	struct doctor_view *view;
	int i, id;

	d->views = calloc(d->netnses.num, sizeof(*d->views));
	if (!d->views)
		return ctl_fail("out of memory");
	for (i = 0; i < d->netnses.num; i++) {
		id = i ? lle_nl_netns_id(d->nl, d->netnses.all[i].fd) : -1;
		if (i && id < 0)
			continue;
		view = &d->views[d->num_views++];
		view->ns = &d->netnses.all[i];
		view->id = id;
		if (i)
			set_prefix(view);
		if (!read_view(view))
			return ctl_refused(&view->ns->c);
	}
	return CTL_OK;
}

/**
 * doctor_read() - read all that the checks look at
 * @d: the run; to be freed, also after a failure
 *
 * Return: exit status.
 */
enum ctl_exit doctor_read(struct doctor *d)
{
	enum ctl_exit ret;

	ret = ctl_netns_find(&d->netnses);
	if (ret)
		return ret;
	d->nl = d->netnses.all[0].c.nl;
	ret = read_views(d);
	if (ret)
		return ret;
	d->num_switches = lle_nl_get_switches(d->nl, &d->switches);
	if (d->num_switches >= 0)
		d->num_watchdogs = lle_nl_get_watchdogs(d->nl, &d->watchdogs);
	if (d->num_switches < 0 || d->num_watchdogs < 0)
		return ctl_refused(&d->netnses.all[0].c);
	d->settings = (struct lle_nl_settings){
		d->views[0].ports, d->views[0].num_ports, d->watchdogs, d->num_watchdogs,
	};
	lle_nl_find_usual(&d->settings, &d->usual);
	return CTL_OK;
}

/**
 * doctor_free() - free what doctor_read() has read
 * @d: the run
 */
void doctor_free(struct doctor *d)
{
	for (int i = 0; i < d->num_views; i++) {
		free(d->views[i].devices);
		free(d->views[i].ports);
	}
	free(d->views);
	free(d->switches);
	free(d->watchdogs);
	ctl_netns_free(&d->netnses);
}

/**
 * doctor_device() - find a device
 * @view: the network namespace
 * @ifindex: ifindex of the device
 *
 * Return: the device, or NULL.
 */
const struct lle_nl_device *doctor_device(const struct doctor_view *view,
					  unsigned int ifindex)
{
	for (int i = 0; i < view->num_devices; i++)
		if (view->devices[i].ifindex == ifindex)
			return &view->devices[i];
	return NULL;
}

/**
 * doctor_bridge() - find the bridge above a device
 * @view: the network namespace
 * @dev: the device: a port of the bridge, or below a bond, team or VLAN device
 *	that is one
 *
 * Return: the bridge, or NULL.
 */
const struct lle_nl_device *doctor_bridge(const struct doctor_view *view,
					  const struct lle_nl_device *dev)
{
	const struct lle_nl_device *above = doctor_device(view, dev->master), *bridge;

	if (above && !strcmp(dev->slave_kind, "bridge"))
		return above;
	if (above)
		return doctor_bridge(view, above);
	for (above = view->devices; above < view->devices + view->num_devices; above++) {
		if (strcmp(above->kind, "vlan") || above->link != dev->ifindex ||
		    above->link_netns >= 0)
			continue;
		bridge = doctor_bridge(view, above);
		if (bridge)
			return bridge;
	}
	return NULL;
}

static void set_end(struct doctor_end *end, const struct doctor_view *view,
		    const struct lle_nl_device *dev)
{
	int i;

	*end = (struct doctor_end){ .view = view, .dev = dev };
	if (!dev)
		return;
	doctor_word(end->word, dev->name);
	end->bridge = doctor_bridge(view, dev);
	for (i = 0; i < view->ns->num_qdiscs; i++)
		if (view->ns->qdiscs[i].ifindex == dev->ifindex)
			end->qdisc = &view->ns->qdiscs[i];
	for (i = 0; i < view->num_ports; i++)
		if (view->ports[i].who.ifindex == dev->ifindex)
			end->port = &view->ports[i];
	/* one that has just been made or deleted */
	if (!end->qdisc || !end->port) {
		end->qdisc = NULL;
		end->port = NULL;
	}
}

/**
 * doctor_ends() - find both ends of a link
 * @d: the run
 * @dev: the device at this end
 * @own: result: this end
 * @peer: result: the other end of a veth; @dev is NULL: not known
 */
void doctor_ends(const struct doctor *d, const struct lle_nl_device *dev,
		 struct doctor_end *own, struct doctor_end *peer)
{
	const struct doctor_view *view = &d->views[0];

	set_end(own, view, dev);
	*peer = (struct doctor_end){};
	if (strcmp(dev->kind, "veth"))
		return;
	/* view 0 has the number -1 */
	while (view < d->views + d->num_views && view->id != dev->link_netns)
		view++;
	if (view < d->views + d->num_views)
		set_end(peer, view, doctor_device(view, dev->link));
}

/**
 * doctor_option() - get an option of a port
 * @end: the port
 * @type: attribute, TCA_LOSSLESS_...
 *
 * Return: the value; 0: the module does not tell.
 */
uint64_t doctor_option(const struct doctor_end *end, int type)
{
	uint64_t value = 0;

	lle_nl_option(end->qdisc, type, &value);
	return value;
}

/**
 * doctor_switch_prios() - get the priorities that are lossless at any port of a
 *	switch
 * @d: the run
 * @sw: number of the switch
 *
 * Return: bit p: priority p.
 */
uint8_t doctor_switch_prios(const struct doctor *d, uint32_t sw)
{
	const struct doctor_view *view = &d->views[0];
	uint8_t prios = 0;

	for (int i = 0; i < view->num_ports; i++)
		if (view->ports[i].who.sw == sw)
			prios |= view->ports[i].pfc_en;
	return prios;
}

/**
 * doctor_switch() - find a switch
 * @d: the run
 * @sw: its number
 *
 * Return: the switch, or NULL.
 */
const struct lle_nl_switch *doctor_switch(const struct doctor *d, uint32_t sw)
{
	for (int i = 0; i < d->num_switches; i++)
		if (d->switches[i].id == sw)
			return &d->switches[i];
	return NULL;
}

/**
 * doctor_read_line() - read the first line of a file of sysfs or procfs
 * @path: the file
 * @line: result, without its end
 * @size: bytes of @line
 *
 * Return: false: it cannot be read.
 */
bool doctor_read_line(const char *path, char *line, int size)
{
	FILE *f = fopen(path, "re");
	bool ok = f && fgets(line, size, f);

	if (f)
		fclose(f);
	if (ok)
		line[strcspn(line, "\n")] = '\0';
	return ok;
}
