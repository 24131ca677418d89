/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What may happen in the network of exact_net.h. can_NAME(): may it; do_NAME():
 * it does. Checked on the way: each probe is true when it is sent and, when
 * nothing is on its way, still is; an ingress that is declared is dead; its pause
 * never ends. In the end: each deadlock has been declared or, with BREAKING, broken.
 */
#ifndef LLE_EXACT_EVENTS_H
#define LLE_EXACT_EVENTS_H

#include "exact_net.h"
#ifndef EXACT_WALK_C
#define EXACT_WALK_C "../../kmod/core/deadlock/exact_walk.c"
#endif
#include EXACT_WALK_C

#ifdef ONE		/* one declaration is enough, though messages are late */
#define ONE_DECLARES 1
#else
#define ONE_DECLARES 0
#endif
#ifdef BREAKING		/* declared deadlocks are broken */
#define BREAKS	1
#else
#define BREAKS	0
#endif
#ifdef ANY_BREAK	/* at any time: a second switch may declare a pause that ends */
#define ONE_BREAK 0
#else
#define ONE_BREAK 1
#endif

#define LOSSES	(LOST_MESSAGES + LOST_PAUSES + LOST_RESUMES)

/* Each hop of a loop has sent its own probe before others that it forwards. */
#define LOOP_ALONE (LOOPS == 1 && !CHORDS && !LOSSES && !DELAYED)

/* Breaks and lost frames end pauses that do not drain; statements follow later. */
#if BREAKS || LOSSES || LASTS
#define ALWAYS_TRUE 0
#else
#define ALWAYS_TRUE 1
#endif

static struct { unsigned long ends, dead, twice, repeated, declared, cut; } count;

static const char *const kinds[] = { "", "pause", "resume", "" };

static void tell_frame(const char *does, int l, const struct frame *f)
{
#ifdef TELL
	char text[TEXT];
	int at = put_text(text, 0, "link %d %s %s", l, does, kinds[f->kind]);

	if (f->says)
		put_msg(text, put_text(text, at, " of pause %u: ", f->msg.hop_epoch), &f->msg);
	printf("%s\n", text);
#endif
}

/* As said() of the unit test */
static void say_frame(int l, const struct frame *f)
{
#ifdef TRACE
	int s = link_of[l].dst;

	say(s, "%s%u:%s%s", said_at ? "; " : "", link_of[l].in, kinds[f->kind],
	    f->kind != MESSAGE && f->msg.type ? " " : "");
	if (s == traced % SWITCHES)
		said_at = put_msg(said, said_at, &f->msg);
#endif
}

/* The rules of a message that ingress @l sends */
static void check_message(int l, int kind, const struct lle_dl_msg *msg)
{
	int s = link_of[l].dst, in = link_of[l].in;
	struct lle_exact *d = core(s);

	if (kind == PAUSE && msg->hop_epoch != d->port[in].epoch)
		wrong = "a pause has the number of another";
	if (msg->type != LLE_DL_PROBE)
		return;
	for (int n = 0; n < msg->num_ids; n++) {
		const struct lle_exact_port *own = &d->port[msg->id[n].port];
		uint16_t age = own->seq - msg->id[n].seq;

		if (msg->id[n].sw != s + 1)
			continue;
		/* it may have asked since, in the same evaluation */
		if (!(d->pausing >> msg->id[n].port & 1) || age > !!own->asked)
			wrong = "a probe names an own pause that has ended";
		if (msg->id[n].port == in && msg->hops > 1)
			wrong = "a probe names the ingress that forwards it";
	}
	if (LOOP_ALONE && msg->hops == 1 && !msg->min.sw && !msg->waits)
		wrong = "declared, and waits for no other";
	net.forwarded[l] += msg->hops > 1;
	if (net.forwarded[l] > RULE_CAP)
		wrong = "too many probes between two repeats";
	if (ALWAYS_TRUE && !is_true(l, msg->id, msg->num_ids))
		wrong = "a probe is false when it is sent";
}

static void put(int l, int kind, const struct lle_dl_msg *msg)
{
	struct frame *f = &net.frame[l][net.frames[l]];

	if (net.frames[l] == FRAMES) {
		net.full = 1;
		return;
	}
	net.frames[l]++;
	memset(f, 0, sizeof(*f));
	f->kind = kind;
	net.resumes[l] += kind == RESUME;
	if (msg) {
		f->says = 1;
		f->msg = *msg;
		tidy(&f->msg);
	}
	tell_frame("carries", l, f);
	if (msg) {
		say_frame(l, f);
		check_message(l, kind, msg);
	}
}

