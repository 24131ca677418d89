// SPDX-License-Identifier: GPL-2.0
/* kmod/core/ldcp/ldcp.c: by hand, against twice as many bits, and equilibria. */
#include "prng.h"
#include "tap.h"

#include "../../kmod/core/ldcp/ldcp.c"

#define ONE		LLE_LDCP_ONE
#define PACKETS(n)	((u32)(n) * ONE)

static const struct lle_ldcp_params smooth = {
	.alpha = ONE, .beta = ONE / 2, .gamma = ONE / 4, .eta = ONE / 2,
	.min = ONE / 64, .max = PACKETS(4095), .mode = LLE_LDCP_SMOOTH, .tail = 3,
};

static const struct lle_ldcp_params draft = {
	.alpha = ONE, .beta = ONE / 2, .gamma = ONE / 8, .eta = ONE / 2,
	.min = ONE / 8, .max = PACKETS(4095), .mode = LLE_LDCP_DRAFT, .tail = 1,
};

static struct lle_ldcp flow(u32 cw)
{
	return (struct lle_ldcp){
		.phase = LLE_LDCP_STABLE, .cw = cw, .goal = cw,
	};
}

static u32 up(const struct lle_ldcp_params *p, u32 cw)
{
	struct lle_ldcp s = flow(cw);

	return lle_ldcp_up(p, &s);
}

static bool near(u64 got, u64 want, u64 off)
{
	return got <= want + off && want <= got + off;
}

/* Floating point: window, its goal after a mark, growth per mode, both after another mark */
static const struct {
	u32 cw, up, down, draft_up, draft_down;
} table[] = {
	{ ONE / 64,		68608,	16384,		131072,	131072 },
	{ ONE / 8,		90112,	65536,		131072,	131072 },
	{ ONE - 1,		262144,	524288,		131072,	524288 },
	{ ONE,			262144,	524288,		ONE,	524288 },
	{ ONE + ONE / 2,	116508,	ONE,		699051,	ONE },
	{ PACKETS(16),		1024,	16252928,	65536,	16252928 },
	{ PACKETS(333),		2,	348651520,	3149,	348651520 },
	{ PACKETS(4095),	0,	4293394432,	256,	4293394432 },
};

static void test_table(struct kunit *test)
{
	for_each_vector(v, table) {
		u32 cw = v->cw;

		ok(near(up(&smooth, cw), v->up, 1),
		   "smooth: a window of %u/2^20 grows by %u", cw, v->up);
		ok(near(lle_ldcp_down(&smooth, cw), v->down, 1),
		   "smooth: or becomes %u", v->down);
		ok(near(up(&draft, cw), v->draft_up, 1),
		   "draft: it grows by %u", v->draft_up);
		ok(near(lle_ldcp_down(&draft, cw), v->draft_down, 1),
		   "draft: or becomes %u", v->draft_down);
	}
}

static void test_meet(struct kunit *test)
{
	ok(near(up(&smooth, ONE - 1), up(&smooth, ONE), ONE >> 10),
	   "growth below a window of one and from there on is the same");
	ok(near(lle_ldcp_down(&smooth, ONE - 1), lle_ldcp_down(&smooth, ONE), ONE >> 10),
	   "and so is decrease");
	ok(!near(up(&draft, ONE - 1), up(&draft, ONE), ONE >> 1),
	   "of the draft, growth is not");
}

static void test_params(struct kunit *test)
{
	struct lle_ldcp_params p = smooth;

	ok(lle_ldcp_params_are_good(&smooth), "defaults are good");
	ok(lle_ldcp_params_are_good(&draft), "and so are the draft's");
	p.eta = ONE / 4;
	ok(!lle_ldcp_params_are_good(&p), "decreases have to meet");
	p = smooth;
	p.gamma = ONE / 2;
	p.alpha = ONE / 4;
	ok(!lle_ldcp_params_are_good(&p), "growths have to");
	p = smooth;
	p.min = 0;
	ok(!lle_ldcp_params_are_good(&p), "no window is 0");
	p = smooth;
	p.max = ONE - 1;
	ok(!lle_ldcp_params_are_good(&p), "the largest is one packet at least");
	p = draft;
	p.min = ONE / 16;
	ok(!lle_ldcp_params_are_good(&p), "of the draft, the smallest is gamma");
}

