// SPDX-License-Identifier: GPL-2.0
/* Bridges, bonds and VLAN devices above ports. */
#include <string.h>

#include "doctor.h"

/* Devices with no link of their own, to which the qdisc cannot be attached */
static bool is_link(const struct lle_nl_device *dev)
{
	static const char * const others[] = {
		"bridge", "bond", "team", "vlan", "macvlan", "macvtap", "ipvlan", "vrf",
	};

	for (unsigned int i = 0; i < ARRAY_SIZE(others); i++)
		if (!strcmp(dev->kind, others[i]))
			return false;
	return true;
}

static bool is_bridge_port(const struct lle_nl_device *dev)
{
	return !strcmp(dev->slave_kind, "bridge");
}

/* The bond or team to which a device belongs */
static const struct lle_nl_device *bond_of(const struct doctor_view *view,
					   const struct lle_nl_device *dev)
{
	const struct lle_nl_device *above = doctor_device(view, dev->master);

	return above && (!strcmp(above->kind, "bond") || !strcmp(above->kind, "team")) ?
		       above : NULL;
}

/* The first port with PFC of which @above finds the same device, or NULL */
static const struct lle_nl_port *
port_below(const struct doctor_view *view, const struct lle_nl_device *top,
	   const struct lle_nl_device *(*above)(const struct doctor_view *view,
						const struct lle_nl_device *dev))
{
	const struct lle_nl_device *dev;
	const struct lle_nl_port *port;

	for (port = view->ports; port < view->ports + view->num_ports; port++) {
		dev = doctor_device(view, port->who.ifindex);
		if (dev && port->pfc_en && above(view, dev) == top)
			return port;
	}
	return NULL;
}

static const struct lle_nl_qdisc *qdisc_of(const struct doctor_view *view,
					   const struct lle_nl_port *port)
{
	for (int i = 0; i < view->ns->num_qdiscs; i++)
		if (view->ns->qdiscs[i].ifindex == port->who.ifindex)
			return &view->ns->qdiscs[i];
	return NULL;
}

/* A device that adds a header, and sends by another one */
static bool is_tunnel(const struct lle_nl_device *dev)
{
	static const char * const kinds[] = {
		"vxlan", "geneve", "gretap", "ip6gretap", "erspan", "ip6erspan", "bareudp", "l2tpeth",
	};

	for (unsigned int i = 0; i < ARRAY_SIZE(kinds); i++)
		if (!strcmp(dev->kind, kinds[i]))
			return true;
	return false;
}

/*
 * The options of another port. Whether the neighbour is a switch is not known; the
 * rate of an emulated link fits devices of one kind only.
 */
static void mend_gap(struct doctor *d, const struct doctor_end *dev,
		     const struct lle_nl_device *other, const struct lle_nl_qdisc *like)
{
	uint64_t without = 1ULL << TCA_LOSSLESS_FACING;

	if (!other || strcmp(other->kind, dev->dev->kind))
		without |= 1ULL << TCA_LOSSLESS_RATE64;
	if (is_tunnel(dev->dev))
		doctor_mend(d, "# no command: choose a rate below that of the device under it, and add \"rate RATE\": ");
	doctor_mend_gap(d, dev->word, like, without);
}

/* A link of a bridge or bond without the qdisc, although others have it */
static void find_gap(struct doctor *d, const struct doctor_end *dev,
		     const struct lle_nl_device *top, const struct lle_nl_port *like)
{
	const struct lle_nl_qdisc *qdisc = like ? qdisc_of(dev->view, like) : NULL;

	if (dev->qdisc || !qdisc || !is_link(dev->dev) || !(dev->dev->flags & IFF_UP))
		return;
	doctor_find(d, DOCTOR_ERROR, dev->dev->name,
		    "it has no lossless qdisc, and %s, also in %s, has one: packets that arrive here are charged to no port and pause no neighbour",
		    like->who.ifname, top->name);
	mend_gap(d, dev, doctor_device(dev->view, like->who.ifindex), qdisc);
}