static struct frame take(int l)
{
	struct frame f = net.frame[l][0];

	net.frames[l]--;
	memmove(&net.frame[l][0], &net.frame[l][1], net.frames[l] * sizeof(f));
	memset(&net.frame[l][net.frames[l]], 0, sizeof(f));
	net.resumes[l] -= f.kind == RESUME;
	return f;
}

/*
 * A walk and a request to resolve the trigger, of which each takes no time: nothing
 * of a deadlock changes before its break.
 */
static void check_walk(int l)
{
	struct lle_dl_report r;
	unsigned int gone = 0, next = 1U << l;
	struct lle_dl_msg msg;

	lle_exact_report(core(link_of[l].dst), link_of[l].in, NOW_NS, &r);
	lle_exact_walk_begin(core(link_of[l].dst), link_of[l].in, &msg);
	while (next) {
		int at = __builtin_ctz(next), s = link_of[at].src, p = link_of[at].out;
		u64 ingresses = lle_exact_walk_next(core(s), p, &msg);

		gone |= 1U << at;
		if (s == link_of[l].dst && r.egresses >> p & 1)
			return;
		if (!(oracle(0) >> at & 1))
			wrong = "a walk leaves the deadlock";
		for (int i = 0; i < PORTS; i++)
			if (ingresses >> i & 1)
				next |= 1U << link_into(s, i);
		next &= ~gone;
	}
	wrong = "a walk does not come back";
}

static void check_resolve(int l)
{
	struct lle_dl_id trigger = core(link_of[l].dst)->port[link_of[l].in].trigger;
	int s = link_of[l].dst, in = link_of[l].in;

	if (trigger.host && !(net.stormed >> (trigger.sw - 1) & 1))
		wrong = "the trigger is a host that does not pause";
	if (!trigger.host && net.caused[link_into(trigger.sw - 1, trigger.port)])
		wrong = "another pause has caused that of the trigger";
	for (int hops = 0; s != trigger.sw - 1; hops++) {
		int p = lle_exact_walk_egress(core(s), in, trigger);

		if (p < 0 || hops > SWITCHES) {
			wrong = "the switch of the trigger is not found";
			return;
		}
		in = link_of[link_from(s, p)].in;
		s = link_of[link_from(s, p)].dst;
	}
}

static void declare(int s, int ingress)
{
	int l = link_into(s, ingress);
	unsigned int dead = oracle(0);

	tell("switch %d declares link %d\n", s, l);
	say(s, "%s%u dead", said_at ? "; " : "", ingress);
	if (ONE_BREAK && !(dead >> l & 1))
		wrong = "declared, but not dead";
	if (ONE_BREAK && CLOCK && net.declared & ~net.broken & dead)
		wrong = "declared twice";
	if (ALWAYS_TRUE)
		check_walk(l);
	if (TRIGGERS)
		check_resolve(l);
	count.declared++;
	net.declared |= 1 << l;
	net.since[l] = 0;
}

static void obey(int s)
{
	for (unsigned int n = 0; n < out.num; n++)
		put(link_into(s, out.send[n].port), MESSAGE, &out.send[n].msg);
	for (int p = 0; p < PORTS; p++)
		if (out.declared >> p & 1)
			declare(s, p);
	out.num = 0;
	out.declared = 0;
}

/* As the kernel's tasklet */
static void settle(int s)
{
	obey(s);
	while (lle_exact_is_due(core(s))) {
		lle_exact_run(core(s), NOW_NS, &out);
		obey(s);
	}
	evaluated(s);
}

/* A pause or resume takes its link. */
static int can_emit(int l)
{
	return net.pausing[l] != net.sent[l] || net.repeat[l];
}

static void emit(int l)
{
	int kind = net.pausing[l] ? PAUSE : RESUME;
	struct lle_dl_msg msg;
	bool says;

	trace(link_of[l].dst, "- %u %u\n", link_of[l].in, kind == PAUSE);
	says = lle_exact_send_ride(core(link_of[l].dst), link_of[l].in,
				   kind == PAUSE, &msg);
	net.sent[l] = net.pausing[l];
	net.repeat[l] = 0;
	put(l, kind, says ? &msg : NULL);
}

