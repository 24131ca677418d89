// SPDX-License-Identifier: GPL-2.0
/*
 * DCQCN, the reaction point: "Congestion Control for Large-Scale RDMA
 * Deployments" (SIGCOMM 2015), section 3, equations 1 to 4.
 *
 * No timer runs. When a packet is sent or a CNP arrives, the state catches up
 * with the time; nothing reads the rate in between.
 *
 * With ticks, as NICs in HPCC's ns-3 (rdma-hw.cc): both alpha and the rate change
 * at ticks that are counted from the first CNP, and hyper increase needs no bytes.
 */
#include "dcqcn.h"

/* Eq. 2, once for each alpha_ns without a CNP: alpha = (1 - g) * alpha */
static void dcqcn_decay(struct dcqcn *s, const struct dcqcn_params *p,
			u64 now_ns)
{
	while (now_ns >= s->alpha_due_ns && s->alpha >> p->g_shift) {
		s->alpha -= s->alpha >> p->g_shift;
		s->alpha_due_ns += p->alpha_ns;
	}
	if (now_ns >= s->alpha_due_ns)
		s->alpha_due_ns = now_ns + p->alpha_ns;
}

/* A round has ended, by time or by bytes. Eq. 3 and 4. */
static void dcqcn_increase(struct dcqcn *s, const struct dcqcn_params *p)
{
	u32 least = p->ticks ? s->time_rounds : min(s->time_rounds, s->byte_rounds);

	if (least > p->rounds)
		s->target += p->hai;
	else if (max(s->time_rounds, s->byte_rounds) >= p->rounds)
		s->target += p->ai;
	s->target = min(s->target, p->line);
	s->rate = (s->rate + s->target) / 2;
	/* halving never closes the difference: round up to line rate */
	if (s->target == p->line && s->target - s->rate < p->ai)
		s->rate = p->line;
}

/* Eq. 1: RT = RC; RC = RC * (1 - alpha / 2) */
static void dcqcn_cut(struct dcqcn *s, const struct dcqcn_params *p, u64 at_ns)
{
	u64 cut = mul_u64_u64_div_u64(s->rate, s->alpha, 2ULL * DCQCN_ONE);

	if (p->clamp || s->time_rounds || s->byte_rounds)
		s->target = s->rate;
	s->rate = max(s->rate - cut, p->min);
	s->time_rounds = 0;
	s->byte_rounds = 0;
	s->bytes_left = p->bytes;
	s->timer_due_ns = at_ns + p->timer_ns;
}

/* alpha = (1 - g) * alpha, and + g after a CNP */
static void dcqcn_alpha_tick(struct dcqcn *s, const struct dcqcn_params *p, u64 now_ns)
{
	u64 passed;

	s->alpha -= s->alpha >> p->g_shift;
	if (s->alpha_noted)
		s->alpha += DCQCN_ONE >> p->g_shift;
	s->alpha_noted = false;
	s->alpha_due_ns += p->alpha_ns;
	if (s->alpha >> p->g_shift || s->alpha_due_ns > now_ns)
		return;
	/* no further tick until now changes it */
	passed = div64_u64(now_ns - s->alpha_due_ns, p->alpha_ns);
	s->alpha_due_ns += (passed + 1) * p->alpha_ns;
}

static void dcqcn_tick(struct dcqcn *s, const struct dcqcn_params *p, u64 now_ns)
{
	u64 cut_ns, timer_ns, next_ns;

	while (s->first_ns) {
		cut_ns = s->cut_noted ? s->cut_due_ns : U64_MAX;
		timer_ns = s->rate < p->line ? s->timer_due_ns : U64_MAX;
		next_ns = min(min(cut_ns, timer_ns), s->alpha_due_ns);
		if (next_ns > now_ns)
			return;
		if (next_ns == s->alpha_due_ns) {
			dcqcn_alpha_tick(s, p, now_ns);
		} else if (next_ns == cut_ns) {
			s->cut_noted = false;
			dcqcn_cut(s, p, cut_ns);
		} else {
			s->timer_due_ns += p->timer_ns;
			s->time_rounds++;
			dcqcn_increase(s, p);
		}
	}
}

/* A cut follows a tick of alpha at the same time. */
static void dcqcn_note(struct dcqcn *s, const struct dcqcn_params *p, u64 now_ns)
{
	u64 passed;

	dcqcn_tick(s, p, now_ns);
	if (!s->first_ns) {
		s->first_ns = now_ns;
		s->alpha_due_ns = now_ns + p->alpha_ns;
	} else {
		s->alpha_noted = true;
	}
	if (s->cut_noted)
		return;
	s->cut_noted = true;
	passed = max(now_ns, s->first_ns + 1) - s->first_ns - 1;
	s->cut_due_ns = s->first_ns + 1 + (div64_u64(passed, p->cut_ns) + 1) * p->cut_ns;
}

static void dcqcn_catch_up(struct dcqcn *s, const struct dcqcn_params *p,
			   u64 now_ns)
{
	if (p->ticks) {
		dcqcn_tick(s, p, now_ns);
		return;
	}
	dcqcn_decay(s, p, now_ns);
	while (now_ns >= s->timer_due_ns && s->rate < p->line) {
		s->timer_due_ns += p->timer_ns;
		s->time_rounds++;
		dcqcn_increase(s, p);
	}
}

void dcqcn_init(struct dcqcn *s, const struct dcqcn_params *p)
{
	*s = (struct dcqcn) {
		.rate = p->line,
		.target = p->line,
		.alpha = DCQCN_ONE,
		.bytes_left = p->bytes,
	};
}

void dcqcn_cnp(struct dcqcn *s, const struct dcqcn_params *p, u64 now_ns)
{
	if (p->ticks) {
		dcqcn_note(s, p, now_ns);
		return;
	}
	/* alpha is 1 until the first CNP, and does not decay before */
	if (s->cut_ns) {
		dcqcn_catch_up(s, p, now_ns);
		if (now_ns - s->cut_ns < p->cut_ns)
			return;
	}

	dcqcn_cut(s, p, now_ns);
	/* alpha = (1 - g) * alpha + g */
	s->alpha -= s->alpha >> p->g_shift;
	s->alpha += DCQCN_ONE >> p->g_shift;
	s->alpha_due_ns = now_ns + p->alpha_ns;
	s->cut_ns = now_ns;
}

u64 dcqcn_send(struct dcqcn *s, const struct dcqcn_params *p, u32 bytes,
	       u64 now_ns)
{
	if (s->rate >= p->line && !s->cut_noted)
		return s->rate;

	dcqcn_catch_up(s, p, now_ns);
	if (s->bytes_left > bytes) {
		s->bytes_left -= bytes;
	} else {
		s->bytes_left = p->bytes;
		s->byte_rounds++;
		dcqcn_increase(s, p);
	}
	return s->rate;
}
