/* SPDX-License-Identifier: GPL-2.0 */
/* Composes netlink messages, valid and malformed, for tests of decoders. */
#ifndef LLE_CTL_MESSAGE_H
#define LLE_CTL_MESSAGE_H

#include <string.h>

#include <linux/genetlink.h>
#include <linux/netlink.h>

/* An attribute that no kernel has yet */
#define NEWER	1000

static char message[16384];

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

static inline void put_u8(int attr, __u8 value)
{
	put(attr, &value, sizeof(value));
}

static inline void put_u16(int attr, __u16 value)
{
	put(attr, &value, sizeof(value));
}

static inline void put_u32(int attr, __u32 value)
{
	put(attr, &value, sizeof(value));
}

static inline void put_u64(int attr, __u64 value)
{
	put(attr, &value, sizeof(value));
}

/* Begins a nest, which nest_end() ends. */
static inline struct nlattr *nest(int attr)
{
	struct nlmsghdr *nlh = (void *)message;
	struct nlattr *a = (void *)(message + nlh->nlmsg_len);

	put(attr | NLA_F_NESTED, "", 0);
	return a;
}

/* @cut: the nest ends that many bytes before its last attribute does */
static inline void nest_end(struct nlattr *a, size_t cut)
{
	struct nlmsghdr *nlh = (void *)message;

	nlh->nlmsg_len -= cut;
	a->nla_len = message + nlh->nlmsg_len - (char *)a;
	nlh->nlmsg_len = NLMSG_ALIGN(nlh->nlmsg_len);
}

#endif /* LLE_CTL_MESSAGE_H */
