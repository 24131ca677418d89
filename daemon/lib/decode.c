// SPDX-License-Identifier: GPL-2.0
/*
 * Decode messages. The kernel may be older or newer than this library; decode.h
 * says which differences a message may have.
 */
#include <errno.h>
#include <stddef.h>
#include <string.h>

#include <netlink/genl/genl.h>
#include <netlink/msg.h>

#include "decode.h"

/**
 * enum lle_nl_type - type of an attribute
 * @LLE_NL_NUMBER: number, of the length of the member
 * @LLE_NL_BYTES: bytes, as many as the member has
 * @LLE_NL_NAME: string, with its terminating 0
 * @LLE_NL_STRUCT: struct, which may be longer or shorter than the member
 * @LLE_NL_STATS: struct lle_prio_stats, once per priority
 * @LLE_NL_ARRAY: array, which may have more items than the member
 */
enum lle_nl_type {
	LLE_NL_NUMBER,
	LLE_NL_BYTES,
	LLE_NL_NAME,
	LLE_NL_STRUCT,
	LLE_NL_STATS,
	LLE_NL_ARRAY,
};

/**
 * struct lle_nl_field - maps an attribute to a member
 * @attr: number of the attribute
 * @type: its type
 * @optional: the attribute may be absent
 * @at: offset of the member
 * @size: size of the member
 * @item: size of an array item
 * @num: offset of the member that gets the number of items
 */
struct lle_nl_field {
	uint16_t attr;
	enum lle_nl_type type;
	bool optional;
	size_t at;
	size_t size;
	size_t item;
	size_t num;
};

#define FIELD_(a, t, o, s, m) \
	{ .attr = LLE_A_##a, .type = LLE_NL_##t, .optional = o, \
	  .at = offsetof(s, m), .size = sizeof(((s *)0)->m) }
#define FIELD(a, t, s, m) FIELD_(a, t, false, s, m)
#define OPTIONAL(a, t, s, m) FIELD_(a, t, true, s, m)
#define ARRAY(a, s, m, n) \
	{ .attr = LLE_A_##a, .type = LLE_NL_ARRAY, \
	  .at = offsetof(s, m), .size = sizeof(((s *)0)->m), \
	  .item = sizeof(((s *)0)->m[0]), .num = offsetof(s, n) }

/* Fields of each struct that begins with a struct lle_nl_who. */
#define WHO \
	FIELD(IFINDEX, NUMBER, struct lle_nl_who, ifindex), \
	FIELD(IFNAME, NAME, struct lle_nl_who, ifname), \
	FIELD(SWITCH, NUMBER, struct lle_nl_who, sw)
#define END { 0 }

static const struct lle_nl_field lle_nl_who_fields[] = { WHO, END };

static const struct lle_nl_field lle_nl_switch_fields[] = {
	FIELD(SWITCH, NUMBER, struct lle_nl_switch, id),
	FIELD(PORTS, NUMBER, struct lle_nl_switch, ports),
	FIELD(BUFFER, NUMBER, struct lle_nl_switch, buffer_bytes),
	FIELD(SHARED, NUMBER, struct lle_nl_switch, shared_bytes),
	FIELD(USED, NUMBER, struct lle_nl_switch, used_bytes),
	FIELD(USED_MAX, NUMBER, struct lle_nl_switch, used_max_bytes),
	FIELD(DISCARD, NUMBER, struct lle_nl_switch, discard),
	FIELD(DEADLOCK_ACTION, NUMBER, struct lle_nl_switch, deadlock),
	FIELD(DEADLOCK_MODE, NUMBER, struct lle_nl_switch, deadlock_mode),
	FIELD(DEADLOCK_STATS, STRUCT, struct lle_nl_switch, deadlocks),
	END
};

