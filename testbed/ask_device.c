// SPDX-License-Identifier: GPL-2.0
/*
 * Requests for devices. Batches are those of the device's network namespace; an
 * MTU of 0 is the kernel's choice.
 */
#include <sys/socket.h>

#include <linux/if.h>
#include <linux/if_bridge.h>
#include <linux/if_ether.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <linux/veth.h>

#include <linux/pkt_sch_lossless.h>

#include "ask.h"
#include "put.h"

unsigned int tb_ifindex(const struct tb_topo *t, unsigned int link,
			unsigned int side)
{
	if (tb_role(&t->link[link], side) == TB_HOST)
		return TB_IFINDEX;
	return TB_IFINDEX + t->switches + 2 * link + side;
}

int tb_ask_bridge(struct tb_batch *b, const struct tb_topo *t, unsigned int sw)
{
	struct ifinfomsg ifi = { .ifi_index = TB_IFINDEX + sw,
				 .ifi_flags = IFF_UP, .ifi_change = IFF_UP };
	struct rtattr *info, *data;
	struct nlmsghdr *n;

	n = tb_batch_add(b, RTM_NEWLINK, TB_NEW, &ifi, sizeof(ifi),
			 &(struct tb_doing){ .what = t->sw[sw].name });
	if (!n)
		return -1;
	tb_put_text(n, IFLA_IFNAME, t->sw[sw].name);
	info = tb_nest(n, IFLA_LINKINFO);
	tb_put_text(n, IFLA_INFO_KIND, "bridge");
	data = tb_nest(n, IFLA_INFO_DATA);
	tb_put_u8(n, IFLA_BR_MCAST_SNOOPING, 0);
	/* without a default VLAN a host is one entry of the table, not two */
	tb_put_u16(n, IFLA_BR_VLAN_DEFAULT_PVID, 0);
	addattr_nest_end(n, data);
	addattr_nest_end(n, info);
	return 0;
}

/* The address of an end must not be random: random numbers of the port follow from it. */
static void tb_put_end(struct nlmsghdr *n, const struct tb_topo *t, unsigned int link,
		       unsigned int side, unsigned int mtu)
{
	const struct tb_link *l = &t->link[link];
	__u8 mac[ETH_ALEN];

	tb_put_text(n, IFLA_IFNAME, l->end[side].dev);
	if (mtu)
		tb_put_u32(n, IFLA_MTU, mtu);
	if (tb_role(l, side) == TB_HOST)
		tb_host_mac(l->end[side].node, mac);
	else
		tb_port_mac(link, side, mac);
	tb_put(n, IFLA_ADDRESS, mac, sizeof(mac));
}

/* Adds both devices of a link. @netns: network namespace of end 1 */
int tb_ask_link(struct tb_batch *b, const struct tb_topo *t, unsigned int link,
		unsigned int mtu, int netns)
{
	const struct tb_link *l = &t->link[link];
	struct ifinfomsg ifi = { .ifi_index = tb_ifindex(t, link, 0) };
	struct ifinfomsg other = { .ifi_index = tb_ifindex(t, link, 1) };
	struct rtattr *info, *data, *peer;
	struct nlmsghdr *n;

	n = tb_batch_add(b, RTM_NEWLINK, TB_NEW, &ifi, sizeof(ifi),
			 &(struct tb_doing){ "link", l->end[0].dev,
					     tb_node_name(t, l, 1) });
	if (!n)
		return -1;
	tb_put_end(n, t, link, 0, mtu);
	info = tb_nest(n, IFLA_LINKINFO);
	tb_put_text(n, IFLA_INFO_KIND, "veth");
	data = tb_nest(n, IFLA_INFO_DATA);
	/* the attributes in this nest follow a struct */
	peer = (struct rtattr *)((char *)n + NLMSG_ALIGN(n->nlmsg_len));
	tb_put(n, VETH_INFO_PEER, &other, sizeof(other));
	tb_put_end(n, t, link, 1, mtu);
	tb_put_u32(n, IFLA_NET_NS_FD, netns);
	addattr_nest_end(n, peer);
	addattr_nest_end(n, data);
	addattr_nest_end(n, info);
	return 0;
}

/* Adds an end of a wire. */
int tb_ask_wire(struct tb_batch *b, const struct tb_topo *t, unsigned int link,
		unsigned int side, unsigned int mtu)
{
	const struct tb_link *l = &t->link[link];
	struct ifinfomsg ifi = { .ifi_index = tb_ifindex(t, link, side) };
	struct rtattr *info, *data;
	struct nlmsghdr *n;
	uint64_t ns;

	if (tb_qdisc_delay(t, l, side, &ns))
		return -1;
	n = tb_batch_add(b, RTM_NEWLINK, TB_NEW, &ifi, sizeof(ifi),
			 &(struct tb_doing){ "wire", l->end[side].dev,
					     tb_node_name(t, l, side) });
	if (!n)
		return -1;
	tb_put_end(n, t, link, side, mtu);
	tb_put_u32(n, IFLA_GROUP, tb_part_of(t, l, side));
	info = tb_nest(n, IFLA_LINKINFO);
	tb_put_text(n, IFLA_INFO_KIND, LLE_WIRE_KIND);
	data = tb_nest(n, IFLA_INFO_DATA);
	tb_put_u32(n, LLE_WIRE_END, 2 * link + side);
	tb_put(n, LLE_WIRE_DELAY_NS, &ns, sizeof(ns));
	addattr_nest_end(n, data);
	addattr_nest_end(n, info);
	return 0;
}

/* Makes a device a port, and sets it up. @broadcast: it forwards those */
int tb_ask_port(struct tb_batch *b, const struct tb_topo *t, unsigned int link,
		unsigned int side, bool broadcast)
{
	const struct tb_link *l = &t->link[link];
	const struct tb_end *end = &l->end[side];
	struct ifinfomsg ifi = { .ifi_index = tb_ifindex(t, link, side),
				 .ifi_flags = l->failed ? 0 : IFF_UP,
				 .ifi_change = IFF_UP };
	struct ifinfomsg port = { .ifi_index = ifi.ifi_index,
				  .ifi_family = AF_BRIDGE };
	struct tb_doing doing = { "port", end->dev, t->sw[end->node].name };
	struct rtattr *info;
	struct nlmsghdr *n;

	n = tb_batch_add(b, RTM_NEWLINK, 0, &ifi, sizeof(ifi), &doing);
	if (!n)
		return -1;
	tb_put_u32(n, IFLA_MASTER, TB_IFINDEX + end->node);

	n = tb_batch_add(b, RTM_SETLINK, 0, &port, sizeof(port), &doing);
	if (!n)
		return -1;
	info = tb_nest(n, IFLA_PROTINFO);
	tb_put_u8(n, IFLA_BRPORT_LEARNING, 0);
	tb_put_u8(n, IFLA_BRPORT_UNICAST_FLOOD, 0);
	tb_put_u8(n, IFLA_BRPORT_MCAST_FLOOD, broadcast);
	tb_put_u8(n, IFLA_BRPORT_BCAST_FLOOD, broadcast);
	addattr_nest_end(n, info);
	return 0;
}

int tb_ask_up(struct tb_batch *b, const char *host, const char *dev,
	      unsigned int ifindex)
{
	struct ifinfomsg ifi = { .ifi_index = ifindex, .ifi_flags = IFF_UP,
				 .ifi_change = IFF_UP };

	return tb_batch_add(b, RTM_NEWLINK, 0, &ifi, sizeof(ifi),
			    &(struct tb_doing){ dev, host, NULL }) ? 0 : -1;
}
