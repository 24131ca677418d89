// SPDX-License-Identifier: GPL-2.0
/* Netlink messages of any bytes: refused, or decoded in bounds. */
#include "fuzz.h"

#include "../../daemon/lib/deadlock.c"
#include "../../daemon/lib/deadlock_text.c"
#include "../../daemon/lib/decode.c"
#include "../../daemon/lib/names.c"

/* An unknown attribute, which decoders must ignore. */
#define FUZZ_UNKNOWN	1000

static int decode_event(struct nlmsghdr *nlh, void *result)
{
	return lle_nl_decode_event(nlh, result);
}

enum { SWITCH, PORT, HISTORY, WATCHDOG, EVENT, QUEUE, DEADLOCK, CONGESTION, PATH };

static const struct {
	int (*decode)(struct nlmsghdr *nlh, void *result);
	size_t size;
} decoders[] = {
	[SWITCH] = { lle_nl_decode_switch, sizeof(struct lle_nl_switch) },
	[PORT] = { lle_nl_decode_port, sizeof(struct lle_nl_port) },
	[HISTORY] = { lle_nl_decode_history, sizeof(struct lle_nl_history) },
	[WATCHDOG] = { lle_nl_decode_watchdog, sizeof(struct lle_nl_watchdog) },
	[EVENT] = { decode_event, sizeof(struct lle_nl_event) },
	[QUEUE] = { lle_nl_decode_queue, sizeof(struct lle_nl_queue) },
	[DEADLOCK] = { lle_nl_decode_deadlock, sizeof(struct lle_nl_deadlock) },
	[CONGESTION] = { lle_nl_decode_congestion,
			 sizeof(struct lle_nl_congestion) },
	[PATH] = { lle_nl_decode_path, sizeof(struct lle_nl_path) },
};

/* Attributes @data, and an unknown one of @more bytes. */
static struct nlmsghdr *message(u8 cmd, const u8 *data, size_t size, u16 more)
{
	size_t len = NLMSG_HDRLEN + GENL_HDRLEN + size;
	struct nlattr *attr;
	struct nlmsghdr *nlh;

	/* exact size: ASan detects a read beyond it */
	nlh = calloc(1, len + more);
	nlh->nlmsg_len = len + more;
	((struct genlmsghdr *)nlmsg_data(nlh))->cmd = cmd;
	memcpy((u8 *)nlh + NLMSG_HDRLEN + GENL_HDRLEN, data, size);
	if (more) {
		attr = (struct nlattr *)((u8 *)nlh + len);
		attr->nla_type = FUZZ_UNKNOWN;
		attr->nla_len = more;
	}
	return nlh;
}

static void check_who(const struct lle_nl_who *who)
{
	check(strnlen(who->ifname, IFNAMSIZ) < IFNAMSIZ);
}

static void check_port(const struct lle_nl_port *port)
{
	unsigned int p;

	check_who(&port->who);
	for (p = 0; p < LLE_NUM_PRIO; p++)
		check(!(port->stats_prios >> p & 1) || port->stats[p].prio == p);
}

static void check_history(const struct lle_nl_history *h)
{
	check_who(&h->who);
	check(h->prio < LLE_NUM_PRIO);
	check(h->direction <= LOSSLESS_DIRECTION_TX);
	check(h->num_episodes <= LOSSLESS_NUM_EPISODE);
}

static void check_watchdog(const struct lle_nl_watchdog *w)
{
	check_who(&w->who);
	check(w->prio < LLE_NUM_PRIO);
}

static void check_queue(const struct lle_nl_queue *q)
{
	check_who(&q->who);
	check(q->prio < LLE_NUM_PRIO);
	check(q->num_waiting <= LOSSLESS_NUM_WAITING);
}

static void check_congestion(const struct lle_nl_congestion *c)
{
	check_who(&c->who);
	check(c->prio < LLE_NUM_PRIO);
	check(c->num_ids <= LOSSLESS_NUM_CONGESTED);
	check(*lle_nl_crd_role_name(c->info.role));
}

static void check_path(const struct lle_nl_path *p)
{
	check(p->ports <= LOSSLESS_PATHS_MAX);
}

