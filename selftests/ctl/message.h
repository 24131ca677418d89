/* SPDX-License-Identifier: GPL-2.0 */
/* Composes netlink messages, valid and malformed, for tests of decoders. */
#ifndef LLE_CTL_MESSAGE_H
#define LLE_CTL_MESSAGE_H

#include <string.h>

#include <linux/genetlink.h>
#include <linux/netlink.h>

static char message[8192];

static struct nlmsghdr *begin(void)
{
	struct nlmsghdr *nlh = (void *)message;

	memset(message, 0, sizeof(message));
	nlh->nlmsg_len = NLMSG_HDRLEN + GENL_HDRLEN;
	return nlh;
}

static void put(int attr, const void *data, size_t len)
{
	struct nlmsghdr *nlh = (void *)message;
	struct nlattr *a = (void *)(message + nlh->nlmsg_len);

	a->nla_type = attr;
	a->nla_len = NLA_HDRLEN + len;
	memcpy(a + 1, data, len);
	nlh->nlmsg_len += NLA_ALIGN(a->nla_len);
}

#endif /* LLE_CTL_MESSAGE_H */
