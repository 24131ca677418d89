// SPDX-License-Identifier: GPL-2.0
/*
 * Fake kernel for losslessctl top: replaces the functions of the client library
 * (ld --wrap). Each request for the switches advances the clock by a second.
 *
 *	swp1, 3		receives 1 Gbit/s, uses half its threshold, pauses half
 *			of the time
 *	swp2, 0		lossy; sends 8 Mbit/s, drops 10 packets/s, exceeds its
 *			threshold, uses 100 kB of headroom; missing in second 3
 *	swp10, 3	paused from 0.25 s, a storm from 2 s; small backlog
 *	evil, 3 and 4	idle
 *
 * To other commands swp1 is up with 10 Gbit/s, and its options are computed by the
 * module; swp2 has no carrier and options with numbers; swp10 is down.
 *
 * LLE_FAKE_HOSTS	number of further ports, each like swp1
 * LLE_FAKE_SWITCHES	number of further switches, without ports
 * LLE_FAKE_UNLOAD	the module is unloaded from that second on
 * LLE_FAKE_RELOAD	the module was reloaded before that request for switches
 * LLE_FAKE_BUSY	ports keep changing during that request for switches
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <netlink/attr.h>
#include <netlink/msg.h>
#include <linux/ethtool.h>

#include "../../daemon/lib/client.h"

#define SECOND	1000000000ULL
#define GBIT	125000000ULL
#define MB	(1U << 20)

enum { SWP1 = 11, SWP2, SWP10, EVIL, HOSTS };

struct lle_nl {
	int unused;
};

static struct lle_nl fake_nl;
static uint64_t seconds;

static uint64_t setting(const char *name)
{
	const char *value = getenv(name);

	return value ? strtoull(value, NULL, 10) : 0;
}

static bool is_unloaded(void)
{
	uint64_t at = setting("LLE_FAKE_UNLOAD");

	return at && seconds >= at;
}

uint64_t __wrap_ctl_now_ns(void)
{
	return seconds * SECOND;
}

int __wrap_lle_nl_open(struct lle_nl **nl)
{
	*nl = &fake_nl;
	return is_unloaded() ? -ENOENT : 0;
}

void __wrap_lle_nl_close(struct lle_nl *nl)
{
	(void)nl;
}

const char *__wrap_lle_nl_text(const struct lle_nl *nl)
{
	(void)nl;
	return is_unloaded() ? "the module lossless is not loaded: modprobe sch_lossless" : "it failed";
}

int __wrap_lle_nl_get_switches(struct lle_nl *nl, struct lle_nl_switch **result)
{
	int more = setting("LLE_FAKE_SWITCHES");
	static uint64_t asked;

	(void)nl;
	if (++asked == setting("LLE_FAKE_RELOAD"))
		return -ENOENT;
	if (asked == setting("LLE_FAKE_BUSY"))
		return -EINTR;
	seconds++;
	if (is_unloaded())
		return -ENOENT;
	*result = calloc(2 + more, sizeof(**result));
	(*result)[0] = (struct lle_nl_switch) {
		.ports = 3, .buffer_bytes = 12 * MB, .shared_bytes = 10 * MB,
		.used_bytes = 2 * MB, .used_max_bytes = 5 * MB,
	};
	(*result)[1] = (struct lle_nl_switch) {
		.id = 7, .ports = 1, .buffer_bytes = 2 * MB, .shared_bytes = MB,
		.discard = 1,
	};
	for (int i = 0; i < more; i++)
		(*result)[2 + i].id = 100 + i;
	return 2 + more;
}

int __wrap_lle_nl_get_switch(struct lle_nl *nl, uint32_t id, struct lle_nl_switch *result)
{
	struct lle_nl_switch *switches = NULL;
	int num = __wrap_lle_nl_get_switches(nl, &switches), i, err = -ENOENT;

	for (i = 0; i < num; i++) {
		if (switches[i].id == id) {
			*result = switches[i];
			err = 0;
		}
	}
	free(switches);
	return err;
}

static struct lle_nl_port *add_port(struct lle_nl_port *ports, int *num,
				    unsigned int ifindex, const char *name)
{
	struct lle_nl_port *port = &ports[(*num)++];

	port->who.ifindex = ifindex;
	snprintf(port->who.ifname, sizeof(port->who.ifname), "%s", name);
	port->to_alpha = LLE_TO_ALPHA_DEFAULT;
	port->pfc_en = 1 << 3;
	port->stats_prios = 0xff;
	for (int p = 0; p < LLE_NUM_PRIO; p++)
		port->stats[p].prio = p;
	return port;
}

static void receives(struct lle_nl_port *port)
{
	struct lle_prio_stats *s = &port->stats[3];

	s->rx_packets = seconds * 125000;
	s->rx_bytes = seconds * 125000000;
	/* the threshold is 1/16 of 8 MB */
	s->occupancy = MB / 4;
	s->tx_pause = seconds;
}