/* The draft's parameters alone: the others also have to meet. */
static void test_limits(struct kunit *test)
{
	static const struct {
		const char *name;
		u32 alpha, beta, gamma, eta;
		bool good;
	} limits[] = {
		{ "all at the least", 1, 1, 1, 1, true },
		{ "all at the most", ONE, ONE, ONE, ONE - 1, true },
		{ "alpha 0", 0, 1, 1, 1, false },
		{ "beta 0", 1, 0, 1, 1, false },
		{ "gamma and min 0", 1, 1, 0, 1, false },
		{ "eta 0", 1, 1, 1, 0, false },
		{ "alpha above 1", ONE + 1, 1, 1, 1, false },
		{ "beta above 1", 1, ONE + 1, 1, 1, false },
		{ "gamma and min above 1", 1, 1, ONE + 1, 1, false },
		{ "eta 1", 1, 1, 1, ONE, false },
	};

	for_each_vector(v, limits) {
		struct lle_ldcp_params p = {
			.alpha = v->alpha, .beta = v->beta, .gamma = v->gamma,
			.eta = v->eta, .min = v->gamma, .max = ONE,
			.mode = LLE_LDCP_DRAFT,
		};

		is(lle_ldcp_params_are_good(&p), v->good, "%s", v->name);
	}
}

/* Exact, unlike the table: from one packet, 4 * alpha(1) = 4 * gamma */
static void test_exact(struct kunit *test)
{
	struct lle_ldcp s = flow(ONE);

	s.goal = PACKETS(2);
	is(lle_ldcp_up(&smooth, &s), ONE, "below the goal");
	is(up(&draft, ONE / 2), ONE / 8, "draft, below a packet: gamma");
}

static void ack(struct lle_ldcp *s, const struct lle_ldcp_params *p, u32 arrived,
		u32 marked)
{
	struct lle_ldcp_ack a = {
		.arrived = arrived, .acked = arrived, .marked = marked,
		.limited = true,
	};

	lle_ldcp_ack(s, p, &a);
}

static void test_ack(struct kunit *test)
{
	struct lle_ldcp_ack unused = { .arrived = 2, .acked = 2, .marked = 1 };
	struct lle_ldcp s = flow(PACKETS(10));

	ack(&s, &draft, 4, 0);
	is(s.cw, PACKETS(10) + 4 * (ONE / 10), "n packets: + n alpha / cw (Eq 2)");
	s = flow(PACKETS(10));
	ack(&s, &draft, 4, 4);
	is(s.cw, PACKETS(8), "n marked ones: - n beta");
	s = flow(PACKETS(10));
	ack(&s, &draft, 4, 1);
	is(s.cw, PACKETS(10) + 3 * (ONE / 10) - ONE / 2, "each for itself");
	s = flow(PACKETS(10));
	lle_ldcp_ack(&s, &draft, &unused);
	is(s.cw, PACKETS(10) - ONE / 2, "a window that is not used does not grow");
	s = flow(PACKETS(2));
	ack(&s, &draft, 4, 4);
	is(s.cw, ONE / 4, "2, 1.5, 1, 0.5, then half of it");
	ack(&s, &draft, 9, 9);
	is(s.cw, ONE / 8, "not below gamma");
	ack(&s, &draft, 8, 0);
	is(s.cw, PACKETS(2), "7 times gamma, then alpha / cw");
	s = flow(PACKETS(10));
	ack(&s, &draft, 1, 1000);
	is(s.cw, PACKETS(10) - ONE / 2, "more marks than packets are not believed");
	s = flow(PACKETS(4095));
	ack(&s, &draft, U32_MAX, 0);
	is(s.cw, draft.max, "not above the largest");
	is(lle_ldcp_window(&s), 4095, "packets under way");
	s = flow(ONE / 64);
	is(lle_ldcp_window(&s), 1, "one at least");
}

