// SPDX-License-Identifier: GPL-2.0
/* Decodes messages and events of congestion, valid and malformed. */
#include "../unit/tap.h"
#include "../../daemon/lib/decode.c"
#include "message.h"

/**
 * enum fault - fault of the first isolated flow or destination of a message
 * @NONE: none
 * @SHORT: its bytes are a u16
 * @CUT: it ends within its last attribute
 * @LONG: it has an attribute that is longer than it
 * @NAMELESS: it has no ID
 * @MORE: it has an attribute of a newer kernel, which is no fault
 */
enum fault { NONE, SHORT, CUT, LONG, NAMELESS, MORE };

/**
 * struct answer - a message, and the expected result of decoding it
 * @name: name of the case
 * @prio: LOSSLESS_A_CONGESTION_PRIO
 * @state: it has state and counters
 * @root_ns: counter; 0: absent
 * @ids: isolated flows or destinations
 * @fault: of the first of them
 * @err: return value of lle_nl_decode_congestion()
 * @num: decoded IDs
 */
static const struct answer {
	const char *name;
	u8 prio;
	bool state;
	u64 root_ns;
	unsigned int ids;
	enum fault fault;
	int err;
	unsigned int num;
} answers[] = {
	{ "two IDs", 3, true, 9, 2, NONE, 0, 2 },
	{ "none", 7, true, 9, 0, NONE, 0, 0 },
	{ "as many as there is room for", 3, true, 9, LOSSLESS_NUM_CONGESTED,
	  NONE, 0, LOSSLESS_NUM_CONGESTED },
	{ "one more", 3, true, 9, LOSSLESS_NUM_CONGESTED + 1, NONE, 0,
	  LOSSLESS_NUM_CONGESTED },
	{ "a short number", 3, true, 9, 2, SHORT, -EBADMSG, 0 },
	{ "half an ID", 3, true, 9, 1, CUT, -EBADMSG, 0 },
	{ "an attribute longer than its nest", 3, true, 9, 2, LONG, -EBADMSG, 0 },
	{ "an ID without its ID", 3, true, 9, 2, NAMELESS, -EBADMSG, 0 },
	{ "IDs alone", 3, false, 9, 1, NONE, -EBADMSG, 0 },
	{ "no such priority", 8, true, 9, 1, NONE, -EBADMSG, 0 },
	{ "counter 0", 3, true, 0, 1, NONE, 0, 1 },
	{ "a newer kernel's", 3, true, 9, 1, MORE, 0, 1 },
};

static void put_congested(const struct answer *a, unsigned int n)
{
	enum fault fault = n ? NONE : a->fault;
	struct nlattr *id = nest(LOSSLESS_A_CONGESTION_CONGESTED);

	if (fault == MORE)
		put_u64(NEWER, 1);
	if (fault != NAMELESS)
		put_u32(LOSSLESS_A_CONGESTED_NAME, 0xdeadbeef);
	if (fault == SHORT)
		put_u16(LOSSLESS_A_CONGESTED_BYTES, 1500);
	else
		put_u32(LOSSLESS_A_CONGESTED_BYTES, 1500);
	put_u8(LOSSLESS_A_CONGESTED_LOCAL, 0);
	put_u8(LOSSLESS_A_CONGESTED_REMOTE, 0);
	put_u8(LOSSLESS_A_CONGESTED_HELD, 0);
	if (fault == LONG)
		put_u32(LOSSLESS_A_CONGESTED_TOLD, 255);
	else
		put_u8(LOSSLESS_A_CONGESTED_TOLD, 255);
	nest_end(id, fault == CUT ? 4 : 0);
	if (fault == LONG)
		((struct nlattr *)((char *)id + id->nla_len - 8))->nla_len = 12;
}

static struct nlmsghdr *compose(const struct answer *a)
{
	struct nlmsghdr *nlh = begin();
	struct nlattr *state;
	unsigned int n;

	put_u32(LOSSLESS_A_CONGESTION_IFINDEX, 2);
	put(LOSSLESS_A_CONGESTION_IFNAME, "swp1", 5);
	put_u32(LOSSLESS_A_CONGESTION_SWITCH, 2);
	put_u8(LOSSLESS_A_CONGESTION_PRIO, a->prio);
	if (a->state) {
		state = nest(LOSSLESS_A_CONGESTION_STATE);
		put_u8(LOSSLESS_A_CONGESTION_STATE_ROLE, 200);
		put_u32(LOSSLESS_A_CONGESTION_STATE_IDS, 34);
		if (a->root_ns)
			put_u64(LOSSLESS_A_CONGESTION_STATE_ROOT_NS, a->root_ns);
		nest_end(state, 0);
	}
	for (n = 0; n < a->ids; n++)
		put_congested(a, n);
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
 * @prio: LOSSLESS_A_CONGESTION_PRIO
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
	{ "of which port?", 3, LOSSLESS_A_CONGESTION_IFINDEX, -EBADMSG },
	{ "of which priority?", 3, LOSSLESS_A_CONGESTION_PRIO, -EBADMSG },
	{ "is it one?", 3, LOSSLESS_A_CONGESTION_ROOT, -EBADMSG },
	{ "since when?", 3, LOSSLESS_A_CONGESTION_SINCE_NS, -EBADMSG },
	{ "when?", 3, LOSSLESS_A_CONGESTION_TIME_NS, -EBADMSG },
	{ "how many?", 3, LOSSLESS_A_CONGESTION_IDENTIFIED, -EBADMSG },
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

	((struct genlmsghdr *)NLMSG_DATA(nlh))->cmd = LOSSLESS_CMD_CONGESTION_NTF;
	put_unless(t->missing, LOSSLESS_A_CONGESTION_IFINDEX, &number, sizeof(number));
	put(LOSSLESS_A_CONGESTION_IFNAME, "swp1", 5);
	put(LOSSLESS_A_CONGESTION_SWITCH, &number, sizeof(number));
	put_unless(t->missing, LOSSLESS_A_CONGESTION_PRIO, &t->prio, sizeof(t->prio));
	put_unless(t->missing, LOSSLESS_A_CONGESTION_ROOT, &root, sizeof(root));
	put_unless(t->missing, LOSSLESS_A_CONGESTION_SINCE_NS, &since, sizeof(since));
	put_unless(t->missing, LOSSLESS_A_CONGESTION_TIME_NS, &time, sizeof(time));
	put_unless(t->missing, LOSSLESS_A_CONGESTION_IDENTIFIED, &named, sizeof(named));
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
		is(e.cmd, LOSSLESS_CMD_CONGESTION_NTF, "%s: event", t->name);
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
