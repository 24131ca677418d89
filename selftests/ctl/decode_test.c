// SPDX-License-Identifier: GPL-2.0
/*
 * Decodes all messages and events. Each is composed from the tables of the
 * decoder, complete or with one fault: of an attribute of the message, or of a
 * nest in it.
 */
#include "../unit/tap.h"
#include "../../daemon/lib/decode.c"
#include "message.h"

/**
 * enum kind - what is wrong with an attribute
 * @ABSENT: it is absent
 * @SHORT: a byte is missing; a string lacks its end, a nest half of its last
 *	attribute
 * @LONG: it has a byte more; a string does not fit
 * @FULL: as many as there is room for, if there may be several
 * @SURPLUS: one more, which does not fit
 * @BAD_SURPLUS: one more, which is short
 */
enum kind { ABSENT = 1, SHORT, LONG, FULL, SURPLUS, BAD_SURPLUS };

/**
 * struct fault - a fault of a message
 * @table: of which attribute set; NULL: no fault
 * @attr: of which attribute
 * @kind: which one
 * @newer: all sets have an attribute of a newer kernel
 */
struct fault {
	const struct lle_nl_table *table;
	unsigned int attr;
	enum kind kind;
	bool newer;
};

/**
 * struct decoder - a message
 * @name: name of the operation
 * @table: its table
 * @decode: its decoder; NULL: lle_nl_decode_event()
 * @cmd: command of the event
 * @prio: its attribute for a priority; 0: none
 * @direction: its attribute for a direction; 0: none
 */
static const struct decoder {
	const char *name;
	const struct lle_nl_table *table;
	int (*decode)(struct nlmsghdr *nlh, void *result);
	u8 cmd;
	unsigned int prio;
	unsigned int direction;
} decoders[] = {
#define GET(n, t, d, ...) { .name = n, .table = &lle_nl_##t##_get_table, \
			    .decode = lle_nl_decode_##d, __VA_ARGS__ }
#define EVENT(n, t, c, ...) { .name = "event of " n, .table = &lle_nl_##t##_table, \
			      .cmd = LOSSLESS_CMD_##c##_NTF, __VA_ARGS__ }
	GET("port", port, port),
	GET("deadlock", deadlock, deadlock, .prio = LOSSLESS_A_DEADLOCK_PRIO),
	GET("switch", switch, switch),
	GET("history", history, history, .prio = LOSSLESS_A_HISTORY_PRIO,
	    .direction = LOSSLESS_A_HISTORY_DIRECTION),
	GET("watchdog", watchdog, watchdog, .prio = LOSSLESS_A_WATCHDOG_PRIO),
	GET("queue", queue, queue, .prio = LOSSLESS_A_QUEUE_PRIO),
	GET("congestion", congestion, congestion, .prio = LOSSLESS_A_CONGESTION_PRIO),
	GET("path group", path, path),
	EVENT("a pause", pause_ntf, PAUSE, .direction = LOSSLESS_A_PAUSE_DIRECTION),
	EVENT("a storm", storm_ntf, STORM, .prio = LOSSLESS_A_WATCHDOG_PRIO),
	EVENT("a deadlock", deadlock_get, DEADLOCK, .prio = LOSSLESS_A_DEADLOCK_PRIO),
	EVENT("a root", congestion_ntf, CONGESTION, .prio = LOSSLESS_A_CONGESTION_PRIO),
	EVENT("headroom", headroom_ntf, HEADROOM),
	EVENT("unaccounted packets", unaccounted_ntf, UNACCOUNTED),
	EVENT("a port", port_ntf, PORT),
	EVENT("a port that is gone", port_del_ntf, PORT_DEL),
};

static const struct decoder *port_get = &decoders[0], *deadlock_get = &decoders[1];

static union {
	struct lle_nl_switch sw;
	struct lle_nl_port port;
	struct lle_nl_history history;
	struct lle_nl_watchdog watchdog;
	struct lle_nl_queue queue;
	struct lle_nl_congestion congestion;
	struct lle_nl_path path;
	struct lle_nl_deadlock deadlock;
	struct lle_nl_event event;
} result;

/*
 * The number that attribute @attr has, in the first @len bytes; no priority or
 * direction exceeds 1
 */
static u64 value_of(const struct lle_nl_field *f, unsigned int attr, size_t len)
{
	u64 value = f->size == 1 ? 1 : 1000 + attr;

	return __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? value << (64 - 8 * len) : value;
}

static void put_set(const struct lle_nl_table *t, const struct fault *fault);

