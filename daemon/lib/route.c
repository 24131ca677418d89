// SPDX-License-Identifier: GPL-2.0
/* Routes with all their attributes, from rtnetlink. */
#include <errno.h>
#include <linux/rtnetlink.h>
#include <stdlib.h>
#include <string.h>

#include "request.h"

void lle_nl_free_routes(struct lle_nl_route *route, int num)
{
	while (num)
		free(route[--num].data);
	free(route);
}

static void lle_nl_drop_route(void *route)
{
	free(((struct lle_nl_route *)route)->data);
}

/* Unicast routes of table main, without cached clones. */
static int lle_nl_take_route(struct nlmsghdr *nlh, void *arg)
{
	const struct rtmsg *rtm = nlmsg_data(nlh);
	struct lle_nl_route *more;

	if (nlh->nlmsg_type != RTM_NEWROUTE ||
	    nlmsg_datalen(nlh) < (int)sizeof(*rtm) ||
	    rtm->rtm_table != RT_TABLE_MAIN || rtm->rtm_type != RTN_UNICAST ||
	    rtm->rtm_flags & RTM_F_CLONED)
		return 0;
	more = lle_nl_list_add(arg);
	if (!more)
		return -ENOMEM;
	more->len = nlmsg_datalen(nlh);
	more->data = malloc(more->len);
	if (!more->data)
		return -ENOMEM;
	memcpy(more->data, rtm, more->len);
	return 0;
}

/* Unicast routes of table main, IPv4 first. @result: freed by lle_nl_free_routes() */
int lle_nl_get_routes(struct lle_nl *nl, struct lle_nl_route **result)
{
	static const unsigned char families[] = { AF_INET, AF_INET6 };
	struct lle_nl_list all = {
		.what = "routes", .size = sizeof(**result), .drop = lle_nl_drop_route,
	};
	unsigned int i;
	int err = 0;

	for (i = 0; i < sizeof(families) && !err; i++) {
		struct rtmsg rtm = { .rtm_family = families[i] };

		err = lle_nl_list_dump(&all, nl, NETLINK_ROUTE, RTM_GETROUTE, &rtm, sizeof(rtm),
				       lle_nl_take_route);
	}
	return lle_nl_list_end(&all, err, result);
}

static int lle_nl_talk_route(struct lle_nl *nl, int type, int flags,
			     const struct lle_nl_route *route)
{
	struct nl_msg *msg = nlmsg_alloc_size(NLMSG_SPACE(route->len));

	lle_nl_about(nl, "a route");
	msg = lle_nl_fit(msg, msg && nlmsg_put(msg, NL_AUTO_PORT, NL_AUTO_SEQ, type, 0,
					       flags | NLM_F_ACK) &&
			 !nlmsg_append(msg, route->data, route->len, NLMSG_ALIGNTO));
	return lle_nl_talk_links(nl, msg, NULL, NULL);
}

/* @replace: a route with the same destination, TOS and priority */
int lle_nl_set_route(struct lle_nl *nl, const struct lle_nl_route *route,
		     bool replace)
{
	return lle_nl_talk_route(nl, RTM_NEWROUTE,
				 replace ? NLM_F_REPLACE :
					   NLM_F_CREATE | NLM_F_EXCL, route);
}

int lle_nl_del_route(struct lle_nl *nl, const struct lle_nl_route *route)
{
	return lle_nl_talk_route(nl, RTM_DELROUTE, 0, route);
}
