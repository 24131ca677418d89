// SPDX-License-Identifier: GPL-2.0
/* kmod/core/pfc/frame.c: PFC frames, octet by octet. */
#include "prng.h"
#include "tap.h"

#include "../../kmod/core/pfc/frame.c"
#include "../vectors/frame.h"

/* A copy of exact size, unaligned: a read beyond the end is detected. */
static enum lle_frame_verdict parse_copy(const u8 *data, size_t len,
					 struct lle_pfc *pfc)
{
	enum lle_frame_verdict verdict;
	u8 *copy = kmalloc(len + 1, GFP_KERNEL);

	memcpy(copy + 1, data, len);
	verdict = lle_frame_parse(copy + 1, len, pfc);
	kfree(copy);
	return verdict;
}

static bool same_frame(const struct lle_pfc *got, const struct lle_pfc *want)
{
	unsigned int p;

	require(got->enable == want->enable, "%#x, want %#x", got->enable,
		want->enable);
	for (p = 0; p < LLE_NUM_PRIO; p++)
		require(!(want->enable & BIT(p)) ||
			got->quanta[p] == want->quanta[p],
			"class %u: %u, want %u", p, got->quanta[p],
			want->quanta[p]);
	return true;
}

static void test_parse(struct kunit *test)
{
	for_each_vector(v, frame_vectors) {
		struct lle_pfc pfc, untouched;
		enum lle_frame_verdict got;

		memset(&untouched, 0xa5, sizeof(untouched));
		pfc = untouched;
		got = parse_copy(v->data, v->len, &pfc);
		is(got, v->verdict, "parse: %s", v->name);
		if (v->verdict == LLE_FRAME_PFC)
			ok(same_frame(&pfc, &v->pfc), "content: %s", v->name);
		else
			ok(!memcmp(&pfc, &untouched, sizeof(pfc)),
			   "no content: %s", v->name);
	}
}

static void test_encode(struct kunit *test)
{
	static const u8 src[6] = { SRC };
	struct lle_pfc_frame frame;

	for_each_vector(v, frame_encode_vectors) {
		memset(&frame, 0xa5, sizeof(frame));
		lle_frame_encode(&frame, src, &v->pfc);
		ok(!memcmp(&frame, v->data, sizeof(frame)), "encode: %s",
		   v->name);
	}
}

static bool round_trip(void)
{
	static const u8 src[6] = { SRC };
	struct lle_pfc_frame frame;
	struct lle_pfc in, out;
	unsigned int enable, p;
	u64 seed = 1;

	for (enable = 0; enable < 256; enable++) {
		in.enable = enable;
		for (p = 0; p < LLE_NUM_PRIO; p++)
			in.quanta[p] = prng(&seed);
		lle_frame_encode(&frame, src, &in);
		require(parse_copy((u8 *)&frame, sizeof(frame), &out) ==
			LLE_FRAME_PFC, "enable %#x", enable);
		if (!same_frame(&out, &in))
			return false;
		for (p = 0; p < LLE_NUM_PRIO; p++)
			require((enable & BIT(p)) || !out.quanta[p],
				"enable %#x class %u", enable, p);
	}
	return true;
}

static bool truncations(void)
{
	const struct frame_vector *v = &frame_vectors[0];
	struct lle_pfc pfc;
	size_t len;

	for (len = 0; len <= v->len; len++)
		require((parse_copy(v->data, len, &pfc) == LLE_FRAME_PFC) ==
			(len >= 34), "len %zu", len);
	return true;
}

/* Each bit before the vector counts, but for the source address. */
static bool bit_errors(void)
{
	struct lle_pfc pfc;
	u8 data[64];
	u32 bit;

	for (bit = 0; bit < 16 * 8; bit++) {
		memcpy(data, frame_vectors[0].data, sizeof(data));
		data[bit / 8] ^= 1 << bit % 8;
		/* opcodes 01-01 and 00-01 differ in one bit */
		if (bit == 14 * 8)
			require(parse_copy(data, 60, &pfc) ==
				LLE_FRAME_LINK_PAUSE, "bit %u", bit);
		else
			require((parse_copy(data, 60, &pfc) == LLE_FRAME_PFC) ==
				(bit >= 6 * 8 && bit < 12 * 8), "bit %u", bit);
	}
	return true;
}

static void test_random(struct kunit *test)
{
	ok(round_trip(), "what is encoded is parsed, 256 vectors");
	ok(truncations(), "truncated at every length");
	ok(bit_errors(), "each bit of addresses, type and opcode flipped");
}

tap_suite("lossless_frame",
	  KUNIT_CASE(test_parse),
	  KUNIT_CASE(test_encode),
	  KUNIT_CASE(test_random));
