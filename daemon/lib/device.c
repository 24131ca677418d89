// SPDX-License-Identifier: GPL-2.0
/* Devices: their names and masters. */
#include <errno.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <linux/sockios.h>
#include <string.h>
#include <sys/ioctl.h>

#include "request.h"

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

static void lle_nl_read_device(struct lle_nl_device *d, struct nlmsghdr *nlh)
{
	const struct ifinfomsg *m = nlmsg_data(nlh);

	*d = (struct lle_nl_device){ .ifindex = m->ifi_index, .flags = m->ifi_flags };
	d->master = lle_nl_number(nlmsg_find_attr(nlh, sizeof(*m), IFLA_MASTER));
	lle_nl_string(d->name, sizeof(d->name),
		      nlmsg_find_attr(nlh, sizeof(*m), IFLA_IFNAME));
	lle_nl_string(d->slave_kind, sizeof(d->slave_kind),
		      lle_nl_inner(nlmsg_find_attr(nlh, sizeof(*m), IFLA_LINKINFO),
				   IFLA_INFO_SLAVE_KIND));
}

static int lle_nl_take_device(struct nlmsghdr *nlh, void *arg)
{
	struct lle_nl_device *more;

	if (nlh->nlmsg_type != RTM_NEWLINK ||
	    nlmsg_datalen(nlh) < (int)sizeof(struct ifinfomsg))
		return 0;
	more = lle_nl_list_add(arg);
	if (!more)
		return -ENOMEM;
	lle_nl_read_device(more, nlh);
	return 0;
}

int lle_nl_get_devices(struct lle_nl *nl, struct lle_nl_device **result)
{
	const struct ifinfomsg m = { 0 };
	struct lle_nl_list all = { .what = "devices", .size = sizeof(**result) };
	int err = lle_nl_list_dump(&all, nl, NETLINK_ROUTE, RTM_GETLINK, &m, sizeof(m),
				   lle_nl_take_device);

	return lle_nl_list_end(&all, err, result);
}

struct lle_nl_names {
	void (*named)(const char *name, void *arg); /* called for each alternative name */
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

/* @named: called for each alternative name of a device */
int lle_nl_get_altnames(struct lle_nl *nl, unsigned int ifindex,
			void (*named)(const char *name, void *arg), void *arg)
{
	struct lle_nl_names names = { .named = named, .arg = arg };
	const struct ifinfomsg m = { .ifi_index = ifindex };

	lle_nl_about(nl, "names of a device");
	return lle_nl_talk_links(nl, lle_nl_message(RTM_GETLINK, 0, &m, sizeof(m)),
				 lle_nl_take_names, &names);
}

/* @name: also an alternative one. Return: 0: there is no such device */
unsigned int lle_nl_ifindex(struct lle_nl *nl, const char *name)
{
	struct lle_nl_names names = {};
	const struct ifinfomsg m = {};
	struct nl_msg *msg;

	if (!*name || strlen(name) >= LLE_NL_ALTNAME)
		return 0;
	msg = lle_nl_message(RTM_GETLINK, 0, &m, sizeof(m));
	msg = lle_nl_fit(msg, msg && !nla_put_string(msg, IFLA_ALT_IFNAME, name));
	lle_nl_about(nl, "device %s", name);
	return lle_nl_talk_links(nl, msg, lle_nl_take_names, &names) ? 0 : names.ifindex;
}

/* Asks a driver. @request: of ethtool; begins with its command */
int lle_nl_ethtool(struct lle_nl *nl, const char *dev, void *request)
{
	struct ifreq ifr = { .ifr_data = request };

	snprintf(ifr.ifr_name, sizeof(ifr.ifr_name), "%s", dev);
	return ioctl(nl_socket_get_fd(nl->sk), SIOCETHTOOL, &ifr) ? -errno : 0;
}
