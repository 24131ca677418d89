// SPDX-License-Identifier: GPL-2.0
/*
 * losslessctl doctor: looks for settings of ports, devices and this machine that
 * lose packets, or let a fault spread, and prints the commands that mend them. It
 * changes nothing.
 */
#include "doctor.h"

/**
 * enum scope - what a check is about
 * @ANYWHERE: the machine, also without the modules
 * @MACHINE: the machine, or its switches
 * @DEVICE: a device of the network namespace
 * @PORT: a port
 * @LINK: a port with a known device at the other end of its link
 */
enum scope {
	ANYWHERE,
	MACHINE,
	DEVICE,
	PORT,
	LINK,
};

static const struct {
	const char *name;
	enum scope scope;
	void (*run)(struct doctor *d);
} checks[] = {
	{ "module", ANYWHERE, doctor_module },
	{ "version", ANYWHERE, doctor_version },
	{ "tc-plugin", ANYWHERE, doctor_plugin },
	{ "backlog", MACHINE, doctor_backlog },
	{ "burst", MACHINE, doctor_burst },
	{ "losslessd", MACHINE, doctor_daemon },
	{ "clock", MACHINE, doctor_clock },
	{ "discard", MACHINE, doctor_discard },
	{ "deadlock", MACHINE, doctor_deadlock },
	{ "no-pfc", PORT, doctor_pfc },
	{ "pfc-differs", PORT, doctor_prios },
	{ "headroom", PORT, doctor_headroom },
	{ "buffer", PORT, doctor_buffer },
	{ "xoff", PORT, doctor_xoff },
	{ "alpha", PORT, doctor_alpha },
	{ "priority", PORT, doctor_classes },
	{ "strict", PORT, doctor_strict },
	{ "watchdog", PORT, doctor_watchdog },
	{ "watchdog-differs", PORT, doctor_watchdog_differs },
	{ "link-pause", PORT, doctor_link_pause },
	{ "gro", PORT, doctor_gro },
	{ "order", PORT, doctor_order },
	{ "xdp", PORT, doctor_xdp },
	{ "switches", PORT, doctor_switches },
	{ "role", PORT, doctor_role },
	{ "bridge-port", DEVICE, doctor_bridge_port },
	{ "bond-member", DEVICE, doctor_member },
	{ "flood", DEVICE, doctor_flood },
	{ "firewall", DEVICE, doctor_firewall },
	{ "bridge-mtu", DEVICE, doctor_bridge_mtu },
	{ "vlan-ingress", DEVICE, doctor_vlan_in },
	{ "vlan-egress", DEVICE, doctor_vlan_out },
	{ "peer-qdisc", LINK, doctor_peer_qdisc },
	{ "peer-pfc", LINK, doctor_peer_pfc },
	{ "peer-rate", LINK, doctor_peer_rate },
	{ "peer-mtu", LINK, doctor_peer_mtu },
	{ "peer-gso", LINK, doctor_peer_gso },
	{ "peer-gro", LINK, doctor_peer_gro },
	{ "peer-facing", LINK, doctor_peer_facing },
	{ "peer-vlan", LINK, doctor_peer_vlan },
};

static void run(struct doctor *d, enum scope scope)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(checks); i++) {
		if (checks[i].scope != scope)
			continue;
		d->check = checks[i].name;
		d->done++;
		checks[i].run(d);
	}
}

static void examine_device(struct doctor *d, const struct lle_nl_device *dev)
{
	doctor_ends(d, dev, &d->own, &d->peer);
	run(d, DEVICE);
	if (d->own.port)
		run(d, PORT);
	if (d->own.port && d->peer.dev)
		run(d, LINK);
}

/* Without the module there is nothing more to read. */
static enum ctl_exit examine(struct doctor *d)
{
	enum ctl_exit ret;

	run(d, ANYWHERE);
	if (!doctor_has_module())
		return CTL_OK;
	ret = doctor_read(d);
	if (ret)
		return ret;
	run(d, MACHINE);
	for (int i = 0; i < d->views[0].num_devices; i++)
		examine_device(d, &d->views[0].devices[i]);
	return CTL_OK;
}

static const char *severity_name(const struct doctor_finding *f)
{
	return f->severity == DOCTOR_ERROR ? "error" : "warning";
}

static void print_text(const struct doctor *d)
{
	const struct doctor_finding *f;
	char name[CTL_TEXT];

	for (f = d->findings; f < d->findings + d->num_findings; f++)
		printf("%s: %s%s%s (%s)\n\t%s\n", severity_name(f),
		       lle_nl_dev_text(name, f->device), *f->device ? ": " : "", f->text,
		       f->check, f->mend);
	if (d->num_findings)
		printf("%d found, %u checks\n", d->num_findings, d->done);
	else
		printf("nothing found, %u checks\n", d->done);
}

static void print_json(const struct ctl *c, const struct doctor *d)
{
	struct json_object *array = ctl_array(), *o;
	const struct doctor_finding *f;

	for (f = d->findings; f < d->findings + d->num_findings; f++) {
		o = ctl_object();
		ctl_put_text(o, "check", f->check);
		ctl_put_text(o, "severity", severity_name(f));
		ctl_put_text(o, "device", f->device);
		ctl_put_text(o, "text", f->text);
		ctl_put_text(o, "mend", f->mend);
		ctl_put(array, NULL, o);
	}
	ctl_print_json(c, array);
}

/**
 * ctl_doctor() - run doctor
 * @c: the run
 * @argc: number of arguments
 * @argv: arguments
 *
 * Return: exit status; CTL_FAIL also if something was found.
 */
enum ctl_exit ctl_doctor(struct ctl *c, int argc, char **argv)
{
	struct doctor d = {};
	enum ctl_exit ret;

	if (ctl_option(c, argc, argv, "", NULL))
		return CTL_USAGE;
	if (argc > optind)
		return ctl_wrong(c, "doctor: unknown argument \"%s\"", argv[optind]);
	ret = examine(&d);
	if (!ret && c->json)
		print_json(c, &d);
	else if (!ret)
		print_text(&d);
	if (d.num_findings)
		ret = CTL_FAIL;
	doctor_free_findings(&d);
	doctor_free(&d);
	return ret;
}
