// SPDX-License-Identifier: GPL-2.0
/*
 * Random networks: links, hosts, paths, thresholds, as in selftests/model, but
 * bridges forward: each has one path to a host. So a switch that a path passes
 * twice is made of two bridges.
 */
#include <string.h>

#include "../../selftests/unit/prng.h"
#include "random.h"

#define HOSTS_EACH	2
#define PORTS_MAX	9
#define TICKS		1000
#define STORM_PERCENT	35

static unsigned int roll(struct network *n, unsigned int low, unsigned int high)
{
	u64 state = n->rnd;
	unsigned int value = prng_range(&state, low, high);

	n->rnd = state;
	return value;
}

static void link_up(struct network *n, unsigned int a, unsigned int b)
{
	n->link[n->links][0] = a;
	n->link[n->links++][1] = b;
	n->bridge[a].ports++;
	n->bridge[b].ports++;
}

static bool linked(const struct network *n, unsigned int a, unsigned int b)
{
	unsigned int i;

	for (i = 0; i < n->links; i++)
		if ((n->link[i][0] == a && n->link[i][1] == b) ||
		    (n->link[i][0] == b && n->link[i][1] == a))
			return true;
	return false;
}

static void ring(struct network *n, unsigned int bridges)
{
	unsigned int b;

	n->bridges = bridges;
	for (b = 0; b < bridges; b++) {
		n->bridge[b].whole = b;
		memset(n->bridge[b].via, NONE, sizeof(n->bridge[b].via));
	}
	for (b = 0; b < bridges; b++)
		link_up(n, b, (b + 1) % bridges);
}

static void chords(struct network *n, unsigned int num)
{
	while (num--) {
		unsigned int a = roll(n, 0, n->bridges - 1);
		unsigned int b = roll(n, 0, n->bridges - 1);

		if (a != b && n->bridge[a].ports + HOSTS_EACH < PORTS_MAX &&
		    n->bridge[b].ports + HOSTS_EACH < PORTS_MAX)
			link_up(n, a, b);
	}
}

/* Makes one switch of two bridges: no neighbours, and not merged before. */
static void merge(struct network *n)
{
	unsigned int a = roll(n, 0, n->bridges - 2);
	unsigned int b = roll(n, a + 1, n->bridges - 1), c;

	if (linked(n, a, b) || n->bridge[a].whole != a || n->bridge[b].whole != b)
		return;
	for (c = 0; c < n->bridges; c++)
		if (c != a && c != b &&
		    (n->bridge[c].whole == a || n->bridge[c].whole == b))
			return;
	n->bridge[b].whole = a;
}

static void hosts_up(struct network *n, unsigned int num)
{
	unsigned int b, i;

	for (b = 0; b < n->bridges; b++) {
		for (i = 0; i < num; i++) {
			struct host *h = &n->host[n->hosts++];

			h->bridge = b;
			h->port = ++n->bridge[b].ports;
			if (roll(n, 0, 99) >= STORM_PERCENT)
				continue;
			h->storm_ns = roll(n, 1, 400) * n->tick_ns;
			/* 30 to 5000 ticks, log-uniform */
			h->pause_ns = (roll(n, 30, 78) << roll(n, 0, 6)) *
				      n->tick_ns;
		}
	}
}

/* Picks a host of a bridge; @fresh: one without a path yet, if possible. */
static unsigned int pick_host(struct network *n, unsigned int bridge, bool fresh)
{
	unsigned int first = roll(n, 0, n->hosts - 1), i, h, any = NONE;

	for (i = 0; i < n->hosts; i++) {
		h = (first + i) % n->hosts;
		if (n->host[h].bridge != bridge)
			continue;
		if (!fresh || !n->host[h].reached)
			return h;
		any = h;
	}
	return any;
}

/* Adds a flow along @way, unless its receiver has a path already. */
static void flow_add(struct network *n, const uint8_t *way, unsigned int bridges)
{
	unsigned int src = pick_host(n, way[0], false), i;
	unsigned int dst = pick_host(n, way[bridges - 1], true);
	unsigned int sixteenths = roll(n, 4, 16);
	struct host *to = &n->host[dst];

	if (n->flows == FLOWS || src == dst)
		return;
	for (i = 0; !to->reached && i + 1 < bridges; i++)
		n->bridge[way[i]].via[dst] = way[i + 1];
	to->reached = true;
	n->flow[n->flows++] = (struct flow){
		.src = src,
		.dst = dst,
		.start_ns = roll(n, 0, 20 * n->tick_ns),
		.size = (uint64_t)sixteenths * TICKS / 16 * PAYLOAD,
		.rate = n->rate / ON_LINK * FRAME / 16 * sixteenths,
	};
}