static void test_fast(struct kunit *test)
{
	struct lle_ldcp s;

	lle_ldcp_start(&s, 10);
	is(lle_ldcp_window(&s), 10, "begins with its initial window");
	ok(!lle_ldcp_is_ect(&s, &smooth, 0, 100), "which is not ECN capable");
	ok(!lle_ldcp_is_ect(&s, &smooth, 6, 100), "up to the last three");
	ok(lle_ldcp_is_ect(&s, &smooth, 7, 100) && lle_ldcp_is_ect(&s, &smooth, 9, 100),
	   "these are");
	ok(!lle_ldcp_is_ect(&s, &draft, 8, 100) && lle_ldcp_is_ect(&s, &draft, 9, 100),
	   "or the last one");
	ok(!lle_ldcp_is_ect(&s, &smooth, 2, 3) && lle_ldcp_is_ect(&s, &smooth, 3, 2),
	   "or those of a message that is shorter");
	ack(&s, &smooth, 1, 1);
	is(s.phase, LLE_LDCP_FULL, "the first RTT ends with the first ACK");
	ok(lle_ldcp_is_ect(&s, &smooth, 1, 100), "from then on all are ECN capable");
	ack(&s, &smooth, 8, 8);
	is(lle_ldcp_window(&s), 10, "marks do not count yet");
	ack(&s, &smooth, 1, 0);
	is(s.phase, LLE_LDCP_STABLE, "they do when all of it is acknowledged");
	is(s.cw, PACKETS(10), "with a window of all of it");
	lle_ldcp_start(&s, 0);
	is(lle_ldcp_window(&s), 1, "an initial window is one packet at least");
	lle_ldcp_start(&s, 100000);
	is(lle_ldcp_window(&s), 4095, "and 4095 at most");
}

static void test_lost(struct kunit *test)
{
	struct lle_ldcp_ack a = { .arrived = 1 };
	struct lle_ldcp s;

	lle_ldcp_start(&s, 10);
	ack(&s, &draft, 4, 0);
	lle_ldcp_lost(&s, &draft, false);
	is(s.cw, PACKETS(4), "go-back-N: what was acknowledged is the window");
	is(s.phase, LLE_LDCP_STABLE, "of the stable stage");
	lle_ldcp_start(&s, 10);
	lle_ldcp_lost(&s, &draft, false);
	is(s.cw, ONE, "of nothing, one");

	lle_ldcp_start(&s, 10);
	ack(&s, &smooth, 2, 0);
	lle_ldcp_ack(&s, &smooth, &a);
	lle_ldcp_ack(&s, &smooth, &a);
	lle_ldcp_lost(&s, &smooth, true);
	is(s.cw, PACKETS(4), "SACK: what has arrived");
	lle_ldcp_ack(&s, &smooth, &a);
	is(s.cw, PACKETS(5), "and what does later");
	lle_ldcp_lost(&s, &smooth, true);
	is(s.cw, PACKETS(5), "another loss of the same window is none");
	a.acked = 8;
	a.arrived = 5;
	lle_ldcp_ack(&s, &smooth, &a);
	is(s.phase, LLE_LDCP_STABLE, "until it is acknowledged");
	is(s.cw, PACKETS(10), "all of it has arrived in the end");

	lle_ldcp_start(&s, 10);
	ack(&s, &smooth, 3, 0);
	lle_ldcp_lost(&s, &smooth, true);
	a = (struct lle_ldcp_ack){ .arrived = 1, .whole = true };
	lle_ldcp_ack(&s, &smooth, &a);
	is(s.cw, PACKETS(4), "its last packet has arrived: that counts");
	is(s.phase, LLE_LDCP_STABLE, "and what arrives later has been sent again");

	s = flow(PACKETS(10));
	lle_ldcp_lost(&s, &smooth, true);
	is(s.cw, PACKETS(5), "in the stable stage a loss halves the window");
	lle_ldcp_timeout(&s, &smooth);
	is(s.cw, ONE, "nothing is known: one packet");
	lle_ldcp_timeout(&s, &smooth);
	is(s.cw, ONE / 2, "and again: half");
}

