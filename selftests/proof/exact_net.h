/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A network of switches that run kmod/core/deadlock/ as it is, with packets of
 * one byte and frames between them. exact_events.h has what may happen, exact.pml
 * chooses. Each packet may take any way: at each switch it waits at any egress of
 * the topology, or for the host.
 *
 * Time stands: no pause expires, and each wait of an initiator may end at any
 * moment, so a result holds for all delays. With CLOCK, frames take 0 to CLOCK
 * units of t_h.
 */
#ifndef LLE_EXACT_NET_H
#define LLE_EXACT_NET_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../kmod/core/deadlock/exact.h"

#ifdef CAP		/* fewer probes, so that the limit matters */
#undef LLE_DL_CAP
#define LLE_DL_CAP CAP
#endif
enum { RULE_CAP = LLE_DL_CAP };

#include "../unit/exact_step.h"
#include "digest.h"

/* Topology: LOOPS loops of RING switches with switch 0 in common */
#ifndef LOOPS
#define LOOPS	1
#endif
#ifdef CHORD		/* and a link from this switch to switch 0 */
#define CHORDS	1
#else
#define CHORD	0
#define CHORDS	0
#endif
#ifdef LOCKS		/* hosts send on each link in turn, for the next one; all locks */
#define ANY_WAY	0
#define STAY
#else
#define ANY_WAY	1
#endif
#ifndef HOSTS		/* switches with a host that takes packets */
#define HOSTS	0xff
#endif
#ifndef PREFILL		/* packets of each ingress for the next hop of its loop */
#define PREFILL	0
#endif
#ifndef BUDGET		/* packets that hosts send */
#define BUDGET	9
#endif
#ifndef PAUSES		/* that an ingress may begin */
#define PAUSES	1
#endif
#ifndef TIMERS		/* waits of initiators that may end, each switch */
#define TIMERS	2
#endif
#ifndef REFRESHES	/* repeats, of all pauses together */
#define REFRESHES 0
#endif
#ifndef LOST_MESSAGES
#define LOST_MESSAGES 0
#endif
#ifndef LOST_PAUSES
#define LOST_PAUSES 0
#endif
#ifndef LOST_RESUMES
#define LOST_RESUMES 0
#endif
#ifndef XOFF
#define XOFF	2
#endif
#ifndef XON
#define XON	1
#endif
#ifndef HEADROOM
#define HEADROOM 1
#endif
#ifndef CLOCK		/* longest delay of a frame; 0: time stands */
#define CLOCK	0
#endif
#ifndef HOP		/* CLOCK: t_h in these units */
#define HOP	(CLOCK ? CLOCK : 1)
#endif
#ifndef WALK		/* CLOCK: longest time from a declaration to the break */
#define WALK	(2 * CLOCK * RING)
#endif
#ifndef LASTS		/* CLOCK: duration of a pause; 0: no pause expires */
#define LASTS	0
#endif
#ifndef GUARD		/* G */
#define GUARD	16
#endif
#ifdef STORMS		/* switches with a host that may pause; triggers are state */
#define TRIGGERS 1
#else
#define STORMS	0
#define TRIGGERS 0
#endif
#ifdef WAITS		/* a pause or resume frame may wait for its link */
#define DELAYED	1
#else
#define DELAYED	0
#endif

#ifdef STAY		/* only packets of hosts take links */
#define MOVES	0
#else
#define MOVES	1
#endif

#define SWITCHES (LOOPS * (RING - 1) + 1)
#define LINKS	(LOOPS * RING + CHORDS)
#define PORTS	(1 + 2 * LOOPS + CHORDS)	/* port 0: the host */
#define POOL	(LINKS + CHORDS + 2)
#define FRAMES	10				/* in flight on a link */
#define HOST	LINKS				/* as an egress */

#define MEMORY	(sizeof(struct lle_exact) + sizeof(struct lle_dl_stats) +	\
		 POOL * sizeof(struct lle_exact_entry) +		\
		 PORTS * (sizeof(struct lle_exact_port) + sizeof(u32 *) +	\
			  PORTS * sizeof(u32) + sizeof(struct lle_dl_sums)))
