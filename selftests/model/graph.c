// SPDX-License-Identifier: GPL-2.0
/* Random networks: links, hosts, routes, thresholds. */
#include "model.h"

#define HOSTS		2
#define XOFF_MIN	12
#define XON_DELTA	4

static u32 roll(struct model *m, u32 low, u32 high)
{
	return prng_range(&m->seed, low, high);
}

static void link_up(struct model *m, unsigned int a, unsigned int b)
{
	struct switch_model *x = &m->sw[a], *y = &m->sw[b];
	struct port *p = &x->port[x->ports], *q = &y->port[y->ports];

	*p = (struct port){ .peer_sw = b, .peer_port = y->ports++ };
	*q = (struct port){ .peer_sw = a, .peer_port = x->ports++ };
}

static void hosts_up(struct model *m, unsigned int sw)
{
	unsigned int n;

	for (n = 0; n < HOSTS; n++) {
		struct port *p = &m->sw[sw].port[m->sw[sw].ports++];

		*p = (struct port){ .host = true, .seed = prng(&m->seed) };
		if (roll(m, 0, 99) < 35) {
			p->storm[0] = roll(m, 1, 400);
			/* 30 to 5000, evenly by size */
			p->storm[1] = p->storm[0] +
				      (roll(m, 30, 78) << roll(m, 0, 6));
		}
	}
}

static unsigned int links(const struct switch_model *sw)
{
	return sw->ports - HOSTS;
}

static unsigned int port_to(const struct model *m, unsigned int sw,
			    unsigned int to)
{
	unsigned int p;

	for (p = 0; m->sw[sw].port[p].peer_sw != to; p++)
		;
	return p;
}

/* From a host of switch @sw to a host of the last switch */
static void flow_add(struct model *m, unsigned int sw, const u8 *egress,
		     unsigned int hops)
{
	struct flow *f = &m->flow[m->flows];
	unsigned int at = sw, n;
	struct port *source;

	f->sw = sw;
	f->ingress = links(&m->sw[sw]) + roll(m, 0, HOSTS - 1);
	f->rate = roll(m, 4, 16);
	f->window = U16_MAX;
	f->hops = hops + 1;
	for (n = 0; n < hops; n++) {
		f->egress[n] = egress[n];
		at = m->sw[at].port[egress[n]].peer_sw;
	}
	f->egress[hops] = links(&m->sw[at]) + roll(m, 0, HOSTS - 1);
	source = &m->sw[sw].port[f->ingress];
	source->flow[source->flows++] = m->flows++;
}

/* A random route; visits no switch twice, or with @revisit no link. */
static void walk(struct model *m, unsigned int sw, unsigned int hops,
		 bool revisit)
{
	unsigned int at = sw, n, tries, seen = BIT(sw);
	u64 used = 0;
	u8 egress[HOPS];

	for (n = 0; n < hops; n++) {
		for (tries = 0; tries < 8; tries++) {
			unsigned int p = roll(m, 0, links(&m->sw[at]) - 1);
			const struct port *port = &m->sw[at].port[p];

			if (revisit ? !!(used & BIT_ULL(NODE(at, p))) :
				      !!(seen & BIT(port->peer_sw)))
				continue;
			used |= BIT_ULL(NODE(at, p)) |
				BIT_ULL(NODE(port->peer_sw, port->peer_port));
			egress[n] = p;
			at = port->peer_sw;
			seen |= BIT(at);
			break;
		}
		if (tries == 8)
			break;
	}
	if (n)
		flow_add(m, sw, egress, n);
}

/* Clockwise, or with @back counterclockwise */
static void along(const struct model *m, unsigned int size, unsigned int at,
		  unsigned int hops, bool back, u8 *egress)
{
	unsigned int n;

	for (n = 0; n < hops; n++) {
		unsigned int to = (at + (back ? size - 1 : 1)) % size;

		egress[n] = port_to(m, at, to);
		at = to;
	}
}

static void detour(struct model *m, unsigned int size, unsigned int sw,
		   unsigned int hops, bool back)
{
	u8 egress[HOPS];

	along(m, size, sw, hops, back, egress);
	flow_add(m, sw, egress, hops);
}

