// SPDX-License-Identifier: GPL-2.0
/* A deadlock as JSON, for losslessctl and the log of losslessd. */
#include <errno.h>
#include <string.h>

#include <json-c/json.h>

#include "deadlock.h"

/* Each function returns true if memory was short. */
static bool put(struct json_object *to, const char *key,
		struct json_object *value)
{
	if (value && !json_object_object_add(to, key, value))
		return false;
	json_object_put(value);
	return true;
}

static bool put_number(struct json_object *to, const char *key, uint64_t value)
{
	return put(to, key, json_object_new_uint64(value));
}

static bool put_text(struct json_object *to, const char *key, const char *value)
{
	return put(to, key, json_object_new_string(value));
}

static bool put_mac(struct json_object *to, const struct lle_nl_port *port)
{
	char text[LLE_NL_WORD];

	if (!port)
		return false;
	lle_nl_mac_text(text, port->peer_mac);
	return strcmp(text, "-") && put_text(to, "peer_mac", text);
}

/* A port of a switch; its name is omitted if it is not known. */
static bool put_slot(struct json_object *to, const char *key, uint8_t slot, const char *name_key,
		     const struct lle_nl_port *port)
{
	return put_number(to, key, slot) | (port && put_text(to, name_key, port->who.ifname));
}

/* Omitted if not known. */
static bool put_who(struct json_object *to, const char *key,
		    const struct lle_deadlock_who *who,
		    const struct lle_nl_ports *ports)
{
	const struct lle_nl_port *port;
	struct json_object *o;

	if (!who->sw)
		return false;
	o = json_object_new_object();
	if (put(to, key, o))
		return true;
	port = lle_nl_find_slot(ports, who->sw, who->slot);
	return put_number(o, "switch", who->sw) |
	       put_slot(o, "slot", who->slot, "ifname", port) |
	       put(o, "host", json_object_new_boolean(who->host)) |
	       (who->host && put_mac(o, port)) |
	       put_number(o, "seq", who->seq);
}

static bool fill_hop(struct json_object *o, const struct lle_nl_deadlock *d,
		     const struct lle_deadlock_hop *hop,
		     const struct lle_nl_ports *ports)
{
	uint64_t since_ns = lle_nl_deadlock_since(d, hop - d->hops);

	return put_number(o, "switch", hop->sw) |
	       put_slot(o, "ingress_slot", hop->ingress, "ingress",
			lle_nl_find_slot(ports, hop->sw, hop->ingress)) |
	       put_slot(o, "egress_slot", hop->egress, "egress",
			lle_nl_find_slot(ports, hop->sw, hop->egress)) |
	       put_number(o, "bytes", hop->bytes) |
	       put_number(o, "since_ns", since_ns) |
	       put_who(o, "trigger", &hop->trigger, ports);
}

static bool put_loop(struct json_object *to, const struct lle_nl_deadlock *d,
		     const struct lle_nl_ports *ports)
{
	struct json_object *loop = json_object_new_array(), *o;
	const struct lle_deadlock_hop *hop;

	if (put(to, "loop", loop))
		return true;
	for (unsigned int n = 0; (hop = lle_nl_deadlock_hop(d, n)); n++) {
		o = json_object_new_object();
		if (!o || json_object_array_add(loop, o)) {
			json_object_put(o);
			return true;
		}
		if (fill_hop(o, d, hop, ports))
			return true;
	}
	return false;
}

/* @to: object that gets the keys. Return: -ENOMEM: keys are missing */
int lle_nl_deadlock_json(struct json_object *to, const struct lle_nl_deadlock *d,
			 const struct lle_nl_ports *ports)
{
	char text[LLE_NL_WORD];
	bool failed;

	failed = put_text(to, "id", lle_nl_deadlock_id(text, d)) |
		 put_number(to, "switch", d->sw) |
		 put_number(to, "number", d->info.number) |
		 put_number(to, "prio", d->info.prio) |
		 put_number(to, "formed_ns", lle_nl_deadlock_formed(d)) |
		 put_number(to, "closed_ns", lle_nl_deadlock_closed(d)) |
		 put_number(to, "found_ns", d->info.declared_ns) |
		 put_number(to, "bytes", lle_nl_deadlock_bytes(d)) |
		 put_who(to, "initiator", &d->info.initiator, ports) |
		 put_who(to, "trigger", &d->info.trigger, ports) |
		 put_text(to, "cure", lle_nl_cure_name(d->info.cure)) |
		 put_number(to, "parked_bytes", d->info.parked_bytes) |
		 put_number(to, "dropped_bytes", d->info.dropped_bytes) |
		 put(to, "resolved", json_object_new_boolean(d->info.resolved)) |
		 put(to, "whole", json_object_new_boolean(d->info.loop)) |
		 put_loop(to, d, ports);
	return failed ? -ENOMEM : 0;
}