static void test_idle(struct kunit *test)
{
	struct lle_ldcp s = flow(PACKETS(5));

	ok(!lle_ldcp_idle(&s, 10, 1000, 1000), "for an RTT: the window is what it was");
	ok(lle_ldcp_idle(&s, 10, 1001, 1000), "longer: it begins anew");
	is(s.iw, 5, "with as much");
	s = flow(PACKETS(20));
	lle_ldcp_idle(&s, 10, 10000, 1000);
	is(s.iw, 10, "but with its initial window at most");
	s = flow(ONE / 8);
	lle_ldcp_idle(&s, 10, 10000, 1000);
	is(s.iw, 1, "and a packet at least");
	s = flow(ONE / 8);
	lle_ldcp_idle(&s, 10, 10001, 1000);
	is(s.iw, 10, "after ten RTTs it is a new flow");
	s = flow(ONE);
	ok(!lle_ldcp_idle(&s, 10, 1000000, 0), "without an RTT nothing is known");
}

static void test_gap(struct kunit *test)
{
	struct lle_ldcp s = flow(ONE / 8);

	is(lle_ldcp_gap_ns(&s, &draft, 10000, 12345), 80000, "RTT / cw");
	is(lle_ldcp_gap_ns(&s, &smooth, 10000, 0), 40000, "half of it at least");
	is(lle_ldcp_gap_ns(&s, &smooth, 10000, 1U << 31), 80000, "it in the mean");
	is(lle_ldcp_gap_ns(&s, &smooth, 10000, U32_MAX), 119999, "1.5 of it at most");
	s.cw = ONE;
	is(lle_ldcp_gap_ns(&s, &smooth, 10000, 0), 0, "none from a window of one on");
	s.cw = 1;
	ok(lle_ldcp_gap_ns(&s, &smooth, U64_MAX, U32_MAX), "nothing overflows");
}

static void test_within(struct kunit *test)
{
	is(lle_ldcp_within(&smooth, 1000, 200000000).min, smooth.min, "a short RTT");
	is(lle_ldcp_within(&smooth, 25000000, 200000000).min, ONE / 4, "a long one");
	is(lle_ldcp_within(&smooth, 100000000, 200000000).min, ONE, "half of it");
	is(lle_ldcp_within(&smooth, U64_MAX, 1).min, ONE, "nothing overflows");
	is(lle_ldcp_within(&draft, 25000000, 200000000).min, draft.min, "not the draft's");
}

#define MODEL	40

static u64 model_mul(u64 a, u64 b)
{
	return mul_u64_u64_div_u64(a, b, 1ULL << MODEL);
}

static u64 model(u32 value) { return (u64)value << (MODEL - LLE_LDCP_SHIFT); }

struct model {
	u64 cw, goal;
	u32 quiet, marks;
	bool burst;
};

static u64 model_down(u64 cw, const struct lle_ldcp_params *p)
{
	u64 left = cw >= 1ULL << MODEL ? cw - model(p->beta) :
					 model_mul(model(p->eta), cw);

	return max(left, model(p->min));
}

