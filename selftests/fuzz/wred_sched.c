// SPDX-License-Identifier: GPL-2.0
/* WRED's rules; the scheduler picks ready queues. */
#include "fuzz.h"

#include "../../kmod/core/sched/sched.c"
#include "../../kmod/core/buffer/wred.c"

static void wred(struct fuzz *f)
{
	u8 kind = fuzz_get(f, 1);
	u32 kmin = fuzz_get(f, 4), more = fuzz_get(f, 4);
	struct lle_wred_params p = {
		.kmin_bytes = kmin,
		.kmax_bytes = more > U32_MAX - kmin ? U32_MAX : kmin + more,
		.pmax_q32 = fuzz_get(f, 4),
		.nonect_bytes = kind & 1 ? fuzz_get(f, 4) : 0,
		.bufmax_bytes = kind & 2 ? fuzz_get(f, 4) : 0,
		.ecn = kind & 4,
		.nodrop = kind & 8,
		.dequeue = (kind & 36) == 36,
	};
	enum lle_wred_verdict got, near, far;
	bool ect = kind & 16;
	u32 q, rnd;

	lle_wred_params_init(&p);
	while (f->left) {
		q = fuzz_get(f, 4);
		rnd = fuzz_get(f, 4);
		/* also near the ends of the curve */
		if (rnd & 1)
			q = (rnd & 2 ? p.kmin_bytes : p.kmax_bytes) +
			    (rnd >> 2) % 3 - 1;
		if (p.dequeue && ect) {
			/* no mark on arrival; on leaving, that of an arrival */
			check(lle_wred_decide(&p, q, true, rnd) == LLE_WRED_PASS ||
			      (!p.nodrop && p.bufmax_bytes && q > p.bufmax_bytes));
			check(q >= p.leave_bytes || !lle_wred_marks_leaving(&p, q, rnd));
			p.dequeue = false;
			got = lle_wred_decide(&p, q, true, rnd);
			p.dequeue = true;
			check(got == LLE_WRED_DROP_BUFMAX || (got == LLE_WRED_MARK) ==
			      lle_wred_marks_leaving(&p, q, rnd));
			continue;
		}
		check(p.dequeue || p.leave_bytes == U32_MAX);
		got = lle_wred_decide(&p, q, ect, rnd);
		near = lle_wred_decide(&p, q, ect, 0);
		far = lle_wred_decide(&p, q, ect, U32_MAX);

		check(got <= LLE_WRED_DROP_BUFMAX);
		check(q >= p.idle_bytes || got == LLE_WRED_PASS);
		check(got != LLE_WRED_MARK || (p.ecn && ect));
		check(got != LLE_WRED_DROP || !(p.ecn && ect));
		check(!p.nodrop || got <= LLE_WRED_MARK);
		check(p.nodrop || (got == LLE_WRED_DROP_BUFMAX) ==
		      (p.bufmax_bytes && q > p.bufmax_bytes));
		if (!p.nodrop && p.nonect_bytes && !ect &&
		    got != LLE_WRED_DROP_BUFMAX)
			check(got == (q >= p.nonect_bytes ?
				      LLE_WRED_DROP_NONECT : LLE_WRED_PASS));
		/* smaller random numbers mark or drop more */
		check(far == LLE_WRED_PASS || far == got);
		check(got == LLE_WRED_PASS || near == got);
		check(q > p.kmin_bytes || q >= p.kmax_bytes ||
		      got == LLE_WRED_PASS || got >= LLE_WRED_DROP_NONECT);
		check(q < p.kmax_bytes || far == near);
	}
}

static void sched_params(struct lle_sched_params *p, struct fuzz *f)
{
	unsigned int i;
	u64 bands = fuzz_get(f, 3);

	memset(p, 0, sizeof(*p));
	p->bands = 1 + fuzz_get(f, 1) % LLE_SCHED_BANDS;
	p->strict = fuzz_get(f, 1) % (p->bands + 1);
	for (i = 0; i < LLE_NUM_PRIO; i++)
		p->prios[(bands >> 3 * i & 7) % p->bands] |= 1 << i;
	for (i = p->strict; i < p->bands; i++)
		p->quantum_bytes[i] = 64 + fuzz_get(f, 2);
}

static void sched(struct fuzz *f)
{
	struct lle_sched_params p;
	struct lle_sched s = {};
	u32 head[LLE_NUM_PRIO];
	unsigned int prio, b;
	u8 ready, op;

	sched_params(&p, f);
	for (prio = 0; prio < LLE_NUM_PRIO; prio++)
		head[prio] = 1 + fuzz_get(f, 1) * 36;
	while (f->left) {
		op = fuzz_get(f, 1);
		if (op > 252) {
			sched_params(&p, f);
			continue;
		}
		ready = fuzz_get(f, 1);
		if (!ready)
			continue;
		prio = lle_sched_pick(&s, &p, ready, head);
		check(prio < LLE_NUM_PRIO && (ready >> prio & 1));
		for (b = 0; !(p.prios[b] >> prio & 1); b++)
			check(b >= p.strict || !(p.prios[b] & ready));
		check(b < p.bands);
		check(p.strict == p.bands ||
		      (b < p.strict) || s.band == b);
		head[prio] = 1 + op * 36;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz f = { data, size };

	if (fuzz_get(&f, 1) & 1)
		wred(&f);
	else
		sched(&f);
	return 0;
}