#define START	1000				/* of time */
#define NS(units) ((u64)(units) << LLE_EXACT_TIME_SHIFT)
#define NOW_NS	NS(START + net.now)

enum { PAUSE = 1, RESUME, MESSAGE };

struct frame {
	uint8_t kind, says, age;
	struct lle_dl_msg msg;
};

/* Links carry packets; pauses and messages go against them. */
static struct net {
	struct {
		uint64_t mem[(MEMORY + 7) / 8];
		uint8_t timers;
	} sw[SWITCHES];
	struct frame frame[LINKS][FRAMES];
	uint8_t frames[LINKS];
	uint8_t at[LINKS][LINKS + 1];	/* [ingress link][egress link] */
	uint8_t parked[LINKS][LINKS];
	uint8_t flies[LINKS];		/* a packet that is about to arrive */
	uint8_t pausing[LINKS];		/* the receiver of packets */
	uint8_t sent[LINKS];		/* what its last frame said */
	uint8_t repeat[LINKS];		/* a repeat that is about to be sent */
	uint8_t begun[LINKS];		/* pauses */
	uint8_t forwarded[LINKS];	/* probes since the last repeat */
	uint8_t paused[LINKS];		/* the sender of packets */
	uint8_t resumes[LINKS];		/* in flight */
	uint8_t caused[LINKS];		/* TRIGGERS: it pauses because of other pauses */
	uint8_t missed[LINKS];		/* the sender missed the resume */
	uint8_t since[LINKS];		/* CLOCK: the declaration */
	uint8_t budget, refreshes, lost[MESSAGE + 1];
	uint8_t declared, broken, full;
	uint8_t stormed;		/* switches with a host that pauses */
	uint32_t now;
	/* what may happen next */
	struct {
		uint8_t drain[LINKS], inject[LINKS], emit[LINKS], hear[LINKS],
			lose[LINKS], refresh[LINKS], timer[LINKS],
			expire[LINKS], relieve[LINKS], storm[LINKS], tick[1], ended;
		uint8_t arrive[LINKS][LINKS + 1], send[LINKS][LINKS + 1];
	} may;
} net __attribute__((aligned(8)));

static struct { uint8_t src, out, dst, in; } link_of[LINKS];
static uint8_t next_of[LINKS];	/* egress links of packets of an ingress link */
static struct lle_dl_stats untracked;
static struct lle_dl_out out;
static const char *wrong;

/* With -DTELL a trail prints what happens, one event a line. */
#ifdef TELL
#define tell(...) printf(__VA_ARGS__)
#else
#define tell(...) do { } while (0)
#endif

static struct lle_exact *core(int s)
{
	return (void *)net.sw[s].mem;
}

/*
 * With -DTRACE the switch with this number prints its parameters, its steps and, when
 * it has evaluated them, its state and what it has sent since: for exact_replay.c.
 */
#ifdef TRACE
static char said[TEXT];
static int said_at, traced;

#define trace(s, ...) do { if ((s) == traced % SWITCHES) printf(__VA_ARGS__); } while (0)
#define say(s, ...)							\
	do { if ((s) == traced % SWITCHES)				\
		said_at = put_text(said, said_at, __VA_ARGS__); } while (0)
#else
#define trace(s, ...) do { } while (0)
#define say(s, ...) do { } while (0)
#endif

static void do_step(int s, struct dcfit_step step)
{
	const struct lle_dl_msg *m = &step.msg;

	trace(s, "%u %u %u %u %u  %u %u %u %u %u %u  %u %u %u %u %u %u\n", START + net.now, step.event,
	      step.port, step.from, step.n, m->type, m->hop_epoch, m->min.sw, m->min.port,
	      m->hops, m->waits, m->id[0].sw, m->id[0].port, m->id[0].seq,
	      m->id[1].sw, m->id[1].port, m->id[1].seq);
	exact_step(core(s), &step, NOW_NS, &out);
}

/* @s has evaluated what was due. */
static void evaluated(int s)
{
#ifdef TRACE
	if (!net.full)
		trace(s, "= %llx %llx %llx %llx %s\n", core(s)->pausing, core(s)->initiators,
		      core(s)->declared, core(s)->deferred, said);
	if (s == traced % SWITCHES)
		said_at = said[0] = 0;
#endif
}