static u64 model_growth(const struct model *m, const struct lle_ldcp_params *p)
{
	u64 one = 1ULL << MODEL, alpha = model(p->alpha), slow, fast;

	if (p->mode == LLE_LDCP_DRAFT)
		return alpha;
	/* below 16 alpha is smaller; sqrt(cw * 2^58) is sqrt(cw) * 2^29 */
	if (m->cw < 16 * one)
		alpha = min(alpha, model_mul(model(p->gamma),
					     (u64)int_sqrt64(m->cw << 18) << 11));
	if (m->cw < m->goal)
		return 4 * alpha;
	slow = mul_u64_u64_div_u64(model(p->gamma), one, m->cw);
	fast = mul_u64_u64_div_u64(alpha, (u64)m->quiet << (MODEL - 4), m->cw);
	return max(slow, min(fast, 2 * alpha));
}

static void model_ack(struct model *m, const struct lle_ldcp_params *p, bool marked)
{
	u64 one = 1ULL << MODEL, gamma = model(p->gamma), limit = model(p->max), goal;

	m->quiet++;
	if (marked && m->cw <= model(p->min))
		return;
	if (marked) {
		bool first = m->quiet >= max(m->cw >> MODEL, 1ULL);

		m->cw = model_down(m->cw, p);
		if (first) {
			bool apart = m->quiet >= 2 * max(m->cw >> MODEL, 1ULL);

			goal = max(m->cw, model_down(m->goal, p));
			m->goal = goal - (goal - m->cw) / 8;
			m->marks = m->burst && !apart ? 3 : 0;
			m->quiet = 0;
			m->burst = false;
		}
		if (++m->marks == 3) {
			m->goal += model(p->beta);
			m->burst = true;
		}
	} else if (m->cw < one) {
		m->cw += p->mode == LLE_LDCP_SMOOTH ?
			 gamma / 4 + model_mul(3 * (gamma / 4), m->cw) : gamma;
		m->goal = m->cw;
	} else {
		if (p->mode == LLE_LDCP_SMOOTH && m->cw < m->goal)
			limit = m->goal;
		m->cw = min(m->cw + mul_u64_u64_div_u64(model_growth(m, p), one, m->cw),
			    limit);
		m->goal = max(m->goal, m->cw);
	}
}

static bool follows_model(const struct lle_ldcp_params *p, u64 seed, unsigned int acks)
{
	struct lle_ldcp s = flow(ONE << (seed % 12));
	struct model m = { .cw = model(s.cw), .goal = model(s.cw) };
	u64 error;
	unsigned int i, per_mille = 0;

	for (i = 0; i < acks; i++) {
		bool marked;

		/* few to nearly all packets, 1000 ACKs each */
		if (i % 1000 == 0)
			per_mille = 1000 * prng_range(&seed, 0, 60) / 64 + 1;
		marked = prng_range(&seed, 0, 999) < per_mille;
		ack(&s, p, 1, marked);
		model_ack(&m, p, marked);
		error = model(s.cw) > m.cw ? model(s.cw) - m.cw : m.cw - model(s.cw);
		require(error < m.cw / 1000, "seed %llu, ack %u: %u", seed, i, s.cw);
	}
	return true;
}

static void test_model(struct kunit *test)
{
	ok(follows_model(&smooth, 1, 1000000), "smooth: 10^6 ACKs, off by less than 1/1000");
	ok(follows_model(&draft, 2, 1000000), "draft: the same");
}

#define MEAN_ACKS	1000000

/* Mean window in 1/1000, after it left @cw, with @per_mille marks */
static u32 mean(const struct lle_ldcp_params *p, u32 cw, unsigned int per_mille)
{
	struct lle_ldcp s = flow(cw);
	u64 seed = per_mille, sum = 0;
	unsigned int i;

	for (i = 0; i < 2 * MEAN_ACKS; i++) {
		ack(&s, p, 1, prng_range(&seed, 0, 999) < per_mille);
		if (i >= MEAN_ACKS)
			sum += s.cw >> 10;
	}
	return div_u64(div_u64(sum, MEAN_ACKS) * 1000, 1 << 10);
}

