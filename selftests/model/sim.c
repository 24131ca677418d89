// SPDX-License-Identifier: GPL-2.0
/* Runs the network tick by tick, as the kernel runs the core. */
#include <stdlib.h>

#include "model.h"

/* Ticks after the first deadlock */
#define PATIENCE	600

/* Ticks of a withdrawn message around any loop */
#define SETTLE		(HOPS * 4)

/* Times around the loop after all is declared */
#define LAPS		6

/* Ticks after a deadlock in which none may form without the trigger */
#define AVERTED		100

static u64 now_ns(const struct model *m)
{
	return (u64)m->now * TICK_NS;
}

static bool chance(struct model *m, unsigned int per_mille)
{
	return per_mille && prng(&m->seed) % 1000 < per_mille;
}

static void put(struct model *m, unsigned int sw, unsigned int port,
		unsigned int kind, const struct lle_dl_msg *msg)
{
	struct port *p = &m->sw[sw].port[port];
	struct control *c;

	if (!p->host &&
	    chance(m, kind == MESSAGE ? m->set.loss_msg : m->set.loss_pfc))
		return;
	if (p->control_len == CONTROL) {
		m->result.overrun++;
		return;
	}
	c = &p->control[(p->control_head + p->control_len++) % CONTROL];
	/* late frames stay in order */
	p->control_due = max(p->control_due, m->now + m->delay +
			     prng_range(&m->seed, 0, m->set.jitter));
	c->due = p->control_due;
	c->kind = kind;
	c->has_msg = msg;
	if (msg)
		lle_dl_wire_encode(&c->pad, msg);
}

static void put_pfc(struct model *m, unsigned int sw, unsigned int port,
		    unsigned int kind)
{
	struct lle_dl_msg msg;
	bool says;

	says = lle_exact_send_ride(m->sw[sw].dcfit, port, kind == PAUSE, &msg);
	put(m, sw, port, kind, says ? &msg : NULL);
	if (m->result.dead || !says || kind != PAUSE)
		return;
	m->result.frames++;
	m->result.probes += msg.type == LLE_DL_PROBE;
}

/* A knot with two declared ingresses will be broken twice. */
static void break_later(struct model *m, unsigned int sw, unsigned int ingress)
{
	struct result now;

	m->sw[sw].port[ingress].broken_at = m->now + m->set.breaks;
	oracle_cores(m, oracle_dead(m), &now);
	m->result.duplicates += !!now.duplicates;
}

static void declare(struct model *m, unsigned int sw, unsigned int ingress)
{
	u64 bit = BIT_ULL(NODE(sw, ingress));
	struct lle_dl_report report;

	m->result.declared++;
	if (!(oracle_dead(m) & bit)) {
		if (m->result.discarded && m->now - m->discarded < SETTLE)
			m->result.early++;
		else
			m->result.wrong++;
	} else if (!m->result.found) {
		m->result.found = m->now;
		lle_exact_report(m->sw[sw].dcfit, ingress, now_ns(m), &report);
		m->trigger = report.trigger;
		m->result.around = report.hops * m->delay;
	}
	m->declared |= bit;
	if (m->set.breaks)
		break_later(m, sw, ingress);
}

static void obey(struct model *m, unsigned int sw)
{
	u64 declared = m->out.declared;
	unsigned int n, i;

	for (n = 0; n < m->out.num; n++) {
		const struct lle_dl_send *send = &m->out.send[n];

		put(m, sw, send->port, MESSAGE, &send->msg);
		if (m->result.dead)
			continue;
		if (send->msg.type == LLE_DL_CANCEL) {
			m->result.cancels++;
			continue;
		}
		m->result.probes++;
		m->result.alone++;
	}
	m->out.num = 0;
	m->out.declared = 0;
	lle_dl_for_each(i, declared)
		declare(m, sw, i);
}

/* The output has limited space. */
static void evaluate(struct model *m, unsigned int sw)
{
	lle_exact_run(m->sw[sw].dcfit, now_ns(m), &m->out);
	obey(m, sw);
}

static void settle(struct model *m, unsigned int sw)
{
	struct switch_model *s = &m->sw[sw];

	obey(m, sw);
	while (!m->set.late && lle_exact_is_due(s->dcfit))
		evaluate(m, sw);
	if (!s->run_at && lle_exact_is_due(s->dcfit))
		s->run_at = m->now + prng_range(&m->seed, 0, m->set.late - 1);
}

