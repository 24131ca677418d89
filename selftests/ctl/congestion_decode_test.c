// SPDX-License-Identifier: GPL-2.0
/* Regional congestion mitigation as the kernel tells of it, and as it never would. */
#include "../unit/tap.h"
#include "../../daemon/client/decode.c"
#include "message.h"

#define INFO	sizeof(struct lle_congestion)
#define ID	sizeof(struct lle_congested)
#define ROOM	(LLE_NUM_CONGESTED * ID)

/**
 * struct answer - a message, and what becomes of it
 * @name: what it is
 * @prio: the priority in it
 * @info: bytes of LLE_A_CONGESTION; -1: there is none
 * @ids: bytes of LLE_A_CONGESTED; -1: there is none
 * @err: what lle_nl_decode_congestion() returns
 * @num: IDs of the result
 * @ignored: cn_ignored of the result, the last of all
 */
static const struct answer {
	const char *name;
	u8 prio;
	int info;
	int ids;
	int err;
	unsigned int num;
	u64 ignored;
} answers[] = {
	{ "two IDs", 3, INFO, 2 * ID, 0, 2, 9 },
	{ "none", 7, INFO, 0, 0, 0, 9 },
	{ "as many as there is room for", 3, INFO, ROOM, 0, LLE_NUM_CONGESTED, 9 },
	{ "one more", 3, INFO, ROOM + ID, 0, LLE_NUM_CONGESTED, 9 },
	{ "half an ID", 3, INFO, ID - 4, -EBADMSG, 0, 0 },
	{ "IDs alone", 3, -1, ID, -EBADMSG, 0, 0 },
	{ "no IDs", 3, INFO, -1, -EBADMSG, 0, 0 },
	{ "no such priority", 8, INFO, ID, -EBADMSG, 0, 0 },
	{ "an older kernel's", 3, INFO - 8, ID, 0, 1, 0 },
	{ "a newer kernel's", 3, INFO + 8, ID, 0, 1, 9 },
};

static struct nlmsghdr *compose(const struct answer *a)
{
	static const struct lle_congested ids[LLE_NUM_CONGESTED + 1] = {
		{ .name = 0xdeadbeef, .bytes = 1500, .told = 255 },
	};
	static const struct {
		struct lle_congestion info;
		u64 more;
	} i = { { .role = 200, .ids = 34, .cn_ignored = 9 }, 1 };
	struct nlmsghdr *nlh = begin();
	u32 number = 2;

	put(LLE_A_IFINDEX, &number, sizeof(number));
	put(LLE_A_IFNAME, "swp1", 5);
	put(LLE_A_SWITCH, &number, sizeof(number));
	put(LLE_A_PRIO, &a->prio, sizeof(a->prio));
	if (a->info >= 0)
		put(LLE_A_CONGESTION, &i, a->info);
	if (a->ids >= 0)
		put(LLE_A_CONGESTED, ids, a->ids);
	return nlh;
}

static void answers_test(struct kunit *test)
{
	const struct answer *a;

	for (a = answers; a < answers + ARRAY_SIZE(answers); a++) {
		struct lle_nl_congestion c;
		int err = lle_nl_decode_congestion(compose(a), &c);

		is(err, a->err, "%s", a->name);
		if (err || a->err)
			continue;
		is(c.prio, a->prio, "%s: priority", a->name);
		is(c.info.role, 200, "%s: a role that is not known", a->name);
		is(c.info.ids, 34, "%s: IDs that there are", a->name);
		is(c.info.cn_ignored, a->ignored, "%s: the last", a->name);
		is(c.num_ids, a->num, "%s: IDs that it tells", a->name);
		is(c.ids[0].name, a->num ? 0xdeadbeef : 0, "%s: an ID", a->name);
	}
}

static struct kunit_case cases[] = {
	KUNIT_CASE(answers_test),
	{}
};

tap_suite("congestion_decode", cases);
