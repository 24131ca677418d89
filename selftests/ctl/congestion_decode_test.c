// SPDX-License-Identifier: GPL-2.0
/* Decodes LLE_A_CONGESTION messages and events, valid and malformed. */
#include "../unit/tap.h"
#include "../../daemon/lib/decode.c"
#include "message.h"

#define INFO	sizeof(struct lle_congestion)
#define ID	sizeof(struct lle_congested)
#define ROOM	(LLE_NUM_CONGESTED * ID)

/**
 * struct answer - a message, and the expected result of decoding it
 * @name: name of the case
 * @prio: LLE_A_PRIO
 * @info: bytes of LLE_A_CONGESTION; -1: the attribute is missing
 * @ids: bytes of LLE_A_CONGESTED; -1: the attribute is missing
 * @err: return value of lle_nl_decode_congestion()
 * @num: decoded IDs
 * @root_ns: decoded root_ns, the last member of struct lle_congestion
 */
static const struct answer {
	const char *name;
	u8 prio;
	int info;
	int ids;
	int err;
	unsigned int num;
	u64 root_ns;
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
	} i = { { .role = 200, .ids = 34, .root_ns = 9 }, 1 };
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
		is(c.info.root_ns, a->root_ns, "%s: the last", a->name);
		is(c.num_ids, a->num, "%s: IDs that it tells", a->name);
		is(c.ids[0].name, a->num ? 0xdeadbeef : 0, "%s: an ID", a->name);
	}
}

/**
 * struct told - an event, and the expected result of decoding it
 * @name: name of the case
 * @prio: LLE_A_PRIO
 * @missing: attribute that is missing; 0: none
 * @err: return value of lle_nl_decode_event()
 */
static const struct told {
	const char *name;
	u8 prio;
	int missing;
	int err;
} events[] = {
	{ "a root", 7, 0, 0 },
	{ "no such priority", 8, 0, -EBADMSG },
	{ "of which port?", 3, LLE_A_IFINDEX, -EBADMSG },
	{ "of which priority?", 3, LLE_A_PRIO, -EBADMSG },
	{ "is it one?", 3, LLE_A_ROOT, -EBADMSG },
	{ "since when?", 3, LLE_A_SINCE_NS, -EBADMSG },
	{ "when?", 3, LLE_A_TIME_NS, -EBADMSG },
	{ "how many?", 3, LLE_A_IDENTIFIED, -EBADMSG },
};

static void put_unless(int missing, int attr, const void *data, size_t len)
{
	if (attr != missing)
		put(attr, data, len);
}

static struct nlmsghdr *compose_event(const struct told *t)
{
	struct nlmsghdr *nlh = begin();
	const u64 since = 7, time = 8, named = 9;
	const u32 number = 2;
	const u8 root = 1;

	((struct genlmsghdr *)NLMSG_DATA(nlh))->cmd = LLE_CMD_CONGESTION_NTF;
	put_unless(t->missing, LLE_A_IFINDEX, &number, sizeof(number));
	put(LLE_A_IFNAME, "swp1", 5);
	put(LLE_A_SWITCH, &number, sizeof(number));
	put_unless(t->missing, LLE_A_PRIO, &t->prio, sizeof(t->prio));
	put_unless(t->missing, LLE_A_ROOT, &root, sizeof(root));
	put_unless(t->missing, LLE_A_SINCE_NS, &since, sizeof(since));
	put_unless(t->missing, LLE_A_TIME_NS, &time, sizeof(time));
	put_unless(t->missing, LLE_A_IDENTIFIED, &named, sizeof(named));
	return nlh;
}

static void events_test(struct kunit *test)
{
	const struct told *t;

	for (t = events; t < events + ARRAY_SIZE(events); t++) {
		struct lle_nl_event e;
		int err = lle_nl_decode_event(compose_event(t), &e);

		is(err, t->err, "%s", t->name);
		if (err || t->err)
			continue;
		is(e.cmd, LLE_CMD_CONGESTION_NTF, "%s: event", t->name);
		is(e.root.prio, t->prio, "%s: priority", t->name);
		is(e.root.root, 1, "%s: it is one", t->name);
		is(e.root.since_ns, 7, "%s: since", t->name);
		is(e.root.time_ns, 8, "%s: time", t->name);
		is(e.root.identified, 9, "%s: found", t->name);
	}
}

static struct kunit_case cases[] = {
	KUNIT_CASE(answers_test),
	KUNIT_CASE(events_test),
	{}
};

tap_suite("congestion_decode", cases);