/**
 * doctor_bridge_port() - have all ports of a bridge the qdisc, if one has?
 * @d: the run
 */
void doctor_bridge_port(struct doctor *d)
{
	const struct doctor_end *dev = &d->own;
	const struct lle_nl_device *bond = bond_of(dev->view, dev->dev);

	/* one of some members is found as such */
	if (!dev->bridge || (bond && port_below(dev->view, bond, bond_of)))
		return;
	find_gap(d, dev, dev->bridge, port_below(dev->view, dev->bridge, doctor_bridge));
}

/**
 * doctor_member() - have all members of a bond or team the qdisc, if one has?
 * @d: the run
 */
void doctor_member(struct doctor *d)
{
	const struct doctor_end *dev = &d->own;
	const struct lle_nl_device *bond = bond_of(dev->view, dev->dev);

	if (!bond)
		return;
	find_gap(d, dev, bond, port_below(dev->view, bond, bond_of));
}

/**
 * doctor_flood() - does a lossless bridge flood unicast?
 * @d: the run
 */
void doctor_flood(struct doctor *d)
{
	const struct doctor_end *dev = &d->own;

	if (!is_bridge_port(dev->dev) || !dev->dev->flood ||
	    !port_below(dev->view, dev->bridge, doctor_bridge))
		return;
	doctor_find(d, DOCTOR_WARNING, dev->dev->name,
		    "the bridge floods unicast to unknown addresses here: one slow receiver can then make every port pause, as it can with multicast if no querier keeps that from being flooded");
	doctor_mend(d, "bridge link set dev %s flood off", dev->word);
}

/**
 * doctor_firewall() - does a firewall see the packets of a lossless bridge?
 * @d: the run
 */
void doctor_firewall(struct doctor *d)
{
	static const char * const families[] = { "iptables", "ip6tables", "arptables" };
	const struct doctor_end *dev = &d->own;
	char path[64], line[8];
	bool on[ARRAY_SIZE(families)], any = false;

	if (strcmp(dev->dev->kind, "bridge") || !port_below(dev->view, dev->dev, doctor_bridge))
		return;
	for (unsigned int i = 0; i < ARRAY_SIZE(families); i++) {
		snprintf(path, sizeof(path), "/proc/sys/net/bridge/bridge-nf-call-%s", families[i]);
		on[i] = doctor_read_line(path, line, sizeof(line)) && strcmp(line, "0");
		any |= on[i];
	}
	if (!any)
		return;
	doctor_find(d, DOCTOR_WARNING, dev->dev->name,
		    "packets of the bridge pass the firewall (br_netfilter): what its rules or its policy drop, no port counts");
	doctor_mend(d, "sysctl -w");
	for (unsigned int i = 0; i < ARRAY_SIZE(families); i++)
		if (on[i])
			doctor_mend(d, " net.bridge.bridge-nf-call-%s=0", families[i]);
}

/**
 * doctor_role() - has a port of a bridge the role of a switch?
 * @d: the run
 *
 * It may have joined the bridge after it became a host.
 */
void doctor_role(struct doctor *d)
{
	const struct doctor_end *own = &d->own;

	if (own->qdisc->role != LLE_ROLE_HOST || !is_bridge_port(own->dev))
		return;
	doctor_find(d, DOCTOR_ERROR, own->dev->name,
		    "role host, and it is a port of %s: packets that the bridge sends on are charged to no port, and each change of its options is refused",
		    own->bridge->name);
	doctor_mend(d, "tc qdisc change dev %s root lossless role switch", own->word);
}

/**
 * doctor_bridge_mtu() - have all ports of a bridge the same MTU?
 * @d: the run
 */
