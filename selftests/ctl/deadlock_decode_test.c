// SPDX-License-Identifier: GPL-2.0
/* Decodes LLE_A_DEADLOCK messages, valid and malformed. */
#include "../unit/tap.h"
#include "../../daemon/lib/decode.c"
#include "message.h"

#define INFO	sizeof(struct lle_deadlock_info)
#define HOP	sizeof(struct lle_deadlock_hop)
#define ROOM	(LLE_NL_HOPS * HOP)

/**
 * struct answer - a message, and the expected result of decoding it
 * @name: name of the case
 * @prio: priority of the deadlock
 * @info: bytes of LLE_A_DEADLOCK
 * @loop: bytes of LLE_A_LOOP; -1: the attribute is missing
 * @cut: bytes cut off the end of the message
 * @err: return value of lle_nl_decode_deadlock()
 * @hops: decoded hops
 * @whole: the decoded hops are the whole loop
 */
static const struct answer {
	const char *name;
	u8 prio;
	size_t info;
	int loop;
	int cut;
	int err;
	unsigned int hops;
	u8 whole;
} answers[] = {
	{ "four switches", 3, INFO, 4 * HOP, 0, 0, 4, 1 },
	{ "one", 7, INFO, HOP, 0, 0, 1, 1 },
	{ "as many as there is room for", 3, INFO, ROOM, 0, 0, LLE_NL_HOPS, 1 },
	{ "one more", 3, INFO, ROOM + HOP, 0, 0, LLE_NL_HOPS, 0 },
	{ "none", 3, INFO, 0, 0, -EBADMSG, 0, 0 },
	{ "no loop", 3, INFO, -1, 0, -EBADMSG, 0, 0 },
	{ "half a switch", 3, INFO, 4 * HOP - 8, 0, -EBADMSG, 0, 0 },
	{ "a loop that is cut off", 3, INFO, 4 * HOP, 8, -EBADMSG, 0, 0 },
	{ "no such priority", 8, INFO, HOP, 0, -EBADMSG, 0, 0 },
	{ "an older kernel's", 3, INFO - 8, HOP, 0, 0, 1, 1 },
	{ "a newer kernel's", 3, INFO + 8, HOP, 0, 0, 1, 1 },
};

static struct nlmsghdr *compose(const struct answer *a)
{
	static struct lle_deadlock_hop hops[LLE_NL_HOPS + 1];
	static struct {
		struct lle_deadlock_info info;
		u64 more;
	} i;
	struct nlmsghdr *nlh = begin();
	u32 sw = 2;

	i.info = (struct lle_deadlock_info){ .number = 5, .prio = a->prio, .loop = 1 };
	/* the decoder must accept any number of a switch or port */
	hops[0] = (struct lle_deadlock_hop){ .sw = 0xffff, .ingress = 0xff, .egress = 64 };
	put(LLE_A_SWITCH, &sw, sizeof(sw));
	put(LLE_A_DEADLOCK, &i, a->info);
	if (a->loop >= 0)
		put(LLE_A_LOOP, hops, a->loop);
	nlh->nlmsg_len -= a->cut;
	return nlh;
}

static void answers_test(struct kunit *test)
{
	const struct answer *a;

	for (a = answers; a < answers + ARRAY_SIZE(answers); a++) {
		struct lle_nl_deadlock d;
		int err = lle_nl_decode_deadlock(compose(a), &d);

		is(err, a->err, "%s", a->name);
		if (err || a->err)
			continue;
		is(d.num_hops, a->hops, "%s: hops", a->name);
		is(d.info.loop, a->whole, "%s: whole", a->name);
		is(d.hops[0].ingress, 0xff, "%s: a port", a->name);
	}
}

static struct kunit_case cases[] = {
	KUNIT_CASE(answers_test),
	{}
};

tap_suite("deadlock_decode", cases);
