// SPDX-License-Identifier: GPL-2.0
/* losslessctl port, and losslessctl DEV */
#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <stdlib.h>
#include <string.h>

#include "ctl.h"

/* ifi_flags has it, net/if.h does not. */
#define CTL_LOWER_UP	(1U << 16)

/* Data of rtnetlink, and what to show of each port */
struct ctl_port_more {
	struct ctl *c;
	struct lle_nl_device *devices;
	struct lle_nl_qdisc *qdiscs;
	int num_devices;
	int num_qdiscs;
	bool differences;	/* also options that are not in force */
	bool prios;	/* also its priorities */
};

/* A size or rate in force, and its option */
static const struct ctl_in_force {
	const char *name;
	const char *key;	/* in JSON, of the port and in "configured" */
	int attr;	/* of the option; 0: computed */
	const char *computed;	/* word of the option for 0 */
	bool is_rate;	/* bytes per second, not bytes */
} ctl_in_force[] = {
	{ "rate", "rate_bytes_per_s", TCA_LOSSLESS_RATE64, "unlimited", true },
	{ "headroom", "headroom_bytes", TCA_LOSSLESS_HEADROOM, "auto", false },
	{ "xoff", "xoff_bytes", TCA_LOSSLESS_XOFF, "dynamic", false },
	{ "xon-delta", "xon_delta_bytes", TCA_LOSSLESS_XON_DELTA, "auto", false },
};

static enum ctl_exit ctl_port_read(struct ctl_port_more *more)
{
	struct ctl *c = more->c;

	more->num_devices = lle_nl_get_devices(c->nl, &more->devices);
	if (more->num_devices < 0)
		return ctl_refused(c);
	more->num_qdiscs = lle_nl_get_qdiscs(c->nl, &more->qdiscs);
	if (more->num_qdiscs >= 0)
		return CTL_OK;
	free(more->devices);
	return ctl_refused(c);
}

static const char *ctl_link_name(const struct ctl_port_more *more, unsigned int ifindex)
{
	for (int i = 0; i < more->num_devices; i++) {
		if (more->devices[i].ifindex != ifindex)
			continue;
		if (!(more->devices[i].flags & IFF_UP))
			return "down";
		return more->devices[i].flags & CTL_LOWER_UP ? "up" : "no carrier";
	}
	return "unknown";
}

/* Return: bytes per second of the device; 0: not known */
static uint64_t ctl_link_speed(struct ctl *c, const char *dev)
{
	struct ethtool_cmd request = { .cmd = ETHTOOL_GSET };
	uint32_t mbit;

	if (lle_nl_ethtool(c->nl, dev, &request))
		return 0;
	mbit = (uint32_t)request.speed_hi << 16 | request.speed;
	return mbit == (uint32_t)SPEED_UNKNOWN ? 0 : mbit * 125000ULL;
}

/* Return: 0: computed, or not in the message */
static uint64_t ctl_option_of(const struct ctl_port_more *more, unsigned int ifindex, int attr)
{
	uint64_t value = 0;

	for (int i = 0; i < more->num_qdiscs; i++)
		if (more->qdiscs[i].ifindex == ifindex)
			lle_nl_option(&more->qdiscs[i], attr, &value);
	return value;
}

static uint64_t ctl_now_of(const struct ctl_port_more *more, const struct lle_nl_port *port,
			   int attr)
{
	switch (attr) {
	case TCA_LOSSLESS_RATE64:
		return port->rate;
	case TCA_LOSSLESS_HEADROOM:
		return port->headroom_bytes;
	case TCA_LOSSLESS_XOFF:
		return port->xoff_bytes;
	default:
		return ctl_option_of(more, port->who.ifindex, TCA_LOSSLESS_XON_DELTA_NOW);
	}
}

static const char *ctl_gso_of(const struct ctl_port_more *more, unsigned int ifindex, int attr)
{
	return ctl_gso_name(ctl_option_of(more, ifindex, attr));
}

static const char *ctl_in_force_text(char *text, const struct ctl_in_force *f, uint64_t value)
{
	if (!value)
		snprintf(text, CTL_TEXT, "%s", f->computed);
	else if (f->is_rate)
		ctl_rate_text(text, value);
	else
		snprintf(text, CTL_TEXT, "%" PRIu64, value);
	return text;
}

/* Prints options with a value in force that differs from the configured one. */
static void ctl_differ_text(const struct ctl_port_more *more, const struct lle_nl_port *port)
{
	char text[CTL_TEXT], now_text[CTL_TEXT];
	const struct ctl_in_force *f;
	const char *gso, *gso_now;
	uint64_t value, now;

	for (f = ctl_in_force; f < ctl_in_force + ARRAY_SIZE(ctl_in_force); f++) {
		value = ctl_option_of(more, port->who.ifindex, f->attr);
		now = ctl_now_of(more, port, f->attr);
		if (value != now)
			printf("    %s %s: %s in force\n", f->name,
			       ctl_in_force_text(text, f, value),
			       ctl_in_force_text(now_text, f, now));
	}
	gso = ctl_gso_of(more, port->who.ifindex, TCA_LOSSLESS_GSO);
	gso_now = ctl_gso_of(more, port->who.ifindex, TCA_LOSSLESS_GSO_NOW);
	if (gso != gso_now)
		printf("    gso %s: %s in force\n", gso, gso_now);
}

