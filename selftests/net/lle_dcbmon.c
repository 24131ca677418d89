// SPDX-License-Identifier: GPL-2.0
/*
 * Prints DCB notifications (RTNLGRP_DCB): device, bit mask of priorities with
 * PFC, class of each priority. Prints a line on stderr when it listens.
 */
#include <libmnl/libmnl.h>
#include <linux/dcbnl.h>
#include <linux/rtnetlink.h>
#include <stdio.h>

static void print_ieee(const struct nlattr *ieee)
{
	const struct ieee_pfc *pfc = NULL;
	const struct ieee_ets *ets = NULL;
	const struct nlattr *attr;
	unsigned int p;

	mnl_attr_for_each_nested(attr, ieee) {
		if (mnl_attr_get_type(attr) == DCB_ATTR_IEEE_PFC)
			pfc = mnl_attr_get_payload(attr);
		if (mnl_attr_get_type(attr) == DCB_ATTR_IEEE_ETS)
			ets = mnl_attr_get_payload(attr);
	}
	if (!pfc || !ets)
		return;
	printf(" 0x%02x ", pfc->pfc_en);
	for (p = 0; p < IEEE_8021QAZ_MAX_TCS; p++)
		printf("%u", ets->prio_tc[p]);
}

static int print_message(const struct nlmsghdr *nlh, void *arg)
{
	const struct nlattr *attr;

	(void)arg;
	mnl_attr_for_each(attr, nlh, sizeof(struct dcbmsg)) {
		if (mnl_attr_get_type(attr) == DCB_ATTR_IFNAME)
			printf("%s", mnl_attr_get_str(attr));
		if (mnl_attr_get_type(attr) == DCB_ATTR_IEEE)
			print_ieee(attr);
	}
	printf("\n");
	fflush(stdout);
	return MNL_CB_OK;
}

int main(void)
{
	struct mnl_socket *nl = mnl_socket_open(NETLINK_ROUTE);
	int group = RTNLGRP_DCB;
	char buf[8192];
	int len;

	if (!nl || mnl_socket_bind(nl, 0, MNL_SOCKET_AUTOPID) ||
	    mnl_socket_setsockopt(nl, NETLINK_ADD_MEMBERSHIP, &group,
				  sizeof(group))) {
		perror("lle_dcbmon");
		return 1;
	}
	fprintf(stderr, "listening\n");
	while ((len = mnl_socket_recvfrom(nl, buf, sizeof(buf))) > 0)
		mnl_cb_run(buf, len, 0, 0, print_message, NULL);
	perror("lle_dcbmon");
	return 1;
}
