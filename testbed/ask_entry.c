// SPDX-License-Identifier: GPL-2.0
/* Requests for qdiscs, addresses and table entries */
#include <sys/socket.h>

#include <linux/if_addr.h>
#include <linux/if_ether.h>
#include <linux/neighbour.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>

#include "ask.h"
#include "put.h"

int tb_ask_qdisc(struct tb_batch *b, const struct tb_topo *t, unsigned int link,
		 unsigned int side)
{
	const struct tb_link *l = &t->link[link];
	struct tcmsg tc = { .tcm_ifindex = tb_ifindex(t, link, side),
			    .tcm_parent = TC_H_ROOT,
			    .tcm_handle = TC_H_MAKE(1 << 16, 0) };
	struct nlmsghdr *n;

	n = tb_batch_add(b, RTM_NEWQDISC, TB_NEW, &tc, sizeof(tc),
			 &(struct tb_doing){ "qdisc", l->end[side].dev,
					     tb_node_name(t, l, side) });
	if (!n)
		return -1;
	tb_put_text(n, TCA_KIND, "lossless");
	return tb_qdisc_put(n, t, l, side);
}

/* Adds a host to a switch's forwarding table; there is a path to it. */
int tb_ask_forward(struct tb_batch *b, const struct tb_topo *t, unsigned int sw,
		   unsigned int host)
{
	unsigned int port = t->next[(size_t)sw * t->hosts + host] - 1;
	const struct tb_port *p = &t->sw[sw].port[port];
	struct ndmsg ndm = { .ndm_family = AF_BRIDGE,
			     .ndm_ifindex = tb_ifindex(t, p->link, p->side),
			     .ndm_state = NUD_NOARP, .ndm_flags = NTF_MASTER };
	struct nlmsghdr *n;
	__u8 mac[ETH_ALEN];

	n = tb_batch_add(b, RTM_NEWNEIGH, TB_NEW, &ndm, sizeof(ndm),
			 &(struct tb_doing){ "forwarding",
					     t->host[host].name,
					     t->sw[sw].name });
	if (!n)
		return -1;
	tb_host_mac(host, mac);
	tb_put(n, NDA_LLADDR, mac, sizeof(mac));
	return 0;
}

/* Gives a host its address. */
int tb_ask_address(struct tb_batch *b, const struct tb_topo *t,
		   unsigned int host)
{
	struct ifaddrmsg ifa = { .ifa_family = AF_INET, .ifa_prefixlen = 8,
				 .ifa_index = TB_IFINDEX };
	struct nlmsghdr *n;
	__u8 address[4];

	n = tb_batch_add(b, RTM_NEWADDR, TB_NEW, &ifa, sizeof(ifa),
			 &(struct tb_doing){ "address", t->host[host].name,
					     NULL });
	if (!n)
		return -1;
	tb_host_address(host, address);
	tb_put(n, IFA_LOCAL, address, sizeof(address));
	return 0;
}

/* Gives a host the MAC address of host @other. */
int tb_ask_neighbour(struct tb_batch *b, const struct tb_topo *t,
		     unsigned int host, unsigned int other)
{
	struct ndmsg ndm = { .ndm_family = AF_INET, .ndm_ifindex = TB_IFINDEX,
			     .ndm_state = NUD_PERMANENT };
	struct nlmsghdr *n;
	__u8 address[4], mac[ETH_ALEN];

	n = tb_batch_add(b, RTM_NEWNEIGH, TB_NEW, &ndm, sizeof(ndm),
			 &(struct tb_doing){ "neighbour", t->host[other].name,
					     t->host[host].name });
	if (!n)
		return -1;
	tb_host_address(other, address);
	tb_host_mac(other, mac);
	tb_put(n, NDA_DST, address, sizeof(address));
	tb_put(n, NDA_LLADDR, mac, sizeof(mac));
	return 0;
}
