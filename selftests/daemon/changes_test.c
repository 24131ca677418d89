// SPDX-License-Identifier: GPL-2.0
/*
 * daemon/losslessd/changes.c: what it logs of changes by other programs, and their
 * authors. The devices are p1, a port of Open vSwitch, and p2; p3 is gone.
 */
#include <stdlib.h>

#include "../../daemon/losslessd/changes.c"
#include "reports.h"

void log_say(int priority, const char *format, ...)
{
	(void)priority, (void)format;
}

const char *lle_nl_text(const struct lle_nl *nl)
{
	(void)nl;
	return "";
}

int lle_nl_get_devices(struct lle_nl *nl, struct lle_nl_device **result)
{
	(void)nl;
	*result = calloc(2, sizeof(**result));
	(*result)[0] = (struct lle_nl_device){
		.ifindex = 1, .name = "p1", .slave_kind = "openvswitch",
	};
	(*result)[1] = (struct lle_nl_device){ .ifindex = 2, .name = "p2" };
	return 2;
}

static void equal(const char *what, const char *is, const char *wanted)
{
	if (strcmp(is, wanted))
		printf("%s: '%s', should be '%s'\n", what, is, wanted);
}

int main(void)
{
	struct lle_nl_port p1 = { .who = { .ifindex = 1, .ifname = "p1" }, .pfc_en = 1 << 4,
				  .author = "lldpad", .author_pid = 7 };
	struct lle_nl_port p2 = { .who = { .ifindex = 2, .ifname = "p2" } };
	struct lle_nl_port p3 = { .who = { .ifindex = 3, .ifname = "p3" } };
	struct lle_nl_ports ports = { &p2, 1 };

	changes_pfc(&p1, 1 << 3 | 1 << 4);
	equal("an agent", reports, "pfc_off p1 prio 3 author lldpad author_pid 7; ");
	*reports = '\0';
	changes_pfc(&p2, 1 << 3);
	equal("not known", reports, "pfc_off p2 prio 3; ");
	*reports = '\0';
	/* p2 came back, and p3 is gone with its device */
	changes_gone(&p2);
	changes_gone(&p1);
	changes_gone(&p3);
	changes_look(NULL, &ports);
	equal("gone", reports, "port_gone p1 author lldpad author_pid 7; ");
	equal("Open vSwitch", sentence,
	      "port p1: its qdisc lossless was deleted by lldpad (7), and the device stays: no priority is lossless there; ovs-vsctl set port p1 qos=@q -- --id=@q create qos type=linux-noop");
	changes_look(NULL, &ports);
	equal("reported once", reports,
	      "port_gone p1 author lldpad author_pid 7; ");
	return 0;
}