static void ctl_port_text(const void *item, const void *arg)
{
	const struct ctl_port_more *more = arg;
	const struct lle_nl_port *port = item;
	char name[CTL_TEXT], peer[CTL_TEXT], rate[CTL_TEXT], prios[CTL_TEXT];
	char from[CTL_TEXT], link[2 * CTL_TEXT], speed[CTL_TEXT];
	const char *state = ctl_link_name(more, port->who.ifindex);

	snprintf(link, sizeof(link), "%s", state);
	if (!strcmp(state, "up"))
		snprintf(link, sizeof(link), "up %s",
			 ctl_rate_text(speed, ctl_link_speed(more->c, port->who.ifname)));
	printf("%-16s%-7u%-12s%-7s%-18s%-9s%-6u%s\n",
	       lle_nl_dev_text(name, port->who.ifname), port->who.sw, link,
	       ctl_facing_name(port->facing),
	       ctl_peer_text(peer, port), ctl_rate_text(rate, port->rate),
	       port->mtu_bytes, lle_nl_prios_text(prios, port->pfc_en));
	if (port->unaccounted)
		printf("    ! %" PRIu64 " packets of lossless priorities arrived at %s, which is no port: they are not accounted and may be lost\n",
		       port->unaccounted,
		       lle_nl_ifindex_text(from, port->unaccounted_ifindex));
	if (more->differences)
		ctl_differ_text(more, port);
	if (more->prios) {
		printf("\n");
		ctl_prio_of(more->c, port);
	}
}

static struct json_object *ctl_configured_json(const struct ctl_port_more *more,
					       const struct lle_nl_port *port)
{
	struct json_object *o = ctl_object();
	const struct ctl_in_force *f;
	uint64_t value;

	for (f = ctl_in_force; f < ctl_in_force + ARRAY_SIZE(ctl_in_force); f++) {
		value = ctl_option_of(more, port->who.ifindex, f->attr);
		if (value)
			ctl_put_u64(o, f->key, value);
	}
	ctl_put_text(o, "gso", ctl_gso_of(more, port->who.ifindex, TCA_LOSSLESS_GSO));
	return o;
}

/* Without the link and the configuration */
struct json_object *ctl_port_json(const struct lle_nl_port *port)
{
	struct json_object *o = ctl_object();
	char text[CTL_TEXT];

	ctl_put_who(o, &port->who);
	if (port->slot < LLE_MAX_PORTS)
		ctl_put_u64(o, "slot", port->slot);
	ctl_put_text(o, "facing", ctl_facing_name(port->facing));
	if (port->peer) {
		ctl_put_u64(o, "peer_ifindex", port->peer);
		if (if_indextoname(port->peer, text))
			ctl_put_text(o, "peer", text);
	}
	ctl_put_mac(o, "peer_mac", port->peer_mac);
	ctl_put_u64(o, "mtu_bytes", port->mtu_bytes);
	ctl_put_prios(o, "pfc_prios", port->pfc_en);
	ctl_put_prios(o, "rcm_prios", port->rcm);
	ctl_put_text(o, "alpha", lle_nl_alpha_text(text, port->to_alpha));
	ctl_put_u64(o, "to_alpha", port->to_alpha);
	if (port->rate)
		ctl_put_u64(o, "rate_bytes_per_s", port->rate);
	if (port->xoff_bytes)
		ctl_put_u64(o, "xoff_bytes", port->xoff_bytes);
	ctl_put_u64(o, "headroom_bytes", port->headroom_bytes);
	ctl_put_u64(o, "headroom_need_bytes", port->headroom_need_bytes);
	ctl_put_unaccounted(o, port->unaccounted, port->unaccounted_ifindex);
	return o;
}

static struct json_object *ctl_whole_port_json(const void *item, const void *arg)
{
	const struct ctl_port_more *more = arg;
	const struct lle_nl_port *port = item;
	uint64_t speed = ctl_link_speed(more->c, port->who.ifname), xon_delta;
	struct json_object *o = ctl_port_json(port);

	ctl_put_text(o, "link", ctl_link_name(more, port->who.ifindex));
	if (speed)
		ctl_put_u64(o, "speed_bytes_per_s", speed);
	xon_delta = ctl_now_of(more, port, TCA_LOSSLESS_XON_DELTA);
	if (xon_delta)
		ctl_put_u64(o, "xon_delta_bytes", xon_delta);
	ctl_put_text(o, "gso", ctl_gso_of(more, port->who.ifindex, TCA_LOSSLESS_GSO_NOW));
	ctl_put(o, "configured", ctl_configured_json(more, port));
	if (more->prios)
		ctl_put(o, "prios", ctl_prio_of(more->c, port));
	return o;
}

static const struct ctl_rows ctl_port_rows = {
	sizeof(struct lle_nl_port),
	"PORT            SWITCH LINK        FACING PEER              RATE     MTU   PFC",
	NULL, ctl_port_text, ctl_whole_port_json
};

/* @dev: a device; NULL: all ports. @prios: also its priorities */
static enum ctl_exit ctl_ports(struct ctl *c, const char *dev, bool prios)
{
	struct ctl_port_more more = { .c = c, .differences = dev, .prios = prios };
	struct lle_nl_port *ports;
	enum ctl_exit ret;
	int num;

	ret = ctl_get_ports(c, dev, &ports, &num);
	if (ret)
		return ret;
	ret = ctl_port_read(&more);
	if (ret) {
		free(ports);
		return ret;
	}
	ret = ctl_show(c, &ctl_port_rows, ports, num, &more, CTL_NO_PORTS);
	lle_nl_free_qdiscs(more.qdiscs, more.num_qdiscs);
	free(more.devices);
	return ret;
}

enum ctl_exit ctl_port_show(struct ctl *c, int argc, char **argv)
{
	return ctl_words(c, argc, argv, "port", 1) ?: ctl_ports(c, argv[optind], false);
}

/* @argv[0]: the device */
enum ctl_exit ctl_dev(struct ctl *c, int argc, char **argv)
{
	char *dev = argv[0];

	argv[0] = "losslessctl";
	return ctl_words(c, argc, argv, dev, 0) ?: ctl_ports(c, dev, true);
}
