// SPDX-License-Identifier: GPL-2.0
/*
 * Random rtnetlink messages: lle_nlfuzz qdisc|dcb DEV RUNS SEED
 *
 * qdisc: RTM_NEWQDISC with random TCA_OPTIONS, valid and invalid. dcb:
 * RTM_SETDCB and RTM_GETDCB with any command, and settings of PFC, ETS and
 * buffers. The kernel must answer each with 0 or an error, and still dump. Exit
 * status 0 if it always did.
 */
#include <linux/dcbnl.h>
#include <linux/pkt_sch_lossless.h>
#include <linux/pkt_sched.h>

#include "nlfuzz.h"

static const char *dev;
static int ifindex;

static void put_option(struct nlmsghdr *nlh, unsigned int types, int depth)
{
	unsigned int type = rnd(types + 2), n;
	struct nlattr *nest;

	if (depth && (type == TCA_LOSSLESS_WRED || !rnd(20))) {
		nest = mnl_attr_nest_start(nlh, type);
		for (n = rnd(9); n; n--)
			put_option(nlh, TCA_LOSSLESS_WRED_MAX, depth - 1);
		mnl_attr_nest_end(nlh, nest);
		return;
	}
	put_random(nlh, type, 128);
}

static struct nlmsghdr *qdisc_message(char *buf, int type, int flags)
{
	struct nlmsghdr *nlh = mnl_nlmsg_put_header(buf);
	struct tcmsg *tcm;

	nlh->nlmsg_type = type;
	nlh->nlmsg_flags = NLM_F_REQUEST | flags;
	tcm = mnl_nlmsg_put_extra_header(nlh, sizeof(*tcm));
	tcm->tcm_family = AF_UNSPEC;
	tcm->tcm_ifindex = ifindex;
	tcm->tcm_parent = TC_H_ROOT;
	return nlh;
}

static struct nlmsghdr *random_qdisc(char *buf)
{
	struct nlmsghdr *nlh;
	struct nlattr *nest;
	unsigned int n;

	nlh = qdisc_message(buf, RTM_NEWQDISC, NLM_F_ACK);
	mnl_attr_put_strz(nlh, TCA_KIND, "lossless");
	nest = mnl_attr_nest_start(nlh, TCA_OPTIONS);
	for (n = rnd(6); n; n--)
		put_option(nlh, TCA_LOSSLESS_MAX, 1);
	mnl_attr_nest_end(nlh, nest);
	return nlh;
}

static void put_ets(struct nlmsghdr *nlh)
{
	struct ieee_ets ets = { .willing = !rnd(8), .cbs = !rnd(8) };
	unsigned int tc, shares = rnd(9);

	for (tc = 0; tc < IEEE_8021QAZ_MAX_TCS; tc++) {
		ets.prio_tc[tc] = rnd(rnd(8) ? 8 : 256);
		ets.tc_tsa[tc] = tc < shares ? IEEE_8021QAZ_TSA_ETS :
					       rnd(8) ? 0 : rnd(256);
		ets.tc_tx_bw[tc] = tc < shares ? 100 / shares : !rnd(16);
	}
	if (shares)
		ets.tc_tx_bw[0] += 100 % shares;
	mnl_attr_put(nlh, DCB_ATTR_IEEE_ETS, sizeof(ets), &ets);
}

static void put_ieee(struct nlmsghdr *nlh)
{
	const struct ieee_pfc pfc = {
		.pfc_en = rnd(256), .mbc = !rnd(4), .delay = rnd(4) ? 0 : rnd(9),
	};
	unsigned int type;

	switch (rnd(4)) {
	case 0:
		mnl_attr_put(nlh, DCB_ATTR_IEEE_PFC, sizeof(pfc), &pfc);
		break;
	case 1:
		put_ets(nlh);
		break;
	default:
		/* the stack keeps the table of applications */
		type = rnd(DCB_ATTR_IEEE_MAX + 2);
		if (type != DCB_ATTR_IEEE_APP_TABLE)
			put_random(nlh, type, 200);
	}
}

static struct nlmsghdr *random_dcb(char *buf)
{
	struct nlmsghdr *nlh = mnl_nlmsg_put_header(buf);
	struct dcbmsg *dcb;
	struct nlattr *nest;
	unsigned int n;

	nlh->nlmsg_type = rnd(4) ? RTM_SETDCB : RTM_GETDCB;
	nlh->nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK;
	dcb = mnl_nlmsg_put_extra_header(nlh, sizeof(*dcb));
	dcb->dcb_family = AF_UNSPEC;
	dcb->cmd = rnd(2) ? DCB_CMD_IEEE_SET : rnd(DCB_CMD_MAX + 3);
	if (rnd(16))
		mnl_attr_put_strz(nlh, DCB_ATTR_IFNAME, dev);
	nest = mnl_attr_nest_start(nlh, DCB_ATTR_IEEE);
	for (n = rnd(4); n; n--)
		put_ieee(nlh);
	mnl_attr_nest_end(nlh, nest);
	for (n = rnd(3); n; n--)
		put_random(nlh, rnd(DCB_ATTR_MAX + 2), 64);
	return nlh;
}

int main(int argc, char **argv)
{
	struct nlmsghdr *(*message)(char *buf);
	unsigned int runs, i;
	struct mnl_socket *nl;
	char buf[BUF_SIZE];

	if (argc != 5) {
		fprintf(stderr, "usage: lle_nlfuzz qdisc|dcb DEV RUNS SEED\n");
		return 1;
	}
	message = strcmp(argv[1], "dcb") ? random_qdisc : random_dcb;
	dev = argv[2];
	ifindex = if_nametoindex(dev);
	runs = atoi(argv[3]);
	seed = atoi(argv[4]);
	if (!ifindex) {
		perror(dev);
		return 1;
	}
	nl = connect_to(NETLINK_ROUTE);

	for (i = 0; i < runs; i++) {
		count(ask(nl, message(buf)));
		if (i % 16 == 0 &&
		    ask(nl, qdisc_message(buf, RTM_GETQDISC, NLM_F_DUMP))) {
			fprintf(stderr, "dump %u failed\n", i);
			return 1;
		}
	}
	mnl_socket_close(nl);
	return verdict();
}
