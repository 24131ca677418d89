// SPDX-License-Identifier: GPL-2.0
/*
 * Decode messages of an older or newer kernel within the limits in decode.h. The
 * tables of attributes and members are generated from the spec of the family.
 */
#include <errno.h>
#include <stddef.h>
#include <string.h>

#include <netlink/genl/genl.h>
#include <netlink/msg.h>

#include "decode.h"

enum lle_nl_type {
	LLE_NL_UNUSED,
	LLE_NL_COUNTER, /* u64, no array */
	LLE_NL_NUMBER, /* as wide as the member */
	LLE_NL_BYTES, /* as many as the member has */
	LLE_NL_NAME, /* with its terminating 0 */
	LLE_NL_NEST, /* attributes of a struct */
	LLE_NL_PRIOS, /* of one item of an array that priorities index */
};

struct lle_nl_table;

/* Maps an attribute to a member */
struct lle_nl_field {
	uint8_t type;
	uint16_t size; /* of the member, or of an item of it */
	uint16_t at; /* offset of the member */
	uint16_t max; /* items of the member; 0: no array */
	uint16_t num; /* offset of the number of items */
	const struct lle_nl_table *nested;
};

/* Maps an attribute set to a struct */
struct lle_nl_table {
	const struct lle_nl_field *fields; /* by number of the attribute; 0 is not used */
	unsigned int num;
	uint64_t required; /* bit n: attribute n is mandatory */
};

/* Arguments are members of struct lle_nl_field */
#define SIZE_(s, m)	.at = offsetof(s, m), .size = sizeof(((s *)0)->m)
#define ITEM_(s, m, n)	.at = offsetof(s, m), .size = sizeof(((s *)0)->m[0]), \
			.max = sizeof(((s *)0)->m) / sizeof(((s *)0)->m[0]), \
			.num = offsetof(s, n)
#define COUNTER(s, m)	{ .type = LLE_NL_COUNTER, SIZE_(s, m) }
#define NUMBER(s, m)	{ .type = LLE_NL_NUMBER, SIZE_(s, m) }
#define NUMBERS(s, m, n) { .type = LLE_NL_NUMBER, ITEM_(s, m, n) }
#define BYTES(s, m)	{ .type = LLE_NL_BYTES, SIZE_(s, m) }
#define NAME(s, m)	{ .type = LLE_NL_NAME, SIZE_(s, m) }
#define NEST(t, s, m)	{ .type = LLE_NL_NEST, SIZE_(s, m), \
			  .nested = &lle_nl_##t##_table }
#define NESTS(t, s, m, n) { .type = LLE_NL_NEST, ITEM_(s, m, n), \
			  .nested = &lle_nl_##t##_table }
#define PRIOS(t, s, m)	{ .type = LLE_NL_PRIOS, SIZE_(s, m), \
			  .nested = &lle_nl_##t##_table }
#define TABLE(f)	.fields = f, .num = sizeof(f) / sizeof((f)[0])
#define REQUIRED(a)	(1ULL << (a))

#include "netlink_tables.h"

struct lle_nl_found {
	uint64_t seen; /* bit n: attribute n */
	uint64_t more; /* bit n: attribute n exceeds the room of its member */
};

static int lle_nl_take_all(const struct lle_nl_table *t, const void *data,
			   size_t len, void *result, struct lle_nl_found *found);

/* The table limits content and depth of a nest. */
static int lle_nl_take_nest(const struct lle_nl_table *t, const void *data,
			    size_t len, void *result)
{
	struct lle_nl_found found = { 0 };

	return lle_nl_take_all(t, data, len, result, &found);
}

/* The priority of a nest; LLE_NUM_PRIO: absent */
static unsigned int lle_nl_prio(const void *data, size_t len)
{
	const struct nlattr *attr = nla_find(data, len,
					     LOSSLESS_A_PRIO_STATS_PRIO);
	uint8_t prio;

	if (!attr || nla_len(attr) != sizeof(prio))
		return LLE_NUM_PRIO;
	memcpy(&prio, nla_data(attr), sizeof(prio));
	return prio < LLE_NUM_PRIO ? prio : LLE_NUM_PRIO;
}

static int lle_nl_take_prio(const struct lle_nl_field *f, const void *data,
			    size_t len, struct lle_nl_port *port)
{
	unsigned int prio = lle_nl_prio(data, len);
	struct lle_prio_stats *s;

	if (prio == LLE_NUM_PRIO)
		return -EBADMSG;
	s = &port->stats[prio];
	if (port->stats_prios >> prio & 1)
		memset(s, 0, sizeof(*s));
	if (lle_nl_take_nest(f->nested, data, len, s) || s->prio != prio)
		return -EBADMSG;
	port->stats_prios |= 1U << prio;
	return 0;
}