static void test_equilibrium(struct kunit *test)
{
	/* alpha (1 - p) / (beta p) = 1 / mean(1 / cw); mean(cw): 2 % more */
	ok(near(mean(&draft, PACKETS(20), 20), 98000, 1960),
	   "draft: 98 packets with 2 %% of marks");
	ok(near(mean(&draft, PACKETS(20), 100), 18000, 540), "draft: 18 with 10 %%");
	/*
	 * m marks in an RTT: one lowers the goal after 1 + x RTTs, mean x is 1 / m.
	 * It counts unless two more come in an RTT. Growth,
	 * alpha / 32 (1 + 2 / m + 2 / m^2), is beta e^-m (1 + m): m = 0.460, alpha = 1.
	 */
	ok(near(mean(&smooth, PACKETS(20), 5), 92000, 92000 / 20),
	   "smooth: 92 packets with 0.5 %%");
	ok(near(mean(&smooth, PACKETS(20), 20), 23000, 23000 / 20), "smooth: 23 with 2 %%");
}

static bool grows(const struct lle_ldcp_params *p, u32 cw, unsigned int per_mille)
{
	return (u64)(1000 - per_mille) * up(p, cw) >
	       (u64)per_mille * (cw - lle_ldcp_down(p, cw));
}

/* Number of stable windows: smaller ones grow, larger shrink. @at: the last. */
static unsigned int stay(const struct lle_ldcp_params *p, unsigned int per_mille, u32 *at)
{
	unsigned int found = 0;
	u32 cw;

	for (cw = p->min; cw < PACKETS(100); cw += cw / 256)
		if (grows(p, cw, per_mille) && !grows(p, cw + cw / 256, per_mille)) {
			found++;
			*at = cw;
		}
	return found;
}

static void test_one_equilibrium(struct kunit *test)
{
	static const struct { unsigned int per_mille; u32 cw; } want[] = {
		/* gamma (1 - p) = beta p cw^2 */
		{ 200, ONE * 141 / 100 }, { 300, ONE * 108 / 100 },
		{ 500, ONE / 5 }, { 700, ONE * 64 / 1000 },
	};
	unsigned int i, bad = 0, last = U32_MAX;
	u32 cw = 0, low, high;

	for (i = 25; i < 800; i += 5)
		bad += stay(&smooth, i, &cw) != 1;
	is(bad, 0, "smooth: for each share of marks there is one window that stays");
	is(stay(&draft, 400, &cw), 2, "draft: for 40 %% there are two");
	ok(near(cw, PACKETS(3), ONE / 16), "one of them 3");
	for_each_vector(v, want) {
		stay(&smooth, v->per_mille, &cw);
		ok(near(cw, v->cw, v->cw / 50), "smooth, %u of 1000: %u/2^20",
		   v->per_mille, v->cw);
	}
	for (i = 5; i < 800; i += i / 2) {
		low = mean(&smooth, ONE / 64, i);
		high = mean(&smooth, PACKETS(400), i);
		ok(near(low, high, high / 20), "smooth, %u of 1000: the same from 1/64 and "
		   "from 400: %u, %u", i, low, high);
		ok(high < last, "and less than with fewer marks");
		last = high;
	}
}