static const struct lle_nl_field lle_nl_port_fields[] = {
	WHO,
	OPTIONAL(PEER, NUMBER, struct lle_nl_port, peer),
	OPTIONAL(PEER_MAC, BYTES, struct lle_nl_port, peer_mac),
	FIELD(SLOT, NUMBER, struct lle_nl_port, slot),
	FIELD(FACING, NUMBER, struct lle_nl_port, facing),
	FIELD(RATE, NUMBER, struct lle_nl_port, rate),
	FIELD(MTU, NUMBER, struct lle_nl_port, mtu_bytes),
	FIELD(PFC_EN, NUMBER, struct lle_nl_port, pfc_en),
	OPTIONAL(RCM, NUMBER, struct lle_nl_port, rcm),
	FIELD(TO_ALPHA, NUMBER, struct lle_nl_port, to_alpha),
	FIELD(XOFF, NUMBER, struct lle_nl_port, xoff_bytes),
	FIELD(HEADROOM, NUMBER, struct lle_nl_port, headroom_bytes),
	FIELD(HEADROOM_NEED, NUMBER, struct lle_nl_port, headroom_need_bytes),
	OPTIONAL(UNACCOUNTED, NUMBER, struct lle_nl_port, unaccounted),
	OPTIONAL(UNACCOUNTED_IFINDEX, NUMBER, struct lle_nl_port,
		 unaccounted_ifindex),
	OPTIONAL(TIME_NS, NUMBER, struct lle_nl_port, time_ns),
	OPTIONAL(STATS, STATS, struct lle_nl_port, stats),
	END
};

static const struct lle_nl_field lle_nl_history_fields[] = {
	WHO,
	FIELD(PRIO, NUMBER, struct lle_nl_history, prio),
	FIELD(DIRECTION, NUMBER, struct lle_nl_history, direction),
	OPTIONAL(SINCE_NS, NUMBER, struct lle_nl_history, since_ns),
	FIELD(COUNT, NUMBER, struct lle_nl_history, count),
	FIELD(TOTAL_NS, NUMBER, struct lle_nl_history, total_ns),
	FIELD(LONGEST_NS, NUMBER, struct lle_nl_history, longest_ns),
	ARRAY(EPISODES, struct lle_nl_history, episodes, num_episodes),
	END
};

static const struct lle_nl_field lle_nl_watchdog_fields[] = {
	WHO,
	FIELD(PRIO, NUMBER, struct lle_nl_watchdog, prio),
	FIELD(DETECTION_MS, NUMBER, struct lle_nl_watchdog, detection_ms),
	FIELD(RESTORATION_MS, NUMBER, struct lle_nl_watchdog, restoration_ms),
	FIELD(ACTION, NUMBER, struct lle_nl_watchdog, action),
	FIELD(STORMED, NUMBER, struct lle_nl_watchdog, stormed),
	FIELD(WATCHDOG, STRUCT, struct lle_nl_watchdog, stats),
	END
};

static const struct lle_nl_field lle_nl_queue_fields[] = {
	WHO,
	FIELD(PRIO, NUMBER, struct lle_nl_queue, prio),
	FIELD(BACKLOG, NUMBER, struct lle_nl_queue, backlog_bytes),
	ARRAY(WAITING, struct lle_nl_queue, waiting, num_waiting),
	END
};

static const struct lle_nl_field lle_nl_congestion_fields[] = {
	WHO,
	FIELD(PRIO, NUMBER, struct lle_nl_congestion, prio),
	FIELD(CONGESTION, STRUCT, struct lle_nl_congestion, info),
	ARRAY(CONGESTED, struct lle_nl_congestion, ids, num_ids),
	END
};

static const struct lle_nl_field lle_nl_path_fields[] = {
	FIELD(SWITCH, NUMBER, struct lle_nl_path, sw),
	FIELD(GROUP, NUMBER, struct lle_nl_path, group),
	FIELD(ADAPTIVE, NUMBER, struct lle_nl_path, adaptive),
	FIELD(GAP_US, NUMBER, struct lle_nl_path, gap_us),
	FIELD(PATH_STATS, STRUCT, struct lle_nl_path, stats),
	ARRAY(MEMBERS, struct lle_nl_path, ifindex, ports),
	END
};

static const struct lle_nl_field lle_nl_deadlock_fields[] = {
	FIELD(SWITCH, NUMBER, struct lle_nl_deadlock, sw),
	FIELD(DEADLOCK, STRUCT, struct lle_nl_deadlock, info),
	ARRAY(LOOP, struct lle_nl_deadlock, hops, num_hops),
	END
};

static const struct lle_nl_field lle_nl_pause_fields[] = {
	WHO,
	FIELD(DIRECTION, NUMBER, struct lle_nl_pause, direction),
	FIELD(PRIOS, NUMBER, struct lle_nl_pause, prios),
	FIELD(PAUSED, NUMBER, struct lle_nl_pause, paused),
	FIELD(TIME_NS, NUMBER, struct lle_nl_pause, time_ns),
	END
};