static int lle_nl_take(const struct lle_nl_field *f, const void *data,
		       size_t len, void *member, void *result)
{
	switch (f->type) {
	case LLE_NL_NUMBER:
	case LLE_NL_BYTES:
		if (len != f->size)
			return -EBADMSG;
		memcpy(member, data, len);
		return 0;
	case LLE_NL_NAME:
		if (len > f->size || strnlen(data, len) + 1 != len)
			return -EBADMSG;
		memcpy(member, data, len);
		return 0;
	case LLE_NL_NEST:
		return lle_nl_take_nest(f->nested, data, len, member);
	default:
		return lle_nl_take_prio(f, data, len, result);
	}
}

/* Adds an item. Items beyond the array are checked, but not kept. */
static int lle_nl_take_item(const struct lle_nl_field *f, const void *data,
			    size_t len, void *result, bool *more)
{
	unsigned int *num = (void *)((char *)result + f->num);
	union {
		struct lle_deadlock_hop hop;
		struct lle_congested congested;
		struct lle_waiting waiting;
		struct lle_episode episode;
		uint32_t number;
	} surplus;
	int err;

	if (*num < f->max) {
		err = lle_nl_take(f, data, len, (char *)result + f->at +
				  *num * f->size, result);
		++*num;
		return err;
	}
	*more = true;
	return lle_nl_take(f, data, len, &surplus, result);
}

static int lle_nl_take_one(const struct lle_nl_field *f, const void *data,
			   size_t len, void *result, bool *more)
{
	if (f->max)
		return lle_nl_take_item(f, data, len, result, more);
	return lle_nl_take(f, data, len, (char *)result + f->at, result);
}

static int lle_nl_take_all(const struct lle_nl_table *t, const void *data,
			   size_t len, void *result, struct lle_nl_found *found)
{
	const struct lle_nl_field *f;
	const char *at = data;
	uint64_t seen = 0;
	struct nlattr attr;
	unsigned int type;
	size_t bytes;
	bool more;

	while (len >= sizeof(attr)) {
		memcpy(&attr, at, sizeof(attr));
		if (attr.nla_len < NLA_HDRLEN || attr.nla_len > len)
			return -EBADMSG;
		type = attr.nla_type & NLA_TYPE_MASK;
		f = type < t->num ? &t->fields[type] : t->fields;
		bytes = attr.nla_len - NLA_HDRLEN;
		/* shortcut: nearly all attributes are counters */
		if (f->type == LLE_NL_COUNTER) {
			if (bytes != sizeof(uint64_t))
				return -EBADMSG;
			memcpy((char *)result + f->at, at + NLA_HDRLEN,
			       sizeof(uint64_t));
			seen |= REQUIRED(type);
		} else if (f->type != LLE_NL_UNUSED) {
			more = false;
			if (lle_nl_take_one(f, at + NLA_HDRLEN, bytes, result, &more))
				return -EBADMSG;
			seen |= REQUIRED(type);
			found->more |= (uint64_t)more << type;
		}
		/* the last one may lack padding */
		bytes = NLA_ALIGN(attr.nla_len);
		if (bytes > len)
			bytes = len;
		at += bytes;
		len -= bytes;
	}
	found->seen = seen;
	/* the rest is a truncated attribute */
	return len || t->required & ~seen ? -EBADMSG : 0;
}

static int lle_nl_decode_found(struct nlmsghdr *nlh,
			       const struct lle_nl_table *t, size_t size,
			       void *result, struct lle_nl_found *found)
{
	memset(result, 0, size);
	*found = (struct lle_nl_found){ 0 };
	if (!genlmsg_valid_hdr(nlh, 0))
		return -EBADMSG;
	return lle_nl_take_all(t, (char *)nlmsg_data(nlh) + GENL_HDRLEN,
			       nlmsg_datalen(nlh) - GENL_HDRLEN, result, found);
}

static int lle_nl_decode(struct nlmsghdr *nlh, const struct lle_nl_table *t,
			 size_t size, void *result)
{
	struct lle_nl_found found;

	return lle_nl_decode_found(nlh, t, size, result, &found);
}

int lle_nl_decode_switch(struct nlmsghdr *nlh, void *result)
{
	return lle_nl_decode(nlh, &lle_nl_switch_get_table,
			     sizeof(struct lle_nl_switch), result);
}