/* Hops have each switch of the loop once, from any beginning. */
static void check_loop(const struct lle_nl_deadlock *d)
{
	unsigned int known = d->info.loop ? d->num_hops : 1, n;
	const struct lle_deadlock_hop *hop;
	u64 seen = 0;

	for (n = 0; (hop = lle_nl_deadlock_hop(d, n)); n++)
		seen |= 1ULL << (hop - d->hops);
	check(n == known);
	check(seen == ~0ULL >> (64 - known));
	n = lle_nl_deadlock_switches(d);
	check(n && n <= known);
}

static void check_deadlock(const struct lle_nl_deadlock *d)
{
	struct lle_nl_port port = { .who = { .ifname = "swp1", .sw = 2 } };
	struct lle_nl_ports ports = { .all = &port, .num = 1 };
	struct lle_nl_deadlock all[2] = { *d, *d };
	char text[8192] = "";
	FILE *f;

	check(d->info.prio < LLE_NUM_PRIO);
	check(d->num_hops && d->num_hops <= LLE_NL_HOPS);
	check_loop(d);
	check(lle_nl_deadlock_closed(d) <= d->info.declared_ns);
	check(lle_nl_deadlock_same(d, d));
	check(lle_nl_deadlock_unite(all, 2) == 1 && all[0].duplicates == 1);
	check(lle_nl_deadlock_holds(d, &ports) != LLE_NL_HOLDS);
	f = fmemopen(text, sizeof(text), "w");
	check(f);
	lle_nl_deadlock_print(f, d, &ports);
	check(!fclose(f) && *text);
}

static void check_event(const struct lle_nl_event *e)
{
	if (e->cmd == LOSSLESS_CMD_DEADLOCK_NTF)
		return check_deadlock(&e->deadlock);
	check_who(&e->who);
	if (e->cmd == LOSSLESS_CMD_CONGESTION_NTF) {
		check(e->root.prio < LLE_NUM_PRIO);
		return;
	}
	check((e->cmd >= LOSSLESS_CMD_PAUSE_NTF && e->cmd <= LOSSLESS_CMD_PORT_DEL_NTF) ||
	      e->cmd == LOSSLESS_CMD_HEADROOM_NTF ||
	      e->cmd == LOSSLESS_CMD_UNACCOUNTED_NTF);
	if (e->cmd == LOSSLESS_CMD_STORM_NTF)
		check(e->storm.prio < LLE_NUM_PRIO);
}

static void check_result(unsigned int decoder, const void *result)
{
	switch (decoder) {
	case PORT:
		return check_port(result);
	case HISTORY:
		return check_history(result);
	case WATCHDOG:
		return check_watchdog(result);
	case EVENT:
		return check_event(result);
	case QUEUE:
		return check_queue(result);
	case DEADLOCK:
		return check_deadlock(result);
	case CONGESTION:
		return check_congestion(result);
	case PATH:
		return check_path(result);
	}
}

/* A struct of exact size, or NULL if refused. */
static void *decode(unsigned int decoder, u8 cmd, const struct fuzz *f, u16 more)
{
	struct nlmsghdr *nlh = message(cmd, f->data, f->left, more);
	void *result = calloc(1, decoders[decoder].size);
	int err = decoders[decoder].decode(nlh, result);

	free(nlh);
	if (!err)
		return result;
	check(err == -EBADMSG || (decoder == EVENT && err == -EOPNOTSUPP));
	free(result);
	return NULL;
}

/* The first byte selects the decoder, the second the command. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz f = { .data = data, .left = size };
	unsigned int decoder = fuzz_get(&f, 1) % ARRAY_SIZE(decoders);
	u8 cmd = fuzz_get(&f, 1);
	void *result, *again;

	result = decode(decoder, cmd, &f, 0);
	if (!result)
		return 0;
	check_result(decoder, result);

	/* without padding, the last attribute must be last */
	if (f.left % NLA_ALIGNTO == 0) {
		again = decode(decoder, cmd, &f, NLA_HDRLEN + 4);
		check(again);
		check(!memcmp(result, again, decoders[decoder].size));
		free(again);
	}
	free(result);
	return 0;
}
