// SPDX-License-Identifier: GPL-2.0
/*
 * The other end of a link. It is known of a veth, also in another network
 * namespace.
 */
#include <string.h>

#include "doctor.h"
#include "save.h"

/* Buffer for a device and its network namespace, bytes */
#define NAME	(CTL_TEXT + CTL_NETNS_NAME)

/* Is the other end examined as a port of its own? */
static bool is_examined(const struct doctor_end *own, const struct doctor_end *peer)
{
	return peer->port && peer->view == own->view;
}

/* Packets from the neighbour wait here; a host takes them at once. */
static bool needs_headroom(const struct doctor_end *own)
{
	return own->port->pfc_en && own->bridge;
}

/* Name of the device at the other end, for messages */
static const char *name_of(char *text, const struct doctor_end *peer)
{
	snprintf(text, NAME, "%s%s%s", peer->dev->name,
		 *peer->view->prefix ? " of " : "",
		 *peer->view->prefix ? peer->view->ns->name : "");
	return text;
}

/* A command for the other end */
static void mend_peer(struct doctor *d, const struct doctor_end *peer, const char *command)
{
	doctor_mend(d, "%stc qdisc %s dev %s root lossless", peer->view->prefix, command,
		    peer->word);
}

/**
 * doctor_peer_qdisc() - does the neighbour obey pauses?
 * @d: the run
 */
void doctor_peer_qdisc(struct doctor *d)
{
	const struct doctor_end *own = &d->own;
	const struct doctor_end *peer = &d->peer;
	uint32_t trust = doctor_option(own, TCA_LOSSLESS_TRUST);
	char name[NAME];

	if (!own->port->pfc_en || peer->qdisc)
		return;
	doctor_find(d, DOCTOR_ERROR, own->dev->name,
		    "its neighbour %s has no lossless qdisc: it does not obey pauses, and headroom overflows",
		    name_of(name, peer));
	mend_peer(d, peer, "replace");
	doctor_mend_pfc(d, own->port->pfc_en);
	if (doctor_option(own, TCA_LOSSLESS_RATE64))
		doctor_mend(d, " rate %" PRIu64 "bps", own->port->rate);
	/* the same priorities at both ends */
	if (trust == LLE_TRUST_DSCP && doctor_has_dscp_map(own))
		doctor_copy_dscp(d, own);
	if (trust != LLE_TRUST_DSCP && trust <= LLE_TRUST_MAX)
		doctor_mend(d, " trust %s", lossless_names_trust[trust]);
	if (own->port->facing == LLE_FACING_FABRIC && peer->bridge)
		doctor_mend(d, " fabric");
}

/**
 * doctor_peer_pfc() - does the neighbour obey the pauses of each priority?
 * @d: the run
 */
void doctor_peer_pfc(struct doctor *d)
{
	const struct doctor_end *own = &d->own;
	const struct doctor_end *peer = &d->peer;
	char name[NAME], text[CTL_TEXT];
	uint8_t lacks = peer->port ? own->port->pfc_en & ~peer->port->pfc_en : 0;

	if (!lacks)
		return;
	doctor_find(d, DOCTOR_ERROR, own->dev->name,
		    "its neighbour %s has no PFC on priority %s: it does not obey these pauses, and headroom overflows",
		    name_of(name, peer), ctl_prios_text(text, lacks));
	mend_peer(d, peer, "change");
	doctor_mend_pfc(d, lacks);
}

/**
 * doctor_peer_rate() - is headroom computed for the rate of the neighbour?
 * @d: the run
 */
void doctor_peer_rate(struct doctor *d)
{
	const struct doctor_end *own = &d->own;
	const struct doctor_end *peer = &d->peer;
	char name[NAME], faster[CTL_TEXT], rate[CTL_TEXT];

	if (!peer->port || !needs_headroom(own) || peer->port->rate <= own->port->rate)
		return;
	doctor_find(d, DOCTOR_ERROR, own->dev->name,
		    "its neighbour %s sends at up to %s, and headroom is computed for %s: more arrives after a pause than fits",
		    name_of(name, peer), ctl_rate_text(faster, peer->port->rate),
		    ctl_rate_text(rate, own->port->rate));
	mend_peer(d, peer, "change");
	doctor_mend(d, " rate %" PRIu64 "bps", own->port->rate);
}

static void mend_mtu(struct doctor *d, const struct doctor_end *end, uint32_t mtu)
{
	doctor_mend(d, "%sip link set dev %s mtu %u", end->view->prefix, end->word, mtu);
}

/**
 * doctor_peer_mtu() - have both ends of a link the same MTU?
 * @d: the run
 */