int lle_nl_decode_port(struct nlmsghdr *nlh, void *result)
{
	struct lle_nl_port *port = result;
	struct lle_nl_found found;
	unsigned int p;

	if (lle_nl_decode_found(nlh, &lle_nl_port_get_table, sizeof(*port), port,
				&found))
		return -EBADMSG;
	/* priorities without counters were read, too */
	if (!(found.seen & REQUIRED(LOSSLESS_A_PORT_TIME_NS)))
		return 0;
	for (p = 0; p < LLE_NUM_PRIO; p++)
		port->stats[p].prio = p;
	port->stats_prios = (1U << LLE_NUM_PRIO) - 1;
	return 0;
}

/* Of a struct that begins with a port and a priority */
static int lle_nl_decode_prio(struct nlmsghdr *nlh, const struct lle_nl_table *t, size_t size,
			      void *result)
{
	if (lle_nl_decode(nlh, t, size, result))
		return -EBADMSG;
	return ((const uint8_t *)result)[sizeof(struct lle_nl_who)] < LLE_NUM_PRIO ? 0 : -EBADMSG;
}

int lle_nl_decode_history(struct nlmsghdr *nlh, void *result)
{
	struct lle_nl_history *h = result;

	if (lle_nl_decode_prio(nlh, &lle_nl_history_get_table, sizeof(*h), h))
		return -EBADMSG;
	return h->direction <= LOSSLESS_DIRECTION_TX ? 0 : -EBADMSG;
}

int lle_nl_decode_watchdog(struct nlmsghdr *nlh, void *result)
{
	return lle_nl_decode_prio(nlh, &lle_nl_watchdog_get_table,
				  sizeof(struct lle_nl_watchdog), result);
}

int lle_nl_decode_queue(struct nlmsghdr *nlh, void *result)
{
	return lle_nl_decode_prio(nlh, &lle_nl_queue_get_table, sizeof(struct lle_nl_queue),
				  result);
}

int lle_nl_decode_congestion(struct nlmsghdr *nlh, void *result)
{
	return lle_nl_decode_prio(nlh, &lle_nl_congestion_get_table,
				  sizeof(struct lle_nl_congestion), result);
}

int lle_nl_decode_path(struct nlmsghdr *nlh, void *result)
{
	return lle_nl_decode(nlh, &lle_nl_path_get_table,
			     sizeof(struct lle_nl_path), result);
}

int lle_nl_decode_deadlock(struct nlmsghdr *nlh, void *result)
{
	struct lle_nl_deadlock *d = result;
	struct lle_nl_found found;

	if (lle_nl_decode_found(nlh, &lle_nl_deadlock_get_table, sizeof(*d), d,
				&found) || d->info.prio >= LLE_NUM_PRIO)
		return -EBADMSG;
	/* a loop that does not fit is not complete */
	if (found.more & REQUIRED(LOSSLESS_A_DEADLOCK_HOP))
		d->info.loop = 0;
	return 0;
}

int lle_nl_decode_event(struct nlmsghdr *nlh, struct lle_nl_event *e)
{
	int err;

	if (!genlmsg_valid_hdr(nlh, 0))
		return -EBADMSG;
	e->cmd = genlmsg_hdr(nlh)->cmd;
	switch (e->cmd) {
	case LOSSLESS_CMD_PAUSE_NTF:
		err = lle_nl_decode(nlh, &lle_nl_pause_ntf_table, sizeof(e->pause),
				    &e->pause);
		return !err && e->pause.direction <= LOSSLESS_DIRECTION_TX ? 0 : -EBADMSG;
	case LOSSLESS_CMD_STORM_NTF:
		err = lle_nl_decode(nlh, &lle_nl_storm_ntf_table, sizeof(e->storm),
				    &e->storm);
		return !err && e->storm.prio < LLE_NUM_PRIO ? 0 : -EBADMSG;
	case LOSSLESS_CMD_DEADLOCK_NTF:
		return lle_nl_decode_deadlock(nlh, &e->deadlock);
	case LOSSLESS_CMD_CONGESTION_NTF:
		return lle_nl_decode_prio(nlh, &lle_nl_congestion_ntf_table, sizeof(e->root),
					  &e->root);
	case LOSSLESS_CMD_HEADROOM_NTF:
		return lle_nl_decode(nlh, &lle_nl_headroom_ntf_table,
				     sizeof(e->headroom), &e->headroom);
	case LOSSLESS_CMD_UNACCOUNTED_NTF:
		return lle_nl_decode(nlh, &lle_nl_unaccounted_ntf_table,
				     sizeof(e->unaccounted), &e->unaccounted);
	case LOSSLESS_CMD_PORT_NTF:
		return lle_nl_decode(nlh, &lle_nl_port_ntf_table, sizeof(e->port),
				     &e->port);
	case LOSSLESS_CMD_PORT_DEL_NTF:
		return lle_nl_decode(nlh, &lle_nl_port_del_ntf_table, sizeof(e->port),
				     &e->port);
	default:
		return -EOPNOTSUPP;
	}
}
