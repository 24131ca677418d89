// SPDX-License-Identifier: GPL-2.0
/* Decodes messages of path groups, valid and malformed. */
#include "../unit/tap.h"
#include "../../daemon/lib/decode.c"
#include "message.h"

#define STATS	sizeof(struct lle_path_stats)
#define PORT	sizeof(u32)

/**
 * struct answer - a message, and the expected result of decoding it
 * @name: name of the case
 * @stats: bytes of LLE_A_PATH_STATS; -1: the attribute is missing
 * @members: bytes of LLE_A_MEMBERS; -1: the attribute is missing
 * @err: return value of lle_nl_decode_path()
 * @ports: decoded ports
 * @saved: decoded saved, the last member of struct lle_path_stats
 */
static const struct answer {
	const char *name;
	int stats;
	int members;
	int err;
	unsigned int ports;
	u64 saved;
} answers[] = {
	{ "two ports", STATS, 2 * PORT, 0, 2, 5 },
	{ "as many as there is room for", STATS, LLE_PATHS_MAX * PORT, 0, LLE_PATHS_MAX, 5 },
	{ "one more", STATS, (LLE_PATHS_MAX + 1) * PORT, 0, LLE_PATHS_MAX, 5 },
	{ "half a port", STATS, PORT + 2, -EBADMSG, 0, 0 },
	{ "no ports", STATS, -1, -EBADMSG, 0, 0 },
	{ "no counters", -1, 2 * PORT, -EBADMSG, 0, 0 },
	{ "an older kernel's", STATS - 8, 2 * PORT, 0, 2, 0 },
	{ "a newer kernel's", STATS + 8, 2 * PORT, 0, 2, 5 },
};

static struct nlmsghdr *compose(const struct answer *a)
{
	static const struct {
		struct lle_path_stats stats;
		u64 more;
	} s = { { .moved = 4, .saved = 5 }, 1 };
	static const u32 members[LLE_PATHS_MAX + 1] = { 11, 12 };
	struct nlmsghdr *nlh = begin();
	u32 number = 2;
	u8 yes = 1;

	put(LLE_A_SWITCH, &number, sizeof(number));
	put(LLE_A_GROUP, &number, sizeof(number));
	put(LLE_A_ADAPTIVE, &yes, sizeof(yes));
	put(LLE_A_GAP_US, &number, sizeof(number));
	if (a->stats >= 0)
		put(LLE_A_PATH_STATS, &s, a->stats);
	if (a->members >= 0)
		put(LLE_A_MEMBERS, members, a->members);
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
