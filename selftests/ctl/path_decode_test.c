// SPDX-License-Identifier: GPL-2.0
/* Decodes messages of path groups, valid and malformed. */
#include "../unit/tap.h"
#include "../../daemon/lib/decode.c"
#include "message.h"

/**
 * struct answer - a message, and the expected result of decoding it
 * @name: name of the case
 * @members: ports of the group
 * @len: bytes of the last of them
 * @saved: counter; 0: absent
 * @newer: it has an attribute of a newer kernel
 * @err: return value of lle_nl_decode_path()
 * @ports: decoded ports
 */
static const struct answer {
	const char *name;
	unsigned int members;
	size_t len;
	u64 saved;
	bool newer;
	int err;
	unsigned int ports;
} answers[] = {
	{ "two ports", 2, 4, 5, false, 0, 2 },
	{ "as many as there is room for", LOSSLESS_PATHS_MAX, 4, 5, false, 0,
	  LOSSLESS_PATHS_MAX },
	{ "one more", LOSSLESS_PATHS_MAX + 1, 4, 5, false, 0, LOSSLESS_PATHS_MAX },
	{ "half a port", 2, 2, 5, false, -EBADMSG, 0 },
	{ "half a port beyond the room", LOSSLESS_PATHS_MAX + 1, 2, 5, false,
	  -EBADMSG, 0 },
	{ "an array of two ports", 2, 8, 5, false, -EBADMSG, 0 },
	{ "no ports", 0, 4, 5, false, -EBADMSG, 0 },
	{ "counter 0", 2, 4, 0, false, 0, 2 },
	{ "a newer kernel's", 2, 4, 5, true, 0, 2 },
};

static struct nlmsghdr *compose(const struct answer *a)
{
	struct nlmsghdr *nlh = begin();
	unsigned int n;

	put_u32(LOSSLESS_A_PATH_GROUP_SWITCH, 2);
	put_u32(LOSSLESS_A_PATH_GROUP_ID, 2);
	put_u8(LOSSLESS_A_PATH_GROUP_ADAPTIVE, 1);
	put_u32(LOSSLESS_A_PATH_GROUP_GAP_US, 2);
	put_u64(LOSSLESS_A_PATH_GROUP_MOVED, 4);
	if (a->saved)
		put_u64(LOSSLESS_A_PATH_GROUP_SAVED, a->saved);
	if (a->newer)
		put_u64(NEWER, 1);
	for (n = 0; n < a->members; n++) {
		u32 ifindex[2] = { 11 + n };

		put(LOSSLESS_A_PATH_GROUP_MEMBER, ifindex,
		    n + 1 == a->members ? a->len : sizeof(u32));
	}
	return nlh;
}

static void answers_test(struct kunit *test)
{
	const struct answer *a;

	for (a = answers; a < answers + ARRAY_SIZE(answers); a++) {
		struct lle_nl_path p;
		int err = lle_nl_decode_path(compose(a), &p);

		is(err, a->err, "%s", a->name);
		if (err || a->err)
			continue;
		is(p.ports, a->ports, "%s: ports", a->name);
		is(p.ifindex[1], 12, "%s: the second", a->name);
		is(p.group, 2, "%s: group", a->name);
		is(p.adaptive, 1, "%s: adaptive", a->name);
		is(p.stats.moved, 4, "%s: moved", a->name);
		is(p.stats.saved, a->saved, "%s: saved", a->name);
	}
}

static struct kunit_case cases[] = {
	KUNIT_CASE(answers_test),
	{}
};

tap_suite("path_decode", cases);
