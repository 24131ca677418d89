// SPDX-License-Identifier: GPL-2.0
/* Counters of devices, from rtnetlink. */
#include <errno.h>
#include <linux/rtnetlink.h>

#include "request.h"

static int lle_nl_take_link(struct nlmsghdr *nlh, void *arg)
{
	const struct if_stats_msg *m = nlmsg_data(nlh);
	struct lle_nl_link *more;
	struct nlattr *stats;

	if (nlh->nlmsg_type != RTM_NEWSTATS ||
	    nlmsg_datalen(nlh) < (int)sizeof(*m))
		return 0;
	stats = nlmsg_find_attr(nlh, sizeof(*m), IFLA_STATS_LINK_64);
	if (!stats)
		return 0;
	more = lle_nl_list_add(arg);
	if (!more)
		return -ENOMEM;
	more->ifindex = m->ifindex;
	nla_memcpy(&more->stats, stats, sizeof(more->stats));
	return 0;
}

/* Sorted by ifindex */
int lle_nl_get_links(struct lle_nl *nl, struct lle_nl_link **result)
{
	const struct if_stats_msg m = {
		.filter_mask = IFLA_STATS_FILTER_BIT(IFLA_STATS_LINK_64),
	};
	struct lle_nl_list all = {
		.what = "counters of devices", .size = sizeof(**result),
		.compare = lle_nl_compare_numbers,
	};
	int err = lle_nl_list_dump(&all, nl, NETLINK_ROUTE, RTM_GETSTATS, &m, sizeof(m),
				   lle_nl_take_link);

	return lle_nl_list_end(&all, err, result);
}
