// SPDX-License-Identifier: GPL-2.0
/* A deadlock as a sentence. */
#include <inttypes.h>
#include <string.h>

#include "deadlock.h"

/* Name of the device, or the numbers of an unknown port */
static const char *lle_nl_slot_text(char *text, const struct lle_nl_ports *ports,
				    uint32_t sw, uint8_t slot)
{
	const struct lle_nl_port *port = lle_nl_find_slot(ports, sw, slot);

	if (port)
		return lle_nl_dev_text(text, port->who.ifname);
	snprintf(text, LLE_NL_WORD, "switch %u port %u", sw, slot);
	return text;
}

/* Rounded, with a unit that is a power of 1000 */
static const char *lle_nl_bytes_text(char *text, uint64_t bytes)
{
	static const char * const units[] = { "bytes", "kB", "MB", "GB" };
	unsigned int i;

	for (i = 0; i < 3 && bytes >= 10000; i++)
		bytes = (bytes + 500) / 1000;
	snprintf(text, LLE_NL_WORD, "%" PRIu64 " %s", bytes, units[i]);
	return text;
}

/* Number of the switch, and of the deadlock at this switch */
const char *lle_nl_deadlock_id(char *text, const struct lle_nl_deadlock *d)
{
	snprintf(text, LLE_NL_WORD, "%u.%llu", d->sw, d->info.number);
	return text;
}

/* "s1p1 -> s1p2 -> s2p1 -> s2p2 -> s1p1" */
static void lle_nl_print_loop(FILE *f, const struct lle_nl_deadlock *d,
			      const struct lle_nl_ports *ports)
{
	const struct lle_deadlock_hop *hop;
	char text[LLE_NL_WORD];

	for (unsigned int n = 0; (hop = lle_nl_deadlock_hop(d, n)); n++) {
		fprintf(f, "%s -> ",
			lle_nl_slot_text(text, ports, hop->sw, hop->ingress));
		fprintf(f, "%s -> ",
			lle_nl_slot_text(text, ports, hop->sw, hop->egress));
	}
	if (!d->info.loop)
		fprintf(f, "... -> ");
	hop = lle_nl_deadlock_hop(d, 0);
	fprintf(f, "%s",
		lle_nl_slot_text(text, ports, hop->sw, hop->ingress));
}

/* "; triggered by the host at s3p1 (02:00:00:00:00:03)" */
static void lle_nl_print_trigger(FILE *f, const struct lle_nl_deadlock *d,
				 const struct lle_nl_ports *ports)
{
	const struct lle_deadlock_who *who = &d->info.trigger;
	const struct lle_nl_port *port;
	char text[LLE_NL_WORD];

	if (!who->sw) {
		fprintf(f, "; its trigger is not known");
		return;
	}
	fprintf(f, "; triggered by %s%s", who->host ? "the host at " : "",
		lle_nl_slot_text(text, ports, who->sw, who->slot));
	port = lle_nl_find_slot(ports, who->sw, who->slot);
	if (!who->host || !port)
		return;
	lle_nl_mac_text(text, port->peer_mac);
	if (strcmp(text, "-"))
		fprintf(f, " (%s)", text);
}

/* How fast a deadlock formed and was found */
static void lle_nl_deadlock_times(FILE *f, const struct lle_nl_deadlock *d)
{
	uint64_t formed = lle_nl_deadlock_formed(d);
	uint64_t closed = lle_nl_deadlock_closed(d);
	char text[LLE_NL_WORD];

	if (closed > formed)
		fprintf(f, "formed within %s, ",
			lle_nl_time_text(text, closed - formed));
	fprintf(f, "found %s later",
		lle_nl_time_text(text, d->info.declared_ns - closed));
}

/* "; freed by parking 52 kB" */
static void lle_nl_print_cure(FILE *f, const struct lle_deadlock_info *info)
{
	char text[LLE_NL_WORD];

	if (info->cure == LOSSLESS_DEADLOCK_CURE_RESUMED)
		fprintf(f, "; freed, as there was room by then");
	if (info->cure == LOSSLESS_DEADLOCK_CURE_DEMOTED)
		fprintf(f, "; freed by making the hop lossy for a while");
	if (info->parked_bytes)
		fprintf(f, "; freed by parking %s",
			lle_nl_bytes_text(text, info->parked_bytes));
	if (info->dropped_bytes)
		fprintf(f, "%sdropping %s",
			info->parked_bytes ? " and " : "; freed by ",
			lle_nl_bytes_text(text, info->dropped_bytes));
	if (info->resolved)
		fprintf(f, "; the host that triggered it is quarantined");
}

void lle_nl_deadlock_print(FILE *f, const struct lle_nl_deadlock *d,
			   const struct lle_nl_ports *ports)
{
	unsigned int switches = lle_nl_deadlock_switches(d);
	char text[LLE_NL_WORD];

	fprintf(f, "deadlock %s on priority %u: ", lle_nl_deadlock_id(text, d),
		d->info.prio);
	lle_nl_print_loop(f, d, ports);
	if (d->info.loop)
		fprintf(f, " (%u switch%s, ", switches,
			switches == 1 ? "" : "es");
	else
		fprintf(f, " (the rest is not known, ");
	fprintf(f, "%s stuck)",
		lle_nl_bytes_text(text, lle_nl_deadlock_bytes(d)));
	lle_nl_print_trigger(f, d, ports);
	fprintf(f, "; ");
	lle_nl_deadlock_times(f, d);
	lle_nl_print_cure(f, &d->info);
}