static void ring(struct model *m, unsigned int switches, bool closed)
{
	unsigned int sw;

	m->switches = switches;
	for (sw = 0; sw + 1 < switches; sw++)
		link_up(m, sw, sw + 1);
	if (closed)
		link_up(m, switches - 1, 0);
}

static void chords(struct model *m, unsigned int n)
{
	while (n--) {
		unsigned int a = roll(m, 0, m->switches - 1);
		unsigned int b = roll(m, 0, m->switches - 1);

		if (a != b && m->sw[a].ports + HOSTS < PORTS &&
		    m->sw[b].ports + HOSTS < PORTS)
			link_up(m, a, b);
	}
}

static void all_hosts_up(struct model *m)
{
	unsigned int sw;

	for (sw = 0; sw < m->switches; sw++)
		hosts_up(m, sw);
}

static void random_graph(struct model *m)
{
	unsigned int sw, n, hops;

	ring(m, m->set.graph == G2 ? roll(m, 3, 5) : roll(m, 4, 7),
	     m->set.graph != LINE);
	chords(m, m->set.graph == G2 ? roll(m, 0, 4) :
		  m->set.graph == LINE ? 0 : roll(m, 0, 2));
	all_hosts_up(m);

	for (sw = 0; sw < m->switches; sw++) {
		n = m->set.graph == G2 ? roll(m, 3, 6) : roll(m, 0, 2);
		while (n--) {
			hops = roll(m, 1, m->switches - 1);
			if (m->set.graph == G1)
				walk(m, sw, roll(m, 2, 8), true);
			else if (m->set.graph == G0 && roll(m, 0, 3))
				detour(m, m->switches, sw, hops,
				       !roll(m, 0, 4));
			else
				walk(m, sw, hops, false);
		}
	}
}

/*
 * Figure 4 of the paper: two paths from switch 3 to a pausing host, no loop.
 *
 *	    1
 *	  /   \
 *	3       0 -- host
 *	  \   /
 *	    2
 */
static void diamond(struct model *m)
{
	static const u8 way[2] = { 1, 2 };
	unsigned int n, w;
	u8 egress[2];
	u32 until;

	m->switches = 4;
	for (w = 0; w < 2; w++) {
		link_up(m, 0, way[w]);
		link_up(m, way[w], 3);
	}
	all_hosts_up(m);
	until = roll(m, 100, 2000);
	for (n = 0; n < HOSTS; n++) {
		m->sw[0].port[2 + n].storm[0] = roll(m, 1, 50);
		m->sw[0].port[2 + n].storm[1] = until;
	}
	for (n = 0; n < 6; n++) {
		w = n % 2;
		egress[0] = port_to(m, 3, way[w]);
		egress[1] = port_to(m, way[w], 0);
		flow_add(m, 3, egress, 2);
		if (n > 3)
			flow_add(m, way[w], egress + 1, 1);
	}
}

/*
 * A ring that sends most packets out, to switches with pausing hosts. All
 * switches pause each other until the hosts resume. Flows around the ring have
 * at most XON packets in flight, so no switch is deadlocked, as it seems.
 *
 *	out0 -- 0 --- 1 -- out1
 *	         \   /
 *	           2 -- out2
 */
static void ring_resumes(struct model *m)
{
	unsigned int size = roll(m, 3, SWITCHES / 2), sw, n;
	u8 egress[2];

	ring(m, size, true);
	m->switches = 2 * size;
	for (sw = 0; sw < size; sw++)
		link_up(m, sw, size + sw);
	all_hosts_up(m);
	for (sw = 0; sw < size; sw++) {
		unsigned int next = (sw + 1) % size;

		for (n = 0; n < HOSTS; n++) {
			struct port *p = &m->sw[size + sw].port[1 + n];

			p->storm[0] = roll(m, 20, 60);
			p->storm[1] = p->storm[0] + roll(m, 60, 600);
		}
		egress[0] = port_to(m, sw, next);
		egress[1] = port_to(m, next, (next + 1) % size);
		flow_add(m, sw, egress, 2);
		m->flow[m->flows - 1].window = XOFF_MIN - XON_DELTA;
		egress[1] = port_to(m, next, size + next);
		flow_add(m, sw, egress, 2);
		flow_add(m, sw, egress, 2);
	}
}

