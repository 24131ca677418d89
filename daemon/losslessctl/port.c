// SPDX-License-Identifier: GPL-2.0
/* losslessctl port */
#include <stdlib.h>

#include "ctl.h"

static void ctl_port_text(const struct lle_nl_port *port)
{
	char name[CTL_TEXT], peer[CTL_TEXT], rate[CTL_TEXT], prios[CTL_TEXT];
	char from[CTL_TEXT];

	printf("%-16s%-8u%-8s%-18s%-12s%-6u%s\n",
	       lle_nl_dev_text(name, port->who.ifname), port->who.sw,
	       ctl_facing_name(port->facing),
	       ctl_peer_text(peer, port), ctl_rate_text(rate, port->rate),
	       port->mtu_bytes, ctl_prios_text(prios, port->pfc_en));
	if (port->unaccounted)
		printf("    ! %" PRIu64 " packets of lossless priorities arrived at %s, which is no port: they are not accounted and may be lost\n",
		       port->unaccounted,
		       lle_nl_ifindex_text(from, port->unaccounted_ifindex));
}

/**
 * ctl_port_json() - describe a port as JSON
 * @port: the port
 *
 * Return: the object.
 */
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
	if (port->rate)
		ctl_put_u64(o, "rate_bytes_per_s", port->rate);
	ctl_put_u64(o, "mtu_bytes", port->mtu_bytes);
	ctl_put_prios(o, "pfc_prios", port->pfc_en);
	ctl_put_prios(o, "rcm_prios", port->rcm);
	ctl_put_text(o, "alpha", lle_nl_alpha_text(text, port->to_alpha));
	ctl_put_u64(o, "to_alpha", port->to_alpha);
	if (port->xoff_bytes)
		ctl_put_u64(o, "xoff_bytes", port->xoff_bytes);
	ctl_put_u64(o, "headroom_bytes", port->headroom_bytes);
	ctl_put_u64(o, "headroom_need_bytes", port->headroom_need_bytes);
	ctl_put_unaccounted(o, port->unaccounted, port->unaccounted_ifindex);
	return o;
}

/**
 * ctl_port_show() - run port [show [DEV]]
 * @c: the run
 * @argc: number of arguments
 * @argv: arguments
 *
 * Return: exit status.
 */
enum ctl_exit ctl_port_show(struct ctl *c, int argc, char **argv)
{
	struct json_object *array;
	struct lle_nl_port *ports;
	enum ctl_exit ret;
	int num, i;

	if (ctl_option(c, argc, argv, "", NULL))
		return CTL_USAGE;
	if (argc - optind > 1)
		return ctl_wrong(c, "port: unknown argument \"%s\"", argv[optind + 1]);
	ret = ctl_get_ports(c, argv[optind], &ports, &num);
	if (ret)
		return ret;

	if (c->json) {
		array = ctl_array();
		for (i = 0; i < num; i++)
			ctl_put(array, NULL, ctl_port_json(&ports[i]));
		ctl_print_json(c, array);
	} else {
		printf("%-16s%-8s%-8s%-18s%-12s%-6s%s\n", "PORT", "SWITCH",
		       "FACING", "PEER", "RATE", "MTU", "PFC");
		for (i = 0; i < num; i++)
			ctl_port_text(&ports[i]);
		ctl_empty(c, num, CTL_NO_PORTS);
	}
	free(ports);
	return CTL_OK;
}