void doctor_bridge_mtu(struct doctor *d)
{
	const struct doctor_end *dev = &d->own;
	const struct doctor_view *view = dev->view;
	const struct lle_nl_device *other, *largest = dev->dev;

	if (!is_bridge_port(dev->dev) || !port_below(view, dev->bridge, doctor_bridge))
		return;
	for (other = view->devices; other < view->devices + view->num_devices; other++)
		if (is_bridge_port(other) && other->master == dev->dev->master &&
		    other->mtu > largest->mtu)
			largest = other;
	if (largest == dev->dev)
		return;
	doctor_find(d, DOCTOR_ERROR, dev->dev->name,
		    "its MTU is %u, that of %s in the same bridge %u: the bridge drops longer packets to this port, and counts them nowhere",
		    dev->dev->mtu, largest->name, largest->mtu);
	doctor_mend(d, "ip link set dev %s mtu %u", dev->word, largest->mtu);
}

/**
 * doctor_switches() - are all ports of a bridge in one switch?
 * @d: the run
 */
void doctor_switches(struct doctor *d)
{
	const struct doctor_end *own = &d->own;
	const struct lle_nl_port *first;

	first = own->bridge ? port_below(own->view, own->bridge, doctor_bridge) : NULL;
	if (!first || first->who.sw == own->port->who.sw)
		return;
	doctor_find(d, DOCTOR_ERROR, own->dev->name,
		    "it is in switch %u, and %s of the same bridge in switch %u: packets between them are charged to no port and pause no neighbour",
		    own->port->who.sw, first->who.ifname,
		    first->who.sw);
	doctor_mend_switch(d, own, first->who.sw);
}

/**
 * doctor_unmapped() - find priorities that a map of a VLAN device changes
 * @prios: bit p: look at priority p
 * @map: the map
 *
 * Return: bit p: priority p becomes another one.
 */
uint8_t doctor_unmapped(uint8_t prios, const uint8_t *map)
{
	for (int p = 0; p < LLE_NUM_PRIO; p++)
		if (map[p] == p)
			prios &= ~(1U << p);
	return prios;
}

/*
 * Lossless priorities that a map of a VLAN device changes, above a port that
 * takes the priority from the PCP
 */
static uint8_t changed(const struct doctor *d, const struct doctor_end *dev,
		       const uint8_t *map)
{
	const struct lle_nl_device *below = doctor_device(dev->view, dev->dev->link);
	struct doctor_end own, peer;

	if (strcmp(dev->dev->kind, "vlan") || !below || dev->dev->link_netns >= 0)
		return 0;
	doctor_ends(d, below, &own, &peer);
	if (!own.port || doctor_option(&own, TCA_LOSSLESS_TRUST) != LLE_TRUST_PCP)
		return 0;
	return doctor_unmapped(own.port->pfc_en, map);
}

static void find_map(struct doctor *d, const uint8_t *map, const char *direction,
		     const char *consequence)
{
	uint8_t prios = changed(d, &d->own, map);
	char text[CTL_TEXT], words[CTL_WORDS];

	if (!prios)
		return;
	doctor_find(d, DOCTOR_ERROR, d->own.dev->name,
		    "%s-qos-map does not keep priority %s: %s with the PCP of a priority without PFC",
		    direction, ctl_prios_text(text, prios), consequence);
	doctor_mend(d, "ip link set dev %s type vlan %s-qos-map%s", d->own.word, direction,
		    ctl_prio_words(words, prios, " %d:%d"));
}

/**
 * doctor_vlan_in() - does a VLAN device keep the priority of a tag?
 * @d: the run
 */
void doctor_vlan_in(struct doctor *d)
{
	find_map(d, d->own.dev->vlan_in, "ingress",
		 "packets that arrive are sent by another VLAN device");
}

/**
 * doctor_vlan_out() - does a VLAN device write the priority into a tag?
 * @d: the run
 */
void doctor_vlan_out(struct doctor *d)
{
	find_map(d, d->own.dev->vlan_out, "egress", "packets reach the neighbour");
}