/*
 * A ring, and switches beside it with hosts that pause. Packets to them come
 * around the ring, so pauses spread, and close a loop of the ring's packets.
 *
 *	  0 ---- 1
 *	 / \    /
 *	3   2--'	0 -- 4 -- 5 -- hosts
 */
static void ring_outside(struct model *m)
{
	unsigned int size = roll(m, 3, 4), tail = roll(m, 1, 2), sw, n, hops;
	u8 egress[HOPS];
	u32 until;

	ring(m, size, true);
	m->switches = size + tail;
	for (n = 0; n < tail; n++)
		link_up(m, n ? size : 0, size + n);
	all_hosts_up(m);
	until = roll(m, 100, 1000);
	for (sw = 0; sw < m->switches; sw++)
		for (n = 0; n < HOSTS; n++) {
			struct port *p = &m->sw[sw].port[links(&m->sw[sw]) + n];
			bool sink = sw == size + tail - 1;

			p->storm[0] = sink ? roll(m, 1, 50) : 0;
			p->storm[1] = sink ? until : 0;
		}
	for (sw = 0; sw < size; sw++) {
		detour(m, size, sw, roll(m, 2, size - 1), false);
		hops = (size - sw) % size;
		along(m, size, sw, hops, false, egress);
		for (n = 0; n < tail; n++)
			egress[hops++] = port_to(m, n ? size : 0, size + n);
		flow_add(m, sw, egress, hops);
	}
}

static void thresholds(struct model *m, struct switch_model *sw)
{
	u32 xoff = roll(m, XOFF_MIN, 30), spread;

	sw->params = (struct lle_sb_params) { .headroom_bytes = QUEUE };
	sw->sb = (struct lle_sb){ .size = QUEUE * PORTS };
	spread = m->set.graph == G2 ? xoff / 2 : XON_DELTA;
	sw->params.xon_delta_bytes = roll(m, 1, spread);
	if (m->set.dynamic) {
		sw->params.to_alpha = roll(m, 8, 11);
		sw->sb.size = sw->ports * roll(m, 8, 24);
	} else {
		sw->params.xoff_bytes = xoff;
	}
	lle_sb_params_init(&sw->params);
}

static void instance(struct model *m, unsigned int number)
{
	struct switch_model *sw = &m->sw[number];
	struct lle_dl_params p = {
		/* IDs of switches do not follow the ring */
		.sw = 1 + (number * 5 + m->seed % 8) % 8,
		.prio = 3,
		.ports = sw->ports,
		.pool = m->set.pool,
		.fabric = BIT_ULL(links(sw)) - 1,
		.guard_ns = REFRESH_TICKS / 2 * TICK_NS,
		.hop_ns = m->delay * TICK_NS,
	};

	sw->run_at = 0;
	sw->dcfit = lle_exact_init(sw->memory, &p);
}

void graph_make(struct model *m)
{
	unsigned int sw, p, n;

	for (sw = 0; sw < SWITCHES; sw++)
		m->sw[sw].ports = 0;
	m->flows = 0;
	m->delay = 1 << roll(m, 0, 2);

	switch (m->set.graph) {
	case DIAMOND:
		diamond(m);
		break;
	case RESUME:
		ring_resumes(m);
		break;
	case OUTSIDE:
		ring_outside(m);
		break;
	default:
		random_graph(m);
	}
	for (sw = 0; sw < m->switches; sw++) {
		thresholds(m, &m->sw[sw]);
		for (p = 0; p < m->sw[sw].ports; p++) {
			m->sw[sw].port[p].pg.lossless = true;
			for (n = 0; n < WIRE; n++)
				m->sw[sw].port[p].wire[n].flow = FLOWS;
		}
		instance(m, sw);
	}
}
