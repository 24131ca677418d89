// SPDX-License-Identifier: GPL-2.0
/* TCP sockets of this network namespace that have LDCP, from sock_diag(7). */
#include <errno.h>
#include <linux/inet_diag.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <string.h>

#include "request.h"
#include "request_tcp.h"

/* As in include/net/tcp_states.h; CLOSE and LISTEN have no peer */
#define ALL_STATES	0xfff
#define CLOSE		7
#define LISTEN		10

static void lle_nl_read_tcp(struct nlmsghdr *nlh, struct lle_nl_tcp *tcp)
{
	const struct inet_diag_msg *m = nlmsg_data(nlh);
	struct nlattr *attr;
	struct tcp_dctcp_info cc = { 0 };
	int left;

	*tcp = (struct lle_nl_tcp){
		.family = m->idiag_family,
		.port = ntohs(m->id.idiag_sport),
		.peer_port = ntohs(m->id.idiag_dport),
	};
	memcpy(tcp->address, m->id.idiag_src, sizeof(tcp->address));
	memcpy(tcp->peer, m->id.idiag_dst, sizeof(tcp->peer));
	nlmsg_for_each_attr(attr, nlh, sizeof(*m), left) {
		switch (nla_type(attr)) {
		case INET_DIAG_CONG:
			nla_strlcpy(tcp->cc, attr, sizeof(tcp->cc));
			break;
		case INET_DIAG_DCTCPINFO:
			nla_memcpy(&cc, attr, sizeof(cc));
			break;
		case INET_DIAG_INFO:
			lle_nl_read_tcp_info(tcp, nla_data(attr), nla_len(attr));
			break;
		}
	}
	tcp->window = cc.dctcp_alpha;
	tcp->phase = cc.dctcp_enabled;
	tcp->first_lost = cc.dctcp_ce_state;
	tcp->marked = cc.dctcp_ab_ecn;
	tcp->packets = cc.dctcp_ab_tot;
}

static int lle_nl_take_tcp(struct nlmsghdr *nlh, void *arg)
{
	struct lle_nl_tcp tcp, *more;

	if (nlh->nlmsg_type != SOCK_DIAG_BY_FAMILY ||
	    nlmsg_datalen(nlh) < (int)sizeof(struct inet_diag_msg))
		return 0;
	lle_nl_read_tcp(nlh, &tcp);
	if (strcmp(tcp.cc, "ldcp") && strcmp(tcp.cc, "ldcp-reno"))
		return 0;
	more = lle_nl_list_add(arg);
	if (!more)
		return -ENOMEM;
	*more = tcp;
	return 0;
}

/* Sockets with LDCP, also if the peer lacks ECN; IPv4 first */
int lle_nl_get_tcps(struct lle_nl *nl, struct lle_nl_tcp **result)
{
	static const unsigned char families[] = { AF_INET, AF_INET6 };
	struct lle_nl_list all = { .what = "sockets", .size = sizeof(**result) };
	unsigned int i;
	int err = 0;

	for (i = 0; i < sizeof(families) && !err; i++) {
		struct inet_diag_req_v2 req = {
			.sdiag_family = families[i],
			.sdiag_protocol = IPPROTO_TCP,
			.idiag_ext = 1 << (INET_DIAG_CONG - 1) |
				     1 << (INET_DIAG_INFO - 1) |
				     1 << (INET_DIAG_VEGASINFO - 1),
			.idiag_states = ALL_STATES & ~(1 << CLOSE | 1 << LISTEN),
		};

		err = lle_nl_list_dump(&all, nl, NETLINK_SOCK_DIAG, SOCK_DIAG_BY_FAMILY, &req,
				       sizeof(req), lle_nl_take_tcp);
	}
	return lle_nl_list_end(&all, err, result);
}
