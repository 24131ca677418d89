// SPDX-License-Identifier: GPL-2.0
/* kmod/core/notification/cn.c, octet by octet. */
#include "prng.h"
#include "tap.h"

#include "../../kmod/core/notification/cn.c"

static const u8 src[6] = { 2, 0, 0, 0, 0, 9 };

static const u8 octets[] = {
	0x01, 0x80, 0xc2, 0x00, 0x00, 0x01,	/* a neighbour only */
	0x02, 0x00, 0x00, 0x00, 0x00, 0x09,
	0x88, 0xb6,
	0x10, 0x25,				/* version 1, F_b' 37 */
	0x00, 0x00, 0x00, 0x07,
	0x00, 0x00, 0x01, 0x02,			/* port 258 */
	0x60, 0x00,
	0x80, 0x02,				/* class held, two IDs */
	0xff, 0xff, 0xff, 0xfe,			/* sequence number */
	0x01, 0x02, 0x03, 0x04,
	0x05, 0x06, 0x07, 0x08,
};

static const struct lle_cn said = {
	.sw = 7, .ifindex = 258, .seq = 0xfffffffe, .prio = 3, .fb = 37,
	.class_held = true, .count = 2, .name = { 0x01020304, 0x05060708 },
};

static bool same(const struct lle_cn *a, const struct lle_cn *b)
{
	return a->sw == b->sw && a->ifindex == b->ifindex && a->seq == b->seq &&
	       a->prio == b->prio && a->fb == b->fb &&
	       a->class_held == b->class_held && a->count == b->count &&
	       !memcmp(a->name, b->name, 4 * a->count);
}

/* A copy of exact size, unaligned: a read beyond the end is detected. */
static bool parse_copy(const u8 *data, size_t len, struct lle_cn *cn)
{
	u8 *copy = kmalloc(len + 1, GFP_KERNEL);
	bool parsed;

	memcpy(copy + 1, data, len);
	parsed = lle_cn_parse(copy + 1, len, cn);
	kfree(copy);
	return parsed;
}

static void test_octets(struct kunit *test)
{
	struct lle_cn_frame *frame = kzalloc(sizeof(*frame), GFP_KERNEL);
	struct lle_cn cn;

	frame->name[said.count] = cpu_to_be32(77);
	lle_cn_encode(frame, src, &said);
	is(be32_to_cpu(frame->name[said.count]), 77, "no more than its names");
	is(lle_cn_bytes(said.count), sizeof(octets), "40 octets for two names");
	ok(!memcmp(frame, octets, sizeof(octets)), "each octet is in its place");
	ok(parse_copy(octets, sizeof(octets), &cn) && same(&cn, &said),
	   "and is read back");
	kfree(frame);
}

static const struct {
	const char *name;
	unsigned int at;
	u8 value;
	bool parsed;
} changed[] = {
	{ "another destination", 5, 0x0e, false },
	{ "another type", 13, 0xb5, false },
	{ "version 2", 14, 0x20, false },
	{ "reserved bits beside F_b", 14, 0x1f, true },
	{ "reserved bits of the priority", 25, 0xff, true },
	{ "reserved flags", 26, 0xff, true },
	{ "a name that is not there", 27, 3, false },
	{ "a name less", 27, 1, true },
	{ "more names than there can be", 27, 129, false },
};

static void test_changed(struct kunit *test)
{
	u8 data[sizeof(struct lle_cn_frame) + 4] = {};
	struct lle_cn cn;

	for_each_vector(v, changed) {
		memcpy(data, octets, sizeof(octets));
		data[v->at] = v->value;
		is(parse_copy(data, sizeof(octets), &cn), v->parsed, "%s",
		   v->name);
	}
	memcpy(data, octets, sizeof(octets));
	data[27] = 129;
	ok(!parse_copy(data, sizeof(data), &cn), "129 names in a long frame");
}

static bool cut_anywhere(void)
{
	struct lle_cn cn;
	unsigned int len;

	for (len = 0; len < sizeof(octets); len++)
		require(!parse_copy(octets, len, &cn), "%u octets", len);
	return true;
}

static void test_cut(struct kunit *test)
{
	ok(cut_anywhere(), "cut short anywhere it is none");
}

static bool round_trips(void)
{
	struct lle_cn_frame *frame = kzalloc(sizeof(*frame), GFP_KERNEL);
	struct lle_cn *cn = kzalloc(2 * sizeof(*cn), GFP_KERNEL);
	unsigned int i, n, good = 0;
	u64 seed = 5;

	for (i = 0; i < 2000; i++) {
		cn->sw = prng(&seed);
		cn->ifindex = prng(&seed);
		cn->seq = prng(&seed);
		cn->prio = prng_range(&seed, 0, 7);
		cn->fb = prng_range(&seed, 0, 63);
		cn->class_held = prng_range(&seed, 0, 1);
		cn->count = prng_range(&seed, 0, LLE_CN_NAMES);
		for (n = 0; n < cn->count; n++)
			cn->name[n] = prng(&seed);
		lle_cn_encode(frame, src, cn);
		good += parse_copy((const u8 *)frame, lle_cn_bytes(cn->count),
				   cn + 1) && same(cn, cn + 1);
	}
	kfree(cn);
	kfree(frame);
	require(good == 2000, "%u of 2000", good);
	return true;
}

static void test_round_trip(struct kunit *test)
{
	ok(round_trips(), "whatever is said is understood");
}

tap_suite("lossless_cn",
	  KUNIT_CASE(test_octets),
	  KUNIT_CASE(test_changed),
	  KUNIT_CASE(test_cut),
	  KUNIT_CASE(test_round_trip));
