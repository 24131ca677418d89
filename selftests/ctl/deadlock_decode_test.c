// SPDX-License-Identifier: GPL-2.0
/* Decodes messages of deadlocks, valid and malformed. */
#include "../unit/tap.h"
#include "../../daemon/lib/decode.c"
#include "message.h"

/**
 * struct answer - a message, and the expected result of decoding it
 * @name: name of the case
 * @prio: priority of the deadlock
 * @missing: attribute that is missing; 0: none
 * @loop: hops of the loop
 * @half: bytes that the last hop lacks
 * @cut: bytes cut off the end of the message
 * @newer: it has attributes of a newer kernel
 * @err: return value of lle_nl_decode_deadlock()
 * @hops: decoded hops
 * @whole: the decoded hops are the whole loop
 */
static const struct answer {
	const char *name;
	u8 prio;
	int missing;
	unsigned int loop;
	int half;
	int cut;
	bool newer;
	int err;
	unsigned int hops;
	u8 whole;
} answers[] = {
	{ "four switches", 3, 0, 4, 0, 0, false, 0, 4, 1 },
	{ "one", 7, 0, 1, 0, 0, false, 0, 1, 1 },
	{ "as many as there is room for", 3, 0, LLE_NL_HOPS, 0, 0, false, 0,
	  LLE_NL_HOPS, 1 },
	{ "one more", 3, 0, LLE_NL_HOPS + 1, 0, 0, false, 0, LLE_NL_HOPS, 0 },
	{ "no loop", 3, 0, 0, 0, 0, false, -EBADMSG, 0, 0 },
	{ "half a switch", 3, 0, 4, 12, 0, false, -EBADMSG, 0, 0 },
	{ "half a switch beyond the room", 3, 0, LLE_NL_HOPS + 1, 12, 0, false,
	  -EBADMSG, 0, 0 },
	{ "a loop that is cut off", 3, 0, 4, 0, 8, false, -EBADMSG, 0, 0 },
	{ "no such priority", 8, 0, 1, 0, 0, false, -EBADMSG, 0, 0 },
	{ "no number", 3, LOSSLESS_A_DEADLOCK_NUMBER, 1, 0, 0, false, -EBADMSG, 0, 0 },
	{ "no initial trigger", 3, LOSSLESS_A_DEADLOCK_TRIGGER, 1, 0, 0, false, 0, 1, 1 },
	{ "a newer kernel's", 3, 0, 1, 0, 0, true, 0, 1, 1 },
};

static void put_pause(int attr, u16 sw)
{
	struct nlattr *a = nest(attr);

	put_u16(LOSSLESS_A_DEADLOCK_PAUSE_SWITCH, sw);
	put_u8(LOSSLESS_A_DEADLOCK_PAUSE_SLOT, 200);
	put_u8(LOSSLESS_A_DEADLOCK_PAUSE_HOST, 1);
	put_u32(LOSSLESS_A_DEADLOCK_PAUSE_SEQ, 17);
	nest_end(a, 0);
}

/* The decoder must accept any number of a switch or port. */
static void put_hop(bool newer, int half)
{
	struct nlattr *a = nest(LOSSLESS_A_DEADLOCK_HOP);

	put_u16(LOSSLESS_A_DEADLOCK_HOP_SWITCH, 0xffff);
	put_u8(LOSSLESS_A_DEADLOCK_HOP_INGRESS, 0xff);
	put_u8(LOSSLESS_A_DEADLOCK_HOP_EGRESS, 64);
	put_u32(LOSSLESS_A_DEADLOCK_HOP_BYTES, 1500);
	put_pause(LOSSLESS_A_DEADLOCK_HOP_TRIGGER, 9);
	if (newer)
		put_u64(NEWER, 1);
	put_u64(LOSSLESS_A_DEADLOCK_HOP_AGE_NS, 5);
	nest_end(a, half);
}

static void put_info(const struct answer *a)
{
	put_u8(LOSSLESS_A_DEADLOCK_PRIO, a->prio);
	put_u8(LOSSLESS_A_DEADLOCK_COMPLETE, 1);
	put_u8(LOSSLESS_A_DEADLOCK_CURE, 200);
	put_u8(LOSSLESS_A_DEADLOCK_RESOLVED, 0);
	put_u32(LOSSLESS_A_DEADLOCK_BYTES, 1);
	put_u32(LOSSLESS_A_DEADLOCK_PARKED_BYTES, 2);
	put_u32(LOSSLESS_A_DEADLOCK_DROPPED_BYTES, 3);
	put_pause(LOSSLESS_A_DEADLOCK_INITIATOR, 7);
	if (a->missing != LOSSLESS_A_DEADLOCK_TRIGGER)
		put_pause(LOSSLESS_A_DEADLOCK_TRIGGER, 8);
	put_u64(LOSSLESS_A_DEADLOCK_SINCE_NS, 4);
	put_u64(LOSSLESS_A_DEADLOCK_DECLARED_NS, 5);
	put_u64(LOSSLESS_A_DEADLOCK_REPORTED_NS, 6);
}

static struct nlmsghdr *compose(const struct answer *a)
{
	struct nlmsghdr *nlh = begin();
	unsigned int n;

	put_u32(LOSSLESS_A_DEADLOCK_SWITCH, 2);
	if (a->missing != LOSSLESS_A_DEADLOCK_NUMBER)
		put_u64(LOSSLESS_A_DEADLOCK_NUMBER, 5);
	put_info(a);
	if (a->newer)
		put_u64(NEWER, 1);
	for (n = 0; n < a->loop; n++)
		put_hop(a->newer, n + 1 == a->loop ? a->half : 0);
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
		is(d.info.number, 5, "%s: number", a->name);
		is(d.info.initiator.sw, 7, "%s: initiator", a->name);
		is(d.info.trigger.sw, a->missing ? 0 : 8, "%s: trigger", a->name);
		is(d.info.dropped_bytes, 3, "%s: dropped", a->name);
		is(d.hops[0].ingress, 0xff, "%s: a port", a->name);
		is(d.hops[0].trigger.seq, 17, "%s: trigger of a hop", a->name);
		is(d.hops[a->hops - 1].age_ns, 5, "%s: age", a->name);
	}
}

static struct kunit_case cases[] = {
	KUNIT_CASE(answers_test),
	{}
};

tap_suite("deadlock_decode", cases);