static void connect(int l, int src, int dst)
{
	static uint8_t ports[SWITCHES];

	link_of[l].src = src;
	link_of[l].out = ++ports[src];
	link_of[l].dst = dst;
	link_of[l].in = ++ports[dst];
}

/* The next link on the loop of @l */
static int ahead(int l)
{
	return l < LOOPS * RING ? l - l % RING + (l + 1) % RING : 0;
}

static void topology(void)
{
	for (int k = 0; k < LOOPS; k++)
		for (int n = 0; n < RING; n++) {
			int to = (n + 1) % RING;

			connect(k * RING + n, n ? k * (RING - 1) + n : 0,
				to ? k * (RING - 1) + to : 0);
		}
	if (CHORDS)
		connect(LINKS - 1, CHORD, 0);
	for (int l = 0; l < LINKS; l++)
		for (int e = 0; e < LINKS; e++)
			if (ANY_WAY ? link_of[e].src == link_of[l].dst : e == ahead(l))
				next_of[l] |= 1 << e;
}

/* The link that brings packets to an ingress, or takes those of an egress */
static int link_into(int s, int port)
{
	for (int l = 0; l < LINKS; l++)
		if (link_of[l].dst == s && link_of[l].in == port)
			return l;
	abort();
}

static int link_from(int s, int port)
{
	for (int l = 0; l < LINKS; l++)
		if (link_of[l].src == s && link_of[l].out == port)
			return l;
	abort();
}

static int bytes_of(int l)
{
	int n = 0;

	for (int e = 0; e <= HOST; e++)
		n += net.at[l][e];
	return n;
}

/*
 * Links with pauses that do not end before one of @pinned: each has more than XON
 * bytes at others of the set, or at an egress that missed its resume. Without
 * @pinned: never.
 */
static unsigned int oracle(unsigned int pinned)
{
	unsigned int set = 0, before;

	for (int l = 0; l < LINKS; l++)
		set |= net.pausing[l] << l;
	do {
		before = set;
		for (int l = 0; l < LINKS; l++) {
			int n = 0;

			for (int e = 0; e < LINKS; e++)
				if (net.paused[e] && (net.missed[e] ||
						      (!net.resumes[e] && set >> e & 1)))
					n += net.at[l][e];
			if (n <= XON)
				set &= ~(1U << l) | pinned;
		}
	} while (set != before);
	return set;
}

/* Is it true that the pause of @l does not end before one of @ids? */
static int is_true(int l, const struct lle_dl_id *ids, int num)
{
	unsigned int pinned = 0;

	for (int n = 0; n < num; n++) {
		int in = link_into(ids[n].sw - 1, ids[n].port);

		if (!net.pausing[in] ||
		    core(ids[n].sw - 1)->port[ids[n].port].seq != ids[n].seq)
			return 1;
		pinned |= 1U << in;
	}
	return oracle(pinned) >> l & 1;
}

/* When nothing is on its way, each probe in a table has to be true. */
static void check_tables(void)
{
	const struct lle_exact_entry *e;

	for (int s = 0; s < SWITCHES; s++)
		lle_exact_for_each_entry(core(s), e)
			if (!net.paused[link_from(s, e->egress)])
				wrong = "a table outlives its pause";
	for (int l = 0; l < LINKS; l++)
		if (net.frames[l] || net.flies[l] || net.missed[l] ||
		    net.pausing[l] != net.sent[l] || net.pausing[l] != net.paused[l])
			return;
	for (int s = 0; s < SWITCHES; s++)
		lle_exact_for_each_entry(core(s), e)
			if (!is_true(link_from(s, e->egress), e->set.id,
				     lle_dl_set_num(e->set)))
				wrong = "a table has a false probe";
}

/* Padding makes no state, nor do triggers without STORMS. */
static void tidy(struct lle_dl_msg *msg)
{
	uint8_t *hole = &msg->hops + 1;

	memset(hole, 0, (uint8_t *)&msg->hop_epoch - hole);
	if (!TRIGGERS)
		msg->trig = (struct lle_dl_id){};
}

