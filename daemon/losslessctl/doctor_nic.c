// SPDX-License-Identifier: GPL-2.0
/* The device of a port, and what acts on its packets before the port. */
#include <linux/ethtool.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "doctor.h"

/**
 * doctor_link_pause() - is 802.3x pause off?
 * @d: the run
 *
 * The qdisc refuses it, but does not learn of a later change.
 */
void doctor_link_pause(struct doctor *d)
{
	const struct doctor_end *own = &d->own;
	struct ethtool_pauseparam pause = { .cmd = ETHTOOL_GPAUSEPARAM };

	if (!own->port->pfc_en || lle_nl_ethtool(d->nl, own->dev->name, &pause) ||
	    (!pause.rx_pause && !pause.tx_pause))
		return;
	doctor_find(d, DOCTOR_ERROR, own->dev->name,
		    "802.3x pause is on: it stops all priorities, also those without PFC");
	doctor_mend(d, "ethtool -A %s autoneg off rx off tx off", own->word);
}

/**
 * doctor_drops_gro() - does a veth drop packets because of GRO?
 * @end: the device
 *
 * With GRO, veth has a ring of 256 packets. Until Linux 6.16 it drops those that
 * find the ring full.
 */
bool doctor_drops_gro(const struct doctor_end *end)
{
	struct ethtool_value gro = { .cmd = ETHTOOL_GGRO };
	unsigned int major = 0, minor = 0;
	struct utsname name;

	if (uname(&name) || sscanf(name.release, "%u.%u", &major, &minor) != 2 ||
	    major > 6 || (major == 6 && minor >= 16))
		return false;
	return !strcmp(end->dev->kind, "veth") &&
	       !lle_nl_ethtool(end->view->ns->c.nl, end->dev->name, &gro) && gro.data;
}

/**
 * doctor_gro() - is GRO off where veth would drop packets?
 * @d: the run
 */
void doctor_gro(struct doctor *d)
{
	const struct doctor_end *own = &d->own;

	if (!own->port->pfc_en || !doctor_drops_gro(own))
		return;
	doctor_find(d, DOCTOR_ERROR, own->dev->name,
		    "GRO is on: this veth drops packets that arrive while its ring of 256 packets is full, and the port does not count them");
	doctor_mend(d, "ethtool -K %s gro off", own->word);
}

/**
 * doctor_order() - do packets of a veth stay in order?
 * @d: the run
 */
void doctor_order(struct doctor *d)
{
	const struct doctor_end *own = &d->own;
	char path[128], line[64];

	if (sysconf(_SC_NPROCESSORS_ONLN) < 2 || strcmp(own->dev->kind, "veth"))
		return;
	snprintf(path, sizeof(path), "/sys/class/net/%s/queues/rx-0/rps_cpus", own->dev->name);
	if (!doctor_read_line(path, line, sizeof(line)) || line[strspn(line, "0,")])
		return;
	doctor_find(d, DOCTOR_WARNING, own->dev->name,
		    "several CPUs handle the packets that arrive: these overtake each other, and RDMA takes that for loss");
	doctor_mend(d, "echo 1 >/sys/class/net/%s/queues/rx-0/rps_cpus", own->word);
}

/**
 * doctor_xdp() - does an XDP program see packets before the port?
 * @d: the run
 */
void doctor_xdp(struct doctor *d)
{
	const struct doctor_end *own = &d->own;
	static const char * const modes[] = {
		[XDP_ATTACHED_DRV] = "xdpdrv",
		[XDP_ATTACHED_SKB] = "xdpgeneric",
		[XDP_ATTACHED_HW] = "xdpoffload",
	};
	unsigned int mode = own->dev->xdp;

	if (mode == XDP_ATTACHED_NONE)
		return;
	doctor_find(d, DOCTOR_WARNING, own->dev->name,
		    "it has an XDP program: pauses whose frames it drops (EtherType 0x8808) are not obeyed, and packets that it drops or redirects pass by the port: they are not accounted and cause no pause");
	/* one in the NIC, and another one */
	if (mode >= ARRAY_SIZE(modes))
		doctor_mend(d, "ip link set dev %s xdpoffload off && ip link set dev %s xdp off",
			    own->word, own->word);
	else
		doctor_mend(d, "ip link set dev %s %s off", own->word, modes[mode]);
}