static const struct lle_nl_field lle_nl_storm_fields[] = {
	WHO,
	OPTIONAL(PEER_MAC, BYTES, struct lle_nl_storm, peer_mac),
	FIELD(PRIO, NUMBER, struct lle_nl_storm, prio),
	FIELD(STORMED, NUMBER, struct lle_nl_storm, stormed),
	FIELD(SINCE_NS, NUMBER, struct lle_nl_storm, since_ns),
	FIELD(TIME_NS, NUMBER, struct lle_nl_storm, time_ns),
	FIELD(WATCHDOG, STRUCT, struct lle_nl_storm, stats),
	END
};

static const struct lle_nl_field lle_nl_root_fields[] = {
	WHO,
	FIELD(PRIO, NUMBER, struct lle_nl_root, prio),
	FIELD(ROOT, NUMBER, struct lle_nl_root, root),
	FIELD(SINCE_NS, NUMBER, struct lle_nl_root, since_ns),
	FIELD(TIME_NS, NUMBER, struct lle_nl_root, time_ns),
	FIELD(IDENTIFIED, NUMBER, struct lle_nl_root, identified),
	END
};

static const struct lle_nl_field lle_nl_headroom_fields[] = {
	WHO, FIELD(HEADROOM, NUMBER, struct lle_nl_headroom, headroom_bytes),
	FIELD(HEADROOM_NEED, NUMBER, struct lle_nl_headroom, need_bytes),
	FIELD(TIME_NS, NUMBER, struct lle_nl_headroom, time_ns), END
};

static const struct lle_nl_field lle_nl_unaccounted_fields[] = {
	WHO,
	FIELD(UNACCOUNTED, NUMBER, struct lle_nl_unaccounted, packets),
	FIELD(UNACCOUNTED_IFINDEX, NUMBER, struct lle_nl_unaccounted, ifindex),
	FIELD(TIME_NS, NUMBER, struct lle_nl_unaccounted, time_ns),
	END
};

static int lle_nl_take_stats(struct lle_nl_port *port, const void *data,
			     size_t len)
{
	struct lle_prio_stats s = {};

	if (len < sizeof(s.prio))
		return -EBADMSG;
	memcpy(&s, data, len < sizeof(s) ? len : sizeof(s));
	if (s.prio >= LLE_NUM_PRIO)
		return -EBADMSG;
	port->stats[s.prio] = s;
	port->stats_prios |= 1U << s.prio;
	return 0;
}

/* The length of an item is not in the message, so it can never change. */
static int lle_nl_take_array(const struct lle_nl_field *f, const void *data,
			     size_t len, void *result)
{
	unsigned int *num = (void *)((char *)result + f->num);

	if (len % f->item)
		return -EBADMSG;
	if (len > f->size)
		len = f->size;
	memcpy((char *)result + f->at, data, len);
	*num = len / f->item;
	return 0;
}

static int lle_nl_take(const struct lle_nl_field *f, const void *data,
		       size_t len, void *result)
{
	void *member = (char *)result + f->at;

	switch (f->type) {
	case LLE_NL_NUMBER:
	case LLE_NL_BYTES:
		if (len != f->size)
			return -EBADMSG;
		break;
	case LLE_NL_NAME:
		if (len > f->size || strnlen(data, len) + 1 != len)
			return -EBADMSG;
		break;
	case LLE_NL_STRUCT:
		if (len > f->size)
			len = f->size;
		break;
	case LLE_NL_STATS:
		return lle_nl_take_stats(result, data, len);
	case LLE_NL_ARRAY:
		return lle_nl_take_array(f, data, len, result);
	}
	memcpy(member, data, len);
	return 0;
}

static int lle_nl_decode(struct nlmsghdr *nlh, const struct lle_nl_field *fields,
			 size_t size, void *result)
{
	const struct lle_nl_field *f;
	struct nlattr *attr;
	uint64_t seen = 0;
	int rem;

	_Static_assert(LLE_A_MAX < 64, "one bit for each attribute");
	memset(result, 0, size);
	if (!genlmsg_valid_hdr(nlh, 0))
		return -EBADMSG;
	nlmsg_for_each_attr(attr, nlh, GENL_HDRLEN, rem) {
		for (f = fields; f->attr && f->attr != nla_type(attr); f++)
			;
		if (!f->attr)
			continue;
		if (lle_nl_take(f, nla_data(attr), nla_len(attr), result))
			return -EBADMSG;
		seen |= 1ULL << f->attr;
	}
	/* the rest is a truncated attribute */
	if (rem > 0)
		return -EBADMSG;
	for (f = fields; f->attr; f++)
		if (!f->optional && !(seen >> f->attr & 1))
			return -EBADMSG;
	return 0;
}