/* Nor does memory that the code does not read. */
static void forget(struct lle_exact *d)
{
	for (int n = 0; n < d->pool; n++)
		if (!d->entry[n].set.id[0].sw)
			memset(&d->entry[n], 0, sizeof(d->entry[n]));
	for (int n = 0; n < LLE_EXACT_RIDES; n++)
		if (!d->ride[n].msg.num_ids)
			memset(&d->ride[n], 0, sizeof(d->ride[n]));
		else
			tidy(&d->ride[n].msg);
	for (int p = 0; p < PORTS; p++) {
		if (!TRIGGERS) {
			d->port[p].trigger = (struct lle_dl_id){};
			d->port[p].held_by = (struct lle_dl_id){};
			d->port[p].cause = 0;
		}
		if (!(d->map.paused & BIT_ULL(p)))
			d->port[p].expire = 0;
	}
	d->lately = 0;
}

/* Only differences of times make a state. Done before the digest, undone after. */
static void relative(int on)
{
	static struct {
		uint32_t now, defer[SWITCHES][PORTS], expire[SWITCHES][PORTS];
	} was;
	uint32_t now = lle_exact_time(NOW_NS);

	if (!CLOCK)
		return;
	if (!on)
		net.now = was.now;
	for (int s = 0; s < SWITCHES; s++)
		for (int p = 0; p < PORTS; p++) {
			struct lle_exact_port *port = &core(s)->port[p];
			int32_t left = port->defer - now;

			if (!on) {
				port->defer = was.defer[s][p];
				port->expire = was.expire[s][p];
				continue;
			}
			was.defer[s][p] = port->defer;
			was.expire[s][p] = port->expire;
			if (!(core(s)->deferred >> p & 1) && !port->asked)
				left = 0;
			port->defer = left < -1 ? -1 : left;
			if (port->expire)
				port->expire = LASTS ? port->expire - now : 1;
		}
	if (on) {
		was.now = net.now;
		net.now = 0;
	}
}

static void look(void);

/* After each event: what may happen next, and the digest of the state */
static void seal(void)
{
	for (int s = 0; s < SWITCHES; s++)
		forget(core(s));
	look();
	relative(1);
	digest(&net, sizeof(net));
	relative(0);
}

static void net_init(void)
{
#ifdef TRACE
	if (getenv("TRACE"))
		traced = atoi(getenv("TRACE"));
#endif
	topology();
	net.budget = BUDGET;
	net.refreshes = REFRESHES;
	net.lost[PAUSE] = LOST_PAUSES;
	net.lost[RESUME] = LOST_RESUMES;
	net.lost[MESSAGE] = LOST_MESSAGES;
	for (int s = 0; s < SWITCHES; s++) {
		struct lle_dl_params p = {
			.sw = s + 1, .prio = 3, .ports = PORTS, .pool = POOL,
			.guard_ns = NS(GUARD), .hop_ns = NS(HOP),
		};

		for (int l = 0; l < LINKS; l++) {
			if (link_of[l].src == s)
				p.fabric |= BIT_ULL(link_of[l].out);
			if (link_of[l].dst == s)
				p.fabric |= BIT_ULL(link_of[l].in);
		}
		if (lle_exact_size(&p) > sizeof(net.sw[s].mem))
			abort();
		trace(s, "+ %u %u %u %llu %llu %llu\n", p.sw, p.ports, p.pool, p.fabric,
		      p.guard_ns, p.hop_ns);
		lle_exact_init(net.sw[s].mem, &p)->stats = &untracked;
		net.sw[s].timers = TIMERS;
	}
	for (int l = 0; l < LINKS && PREFILL; l++) {
		int to = !ANY_WAY && l == CHORD - 1 ? LINKS - 1 : ahead(l);

		net.at[l][to] = PREFILL;
		do_step(link_of[l].dst, (struct dcfit_step){ ENQ, link_of[to].out,
							     link_of[l].in, PREFILL });
	}
	seal();
}

#endif /* LLE_EXACT_NET_H */