static void test_goal(struct kunit *test)
{
	struct lle_ldcp s = flow(PACKETS(16));

	s.quiet = 14;
	ack(&s, &smooth, 2, 2);
	is(s.cw, PACKETS(15), "each of two marks reduces the window");
	is(s.goal, PACKETS(16) - ONE / 2, "but one of them the goal");
	ack(&s, &smooth, 1, 1);
	is(s.goal, PACKETS(16), "a third one returns that: this is a burst");
	ack(&s, &smooth, 5, 5);
	is(s.cw, PACKETS(12), "each of eight marks reduces the window");
	is(s.goal, PACKETS(16), "but not the goal");
	/* alpha(12) = 0.866 */
	ok(near(lle_ldcp_up(&smooth, &s), 302697, 1), "below the goal growth is 4 alpha");
	ack(&s, &smooth, 20, 0);
	is(s.cw, PACKETS(16), "up to the goal");
	/* alpha(16) = 1, and 26 packets are 1.625 RTTs */
	ok(near(lle_ldcp_up(&smooth, &s), 6656, 1), "there it is alpha * RTTs / 16");
	s.quiet = 10 * LLE_LDCP_QUIET_MAX;
	ack(&s, &smooth, 1, 0);
	ok(near(lle_ldcp_up(&smooth, &s), 131072, 1500), "and 2 alpha at most");
	is(s.goal, s.cw, "the goal grows with the window");

	s = flow(PACKETS(16));
	s.burst = true;
	s.quiet = 30;
	ack(&s, &smooth, 8, 8);
	is(s.goal, PACKETS(16), "a burst two windows after another one");
	s.quiet = 10;
	ack(&s, &smooth, 8, 0);
	ack(&s, &smooth, 3, 3);
	ok(s.goal < PACKETS(16) - ONE / 2, "sooner: it lowers the goal");
	ok(!s.burst, "and is none");

	s = flow(PACKETS(10));
	s.goal = PACKETS(15);
	s.quiet = 8;
	ack(&s, &smooth, 1, 1);
	is(s.goal, PACKETS(15), "a mark less than a window after the last one");
	ack(&s, &smooth, 1, 1);
	is(s.goal, PACKETS(14) + ONE / 2 - (PACKETS(5) + ONE / 2) / 8,
	   "a later one lowers the goal by beta and an eighth of the rest");
	lle_ldcp_lost(&s, &smooth, true);
	is(s.goal, s.cw, "after a loss the window is the goal");

	s = flow(PACKETS(10));
	s.goal = PACKETS(15);
	ack(&s, &draft, 100, 0);
	is(s.cw, PACKETS(10) + 100 * (ONE / 10), "draft: there is no goal");
}

/* Packets sent while all but the first of @flight arrive one at a time */
static unsigned int sent_in_recovery(const struct lle_ldcp *s, u32 flight)
{
	u32 sent = 0, delivered;

	for (delivered = 1; delivered < flight; delivered++)
		sent += lle_ldcp_recovery(s, flight, delivered, sent);
	return sent;
}

static void test_recovery(struct kunit *test)
{
	struct lle_ldcp half = { .cw = PACKETS(5) }, small = { .cw = ONE / 2 };

	/* RFC 6937: 3 * 5 / 10 */
	is(lle_ldcp_recovery(&half, 10, 3, 0), 2, "half of three, rounded up");
	is(lle_ldcp_recovery(&half, 10, 3, 2), 0, "they are sent");
	is(lle_ldcp_recovery(&half, 10, 3, 5), 0, "or more");
	is(lle_ldcp_recovery(&half, 10, 0, 0), 1, "the first one at once");
	is(lle_ldcp_recovery(&small, 4000, 1, 0), 1, "also of a window below one");
	is(lle_ldcp_recovery(&half, 0, 0, 0), 1, "also if nothing was under way");
	is(sent_in_recovery(&half, 10), 5, "ten become five");
	is(sent_in_recovery(&small, 10), 1, "or one");
	half.cw = PACKETS(4095);
	is(sent_in_recovery(&half, 4095), 4094, "or as many as arrive");
}

tap_suite("lossless_ldcp",
	  KUNIT_CASE(test_table),
	  KUNIT_CASE(test_meet),
	  KUNIT_CASE(test_params),
	  KUNIT_CASE(test_limits),
	  KUNIT_CASE(test_exact),
	  KUNIT_CASE(test_ack),
	  KUNIT_CASE(test_fast),
	  KUNIT_CASE(test_lost),
	  KUNIT_CASE(test_recovery),
	  KUNIT_CASE(test_idle),
	  KUNIT_CASE(test_gap),
	  KUNIT_CASE(test_within),
	  KUNIT_CASE(test_model),
	  KUNIT_CASE(test_equilibrium),
	  KUNIT_CASE(test_one_equilibrium),
	  KUNIT_CASE(test_goal));