static void do_emit(int l)
{
	emit(l);
	evaluated(link_of[l].dst);
	seal();
}

static void emit_soon(int l)
{
	if (!DELAYED && can_emit(l))
		emit(l);
	settle(link_of[l].dst);
}

/* A packet of ingress @l has left its queue at @port. */
static void leaves(int l, int port)
{
	int s = link_of[l].dst;

	do_step(s, (struct dcfit_step){ DEQ, port, link_of[l].in, 1 });
	if (net.pausing[l] && bytes_of(l) <= XON) {
		if (net.declared >> l & 1 && !(net.broken >> l & 1) &&
		    ONE_BREAK && !LASTS)
			wrong = "a declared pause has ended";
		net.pausing[l] = 0;
		net.repeat[l] = 0;
		net.declared &= ~(1 << l);
		net.broken &= ~(1 << l);
		do_step(s, (struct dcfit_step){ RESUME_TX, link_of[l].in });
	}
	emit_soon(l);
}

/* Link @l takes a packet of ingress @from, or of a host. */
static int can_send(int l, int from)
{
	int bytes = bytes_of(l);

	if (net.paused[l] || bytes >= XOFF + HEADROOM ||
	    (!net.pausing[l] && bytes + 1 >= XOFF && net.begun[l] == PAUSES))
		return 0;
	if (from == HOST)
		return net.budget && (ANY_WAY || l == BUDGET - net.budget);
	return MOVES && net.at[from][l] + net.parked[from][l] > 0;
}

static void do_send(int l, int from)
{
	tell("link %d takes a packet of %s%d\n", l, from == HOST ? "its host " : "link ", from);
	net.flies[l] = 1;
	if (from == HOST) {
		net.budget--;
	} else if (net.parked[from][l]) {
		net.parked[from][l]--;
	} else {
		net.at[from][l]--;
		leaves(from, link_of[l].out);
	}
	seal();
}

static void do_inject(int l)
{
	do_send(l, HOST);
}

/* Bytes of an ingress at paused egresses */
static int stuck(int l)
{
	int n = net.stormed >> link_of[l].dst & 1 ? net.at[l][HOST] : 0;

	for (int e = 0; e < LINKS; e++)
		n += net.paused[e] ? net.at[l][e] : 0;
	return n;
}

/* A packet arrives before anything else happens, and waits at @to. */
static int can_arrive(int l, int to)
{
	return net.flies[l] && (to == HOST ? HOSTS >> link_of[l].dst & 1 :
					     next_of[l] >> to & 1);
}

static void do_arrive(int l, int to)
{
	int s = link_of[l].dst, in = link_of[l].in;

	tell("link %d brings a packet for %s%d\n", l, to == HOST ? "its host " : "link ", to);
	net.flies[l] = 0;
	net.at[l][to]++;
	do_step(s, (struct dcfit_step){ ENQ, to == HOST ? 0 : link_of[to].out, in, 1 });
	if (!net.pausing[l] && bytes_of(l) >= XOFF) {
		net.pausing[l] = 1;
		net.caused[l] = TRIGGERS && stuck(l) > XON;
		net.begun[l]++;
		do_step(s, (struct dcfit_step){ PAUSE_TX, in, .n = XON });
		lle_exact_run(core(s), NOW_NS, &out);
	}
	emit_soon(l);
	seal();
}

/* A host takes a packet. */
static int can_drain(int l)
{
	return net.at[l][HOST] > 0 && !(net.stormed >> link_of[l].dst & 1);
}

static void do_drain(int l)
{
	tell("link %d: the host takes a packet\n", l);
	net.at[l][HOST]--;
	leaves(l, 0);
	seal();
}

/* A host begins to pause. */
static int can_storm(int l)
{
	int s = link_of[l].dst;

	return STORMS >> s & 1 && !(net.stormed >> s & 1);
}

static void do_storm(int l)
{
	int s = link_of[l].dst;

	tell("the host of switch %d pauses\n", s);
	net.stormed |= 1 << s;
	do_step(s, (struct dcfit_step){ PAUSE_MUTE });
	settle(s);
	seal();
}

/* The sender of packets gets a frame. */
static int can_hear(int l)
{
	return net.frames[l] > 0;
}