/* Return: a random neighbour. */
static unsigned int step(struct network *n, unsigned int bridge)
{
	unsigned int first = roll(n, 0, n->links - 1), i;

	for (i = first;; i++) {
		const uint8_t *link = n->link[i % n->links];

		if (link[0] == bridge || link[1] == bridge)
			return link[0] == bridge ? link[1] : link[0];
	}
}

/* A random path that passes no bridge twice. */
static void walk(struct network *n, unsigned int bridge, unsigned int hops)
{
	unsigned int num = 1, tries = 0, seen = 1 << bridge, next;
	uint8_t way[BRIDGES] = { bridge };

	while (num <= hops && num < n->bridges && tries++ < 32) {
		next = step(n, way[num - 1]);
		if (seen & 1 << next)
			continue;
		seen |= 1 << next;
		way[num++] = next;
	}
	flow_add(n, way, num);
}

/* A path along the ring, in either direction. */
static void detour(struct network *n, unsigned int bridge, unsigned int hops,
		   bool back)
{
	uint8_t way[BRIDGES] = { bridge };
	unsigned int i;

	for (i = 1; i <= hops; i++)
		way[i] = (way[i - 1] + (back ? n->bridges - 1 : 1)) % n->bridges;
	flow_add(n, way, hops + 1);
}

/* Packets below XOFF for RCM: twice those in flight on the longest link */
#define RCM_ROOM	16

static void thresholds(struct network *n, struct bridge *b)
{
	unsigned int xoff = roll(n, 12, 30);

	b->xon_delta = roll(n, 1, n->shape == G2 ? xoff / 2 : 4) * FRAME;
	b->to_alpha = roll(n, 8, 11);
	b->pool = roll(n, 8, 24) * FRAME;
	b->xoff = n->dynamic ? 0 : (xoff + (n->rcm ? RCM_ROOM : 0)) * FRAME;
}

static void shape_g0(struct network *n)
{
	unsigned int b, num, hops;

	ring(n, roll(n, 4, 7));
	chords(n, roll(n, 0, 2));
	hosts_up(n, HOSTS_EACH);
	for (b = 0; b < n->bridges; b++)
		for (num = roll(n, 0, 2); num; num--) {
			hops = roll(n, 1, n->bridges - 1);
			if (roll(n, 0, 3))
				detour(n, b, hops, !roll(n, 0, 4));
			else
				walk(n, b, hops);
		}
}

static void shape_g1(struct network *n)
{
	unsigned int b, num;

	ring(n, roll(n, 5, 9));
	chords(n, roll(n, 0, 2));
	for (num = roll(n, 1, 4); num; num--)
		merge(n);
	hosts_up(n, HOSTS_EACH);
	for (b = 0; b < n->bridges; b++)
		for (num = roll(n, 0, 2); num; num--)
			walk(n, b, roll(n, 2, 8));
}

static void shape_g2(struct network *n)
{
	unsigned int b, num;

	ring(n, roll(n, 3, 5));
	chords(n, roll(n, 0, 4));
	hosts_up(n, 2 * HOSTS_EACH);
	for (b = 0; b < n->bridges; b++)
		for (num = roll(n, 3, 6); num; num--)
			walk(n, b, roll(n, 1, n->bridges - 1));
}

void network_make(struct network *n, const struct setting *set, uint64_t seed)
{
	unsigned int b;

	*n = (struct network){
		.seed = seed,
		.rnd = seed,
		.shape = set->shape < SHAPES ? set->shape : (int)(seed % SHAPES),
		.dynamic = set->dynamic >= 0 ? set->dynamic : (int)(seed / SHAPES % 2),
		.rcm = set->rcm,
		.rcm_on = set->rcm_on,
		.las = set->las,
		.rate = set->rate,
		.tick_ns = ON_LINK * 8e9 / set->rate,
	};
	n->delay_ns = n->tick_ns * (1 << roll(n, 0, 2));
	switch (n->shape) {
	case G1:
		shape_g1(n);
		break;
	case G2:
		shape_g2(n);
		break;
	default:
		shape_g0(n);
	}
	for (b = 0; b < n->bridges; b++)
		thresholds(n, &n->bridge[b]);
}
