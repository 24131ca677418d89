// SPDX-License-Identifier: GPL-2.0
/* Counters of devices, from rtnetlink. */
#include <errno.h>
#include <linux/rtnetlink.h>
#include <stdlib.h>

#include "request.h"

/* Attempts at a dump; changes of devices interrupt it */
#define LLE_NL_LINK_DUMPS	10

struct lle_nl_links {
	struct lle_nl_link *link;
	int num;
};

static int lle_nl_take_link(struct nlmsghdr *nlh, void *arg)
{
	struct lle_nl_links *all = arg;
	const struct if_stats_msg *m = nlmsg_data(nlh);
	struct lle_nl_link *more;
	struct nlattr *stats;

	if (nlh->nlmsg_type != RTM_NEWSTATS ||
	    nlmsg_datalen(nlh) < (int)sizeof(*m))
		return 0;
	stats = nlmsg_find_attr(nlh, sizeof(*m), IFLA_STATS_LINK_64);
	if (!stats)
		return 0;
	/* full: grow to the next power of two */
	if (!(all->num & (all->num - 1))) {
		size_t room = all->num ? 2 * (size_t)all->num : 1;

		more = reallocarray(all->link, room, sizeof(*more));
		if (!more)
			return -ENOMEM;
		all->link = more;
	}
	more = &all->link[all->num++];
	*more = (struct lle_nl_link){ .ifindex = m->ifindex };
	nla_memcpy(&more->stats, stats, sizeof(more->stats));
	return 0;
}

/* Sorted by ifindex */
int lle_nl_get_links(struct lle_nl *nl, struct lle_nl_link **result)
{
	const struct if_stats_msg m = {
		.filter_mask = IFLA_STATS_FILTER_BIT(IFLA_STATS_LINK_64),
	};
	struct lle_nl_links all = { 0 };
	int err = -EINTR, i;

	for (i = 0; i < LLE_NL_LINK_DUMPS && err == -EINTR; i++) {
		all.num = 0;
		lle_nl_about(nl, "counters of devices");
		err = lle_nl_talk_links(nl, lle_nl_message(RTM_GETSTATS, NLM_F_DUMP, &m,
							   sizeof(m)),
					lle_nl_take_link, &all);
	}
	if (err) {
		free(all.link);
		return err;
	}
	if (all.num)
		qsort(all.link, all.num, sizeof(*all.link), lle_nl_compare_links);
	*result = all.link;
	return all.num;
}
