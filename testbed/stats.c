// SPDX-License-Identifier: GPL-2.0
/* Prints all counters of all qdiscs of a testbed as one JSON document. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <linux/gen_stats.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <netlink/attr.h>
#include <netlink/errno.h>
#include <netlink/msg.h>
#include <netlink/netlink.h>

#include "ask.h"
#include "netns.h"
#include "tb.h"
#include "tc.h"

/* A dump of the qdiscs of a network namespace. @host: -1: the switches */
struct tb_dump {
	const struct tb_topo *t;
	const struct tb_build *b;
	int host;
};

/* Finds the link and end of a qdisc. Return: is it one of the testbed's? */
static bool tb_dump_end(const struct tb_dump *d, unsigned int ifindex,
			unsigned int *link, unsigned int *side)
{
	unsigned int first = TB_IFINDEX + d->t->switches;

	if (d->host >= 0) {
		*link = d->t->host[d->host].link;
		*side = 1;
		return ifindex == TB_IFINDEX;
	}
	*link = (ifindex - first) / 2;
	*side = (ifindex - first) % 2;
	return ifindex >= first && *link < d->t->links;
}

static void tb_stats_names(const struct tb_dump *d, const struct tb_link *l,
			   unsigned int side, unsigned int ifindex)
{
	char netns[TB_PATH_SIZE];

	snprintf(netns, sizeof(netns), "%s-%s", d->b->name,
		 d->host < 0 ? TB_SWITCHES : tb_node_name(d->t, l, side));
	print_string(PRINT_JSON, "netns", NULL, netns);
	print_string(PRINT_JSON, "node", NULL, tb_node_name(d->t, l, side));
	print_string(PRINT_JSON, "dev", NULL, l->end[side].dev);
	print_u64(PRINT_JSON, "ifindex", NULL, ifindex);
	print_string(PRINT_JSON, "role", NULL, tb_role_name(tb_role(l, side)));
	print_string(PRINT_JSON, "peer", NULL, tb_node_name(d->t, l, !side));
}

/* libnl's and tc's attributes have the same layout. */
static struct rtattr *tb_rtattr(struct nlattr *attr)
{
	return (struct rtattr *)attr;
}

static int tb_stats_qdisc(struct nl_msg *msg, void *arg)
{
	struct nlattr *tb[TCA_MAX + 1], *stats[TCA_STATS_MAX + 1];
	struct nlmsghdr *n = nlmsg_hdr(msg);
	const struct tb_dump *d = arg;
	unsigned int link, side;
	const struct tcmsg *tc;

	if (n->nlmsg_type != RTM_NEWQDISC ||
	    nlmsg_parse(n, sizeof(*tc), tb, TCA_MAX, NULL) < 0 ||
	    !tb[TCA_KIND] || !tb[TCA_OPTIONS] || !tb[TCA_STATS2])
		return NL_SKIP;
	tc = nlmsg_data(n);
	if (strcmp(nla_get_string(tb[TCA_KIND]), "lossless") ||
	    !tb_dump_end(d, tc->tcm_ifindex, &link, &side) ||
	    nla_parse_nested(stats, TCA_STATS_MAX, tb[TCA_STATS2], NULL) < 0)
		return NL_SKIP;

	open_json_object(NULL);
	tb_stats_names(d, &d->t->link[link], side, tc->tcm_ifindex);
	open_json_object("options");
	lossless_qdisc_util.print_qopt(&lossless_qdisc_util, stdout,
				       tb_rtattr(tb[TCA_OPTIONS]));
	close_json_object();
	lossless_qdisc_util.print_xstats(&lossless_qdisc_util, stdout,
					 tb_rtattr(stats[TCA_STATS_APP]));
	close_json_object();
	return NL_OK;
}

/* Dumps the qdiscs of the current network namespace. */
static int tb_stats_dump(struct tb_dump *d)
{
	struct tcmsg tc = { .tcm_family = AF_UNSPEC };
	struct nl_sock *sk = nl_socket_alloc();
	int err = sk ? nl_connect(sk, NETLINK_ROUTE) : -NLE_NOMEM;

	if (!err)
		err = nl_socket_modify_cb(sk, NL_CB_VALID, NL_CB_CUSTOM,
					  tb_stats_qdisc, d);
	if (!err)
		err = nl_send_simple(sk, RTM_GETQDISC, NLM_F_DUMP, &tc,
				     sizeof(tc));
	if (err >= 0)
		err = nl_recvmsgs_default(sk);
	nl_socket_free(sk);
	return err < 0 ? tb_error("qdiscs: %s", nl_geterror(err)) : 0;
}

static int tb_stats_node(struct tb_dump *d, const char *node)
{
	int fd = tb_netns_open(d->b->name, node);
	int ret;

	if (fd < 0)
		return -1;
	ret = tb_netns_enter(fd, node);
	close(fd);
	return ret ? -1 : tb_stats_dump(d);
}

/* Prints the counters of all qdiscs, or those of a part. */
int tb_stats(const struct tb_topo *t, const struct tb_build *b)
{
	struct tb_dump d = { .t = t, .b = b, .host = -1 };
	int ret;

	open_json_object(NULL);
	print_string(PRINT_JSON, "name", NULL, b->name);
	open_json_array(PRINT_JSON, "qdiscs");
	ret = tb_stats_node(&d, TB_SWITCHES);
	for (d.host = 0; !ret && d.host < (int)t->hosts; d.host++)
		if (tb_has_host(t, b, d.host))
			ret = tb_stats_node(&d, t->host[d.host].name);
	close_json_array(PRINT_JSON, NULL);
	close_json_object();
	printf("\n");
	return ret;
}