/* Evaluates what is due, as the kernel's tasklet. */
static void tasklet(struct model *m, unsigned int sw)
{
	struct switch_model *s = &m->sw[sw];

	if (!s->run_at || s->run_at > m->now)
		return;
	while (lle_exact_is_due(s->dcfit))
		evaluate(m, sw);
	s->run_at = 0;
}

static void pause(struct model *m, unsigned int sw, unsigned int ingress)
{
	struct switch_model *s = &m->sw[sw];
	struct port *in = &s->port[ingress];

	in->interval = REFRESH_FIRST;
	in->refresh = m->now + in->interval;
	in->again = 0;
	m->changed = true;
	if (!m->result.dead)
		m->result.pauses += !in->host;
	lle_exact_pause_tx(s->dcfit, ingress, in->pg.xon, now_ns(m));
	if (!m->set.late)
		lle_exact_run(s->dcfit, now_ns(m), &m->out);
	put_pfc(m, sw, ingress, PAUSE);
	settle(m, sw);
}

static void resume(struct model *m, unsigned int sw, unsigned int ingress)
{
	struct switch_model *s = &m->sw[sw];
	struct port *in = &s->port[ingress];

	if (m->set.breaks)
		m->declared &= ~BIT_ULL(NODE(sw, ingress));
	in->broken_at = 0;
	lle_exact_resume_tx(s->dcfit, ingress, false);
	put_pfc(m, sw, ingress, RESUMES);
	if (m->set.loss_pfc)
		in->again = m->now + REFRESH_TICKS / 2;
	m->changed = true;
	settle(m, sw);
}

static void release(struct model *m, unsigned int sw, unsigned int egress,
		    bool broken)
{
	m->sw[sw].port[egress].paused = false;
	m->changed = true;
	lle_exact_resume_rx(m->sw[sw].dcfit, egress, broken,
			    (u64)m->sw[sw].port[egress].since * TICK_NS,
			    now_ns(m), &m->out);
	settle(m, sw);
}

static void control_in(struct model *m, unsigned int sw, unsigned int port,
		       const struct control *c)
{
	struct port *p = &m->sw[sw].port[port];
	struct lle_exact *d = m->sw[sw].dcfit;
	struct lle_dl_msg msg;
	bool known;

	/* no valid message */
	known = c->has_msg && lle_dl_wire_parse((const u8 *)&c->pad, &msg);
	switch (c->kind) {
	case PAUSE:
		if (!p->paused)
			p->since = m->now;
		p->paused = true;
		p->until = m->now + PAUSE_TICKS;
		m->changed = true;
		lle_exact_pause_rx(d, port, known ? &msg : NULL,
				   (u64)p->until * TICK_NS, now_ns(m), &m->out);
		break;
	case RESUMES:
		release(m, sw, port, known && msg.type == LLE_DL_BROKEN);
		break;
	case MESSAGE:
		if (known)
			lle_exact_message_rx(d, port, &msg, now_ns(m), &m->out);
		break;
	}
	settle(m, sw);
}

static void packet_in(struct model *m, unsigned int sw, unsigned int ingress,
		      unsigned int flow, unsigned int hop)
{
	struct switch_model *s = &m->sw[sw];
	unsigned int egress = m->flow[flow].egress[hop], verdict = 0;
	struct port *out = &s->port[egress], *in = &s->port[ingress];
	struct packet *k;

	if (in->never && out->len > QUEUE / 2)
		return;
	if (!in->never)
		verdict = lle_sb_admit(&s->sb, &s->params, &in->pg, 1);
	if (out->len == QUEUE)
		abort();
	k = &out->queue[(out->head + out->len++) % QUEUE];
	*k = (struct packet){ .flow = flow, .hop = hop, .ingress = ingress };
	in->count[egress]++;
	m->changed |= out->paused;
	lle_exact_enq(s->dcfit, egress, ingress, 1);
	settle(m, sw);
	if (verdict & LLE_SB_XOFF)
		pause(m, sw, ingress);
}

static void uncharge(struct model *m, unsigned int sw, unsigned int egress,
		     unsigned int ingress)
{
	struct switch_model *s = &m->sw[sw];
	struct port *in = &s->port[ingress];

	in->count[egress]--;
	lle_exact_deq(s->dcfit, egress, ingress, 1);
	if (!in->never && lle_sb_release(&s->sb, &in->pg, 1))
		resume(m, sw, ingress);
	settle(m, sw);
}

