// SPDX-License-Identifier: GPL-2.0
/* Devices: what they are, what is above, below and at the other end. */
#include <errno.h>
#include <linux/if_link.h>
#include <linux/net_namespace.h>
#include <linux/rtnetlink.h>
#include <linux/sockios.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include "request.h"

/**
 * struct lle_nl_devices - the result of a dump
 * @device: devices received
 * @num: number of them
 */
struct lle_nl_devices {
	struct lle_nl_device *device;
	int num;
};

static uint32_t lle_nl_number(struct nlattr *attr)
{
	return attr && nla_len(attr) >= (int)sizeof(uint32_t) ? nla_get_u32(attr) : 0;
}

static void lle_nl_string(char *to, int size, struct nlattr *attr)
{
	if (attr)
		snprintf(to, size, "%.*s", nla_len(attr), (char *)nla_data(attr));
}

static struct nlattr *lle_nl_inner(struct nlattr *nest, int type)
{
	return nest ? nla_find(nla_data(nest), nla_len(nest), type) : NULL;
}

/* IFLA_VLAN_INGRESS_QOS or IFLA_VLAN_EGRESS_QOS; what is not mapped becomes 0. */
static void lle_nl_take_map(uint8_t *map, struct nlattr *nest)
{
	struct ifla_vlan_qos_mapping m;
	struct nlattr *attr;
	int left;

	if (!nest)
		return;
	nla_for_each_nested(attr, nest, left) {
		if (nla_len(attr) < (int)sizeof(m))
			continue;
		memcpy(&m, nla_data(attr), sizeof(m));
		if (m.from < LLE_NUM_PRIO)
			map[m.from] = m.to;
	}
}

static void lle_nl_take_info(struct lle_nl_device *d, struct nlattr *info)
{
	struct nlattr *data = lle_nl_inner(info, IFLA_INFO_DATA), *flood;

	lle_nl_string(d->kind, sizeof(d->kind), lle_nl_inner(info, IFLA_INFO_KIND));
	if (!strcmp(d->kind, "vlan")) {
		lle_nl_take_map(d->vlan_in, lle_nl_inner(data, IFLA_VLAN_INGRESS_QOS));
		lle_nl_take_map(d->vlan_out, lle_nl_inner(data, IFLA_VLAN_EGRESS_QOS));
	}
	lle_nl_string(d->slave_kind, sizeof(d->slave_kind),
		      lle_nl_inner(info, IFLA_INFO_SLAVE_KIND));
	if (strcmp(d->slave_kind, "bridge"))
		return;
	flood = lle_nl_inner(lle_nl_inner(info, IFLA_INFO_SLAVE_DATA),
			     IFLA_BRPORT_UNICAST_FLOOD);
	d->flood = flood && nla_len(flood) && nla_get_u8(flood);
}

static void lle_nl_read_device(struct lle_nl_device *d, struct nlmsghdr *nlh)
{
	const struct ifinfomsg *m = nlmsg_data(nlh);
	struct nlattr *attr, *xdp;

	*d = (struct lle_nl_device){
		.ifindex = m->ifi_index, .flags = m->ifi_flags, .link_netns = -1,
	};
	lle_nl_string(d->name, sizeof(d->name),
		      nlmsg_find_attr(nlh, sizeof(*m), IFLA_IFNAME));
	d->mtu = lle_nl_number(nlmsg_find_attr(nlh, sizeof(*m), IFLA_MTU));
	d->master = lle_nl_number(nlmsg_find_attr(nlh, sizeof(*m), IFLA_MASTER));
	d->link = lle_nl_number(nlmsg_find_attr(nlh, sizeof(*m), IFLA_LINK));
	attr = nlmsg_find_attr(nlh, sizeof(*m), IFLA_LINK_NETNSID);
	if (attr)
		d->link_netns = lle_nl_number(attr);
	attr = nlmsg_find_attr(nlh, sizeof(*m), IFLA_ADDRESS);
	if (attr)
		nla_memcpy(d->address, attr, sizeof(d->address));
	xdp = lle_nl_inner(nlmsg_find_attr(nlh, sizeof(*m), IFLA_XDP), IFLA_XDP_ATTACHED);
	d->xdp = xdp && nla_len(xdp) ? nla_get_u8(xdp) : XDP_ATTACHED_NONE;
	lle_nl_take_info(d, nlmsg_find_attr(nlh, sizeof(*m), IFLA_LINKINFO));
}

static int lle_nl_take_device(struct nlmsghdr *nlh, void *arg)
{
	struct lle_nl_devices *all = arg;
	struct lle_nl_device *more;

	if (nlh->nlmsg_type != RTM_NEWLINK ||
	    nlmsg_datalen(nlh) < (int)sizeof(struct ifinfomsg))
		return 0;
	more = reallocarray(all->device, all->num + 1, sizeof(*more));
	if (!more)
		return -ENOMEM;
	all->device = more;
	lle_nl_read_device(&all->device[all->num++], nlh);
	return 0;
}

/**
 * lle_nl_get_devices() - read all devices
 * @nl: the client
 * @result: the devices, to be freed after a success
 *
 * Return: number of entries, or a negative errno.
 */