void doctor_peer_mtu(struct doctor *d)
{
	const struct doctor_end *own = &d->own;
	const struct doctor_end *peer = &d->peer;
	char name[NAME];

	if (own->dev->mtu == peer->dev->mtu ||
	    (own->dev->mtu > peer->dev->mtu && is_examined(own, peer)))
		return;
	doctor_find(d, DOCTOR_ERROR, own->dev->name,
		    "its MTU is %u, that of its neighbour %s %u: longer packets are dropped, and headroom is computed for the wrong size",
		    own->dev->mtu, name_of(name, peer), peer->dev->mtu);
	if (own->dev->mtu < peer->dev->mtu)
		mend_mtu(d, own, peer->dev->mtu);
	else
		mend_mtu(d, peer, own->dev->mtu);
}

static bool sends_whole(const struct doctor_end *end)
{
	return doctor_option(end, TCA_LOSSLESS_GSO_NOW) == LLE_GSO_WHOLE;
}

/**
 * doctor_peer_gso() - do both ends of a link cut GSO packets, or neither?
 * @d: the run
 */
void doctor_peer_gso(struct doctor *d)
{
	const struct doctor_end *own = &d->own;
	const struct doctor_end *peer = &d->peer;
	const struct doctor_end *sender = own;
	char name[NAME];

	if (!peer->port || !needs_headroom(own) || sends_whole(own) == sends_whole(peer) ||
	    (sends_whole(peer) && is_examined(own, peer)))
		return;
	if (sends_whole(peer))
		sender = peer;
	doctor_find(d, DOCTOR_ERROR, own->dev->name,
		    "%s sends GSO packets whole, and the other end of the link has headroom for frames: more arrives after a pause than fits",
		    name_of(name, sender));
	mend_peer(d, sender, "change");
	doctor_mend(d, " split-gso");
}

/**
 * doctor_peer_gro() - does the neighbour drop packets because of GRO?
 * @d: the run
 */
void doctor_peer_gro(struct doctor *d)
{
	const struct doctor_end *own = &d->own;
	const struct doctor_end *peer = &d->peer;
	char name[NAME];

	if (!own->port->pfc_en || is_examined(own, peer) || !doctor_drops_gro(peer))
		return;
	doctor_find(d, DOCTOR_ERROR, own->dev->name,
		    "GRO is on at its neighbour %s: that veth drops packets that arrive while its ring of 256 packets is full, and no port counts them",
		    name_of(name, peer));
	doctor_mend(d, "%sethtool -K %s gro off", peer->view->prefix, peer->word);
}

/**
 * doctor_peer_facing() - is a link between switches fabric?
 * @d: the run
 */
void doctor_peer_facing(struct doctor *d)
{
	const struct doctor_end *own = &d->own;
	const struct doctor_end *peer = &d->peer;
	char name[NAME];

	if (!peer->port || !peer->bridge || !own->bridge ||
	    own->port->facing != LLE_FACING_EDGE)
		return;
	doctor_find(d, DOCTOR_WARNING, own->dev->name,
		    "its neighbour %s is a switch, and the port takes it for a host: it ignores messages about deadlocks and congestion, and limits pauses",
		    name_of(name, peer));
	doctor_mend(d, "tc qdisc change dev %s root lossless fabric", own->word);
}

/**
 * doctor_peer_vlan() - do VLAN devices of the neighbour write priorities into tags?
 * @d: the run
 *
 * The port takes the priority from the PCP.
 */
void doctor_peer_vlan(struct doctor *d)
{
	const struct doctor_end *own = &d->own;
	const struct doctor_view *view = d->peer.view;
	char name[NAME], text[CTL_TEXT], words[CTL_WORDS], word[DOCTOR_WORD];
	const struct lle_nl_device *dev;
	uint8_t prios;

	if (doctor_option(own, TCA_LOSSLESS_TRUST) != LLE_TRUST_PCP || is_examined(own, &d->peer))
		return;
	for (dev = view->devices; dev < view->devices + view->num_devices; dev++) {
		if (strcmp(dev->kind, "vlan") || dev->link != d->peer.dev->ifindex ||
		    dev->link_netns >= 0)
			continue;
		prios = doctor_unmapped(own->port->pfc_en, dev->vlan_out);
		if (!prios)
			continue;
		doctor_find(d, DOCTOR_ERROR, own->dev->name,
			    "%s of its neighbour %s does not write priority %s into the tag: packets arrive with the PCP of a priority without PFC",
			    dev->name, name_of(name, &d->peer), ctl_prios_text(text, prios));
		doctor_word(word, dev->name);
		doctor_mend(d, "%sip link set dev %s type vlan egress-qos-map%s", view->prefix,
			    word, ctl_prio_words(words, prios, " %d:%d"));
	}
}