static struct packet leave(struct model *m, unsigned int sw, unsigned int egress)
{
	struct switch_model *s = &m->sw[sw];
	struct port *p = &s->port[egress];
	struct packet k = p->queue[p->head];

	p->head = (p->head + 1) % QUEUE;
	p->len--;
	if (k.ingress != PARKED)
		uncharge(m, sw, egress, k.ingress);
	return k;
}

static void links_in(struct model *m, unsigned int sw, unsigned int port)
{
	struct port *p = &m->sw[sw].port[port];
	struct packet *k = &p->wire[m->now % WIRE];

	while (p->control_len && p->control[p->control_head].due <= m->now) {
		const struct control *c = &p->control[p->control_head];

		p->control_head = (p->control_head + 1) % CONTROL;
		p->control_len--;
		if (p->host)
			p->stopped = c->kind == PAUSE;
		else
			control_in(m, p->peer_sw, p->peer_port, c);
	}
	if (k->flow == FLOWS)
		return;
	packet_in(m, p->peer_sw, p->peer_port, k->flow, k->hop + 1);
	k->flow = FLOWS;
}

static void host(struct model *m, unsigned int sw, unsigned int port)
{
	struct port *p = &m->sw[sw].port[port];
	unsigned int flow;

	if (!p->never && p->storm[0] && p->storm[0] == m->now) {
		p->paused = true;
		p->since = m->now;
		p->until = p->storm[1] + 1;
		lle_exact_pause_rx(m->sw[sw].dcfit, port, NULL,
				   (u64)p->until * TICK_NS, now_ns(m), &m->out);
		settle(m, sw);
	}
	if (!p->never && p->storm[1] && p->storm[1] == m->now)
		release(m, sw, port, false);
	if (!p->flows || p->stopped)
		return;
	flow = p->flow[p->next];
	p->next = (p->next + 1) % p->flows;
	if (!m->flow[flow].window || prng(&p->seed) % 16 >= m->flow[flow].rate)
		return;
	m->flow[flow].window--;
	packet_in(m, sw, port, flow, 0);
}

/* Parks packets of the ingress until it has resumed. */
static void park(struct model *m, unsigned int sw, unsigned int ingress)
{
	struct switch_model *s = &m->sw[sw];
	unsigned int e, n;

	m->result.discarded++;
	m->discarded = m->now;
	for (e = 0; e < s->ports; e++)
		for (n = 0; s->port[e].paused && n < s->port[e].len; n++) {
			struct port *p = &s->port[e];
			struct packet *k = &p->queue[(p->head + n) % QUEUE];

			if (!s->port[ingress].broken_at)
				return;
			if (k->ingress != ingress)
				continue;
			k->ingress = PARKED;
			uncharge(m, sw, e, ingress);
		}
}

static void timers(struct model *m, unsigned int sw, unsigned int port)
{
	struct port *p = &m->sw[sw].port[port];

	if (p->paused && m->now >= p->until)
		release(m, sw, port, true);
	if (p->host)
		return;
	if (p->pg.xoff && m->now == p->refresh) {
		p->refresh += p->interval;
		p->interval = min_t(u32, 2 * p->interval, REFRESH_TICKS);
		lle_exact_refresh(m->sw[sw].dcfit, port, now_ns(m), &m->out);
		put_pfc(m, sw, port, PAUSE);
		settle(m, sw);
	}
	if (p->again && p->again == m->now)
		put_pfc(m, sw, port, RESUMES);
	if (p->broken_at && p->broken_at == m->now)
		park(m, sw, port);
}

static void discard(struct model *m)
{
	unsigned int sw = prng(&m->seed) % m->switches, e;
	struct switch_model *s = &m->sw[sw];

	e = prng(&m->seed) % s->ports;
	if (!s->port[e].paused || !s->port[e].len)
		return;
	m->result.discarded++;
	m->discarded = m->now;
	lle_exact_resume_rx(s->dcfit, e, true, (u64)s->port[e].since * TICK_NS,
			    now_ns(m), &m->out);
	settle(m, sw);
	while (s->port[e].len)
		leave(m, sw, e);
}

