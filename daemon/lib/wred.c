// SPDX-License-Identifier: GPL-2.0
/* WRED of ports, from their qdiscs. */
#include <errno.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <string.h>

#include "request.h"

static uint32_t lle_nl_u32_of(struct nlattr **tb, int type)
{
	return tb[type] ? nla_get_u32(tb[type]) : 0;
}

static uint8_t lle_nl_u8_of(struct nlattr **tb, int type)
{
	return tb[type] ? nla_get_u8(tb[type]) : 0;
}

static int lle_nl_read_wred(struct nlattr *nest, struct lle_nl_wred *wred)
{
	static struct nla_policy policy[TCA_LOSSLESS_WRED_MAX + 1] = {
		[TCA_LOSSLESS_WRED_PRIO] = { .type = NLA_U8 },
		[TCA_LOSSLESS_WRED_KMIN] = { .type = NLA_U32 },
		[TCA_LOSSLESS_WRED_KMAX] = { .type = NLA_U32 },
		[TCA_LOSSLESS_WRED_PMAX] = { .type = NLA_U32 },
		[TCA_LOSSLESS_WRED_NONECT] = { .type = NLA_U32 },
		[TCA_LOSSLESS_WRED_BUFMAX] = { .type = NLA_U32 },
		[TCA_LOSSLESS_WRED_ECN] = { .type = NLA_U8 },
		[TCA_LOSSLESS_WRED_DEQUEUE] = { .type = NLA_U8 },
	};
	struct nlattr *tb[TCA_LOSSLESS_WRED_MAX + 1];

	if (nla_parse_nested(tb, TCA_LOSSLESS_WRED_MAX, nest, policy) < 0 ||
	    !tb[TCA_LOSSLESS_WRED_PRIO])
		return -EBADMSG;
	wred->prio = nla_get_u8(tb[TCA_LOSSLESS_WRED_PRIO]);
	wred->kmin_bytes = lle_nl_u32_of(tb, TCA_LOSSLESS_WRED_KMIN);
	wred->kmax_bytes = lle_nl_u32_of(tb, TCA_LOSSLESS_WRED_KMAX);
	wred->pmax_q32 = lle_nl_u32_of(tb, TCA_LOSSLESS_WRED_PMAX);
	wred->nonect_bytes = lle_nl_u32_of(tb, TCA_LOSSLESS_WRED_NONECT);
	wred->bufmax_bytes = lle_nl_u32_of(tb, TCA_LOSSLESS_WRED_BUFMAX);
	wred->ecn = lle_nl_u8_of(tb, TCA_LOSSLESS_WRED_ECN);
	wred->dequeue = lle_nl_u8_of(tb, TCA_LOSSLESS_WRED_DEQUEUE);
	return 0;
}

static int lle_nl_add_wred(struct lle_nl_list *all, uint32_t ifindex,
			   struct nlattr *nest)
{
	struct lle_nl_wred *more = lle_nl_list_add(all);

	if (!more)
		return -ENOMEM;
	more->ifindex = ifindex;
	return lle_nl_read_wred(nest, more);
}

/* Of the priorities that have it */
int lle_nl_get_wreds(struct lle_nl *nl, struct lle_nl_wred **result)
{
	struct lle_nl_list all = { .size = sizeof(**result) };
	struct lle_nl_qdisc *qdiscs;
	struct nlattr *attr;
	int num, i, left, err = 0;

	num = lle_nl_get_qdiscs(nl, &qdiscs);
	if (num < 0)
		return num;
	for (i = 0; i < num; i++)
		nla_for_each_nested(attr, (struct nlattr *)qdiscs[i].options, left)
			if (nla_type(attr) == TCA_LOSSLESS_WRED && !err)
				err = lle_nl_add_wred(&all, qdiscs[i].ifindex, attr);
	lle_nl_free_qdiscs(qdiscs, num);
	if (err)
		lle_nl_fail(nl, err, NULL);
	return lle_nl_list_end(&all, err, result);
}

static bool lle_nl_put_wred(struct nl_msg *msg, const struct lle_nl_wred *wred)
{
	struct nlattr *options, *nest;

	if (nla_put_string(msg, TCA_KIND, "lossless"))
		return false;
	options = nla_nest_start(msg, TCA_OPTIONS);
	nest = options ? nla_nest_start(msg, TCA_LOSSLESS_WRED) : NULL;
	if (!nest || nla_put_u8(msg, TCA_LOSSLESS_WRED_PRIO, wred->prio))
		return false;
	if (!wred->pmax_q32) {
		if (nla_put_flag(msg, TCA_LOSSLESS_WRED_OFF))
			return false;
	} else if (nla_put_u32(msg, TCA_LOSSLESS_WRED_KMIN, wred->kmin_bytes) ||
		   nla_put_u32(msg, TCA_LOSSLESS_WRED_KMAX, wred->kmax_bytes) ||
		   nla_put_u32(msg, TCA_LOSSLESS_WRED_PMAX, wred->pmax_q32) ||
		   nla_put_u32(msg, TCA_LOSSLESS_WRED_NONECT, wred->nonect_bytes) ||
		   nla_put_u32(msg, TCA_LOSSLESS_WRED_BUFMAX, wred->bufmax_bytes) ||
		   nla_put_u8(msg, TCA_LOSSLESS_WRED_ECN, wred->ecn) ||
		   nla_put_u8(msg, TCA_LOSSLESS_WRED_DEQUEUE, wred->dequeue)) {
		return false;
	}
	nla_nest_end(msg, nest);
	nla_nest_end(msg, options);
	return true;
}

int lle_nl_set_wred(struct lle_nl *nl, const struct lle_nl_wred *wred)
{
	const struct tcmsg tcm = {
		.tcm_ifindex = wred->ifindex, .tcm_parent = TC_H_ROOT,
	};
	struct nl_msg *msg = lle_nl_message(RTM_NEWQDISC, NLM_F_ACK, &tcm, sizeof(tcm));

	lle_nl_about_port(nl, wred->ifindex);
	msg = lle_nl_fit(msg, msg && lle_nl_put_wred(msg, wred));
	return lle_nl_talk_links(nl, msg, NULL, NULL);
}