static void put_one(const struct lle_nl_field *f, unsigned int attr,
		    const struct fault *fault, enum kind kind)
{
	size_t len = f->type == LLE_NL_COUNTER ? sizeof(u64) : f->size;
	char bytes[64] = "swp1";
	struct nlattr *a;
	u64 value;

	switch (f->type) {
	case LLE_NL_COUNTER:
	case LLE_NL_NUMBER:
		value = value_of(f, attr, len);
		memcpy(bytes, &value, sizeof(value));
		put(attr, bytes, len - (kind == SHORT) + (kind == LONG));
		break;
	case LLE_NL_BYTES:
		put(attr, bytes, f->size - (kind == SHORT) + (kind == LONG));
		break;
	case LLE_NL_NAME:
		if (kind == LONG)
			memset(bytes, 'x', f->size);
		put(attr, bytes, strlen(bytes) + (kind != SHORT));
		break;
	default:
		a = nest(attr);
		put_set(f->nested, fault);
		nest_end(a, kind == SHORT ? 4 : 0);
		if (kind == LONG)
			a->nla_len++;
	}
}

/* All attributes of a set, with the fault if it is one of this set */
static void put_set(const struct lle_nl_table *t, const struct fault *fault)
{
	unsigned int attr, n;

	if (fault->newer)
		put_u64(NEWER, 1);
	for (attr = 1; attr < t->num; attr++) {
		const struct lle_nl_field *f = &t->fields[attr];
		enum kind kind = fault->table == t && fault->attr == attr ? fault->kind : 0;
		unsigned int num = kind >= FULL ? f->max + (kind > FULL) : 1;

		if (f->type == LLE_NL_UNUSED || kind == ABSENT)
			continue;
		for (n = 1; n < num; n++)
			put_one(f, attr, fault, 0);
		put_one(f, attr, fault, kind == BAD_SURPLUS ? SHORT : kind);
	}
}

static struct nlmsghdr *compose(const struct decoder *d, const struct fault *fault)
{
	struct nlmsghdr *nlh = begin();

	((struct genlmsghdr *)NLMSG_DATA(nlh))->cmd = d->cmd;
	put_set(d->table, fault);
	return nlh;
}

static int decode(const struct decoder *d, struct nlmsghdr *nlh)
{
	return d->decode ? d->decode(nlh, &result) :
			   lle_nl_decode_event(nlh, &result.event);
}

/* The struct that has the members of the last message */
static const char *members_of(const struct decoder *d)
{
	return d->decode ? (char *)&result : (char *)&result.event.who;
}

static int decode_with(const struct decoder *d, const struct fault *fault)
{
	return decode(d, compose(d, fault));
}

/* Counts numbers of the set at @from that are not those of put_one(). */
static unsigned int wrong(const struct lle_nl_table *t, const char *from)
{
	unsigned int attr, bad = 0;

	for (attr = 1; attr < t->num; attr++) {
		const struct lle_nl_field *f = &t->fields[attr];
		const char *member = from + f->at;

		if (f->type == LLE_NL_NUMBER || f->type == LLE_NL_COUNTER) {
			const u64 value = value_of(f, attr, f->size);

			bad += memcmp(member, &value, f->size) != 0;
		} else if (f->type == LLE_NL_NAME || f->type == LLE_NL_BYTES) {
			bad += memcmp(member, "swp1", f->size < 5 ? f->size : 5) != 0;
		} else if (f->type == LLE_NL_NEST) {
			bad += wrong(f->nested, member);
		} else if (f->type == LLE_NL_PRIOS) {
			/* that of priority 1 */
			bad += wrong(f->nested, member + f->size / LLE_NUM_PRIO);
		}
		if (f->max) {
			unsigned int num;

			memcpy(&num, from + f->num, sizeof(num));
			bad += num != 1;
		}
	}
	return bad;
}

static void complete_test(struct kunit *test)
{
	const struct fault none = {}, newer = { .newer = true };
	const struct decoder *d;

	for (d = decoders; d < decoders + ARRAY_SIZE(decoders); d++) {
		struct nlmsghdr *nlh;

		is(decode_with(d, &none), 0, "%s", d->name);
		is(wrong(d->table, members_of(d)), 0, "%s: members", d->name);
		is(decode_with(d, &newer), 0, "%s of a newer kernel", d->name);
		is(wrong(d->table, members_of(d)), 0, "%s of a newer kernel: members",
		   d->name);
		nlh = compose(d, &none);
		nlh->nlmsg_len += 2;
		is(decode(d, nlh), -EBADMSG, "%s, and half an attribute", d->name);
		nlh->nlmsg_len -= 6;
		is(decode(d, nlh), -EBADMSG, "%s, cut off", d->name);
	}
}

