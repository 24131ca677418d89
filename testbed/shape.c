// SPDX-License-Identifier: GPL-2.0
/* Properties of a topology. */
#include <stdlib.h>
#include <string.h>

#include "tb.h"

/* Return: number of the switch at the other end of a port's link. */
unsigned int tb_neighbour(const struct tb_topo *t, const struct tb_port *port)
{
	return t->link[port->link].end[!port->side].node;
}

/* @side: end of the link, 0 or 1 */
enum tb_role tb_role(const struct tb_link *l, unsigned int side)
{
	if (!l->to_host)
		return TB_FABRIC;
	return side ? TB_HOST : TB_EDGE;
}

const char *tb_role_name(enum tb_role role)
{
	static const char * const names[TB_NUM_ROLE] = {
		[TB_EDGE] = "edge",
		[TB_FABRIC] = "fabric",
		[TB_HOST] = "host",
	};

	return names[role];
}

/* Name of the node at an end of a link, 0 or 1 */
const char *tb_node_name(const struct tb_topo *t, const struct tb_link *l,
			 unsigned int side)
{
	if (tb_role(l, side) == TB_HOST)
		return t->host[l->end[side].node].name;
	return t->sw[l->end[side].node].name;
}

static unsigned int tb_root(unsigned int *parent, unsigned int sw)
{
	while (parent[sw] != sw) {
		parent[sw] = parent[parent[sw]];
		sw = parent[sw];
	}
	return sw;
}

/* Would a broadcast circulate? Includes failed links, which may come up. */
bool tb_has_loops(const struct tb_topo *t)
{
	unsigned int *parent = tb_zalloc(t->switches, sizeof(*parent));
	unsigned int i, a, b;

	for (i = 0; i < t->switches; i++)
		parent[i] = i;
	for (i = 0; i < t->links; i++) {
		if (t->link[i].to_host)
			continue;
		a = tb_root(parent, t->link[i].end[0].node);
		b = tb_root(parent, t->link[i].end[1].node);
		if (a == b)
			break;
		parent[a] = b;
	}
	free(parent);
	return i < t->links;
}

/* From 10.0.0.1, for host 0 */
void tb_host_address(unsigned int host, uint8_t address[4])
{
	address[0] = 10;
	address[1] = 0;
	address[2] = (host + 1) >> 8;
	address[3] = (host + 1) & 0xff;
}

/* From 02:00:00:00:00:01, for host 0 */
void tb_host_mac(unsigned int host, uint8_t mac[6])
{
	const uint8_t local[6] = { 2, 0, 0, 0, (host + 1) >> 8,
				   (host + 1) & 0xff };

	memcpy(mac, local, sizeof(local));
}

/* From 02:00:01:00:00:00, for side 0 of link 0: as lle_wire.ko numbers its ends */
void tb_port_mac(unsigned int link, unsigned int side, uint8_t mac[6])
{
	const unsigned int end = 2 * link + side;
	const uint8_t local[6] = { 2, 0, 1, end >> 16, end >> 8, end };

	memcpy(mac, local, sizeof(local));
}
