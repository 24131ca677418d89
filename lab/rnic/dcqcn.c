// SPDX-License-Identifier: GPL-2.0
/*
 * DCQCN, the reaction point: "Congestion Control for Large-Scale RDMA
 * Deployments" (SIGCOMM 2015), section 3, equations 1 to 4.
 *
 * No timer runs. When a packet is sent or a CNP arrives, the state catches up
 * with the time; nothing reads the rate in between.
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
	if (min(s->time_rounds, s->byte_rounds) > p->rounds)
		s->target += p->hai;
	else if (max(s->time_rounds, s->byte_rounds) >= p->rounds)
		s->target += p->ai;
	s->target = min(s->target, p->line);
	s->rate = (s->rate + s->target) / 2;
	/* halving never closes the difference: round up to line rate */
	if (s->target == p->line && s->target - s->rate < p->ai)
		s->rate = p->line;
}

static void dcqcn_catch_up(struct dcqcn *s, const struct dcqcn_params *p,
			   u64 now_ns)
{
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
	u64 cut;

	/* alpha is 1 until the first CNP, and does not decay before */
	if (s->cut_ns) {
		dcqcn_catch_up(s, p, now_ns);
		if (now_ns - s->cut_ns < p->cut_ns)
			return;
	}

	/*
	 * Eq. 1: RT = RC; RC = RC * (1 - alpha / 2);
	 * alpha = (1 - g) * alpha + g
	 */
	s->target = s->rate;
	cut = mul_u64_u64_div_u64(s->rate, s->alpha, 2ULL * DCQCN_ONE);
	s->rate = max(s->rate - cut, p->min);
	s->alpha -= s->alpha >> p->g_shift;
	s->alpha += DCQCN_ONE >> p->g_shift;

	s->time_rounds = 0;
	s->byte_rounds = 0;
	s->bytes_left = p->bytes;
	s->alpha_due_ns = now_ns + p->alpha_ns;
	s->timer_due_ns = now_ns + p->timer_ns;
	s->cut_ns = now_ns;
}

u64 dcqcn_send(struct dcqcn *s, const struct dcqcn_params *p, u32 bytes,
	       u64 now_ns)
{
	if (s->rate >= p->line)
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