static void do_hear(int l)
{
	static const uint8_t event[] = { 0, PAUSE_RX, RESUME_RX, RX };
	struct frame f = take(l);
	int s = link_of[l].src, p = link_of[l].out;
	struct dcfit_step step = { event[f.kind], p, .msg = f.msg };

	tell_frame("brings", l, &f);
	if (f.kind == PAUSE) {
		step.n = LASTS;
		step.event = f.says ? PAUSE_RX : PAUSE_MUTE;
	}
	if (f.kind == RESUME && f.msg.type == LLE_DL_BROKEN)
		step.event = EXPIRE;
	if (f.kind != MESSAGE) {
		net.paused[l] = f.kind == PAUSE;
		net.missed[l] = 0;
	}
	do_step(s, step);
	settle(s);
	if (f.says && net.paused[l] && core(s)->port[p].hop_epoch != f.msg.hop_epoch)
		wrong = "an egress is held by an earlier pause";
	seal();
}

/* A frame is lost. */
static int can_lose(int l)
{
	return net.frames[l] && net.lost[net.frame[l][0].kind];
}

static void do_lose(int l)
{
	struct frame f = take(l);

	tell_frame("loses", l, &f);
	net.lost[f.kind]--;
	if (f.kind == RESUME)
		net.missed[l] = net.paused[l];
	seal();
}

/* A pause is repeated; with LASTS when half of it is over. */
static int can_refresh(int l)
{
	return net.refreshes && net.pausing[l] && net.sent[l] && !net.repeat[l];
}

static void do_refresh(int l)
{
	tell("link %d: the pause is repeated\n", l);
	net.refreshes--;
	net.forwarded[l] = 0;
	do_step(link_of[l].dst, (struct dcfit_step){ REFRESH, link_of[l].in });
	net.repeat[l] = 1;
	emit_soon(l);
	seal();
}

/* A pause ends by itself: when it is over or, if time stands, after a lost resume. */
static int can_expire(int l)
{
	int32_t left;

	if (!LASTS)
		return !CLOCK && net.missed[l] && !net.pausing[l];
	left = core(link_of[l].src)->port[link_of[l].out].expire - lle_exact_time(NOW_NS);
	return net.paused[l] && left <= 0;
}

static void do_expire(int l)
{
	tell("link %d: the pause expires\n", l);
	net.paused[l] = 0;
	net.missed[l] = 0;
	do_step(link_of[l].src, (struct dcfit_step){ EXPIRE, link_of[l].out });
	settle(link_of[l].src);
	seal();
}

/* The wait of an initiator is over. */
static int can_timer(int l)
{
	const struct lle_exact *d = core(link_of[l].dst);
	int p = link_of[l].in;

	if (!(d->deferred >> p & 1))
		return 0;
	if (CLOCK)
		return (int32_t)(d->port[p].defer - lle_exact_time(NOW_NS)) <= 0;
	return net.sw[link_of[l].dst].timers > 0;
}

static void do_timer(int l)
{
	struct lle_exact *d = core(link_of[l].dst);
	uint64_t others = d->deferred & ~BIT_ULL(link_of[l].in);

	tell("link %d: the wait is over\n", l);
	if (!CLOCK) {
		net.sw[link_of[l].dst].timers--;
		d->port[link_of[l].in].defer = lle_exact_time(NOW_NS);
	}
	/* of other ingresses it is not */
	for (int p = 0; p < PORTS; p++)
		if (others >> p & 1)
			d->port[p].defer += LONG;
	do_step(link_of[l].dst, (struct dcfit_step){ WAIT, link_of[l].in });
	for (int p = 0; p < PORTS; p++)
		if (others >> p & 1)
			d->port[p].defer -= LONG;
	settle(link_of[l].dst);
	seal();
}

/* As break_lossless.c: parks what waits at paused egresses, until it resumes. */
static int can_relieve(int l)
{
	return BREAKS && net.declared >> l & 1;
}

static void do_relieve(int l)
{
	tell("link %d: the deadlock is broken\n", l);
	net.broken |= 1 << l;
	for (int e = 0; e < LINKS; e++)
		while (net.pausing[l] && net.paused[e] && net.at[l][e]) {
			net.at[l][e]--;
			net.parked[l][e]++;
			leaves(l, link_of[e].out);
		}
	seal();
}

