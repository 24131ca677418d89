// SPDX-License-Identifier: GPL-2.0
/* Constant parameters: against sb_oracle.h; else invariants. Ends empty. */
#include "fuzz.h"

#include "../unit/sb_oracle.h"
#include "../../kmod/core/buffer/credit.c"
#include "../../kmod/core/buffer/sb.c"

#define PACKETS	512

struct packet {
	u8 group;
	u32 len;
};

struct state {
	struct lle_sb sb;
	struct lle_sb_params p;
	struct lle_sb_pg pgs[ORACLE_GROUPS];
	struct sb_oracle o;
	struct packet packets[PACKETS];
	unsigned int n;
	u64 outstanding;
	bool changed;
};

static void configure(struct state *s, struct fuzz *f)
{
	u8 kind = fuzz_get(f, 1);

	s->p = (struct lle_sb_params) {
		.xoff_bytes = kind & 1 ? fuzz_get(f, 2) + 1 : 0,
		.to_alpha = fuzz_get(f, 1) % (LLE_TO_ALPHA_MAX + 1),
		.reserved_bytes = kind & 2 ? fuzz_get(f, 2) : 0,
		.xon_delta_bytes =
			(kind & 4 ? fuzz_get(f, 2) : fuzz_get(f, 1)) + 1,
		.headroom_bytes = kind & 8 ? fuzz_get(f, 2) : fuzz_get(f, 1),
	};
	s->sb.carved = lle_sb_carve(&s->p, ORACLE_GROUPS);
	if (!s->changed)
		s->sb.size = s->sb.carved +
			     (kind & 16 ? fuzz_get(f, 3) : fuzz_get(f, 2));
	s->o.size = s->sb.size;
	s->o.carved = s->sb.carved;
	s->o.p = &s->p;
}

static void resize(struct state *s)
{
	int g;

	for (g = 0; g < ORACLE_GROUPS; g++) {
		lle_sb_set_headroom(&s->sb, &s->pgs[g], s->p.headroom_bytes);
		check(s->pgs[g].headroom <= s->p.headroom_bytes);
	}
}

static void verify(const struct state *s)
{
	const char *broken;
	u64 occ = 0;
	int g;

	if (s->changed)
		broken = sb_broken(&s->sb, s->pgs, ORACLE_GROUPS);
	else
		broken = sb_broken_strict(&s->sb, &s->p, s->pgs,
					  ORACLE_GROUPS);
	if (broken)
		fprintf(stderr, "%s\n", broken);
	check(!broken);
	check(s->changed || sb_oracle_agrees(&s->o, s->pgs));
	for (g = 0; g < ORACLE_GROUPS; g++)
		occ += lle_sb_occ(&s->pgs[g]);
	check(occ == s->outstanding);
}

static void arrive(struct state *s, int g, u32 len)
{
	const struct lle_sb_params *p = g == ORACLE_GREEDY ? &oracle_greedy :
							     &s->p;
	u64 free = lle_sb_free(&s->sb);
	struct lle_sb_pg before = s->pgs[g];
	unsigned int got, want;

	if (s->n == PACKETS)
		return;
	got = sb_in(&s->sb, p, &s->pgs[g], len);
	want = sb_oracle_in(&s->o, g, len);
	check(s->changed || got == want);
	check(got != SB_LIES);
	check(got != LLE_SB_DROP_HEADROOM || before.lossless);
	check(got != LLE_SB_DROP_THRESHOLD || !before.lossless);
	check(got != LLE_SB_DROP_BUFFER ||
	      (!before.lossless && len > free));
	check(lle_sb_shared(&s->pgs[g]) - lle_sb_shared(&before) <= free);
	if (got == LLE_SB_ADMIT) {
		s->packets[s->n++] = (struct packet){ g, len };
		s->outstanding += len;
	} else {
		check(lle_sb_occ(&s->pgs[g]) == lle_sb_occ(&before) &&
		      lle_sb_shared(&s->pgs[g]) == lle_sb_shared(&before) &&
		      s->pgs[g].headroom == before.headroom);
	}
}

static void leave(struct state *s, unsigned int which)
{
	struct packet x = s->packets[which];

	check(sb_out(&s->sb, &s->pgs[x.group], x.len));
	if (!s->changed)
		sb_oracle_out(&s->o, x.group, x.len);
	s->packets[which] = s->packets[--s->n];
	s->outstanding -= x.len;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz f = { data, size };
	struct state s = {};
	u8 op, g;

	configure(&s, &f);
	for (g = 0; g < ORACLE_GROUPS; g++) {
		s.pgs[g].lossless = g % 4 && g != ORACLE_GREEDY;
		s.o.pg[g].lossless = s.pgs[g].lossless;
	}

	while (f.left) {
		op = fuzz_get(&f, 1);
		g = (op >> 3) % ORACLE_GROUPS;
		switch (op & 7) {
		case 0:
			if (s.n)
				leave(&s, fuzz_get(&f, 1) % s.n);
			break;
		case 1:
			if (s.n)
				leave(&s, s.n - 1);
			break;
		case 2:
			if (g == ORACLE_GREEDY)
				break;
			op = fuzz_get(&f, 1);
			if (op > 250) {
				s.changed = true;
				configure(&s, &f);
				resize(&s);
				break;
			}
			check(sb_set(&s.sb, &s.pgs[g], op & 1));
			sb_oracle_set(&s.o, g, op & 1);
			break;
		case 3:
		case 4:
			arrive(&s, g, fuzz_get(&f, 2) + 1);
			break;
		default:
			arrive(&s, g, fuzz_get(&f, 1) + 1);
		}
		verify(&s);
	}

	while (s.n)
		leave(&s, s.n - 1);
	verify(&s);
	check(!s.sb.used);
	for (g = 0; g < ORACLE_GROUPS; g++)
		check(!lle_sb_occ(&s.pgs[g]) && !s.pgs[g].xoff);
	return 0;
}
