// SPDX-License-Identifier: GPL-2.0
/* losslessctl buffer */
#include <stdlib.h>

#include "ctl.h"

static void ctl_buffer_port_text(const struct lle_nl_port *port)
{
	char alpha[CTL_TEXT], xoff[CTL_TEXT] = "dynamic", name[CTL_TEXT];

	if (port->xoff_bytes)
		snprintf(xoff, sizeof(xoff), "%u", port->xoff_bytes);
	printf("    %-16s%-8s%-12s%-12u%u%s\n",
	       lle_nl_dev_text(name, port->who.ifname),
	       lle_nl_alpha_text(alpha, port->to_alpha), xoff,
	       port->headroom_bytes, port->headroom_need_bytes,
	       lle_nl_headroom_low(port) ? "  ! headroom is less than needed" : "");
}

static void ctl_buffer_text(const struct lle_nl_switch *sw,
			    const struct lle_nl_port *ports, int num)
{
	printf("switch %u: buffer %u, shared %u, used %" PRIu64 ", max %" PRIu64
	       " bytes\n", sw->id, sw->buffer_bytes, sw->shared_bytes,
	       sw->used_bytes, sw->used_max_bytes);
	printf("    %-16s%-8s%-12s%-12s%s\n", "PORT", "ALPHA", "XOFF",
	       "HEADROOM", "NEED");
	for (int i = 0; i < num; i++)
		if (ports[i].who.sw == sw->id)
			ctl_buffer_port_text(&ports[i]);
}

static struct json_object *ctl_buffer_port_json(const struct lle_nl_port *port)
{
	struct json_object *o = ctl_object();
	char alpha[CTL_TEXT];

	ctl_put_text(o, "ifname", port->who.ifname);
	ctl_put_u64(o, "ifindex", port->who.ifindex);
	ctl_put_text(o, "alpha", lle_nl_alpha_text(alpha, port->to_alpha));
	ctl_put_u64(o, "to_alpha", port->to_alpha);
	if (port->xoff_bytes)
		ctl_put_u64(o, "xoff_bytes", port->xoff_bytes);
	ctl_put_u64(o, "headroom_bytes", port->headroom_bytes);
	ctl_put_u64(o, "headroom_need_bytes", port->headroom_need_bytes);
	ctl_put_bool(o, "headroom_low", lle_nl_headroom_low(port));
	return o;
}

static struct json_object *ctl_buffer_json(const struct lle_nl_switch *sw,
					   const struct lle_nl_port *ports,
					   int num)
{
	struct json_object *o = ctl_object(), *array = ctl_array();

	ctl_put_u64(o, "switch", sw->id);
	ctl_put_u64(o, "buffer_bytes", sw->buffer_bytes);
	ctl_put_u64(o, "shared_bytes", sw->shared_bytes);
	ctl_put_u64(o, "used_bytes", sw->used_bytes);
	ctl_put_u64(o, "used_max_bytes", sw->used_max_bytes);
	for (int i = 0; i < num; i++)
		if (ports[i].who.sw == sw->id)
			ctl_put(array, NULL, ctl_buffer_port_json(&ports[i]));
	ctl_put(o, "ports", array);
	return o;
}

enum ctl_exit ctl_buffer_show(struct ctl *c, int argc, char **argv)
{
	struct lle_nl_switch *switches = NULL;
	struct json_object *array;
	struct lle_nl_port *ports;
	int num, num_ports, i;
	enum ctl_exit ret;

	if (ctl_option(c, argc, argv, "", NULL))
		return CTL_USAGE;
	if (argc > optind)
		return ctl_wrong(c, "buffer: unknown argument \"%s\"", argv[optind]);
	ret = ctl_get_ports(c, NULL, &ports, &num_ports);
	if (ret)
		return ret;
	num = lle_nl_get_switches(c->nl, &switches);
	if (num < 0) {
		free(ports);
		return ctl_refused(c);
	}

	if (c->json) {
		array = ctl_array();
		for (i = 0; i < num; i++)
			ctl_put(array, NULL, ctl_buffer_json(&switches[i], ports,
							     num_ports));
		ctl_print_json(c, array);
	} else {
		for (i = 0; i < num; i++)
			ctl_buffer_text(&switches[i], ports, num_ports);
		ctl_empty(c, num, CTL_NO_PORTS);
	}
	free(switches);
	free(ports);
	return CTL_OK;
}
