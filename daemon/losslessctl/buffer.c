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

static void ctl_buffer_text(const void *item, const void *arg)
{
	const struct lle_nl_switch *sw = item;
	const struct lle_nl_ports *ports = arg;

	printf("switch %u: buffer %u, shared %u, used %" PRIu64 ", max %" PRIu64
	       " bytes\n", sw->id, sw->buffer_bytes, sw->shared_bytes,
	       sw->used_bytes, sw->used_max_bytes);
	puts("    PORT            ALPHA   XOFF        HEADROOM    NEED");
	for (int i = 0; i < ports->num; i++)
		if (ports->all[i].who.sw == sw->id)
			ctl_buffer_port_text(&ports->all[i]);
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

static struct json_object *ctl_buffer_json(const void *item, const void *arg)
{
	struct json_object *o = ctl_object(), *array = ctl_array();
	const struct lle_nl_switch *sw = item;
	const struct lle_nl_ports *ports = arg;

	ctl_put_u64(o, "switch", sw->id);
	ctl_put_u64(o, "buffer_bytes", sw->buffer_bytes);
	ctl_put_u64(o, "shared_bytes", sw->shared_bytes);
	ctl_put_u64(o, "used_bytes", sw->used_bytes);
	ctl_put_u64(o, "used_max_bytes", sw->used_max_bytes);
	for (int i = 0; i < ports->num; i++)
		if (ports->all[i].who.sw == sw->id)
			ctl_put(array, NULL, ctl_buffer_port_json(&ports->all[i]));
	ctl_put(o, "ports", array);
	return o;
}

static const struct ctl_rows ctl_buffer_rows = {
	sizeof(struct lle_nl_switch), NULL, NULL, ctl_buffer_text, ctl_buffer_json
};

enum ctl_exit ctl_buffer_show(struct ctl *c, int argc, char **argv)
{
	enum ctl_exit ret = ctl_words(c, argc, argv, "buffer", 0);
	struct lle_nl_switch *switches;
	struct lle_nl_ports ports;
	int num;

	if (!ret)
		ret = ctl_get_ports(c, NULL, &ports.all, &ports.num);
	if (ret)
		return ret;
	num = lle_nl_get_switches(c->nl, &switches);
	ret = ctl_show(c, &ctl_buffer_rows, switches, num, &ports, CTL_NO_PORTS);
	free(ports.all);
	return ret;
}