int __wrap_lle_nl_get_ports(struct lle_nl *nl, struct lle_nl_port **result)
{
	int hosts = setting("LLE_FAKE_HOSTS"), num = 0;
	struct lle_nl_port *ports = calloc(4 + hosts, sizeof(*ports)), *port;
	char name[IFNAMSIZ];

	(void)nl;
	receives(add_port(ports, &num, SWP1, "swp1"));
	if (seconds != 3) {
		port = add_port(ports, &num, SWP2, "swp2");
		port->pfc_en = 0;
		port->stats[0].occupancy = 700000;
		port->stats[0].headroom = 100000;
		port->stats[0].tx_packets = seconds;
		port->stats[0].tx_bytes = seconds * 1000000;
		port->stats[0].drop_limit = seconds * 4;
		port->stats[0].drop_wred = seconds * 6;
	}
	port = add_port(ports, &num, SWP10, "swp10");
	port->stats[3].occupancy = 100;
	port->stats[3].backlog = 5000;
	port->stats[3].rx_paused = 1;
	for (int i = 0; i < hosts; i++) {
		snprintf(name, sizeof(name), "host%d", i);
		receives(add_port(ports, &num, HOSTS + i, name));
	}
	port = add_port(ports, &num, EVIL, "evil\033[2J\xff");
	port->who.sw = 7;
	port->pfc_en |= 1 << 4;
	*result = ports;
	return num;
}

int __wrap_lle_nl_get_port(struct lle_nl *nl, unsigned int ifindex,
			   struct lle_nl_port *result)
{
	struct lle_nl_port *ports = NULL;
	int num = __wrap_lle_nl_get_ports(nl, &ports), i;

	memset(result, 0, sizeof(*result));
	for (i = 0; i < num; i++)
		if (ports[i].who.ifindex == ifindex)
			*result = ports[i];
	free(ports);
	result->rate = ifindex == SWP1 ? 10 * GBIT : GBIT;
	result->headroom_bytes = 40000;
	result->headroom_need_bytes = 38912;
	result->mtu_bytes = 1500;
	return 0;
}

int __wrap_lle_nl_get_devices(struct lle_nl *nl, struct lle_nl_device **result)
{
	static const unsigned int flags[] = {
		IFF_UP | 1 << 16 /* IFF_LOWER_UP */, IFF_UP, 0,
	};

	(void)nl;
	*result = calloc(3, sizeof(**result));
	for (int i = 0; i < 3; i++)
		(*result)[i] = (struct lle_nl_device){ .ifindex = SWP1 + i, .flags = flags[i] };
	return 3;
}

int __wrap_lle_nl_ethtool(struct lle_nl *nl, const char *dev, void *request)
{
	(void)nl;
	ethtool_cmd_speed_set(request, strcmp(dev, "swp1") ? SPEED_UNKNOWN : 10000);
	return 0;
}

static void *options(unsigned int ifindex)
{
	bool number = ifindex != SWP1;
	struct nl_msg *msg = nlmsg_alloc();
	struct nlattr *nest = nla_nest_start(msg, 2 /* TCA_OPTIONS */);
	void *copy;

	nla_put_u64(msg, TCA_LOSSLESS_RATE64, number ? GBIT : 0);
	nla_put_u32(msg, TCA_LOSSLESS_HEADROOM, number ? 40000 : 0);
	nla_put_u32(msg, TCA_LOSSLESS_XOFF, 0);
	nla_put_u32(msg, TCA_LOSSLESS_XON_DELTA, number ? 2000 : 0);
	nla_put_u32(msg, TCA_LOSSLESS_XON_DELTA_NOW, number ? 2000 : 3028);
	nla_put_u8(msg, TCA_LOSSLESS_GSO, number ? LLE_GSO_SPLIT : LLE_GSO_AUTO);
	nla_put_u8(msg, TCA_LOSSLESS_GSO_NOW, number ? LLE_GSO_SPLIT : LLE_GSO_WHOLE);
	nla_nest_end(msg, nest);
	copy = malloc(nla_total_size(nla_len(nest)));
	memcpy(copy, nest, nla_total_size(nla_len(nest)));
	nlmsg_free(msg);
	return copy;
}

int __wrap_lle_nl_get_qdiscs(struct lle_nl *nl, struct lle_nl_qdisc **result)
{
	(void)nl;
	*result = calloc(3, sizeof(**result));
	for (int i = 0; i < 3; i++)
		(*result)[i] = (struct lle_nl_qdisc){
			.ifindex = SWP1 + i, .options = options(SWP1 + i),
		};
	return 3;
}

static const char *const names[] = { "swp1", "swp2", "swp10" };

unsigned int __wrap_if_nametoindex(const char *name)
{
	for (int i = 0; i < 3; i++)
		if (!strcmp(name, names[i]))
			return SWP1 + i;
	return 0;
}

/* As if_freenameindex() frees it */
struct if_nameindex *__wrap_if_nameindex(void)
{
	struct if_nameindex *all = calloc(4, sizeof(*all));

	for (int i = 0; i < 3; i++)
		all[i] = (struct if_nameindex){ SWP1 + i, strdup(names[i]) };
	return all;
}

int __wrap_lle_nl_get_histories(struct lle_nl *nl, unsigned int ifindex,
				struct lle_nl_history **result)
{
	struct lle_nl_history *all = calloc(2, sizeof(*all));

	(void)nl;
	(void)ifindex;
	all[0].who.ifindex = SWP1;
	all[0].prio = 3;
	all[0].direction = LOSSLESS_DIRECTION_TX;
	all[0].count = seconds;
	all[0].total_ns = seconds * SECOND / 2;
	all[1].who.ifindex = SWP10;
	all[1].prio = 3;
	all[1].direction = LOSSLESS_DIRECTION_RX;
	all[1].since_ns = SECOND / 4;
	*result = all;
	return 2;
}

int __wrap_lle_nl_get_watchdogs(struct lle_nl *nl,
				struct lle_nl_watchdog **result)
{
	struct lle_nl_watchdog *all = calloc(1, sizeof(*all));

	(void)nl;
	all->who.ifindex = SWP10;
	all->prio = 3;
	all->stormed = seconds >= 2;
	*result = all;
	return 1;
}
