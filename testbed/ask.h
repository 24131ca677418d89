/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_TB_ASK_H
#define LLE_TB_ASK_H

#include <linux/netlink.h>

#include "batch.h"
#include "tb.h"

/* Flags of a request that fails if the object exists. */
#define TB_NEW		(NLM_F_CREATE | NLM_F_EXCL)

/*
 * We choose the interface numbers, so that no request waits for the answer to
 * another one. The eth0 of each host has the first number. In the switches'
 * network namespace the bridges have the first ones, then the ports. Lower
 * numbers belong to devices that the kernel adds to each network namespace.
 */
#define TB_IFINDEX	1000

unsigned int tb_ifindex(const struct tb_topo *t, unsigned int link,
			unsigned int side);

int tb_ask_bridge(struct tb_batch *b, const struct tb_topo *t, unsigned int sw);
int tb_ask_link(struct tb_batch *b, const struct tb_topo *t, unsigned int link,
		unsigned int mtu, int netns);
int tb_ask_wire(struct tb_batch *b, const struct tb_topo *t, unsigned int link,
		unsigned int side, unsigned int mtu);
int tb_ask_qdisc(struct tb_batch *b, const struct tb_topo *t, unsigned int link,
		 unsigned int side);
int tb_ask_port(struct tb_batch *b, const struct tb_topo *t, unsigned int link,
		unsigned int side, bool broadcast);
int tb_ask_forward(struct tb_batch *b, const struct tb_topo *t, unsigned int sw,
		   unsigned int host);
int tb_ask_up(struct tb_batch *b, const char *host, const char *dev,
	      unsigned int ifindex);
int tb_ask_address(struct tb_batch *b, const struct tb_topo *t,
		   unsigned int host);
int tb_ask_neighbour(struct tb_batch *b, const struct tb_topo *t,
		     unsigned int host, unsigned int other);

#endif /* LLE_TB_ASK_H */