int lle_nl_get_devices(struct lle_nl *nl, struct lle_nl_device **result)
{
	const struct ifinfomsg m = { 0 };
	struct lle_nl_devices all = { 0 };
	int err;

	lle_nl_about(nl, "devices");
	err = lle_nl_talk_links(nl, lle_nl_message(RTM_GETLINK, NLM_F_DUMP, &m, sizeof(m)),
				lle_nl_take_device, &all);
	if (err) {
		free(all.device);
		return err;
	}
	*result = all.device;
	return all.num;
}

/**
 * struct lle_nl_names - a device is looked for by its names
 * @named: called for each alternative name
 * @arg: argument of @named
 * @ifindex: ifindex of the device
 */
struct lle_nl_names {
	void (*named)(const char *name, void *arg);
	void *arg;
	unsigned int ifindex;
};

static int lle_nl_take_names(struct nlmsghdr *nlh, void *arg)
{
	const struct ifinfomsg *m = nlmsg_data(nlh);
	struct lle_nl_names *names = arg;
	char name[LLE_NL_ALTNAME] = "";
	struct nlattr *list, *attr;
	int left;

	if (nlh->nlmsg_type != RTM_NEWLINK || nlmsg_datalen(nlh) < (int)sizeof(*m))
		return 0;
	names->ifindex = m->ifi_index;
	list = nlmsg_find_attr(nlh, sizeof(*m), IFLA_PROP_LIST);
	if (!list || !names->named)
		return 0;
	nla_for_each_nested(attr, list, left) {
		if (nla_type(attr) != IFLA_ALT_IFNAME)
			continue;
		lle_nl_string(name, sizeof(name), attr);
		names->named(name, names->arg);
	}
	return 0;
}

/**
 * lle_nl_get_altnames() - read the alternative names of a device
 * @nl: the client
 * @ifindex: the device
 * @named: called for each
 * @arg: argument of @named
 *
 * Return: 0 or a negative errno.
 */
int lle_nl_get_altnames(struct lle_nl *nl, unsigned int ifindex,
			void (*named)(const char *name, void *arg), void *arg)
{
	struct lle_nl_names names = { .named = named, .arg = arg };
	const struct ifinfomsg m = { .ifi_index = ifindex };

	lle_nl_about(nl, "names of a device");
	return lle_nl_talk_links(nl, lle_nl_message(RTM_GETLINK, 0, &m, sizeof(m)),
				 lle_nl_take_names, &names);
}

/**
 * lle_nl_ifindex() - find a device by its name, or an alternative name
 * @nl: the client
 * @name: the name
 *
 * Return: its ifindex; 0: there is no such device.
 */
unsigned int lle_nl_ifindex(struct lle_nl *nl, const char *name)
{
	struct lle_nl_names names = {};
	const struct ifinfomsg m = {};
	struct nl_msg *msg;

	if (!*name || strlen(name) >= LLE_NL_ALTNAME)
		return 0;
	msg = lle_nl_message(RTM_GETLINK, 0, &m, sizeof(m));
	if (msg && nla_put_string(msg, IFLA_ALT_IFNAME, name)) {
		nlmsg_free(msg);
		msg = NULL;
	}
	lle_nl_about(nl, "device %s", name);
	return lle_nl_talk_links(nl, msg, lle_nl_take_names, &names) ? 0 : names.ifindex;
}

static int lle_nl_take_netns(struct nlmsghdr *nlh, void *arg)
{
	struct nlattr *id = nlmsg_find_attr(nlh, sizeof(struct rtgenmsg), NETNSA_NSID);

	if (nlh->nlmsg_type == RTM_NEWNSID && id)
		*(int *)arg = (int)lle_nl_number(id);
	return 0;
}

/**
 * lle_nl_netns_id() - get the number that devices of this network namespace use
 *	for another one, as in @link_netns of struct lle_nl_device
 * @nl: the client
 * @fd: the other namespace
 *
 * Return: the number; negative: it has none, or an error.
 */
int lle_nl_netns_id(struct lle_nl *nl, int fd)
{
	const struct rtgenmsg m = { 0 };
	struct nl_msg *msg = lle_nl_message(RTM_GETNSID, 0, &m, sizeof(m));
	int id = -1, err;

	lle_nl_about(nl, "network namespace");
	if (msg && nla_put_u32(msg, NETNSA_FD, fd)) {
		nlmsg_free(msg);
		msg = NULL;
	}
	err = lle_nl_talk_links(nl, msg, lle_nl_take_netns, &id);
	return err ? err : id;
}

/**
 * lle_nl_ethtool() - ask the driver of a device, in the client's network namespace
 * @nl: the client
 * @dev: name of the device
 * @request: request of ethtool, which begins with its command
 *
 * Return: 0 or a negative errno.
 */
int lle_nl_ethtool(struct lle_nl *nl, const char *dev, void *request)
{
	struct ifreq ifr = { .ifr_data = request };

	snprintf(ifr.ifr_name, sizeof(ifr.ifr_name), "%s", dev);
	return ioctl(nl_socket_get_fd(nl->sk), SIOCETHTOOL, &ifr) ? -errno : 0;
}