int lle_nl_decode_switch(struct nlmsghdr *nlh, void *result)
{
	return lle_nl_decode(nlh, lle_nl_switch_fields,
			     sizeof(struct lle_nl_switch), result);
}

int lle_nl_decode_port(struct nlmsghdr *nlh, void *result)
{
	return lle_nl_decode(nlh, lle_nl_port_fields,
			     sizeof(struct lle_nl_port), result);
}

int lle_nl_decode_history(struct nlmsghdr *nlh, void *result)
{
	struct lle_nl_history *h = result;

	if (lle_nl_decode(nlh, lle_nl_history_fields, sizeof(*h), h))
		return -EBADMSG;
	return h->prio < LLE_NUM_PRIO && h->direction <= LLE_DIR_TX ? 0 :
								      -EBADMSG;
}

int lle_nl_decode_watchdog(struct nlmsghdr *nlh, void *result)
{
	struct lle_nl_watchdog *w = result;

	if (lle_nl_decode(nlh, lle_nl_watchdog_fields, sizeof(*w), w))
		return -EBADMSG;
	return w->prio < LLE_NUM_PRIO ? 0 : -EBADMSG;
}

int lle_nl_decode_queue(struct nlmsghdr *nlh, void *result)
{
	struct lle_nl_queue *q = result;

	if (lle_nl_decode(nlh, lle_nl_queue_fields, sizeof(*q), q))
		return -EBADMSG;
	return q->prio < LLE_NUM_PRIO ? 0 : -EBADMSG;
}

int lle_nl_decode_congestion(struct nlmsghdr *nlh, void *result)
{
	struct lle_nl_congestion *c = result;

	if (lle_nl_decode(nlh, lle_nl_congestion_fields, sizeof(*c), c))
		return -EBADMSG;
	return c->prio < LLE_NUM_PRIO ? 0 : -EBADMSG;
}

int lle_nl_decode_path(struct nlmsghdr *nlh, void *result)
{
	return lle_nl_decode(nlh, lle_nl_path_fields,
			     sizeof(struct lle_nl_path), result);
}

int lle_nl_decode_deadlock(struct nlmsghdr *nlh, void *result)
{
	struct lle_nl_deadlock *d = result;
	struct nlattr *loop;

	if (lle_nl_decode(nlh, lle_nl_deadlock_fields, sizeof(*d), d) ||
	    d->info.prio >= LLE_NUM_PRIO || !d->num_hops)
		return -EBADMSG;
	/* a loop that does not fit is not known as a whole */
	loop = nlmsg_find_attr(nlh, GENL_HDRLEN, LLE_A_LOOP);
	if (nla_len(loop) > (int)sizeof(d->hops))
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
	case LLE_CMD_PAUSE_NTF:
		err = lle_nl_decode(nlh, lle_nl_pause_fields, sizeof(e->pause),
				    &e->pause);
		return !err && e->pause.direction <= LLE_DIR_TX ? 0 : -EBADMSG;
	case LLE_CMD_STORM_NTF:
		err = lle_nl_decode(nlh, lle_nl_storm_fields, sizeof(e->storm),
				    &e->storm);
		return !err && e->storm.prio < LLE_NUM_PRIO ? 0 : -EBADMSG;
	case LLE_CMD_DEADLOCK_NTF:
		return lle_nl_decode_deadlock(nlh, &e->deadlock);
	case LLE_CMD_CONGESTION_NTF:
		err = lle_nl_decode(nlh, lle_nl_root_fields, sizeof(e->root),
				    &e->root);
		return !err && e->root.prio < LLE_NUM_PRIO ? 0 : -EBADMSG;
	case LLE_CMD_HEADROOM_NTF:
		return lle_nl_decode(nlh, lle_nl_headroom_fields,
				     sizeof(e->headroom), &e->headroom);
	case LLE_CMD_UNACCOUNTED_NTF:
		return lle_nl_decode(nlh, lle_nl_unaccounted_fields,
				     sizeof(e->unaccounted), &e->unaccounted);
	case LLE_CMD_PORT_NTF:
		return lle_nl_decode_port(nlh, &e->port);
	case LLE_CMD_PORT_DEL_NTF:
		return lle_nl_decode(nlh, lle_nl_who_fields, sizeof(e->who),
				     &e->who);
	default:
		return -EOPNOTSUPP;
	}
}
