// SPDX-License-Identifier: GPL-2.0
/* Lossless qdiscs with their options, from rtnetlink. */
#include <errno.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <stdlib.h>
#include <string.h>

#include "request.h"

void lle_nl_free_qdiscs(struct lle_nl_qdisc *qdisc, int num)
{
	while (num)
		free(qdisc[--num].options);
	free(qdisc);
}

static void lle_nl_drop_qdisc(void *qdisc)
{
	free(((struct lle_nl_qdisc *)qdisc)->options);
}

static int lle_nl_take_qdisc(struct nlmsghdr *nlh, void *arg)
{
	const struct tcmsg *tcm = nlmsg_data(nlh);
	struct nlattr *kind, *options, *role;
	struct lle_nl_qdisc *more;

	if (nlh->nlmsg_type != RTM_NEWQDISC ||
	    nlmsg_datalen(nlh) < (int)sizeof(*tcm) || tcm->tcm_parent != TC_H_ROOT)
		return 0;
	kind = nlmsg_find_attr(nlh, sizeof(*tcm), TCA_KIND);
	options = nlmsg_find_attr(nlh, sizeof(*tcm), TCA_OPTIONS);
	if (!kind || !options || nla_strcmp(kind, "lossless"))
		return 0;
	more = lle_nl_list_add(arg);
	if (!more)
		return -ENOMEM;
	*more = (struct lle_nl_qdisc){
		.ifindex = tcm->tcm_ifindex, .handle = tcm->tcm_handle,
		.options = malloc(nla_total_size(nla_len(options))),
	};
	if (!more->options)
		return -ENOMEM;
	memcpy(more->options, options, nla_attr_size(nla_len(options)));
	role = nla_find(nla_data(options), nla_len(options), TCA_LOSSLESS_ROLE);
	more->role = role && nla_len(role) ? nla_get_u8(role) : LLE_ROLE_SWITCH;
	return 0;
}

/* @type: TCA_LOSSLESS_..., of 1, 4 or 8 bytes. @value: unchanged without the attribute */
bool lle_nl_option(const struct lle_nl_qdisc *qdisc, int type, uint64_t *value)
{
	struct nlattr *options = qdisc->options, *attr;

	attr = nla_find(nla_data(options), nla_len(options), type);
	if (!attr || !nla_len(attr))
		return false;
	if (nla_len(attr) >= (int)sizeof(uint64_t))
		*value = nla_get_u64(attr);
	else
		*value = nla_len(attr) >= (int)sizeof(uint32_t) ? nla_get_u32(attr) :
								  nla_get_u8(attr);
	return true;
}

/* @result: freed by lle_nl_free_qdiscs() */
int lle_nl_get_qdiscs(struct lle_nl *nl, struct lle_nl_qdisc **result)
{
	const struct tcmsg tcm = { 0 };
	struct lle_nl_list all = {
		.what = "qdiscs", .size = sizeof(**result), .drop = lle_nl_drop_qdisc,
	};
	int err = lle_nl_list_dump(&all, nl, NETLINK_ROUTE, RTM_GETQDISC, &tcm, sizeof(tcm),
				   lle_nl_take_qdisc);

	return lle_nl_list_end(&all, err, result);
}