static void send(struct model *m, unsigned int sw, unsigned int port)
{
	struct port *p = &m->sw[sw].port[port];
	struct packet k;

	if (p->paused || !p->len)
		return;
	k = leave(m, sw, port);
	if (p->host)
		m->flow[k.flow].window++;
	else
		p->wire[(m->now + m->delay) % WIRE] = k;
}

static void tick(struct model *m)
{
	unsigned int sw, p;

	for (sw = 0; sw < m->switches; sw++)
		for (p = 0; p < m->sw[sw].ports; p++)
			links_in(m, sw, p);
	if (chance(m, m->set.discard))
		discard(m);
	for (sw = 0; sw < m->switches; sw++) {
		struct switch_model *s = &m->sw[sw];

		for (p = 0; p < s->ports; p++)
			timers(m, sw, p);
		if (!lle_exact_timer_wait(s->dcfit, now_ns(m))) {
			lle_exact_timer(s->dcfit, now_ns(m), &m->out);
			settle(m, sw);
		}
		for (p = 0; p < s->ports; p++) {
			send(m, sw, p);
			if (s->port[p].host)
				host(m, sw, p);
		}
		tasklet(m, sw);
	}
}

/* Records the first deadlock. Returns true once, when there is one. */
static bool look(struct model *m)
{
	u64 dead;

	if (!m->changed)
		return false;
	m->changed = false;
	dead = oracle_dead(m);
	if (!dead)
		return false;
	m->result.dead = m->now;
	return true;
}

static u32 miscounted(const struct model *m)
{
	unsigned int sw, p, i;
	u32 wrong = 0;

	for (sw = 0; sw < m->switches; sw++)
		for (p = 0; p < m->sw[sw].ports; p++)
			for (i = 0; i < m->sw[sw].ports; i++)
				wrong += *lle_dl_map_pair(&m->sw[sw].dcfit->map,
							  p, i) !=
					 m->sw[sw].port[i].count[p];
	return wrong;
}

static bool complete(struct model *m, u32 before)
{
	if (m->set.breaks || m->complete || m->result.declared == before)
		return false;
	oracle_cores(m, oracle_dead(m), &m->result);
	m->complete = m->result.cores && !m->result.missed;
	return m->complete;
}

/* Knots at the end, or when all were declared; new ones need more time. */
static void conclude(struct model *m)
{
	struct result at_end;

	if (m->set.breaks) {
		m->result.cores = m->result.declared - m->result.duplicates;
		m->result.missed = m->result.dead && !m->result.found;
		return;
	}
	oracle_cores(m, oracle_dead(m), &at_end);
	m->result.duplicates = at_end.duplicates;
	if (m->complete)
		return;
	m->result.cores = at_end.cores;
	m->result.missed = at_end.missed;
	m->result.missed_simple = at_end.missed_simple;
}

static void begin(struct model *m, const struct setting *set, u64 seed)
{
	m->seed = seed;
	m->now = 0;
	m->set = *set;
	m->result = (struct result){};
	m->declared = 0;
	m->out.num = 0;
	m->out.declared = 0;
	m->changed = false;
	m->complete = false;
	graph_make(m);
}

static struct port *port_of(struct model *m, struct lle_dl_id id)
{
	unsigned int sw;

	for (sw = 0; sw < m->switches; sw++)
		if (m->sw[sw].dcfit->sw == id.sw)
			return &m->sw[sw].port[id.port];
	return NULL;
}

/* Without the pauses of the reported trigger: true if no deadlock forms. */
bool sim_averted(struct model *m, u64 seed)
{
	u32 end = m->result.dead + AVERTED;
	struct setting set = m->set;
	struct port *port;

	begin(m, &set, seed);
	port = port_of(m, m->trigger);
	if (!port)
		return false;
	port->never = true;
	while (++m->now < end)
		tick(m);
	return !oracle_dead(m);
}

void sim_run(struct model *m, const struct setting *set, u64 seed)
{
	u32 end = set->ticks, before;

	begin(m, set, seed);
	while (++m->now < end) {
		before = m->result.declared;
		tick(m);
		if (!m->result.dead && look(m))
			end = m->now + PATIENCE;
		if (set->graph == RESUME && m->now % 8 == 0)
			m->result.loops += oracle_loop(m);
		if (complete(m, before))
			end = m->now + LAPS * m->result.around + 1;
	}
	conclude(m);
	m->result.miscounted = miscounted(m);
}