/* A unit of time passes, if nothing is due before. */
static int can_tick(void)
{
	int any = 0;

	if (!CLOCK)
		return 0;
	for (int l = 0; l < LINKS; l++) {
		any |= net.frames[l] || core(link_of[l].dst)->deferred >> link_of[l].in & 1;
		for (int n = 0; n < net.frames[l]; n++)
			if (net.frame[l][n].age >= CLOCK)
				return 0;
		if (can_timer(l) || can_expire(l))
			return 0;
		any |= can_relieve(l);
		if (can_relieve(l) && net.since[l] >= WALK)
			return 0;
		any |= LASTS && net.paused[l];
	}
	return any;
}

static void do_tick(int l)
{
	tell("tick\n");
	net.now++;
	for (l = 0; l < LINKS; l++) {
		for (int n = 0; n < net.frames[l]; n++)
			net.frame[l][n].age++;
		net.since[l] += can_relieve(l);
	}
	seal();
}

static void look(void)
{
	int any = 0, on = 1, flies = 0;

	check_tables();
	for (int l = 0; l < LINKS; l++)
		flies |= net.flies[l];
	if (wrong || net.full)
		on = flies = 0;
	memset(&net.may, 0, sizeof(net.may));
	for (int l = 0; l < LINKS && on; l++) {
		for (int e = 0; e <= LINKS; e++)
			any |= net.may.arrive[l][e] = can_arrive(l, e);
		if (flies)
			continue;
		any |= net.may.drain[l] = can_drain(l);
		any |= net.may.inject[l] = can_send(l, HOST);
		any |= net.may.emit[l] = can_emit(l);
		any |= net.may.hear[l] = can_hear(l);
		any |= net.may.lose[l] = can_lose(l);
		any |= net.may.refresh[l] = can_refresh(l);
		any |= net.may.timer[l] = can_timer(l);
		any |= net.may.expire[l] = can_expire(l);
		any |= net.may.relieve[l] = can_relieve(l);
		any |= net.may.storm[l] = can_storm(l);
		for (int e = 0; e < LINKS; e++)
			any |= net.may.send[l][e] = can_send(l, e);
	}
	any |= net.may.tick[0] = on && !flies && can_tick();
	net.may.ended = !any;
}

/* Everything but repeats happens, in one order, until nothing is left. */
static void calm(void)
{
	int busy;

	do {
		busy = 0;
		for (int l = 0; l < LINKS && !net.full && !wrong; l++) {
			net.sw[link_of[l].dst].timers = 1;
			if (can_emit(l))
				busy = 1, do_emit(l);
			else if (can_hear(l))
				busy = 1, do_hear(l);
			else if (can_timer(l))
				busy = 1, do_timer(l);
			net.now += CLOCK;
		}
	} while (busy);
}

/*
 * Nothing but repeats of pauses is left to happen. They go on for ever, so take
 * some rounds of them, and say whether one declares.
 */
static int repeats(unsigned int dead)
{
	static struct net saved;
	int found = 0;

	saved = net;
	count.repeated++;
	for (int n = 0; n < 16 && !found && !net.full; n++)
		for (int l = 0; l < LINKS && !found; l++) {
			net.refreshes = 1;
			if (can_refresh(l))
				do_refresh(l);
			calm();
			found = !!(net.declared & dead);
		}
	found |= net.full;
	net = saved;
	seal();
	return found;
}

/* Nothing else may happen. */
static const char *judge(void)
{
	unsigned int dead = oracle(0), known = net.declared & dead;

	count.ends++;
	count.cut += net.full;
	count.dead += !!dead;
	count.twice += __builtin_popcount(known) > 1;
	if (wrong || net.full)
		return wrong;
	if (BREAKS && dead)
		return "dead in the end";
	if (dead && !known && !repeats(dead))
		return "dead, but not declared";
	if (ONE_DECLARES && __builtin_popcount(known) > 1)
		return "declared by two";
	return wrong;
}

static int is_wrong(void)
{
	wrong = judge();
	if (wrong)
		printf("wrong: %s\n", wrong);
	return !!wrong;
}

/* A run without a deadlock proves nothing. */
static void report(void)
{
	printf("ends: %lu, with a deadlock: %lu, declared by two: %lu, after repeats: %lu; "
	       "declarations: %lu; cut: %lu\n",
	       count.ends, count.dead, count.twice, count.repeated, count.declared, count.cut);
}

#endif /* LLE_EXACT_EVENTS_H */