/* Each fault of each attribute of a set, which is part of message @d */
static void faults_of(struct kunit *test, const struct decoder *d,
		      const struct lle_nl_table *t)
{
	unsigned int attr;

	for (attr = 1; attr < t->num; attr++) {
		const struct lle_nl_field *f = &t->fields[attr];
		struct fault fault = { .table = t, .attr = attr };
		unsigned int num;

		if (f->type == LLE_NL_UNUSED)
			continue;
		fault.kind = ABSENT;
		is(decode_with(d, &fault), t->required >> attr & 1 ? -EBADMSG : 0,
		   "%s, without %u", d->name, attr);
		fault.kind = SHORT;
		is(decode_with(d, &fault), -EBADMSG, "%s, short %u", d->name, attr);
		fault.kind = LONG;
		is(decode_with(d, &fault), -EBADMSG, "%s, long %u", d->name, attr);
		if (f->nested)
			faults_of(test, d, f->nested);
		if (!f->max || t != d->table)
			continue;
		for (fault.kind = FULL; fault.kind <= SURPLUS; fault.kind++) {
			is(decode_with(d, &fault), 0, "%s, many %u", d->name, attr);
			memcpy(&num, members_of(d) + f->num, sizeof(num));
			is(num, f->max, "%s, many %u: taken", d->name, attr);
		}
		fault.kind = BAD_SURPLUS;
		is(decode_with(d, &fault), -EBADMSG, "%s, many %u, the last short",
		   d->name, attr);
	}
}

static void faults_test(struct kunit *test)
{
	const struct decoder *d;

	for (d = decoders; d < decoders + ARRAY_SIZE(decoders); d++)
		faults_of(test, d, d->table);
}

/* Priorities and directions that do not exist; a second value holds */
static void values_test(struct kunit *test)
{
	const struct fault none = {};
	const struct decoder *d;

	for (d = decoders; d < decoders + ARRAY_SIZE(decoders); d++) {
		if (d->prio) {
			struct nlmsghdr *nlh = compose(d, &none);

			put_u8(d->prio, 7);
			is(decode(d, nlh), 0, "%s, priority 7", d->name);
			put_u8(d->prio, 8);
			is(decode(d, nlh), -EBADMSG, "%s, priority 8", d->name);
		}
		if (d->direction) {
			struct nlmsghdr *nlh = compose(d, &none);

			put_u8(d->direction, 2);
			is(decode(d, nlh), -EBADMSG, "%s, direction 2", d->name);
		}
	}
	is(lle_nl_decode_event(compose(port_get, &none), &result.event), -EOPNOTSUPP,
	   "an event that is not known");
}

/* A loop that does not fit is not the whole loop. */
static void loop_test(struct kunit *test)
{
	struct fault fault = {
		.table = &lle_nl_deadlock_get_table, .attr = LOSSLESS_A_DEADLOCK_HOP,
		.kind = FULL,
	};

	decode_with(deadlock_get, &fault);
	is(result.deadlock.info.loop, 1, "a loop that fits");
	fault.kind = SURPLUS;
	decode_with(deadlock_get, &fault);
	is(result.deadlock.info.loop, 0, "a loop that does not fit");
}

static void put_prio(int prio, int second)
{
	struct nlattr *a = nest(LOSSLESS_A_PORT_PRIO_STATS);

	if (prio >= 0)
		put_u8(LOSSLESS_A_PRIO_STATS_PRIO, prio);
	if (second >= 0)
		put_u8(LOSSLESS_A_PRIO_STATS_PRIO, second);
	put_u64(LOSSLESS_A_PRIO_STATS_DROP_STORM_RX, 7);
	nest_end(a, 0);
}

/* Counters of priorities that say nothing are 0, unless none were asked for. */
static void counters_test(struct kunit *test)
{
	static const struct fault none = {}, uncounted = {
		.table = &lle_nl_port_get_table, .attr = LOSSLESS_A_PORT_TIME_NS,
		.kind = ABSENT,
	};
	static const struct { const char *name; int prio, second; } bad[] = {
		{ "no priority", -1, -1 }, { "priority 8", 8, -1 }, { "two priorities", 3, 4 },
	};
	const struct lle_nl_port *port = &result.port;
	const struct decoder *d = port_get;
	struct nlmsghdr *nlh = compose(d, &none);
	unsigned int i;

	put_prio(7, -1);
	put_prio(1, -1);
	is(decode(d, nlh), 0, "port with three sets of counters");
	is(port->stats_prios, 0xff, "all priorities are known");
	is(port->stats[7].drop_storm_rx, 7, "counter of priority 7");
	is(port->stats[7].rx_packets, 0, "other counter");
	is(port->stats[1].drop_storm_rx, 7, "the second of priority 1 holds");
	is(port->stats[1].rx_packets, 0, "all of it");
	is(port->stats[6].prio, 6, "priority without counters");
	is(decode_with(d, &uncounted), 0, "without time");
	is(port->stats_prios, 0x02, "known is what it says");
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		nlh = compose(d, &none);
		put_prio(bad[i].prio, bad[i].second);
		is(decode(d, nlh), -EBADMSG, "counters of %s", bad[i].name);
	}
}

tap_suite("decode",
	  KUNIT_CASE(complete_test),
	  KUNIT_CASE(faults_test),
	  KUNIT_CASE(values_test),
	  KUNIT_CASE(loop_test),
	  KUNIT_CASE(counters_test));
