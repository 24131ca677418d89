// SPDX-License-Identifier: GPL-2.0
/* Priorities that dcb assigns to EtherTypes, from rtnetlink. */
#include <errno.h>
#include <linux/dcbnl.h>
#include <linux/rtnetlink.h>

#include "request.h"

/* Lower values in the EtherType field are lengths */
#define LLE_NL_ETHERTYPES	0x600

static int lle_nl_take_apps(struct nlmsghdr *nlh, void *arg)
{
	struct nlattr *ieee, *table, *attr;
	struct lle_nl_ethertype *more;
	struct dcb_app app;
	int left;

	if (nlh->nlmsg_type != RTM_GETDCB || nlmsg_datalen(nlh) < (int)sizeof(struct dcbmsg))
		return 0;
	ieee = nlmsg_find_attr(nlh, sizeof(struct dcbmsg), DCB_ATTR_IEEE);
	table = ieee ? nla_find(nla_data(ieee), nla_len(ieee), DCB_ATTR_IEEE_APP_TABLE) : NULL;
	if (!table)
		return 0;
	nla_for_each_nested(attr, table, left) {
		if (nla_type(attr) != DCB_ATTR_IEEE_APP || nla_len(attr) < (int)sizeof(app))
			continue;
		nla_memcpy(&app, attr, sizeof(app));
		if (app.selector != IEEE_8021QAZ_APP_SEL_ETHERTYPE ||
		    app.protocol < LLE_NL_ETHERTYPES)
			continue;
		more = lle_nl_list_add(arg);
		if (!more)
			return -ENOMEM;
		*more = (struct lle_nl_ethertype){ app.protocol, app.priority };
	}
	return 0;
}

static int lle_nl_compare_ethertypes(const void *a, const void *b)
{
	const struct lle_nl_ethertype *x = a, *y = b;

	return x->type - y->type;
}

/* Sorted; none if the device or the kernel has no DCB. @dev: name */
int lle_nl_get_ethertypes(struct lle_nl *nl, const char *dev, struct lle_nl_ethertype **result)
{
	const struct dcbmsg m = { .cmd = DCB_CMD_IEEE_GET };
	struct nl_msg *msg = lle_nl_message(RTM_GETDCB, 0, &m, sizeof(m));
	struct lle_nl_list all = {
		.size = sizeof(**result), .compare = lle_nl_compare_ethertypes,
	};
	int err;

	msg = lle_nl_fit(msg, msg && !nla_put_string(msg, DCB_ATTR_IFNAME, dev));
	lle_nl_about(nl, "EtherTypes of %s", dev);
	err = lle_nl_talk_links(nl, msg, lle_nl_take_apps, &all);
	if (err == -EOPNOTSUPP || err == -ENODEV)
		err = 0;
	return lle_nl_list_end(&all, err, result);
}
