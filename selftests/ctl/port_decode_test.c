// SPDX-License-Identifier: GPL-2.0
/* Decodes messages of ports and their counters, valid and malformed. */
#include "../unit/tap.h"
#include "../../daemon/lib/decode.c"
#include "message.h"

/**
 * enum fault - fault of the counters of a priority
 * @NONE: none
 * @NO_PRIO: they do not say which priority
 * @NO_SUCH_PRIO: of priority 8
 * @TWO_PRIOS: they say two priorities
 * @LONG_PRIO: the priority is a u32
 * @SHORT: a counter is a u32
 * @FLAG: a flag is a u64
 * @CUT: they end within a counter
 * @BYTES: they are no attributes
 */
enum fault {
	NONE, NO_PRIO, NO_SUCH_PRIO, TWO_PRIOS, LONG_PRIO, SHORT, FLAG, CUT, BYTES,
};

/**
 * struct answer - a message, and the expected result of decoding it
 * @name: name of the case
 * @counted: the counters were read
 * @prios: bit p: there are counters of priority p
 * @twice: there are those of priority 3 twice; the last ones hold
 * @fault: of the counters of priority 3
 * @err: return value of lle_nl_decode_port()
 */
static const struct answer {
	const char *name;
	bool counted;
	u8 prios;
	bool twice;
	enum fault fault;
	int err;
} answers[] = {
	{ "an event", false, 0, false, NONE, 0 },
	{ "no counters", true, 0, false, NONE, 0 },
	{ "one priority", true, 0x08, false, NONE, 0 },
	{ "all", true, 0xff, false, NONE, 0 },
	{ "twice", true, 0x08, true, NONE, 0 },
	{ "of no priority", true, 0x08, false, NO_PRIO, -EBADMSG },
	{ "no such priority", true, 0x08, false, NO_SUCH_PRIO, -EBADMSG },
	{ "of two priorities", true, 0x08, false, TWO_PRIOS, -EBADMSG },
	{ "a long priority", true, 0x08, false, LONG_PRIO, -EBADMSG },
	{ "a short counter", true, 0x08, false, SHORT, -EBADMSG },
	{ "a long flag", true, 0x08, false, FLAG, -EBADMSG },
	{ "half a counter", true, 0x08, false, CUT, -EBADMSG },
	{ "any bytes", true, 0x08, false, BYTES, -EBADMSG },
};

static void put_prio(unsigned int prio, enum fault fault)
{
	struct nlattr *a = nest(LOSSLESS_A_PORT_PRIO_STATS);

	if (fault == LONG_PRIO)
		put_u32(LOSSLESS_A_PRIO_STATS_PRIO, prio);
	else if (fault != NO_PRIO)
		put_u8(LOSSLESS_A_PRIO_STATS_PRIO, fault == NO_SUCH_PRIO ? 8 : prio);
	if (fault == TWO_PRIOS)
		put_u8(LOSSLESS_A_PRIO_STATS_PRIO, prio + 1);
	if (fault == FLAG)
		put_u64(LOSSLESS_A_PRIO_STATS_RX_PAUSED, 1);
	else
		put_u8(LOSSLESS_A_PRIO_STATS_RX_PAUSED, 1);
	put_u64(NEWER, 1);
	put_u64(LOSSLESS_A_PRIO_STATS_DROP_STORM_RX, 1000 + prio);
	if (fault == SHORT)
		put_u32(LOSSLESS_A_PRIO_STATS_RX_PACKETS, 1);
	else
		put_u64(LOSSLESS_A_PRIO_STATS_RX_PACKETS, 1ULL << 40);
	if (fault == BYTES)
		memset(a + 1, 0xff, 16);
	nest_end(a, fault == CUT ? 4 : 0);
}

static struct nlmsghdr *compose(const struct answer *a)
{
	struct nlmsghdr *nlh = begin();
	unsigned int p;

	put_u32(LOSSLESS_A_PORT_IFINDEX, 2);
	put(LOSSLESS_A_PORT_IFNAME, "swp1", 5);
	put_u32(LOSSLESS_A_PORT_SWITCH, 0);
	put_u8(LOSSLESS_A_PORT_SLOT, 1);
	put_u8(LOSSLESS_A_PORT_FACING, 0);
	put_u64(LOSSLESS_A_PORT_RATE, 1ULL << 40);
	put_u32(LOSSLESS_A_PORT_MTU, 1500);
	put_u8(LOSSLESS_A_PORT_PFC_EN, 8);
	put_u8(LOSSLESS_A_PORT_TO_ALPHA, 6);
	put_u32(LOSSLESS_A_PORT_XOFF, 0);
	put_u32(LOSSLESS_A_PORT_HEADROOM, 9);
	put_u32(LOSSLESS_A_PORT_HEADROOM_NEED, 10);
	if (a->counted)
		put_u64(LOSSLESS_A_PORT_TIME_NS, 7);
	if (a->twice) {
		struct nlattr *first = nest(LOSSLESS_A_PORT_PRIO_STATS);

		put_u8(LOSSLESS_A_PRIO_STATS_PRIO, 3);
		put_u64(LOSSLESS_A_PRIO_STATS_BACKLOG, 5);
		nest_end(first, 0);
	}
	for (p = 0; p < LLE_NUM_PRIO; p++)
		if (a->prios >> p & 1)
			put_prio(p, p == 3 ? a->fault : NONE);
	return nlh;
}

static void answers_test(struct kunit *test)
{
	const struct answer *a;
	unsigned int p;

	for (a = answers; a < answers + ARRAY_SIZE(answers); a++) {
		struct lle_nl_port port;
		int err = lle_nl_decode_port(compose(a), &port);

		is(err, a->err, "%s", a->name);
		if (err || a->err)
			continue;
		is(port.headroom_need_bytes, 10, "%s: headroom", a->name);
		is(port.rate, 1ULL << 40, "%s: rate", a->name);
		is(port.stats_prios, a->counted ? 0xff : 0, "%s: valid", a->name);
		for (p = 0; p < LLE_NUM_PRIO; p++) {
			const struct lle_prio_stats *s = &port.stats[p];
			bool any = a->prios >> p & 1;

			is(s->prio, a->counted ? p : 0, "%s: priority %u", a->name, p);
			is(s->rx_paused, any, "%s: paused %u", a->name, p);
			is(s->backlog, 0, "%s: backlog %u", a->name, p);
			is(s->rx_packets, any ? 1ULL << 40 : 0, "%s: packets %u",
			   a->name, p);
			is(s->drops[LLE_DROP_STORM_RX], any ? 1000 + p : 0,
			   "%s: drops %u", a->name, p);
			is(s->drops[LLE_DROP_THRESHOLD], 0, "%s: other drops %u",
			   a->name, p);
		}
	}
}

static struct kunit_case cases[] = {
	KUNIT_CASE(answers_test),
	{}
};

tap_suite("port_decode", cases);
