// SPDX-License-Identifier: GPL-2.0
/* kmod/core/deadlock/wire.c: messages, octet by octet. */
#include "prng.h"
#include "tap.h"

#include "../../kmod/core/deadlock/wire.c"

static const struct lle_dl_msg probe = {
	.type = LLE_DL_PROBE,
	.prio = 3,
	.num_ids = 2,
	.waits = true,
	.hops = 4,
	.hop_epoch = 0x1234,
	.id = { { .sw = 0x0102, .port = 0x03, .seq = 0x0405 },
		{ .sw = 0x0607, .port = 0x08, .seq = 0x090a } },
	.min = { .sw = 0x0b0c, .port = 0x0d },
	.trig = { .sw = 0x0e0f, .port = 0x10, .host = 1, .seq = 0x1112 },
};

/* Offsets: Documentation/guide/deadlock-wire.rst */
static const u8 probe_octets[] = {
	0xdc, 0x11, 0x76, 0x04, 0x12, 0x34,
	0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0a,
	0x0b, 0x0c, 0x0d, 0x0e, 0x0f, 0x10, 0x11, 0x12,
};

static bool same(const struct lle_dl_msg *a, const struct lle_dl_msg *b)
{
	struct lle_dl_pad x, y;

	lle_dl_wire_encode(&x, a);
	lle_dl_wire_encode(&y, b);
	return !memcmp(&x, &y, sizeof(x));
}

static void test_octets(struct kunit *test)
{
	struct lle_dl_msg msg;
	struct lle_dl_pad pad;

	lle_dl_wire_encode(&pad, &probe);
	ok(!memcmp(&pad, probe_octets, sizeof(probe_octets)), "octets of a probe");
	ok(lle_dl_wire_parse((const u8 *)&pad, &msg), "are one");
	ok(same(&msg, &probe), "that says the same");
}

/* computed by an independent program */
static void test_crc(struct kunit *test)
{
	is(lle_dl_crc(probe_octets), 0xe775, "CRC of a probe");
}

/* even a reserved bit */
static void test_bits(struct kunit *test)
{
	struct lle_dl_msg msg;
	struct lle_dl_pad pad;
	unsigned int bit, passed = 0;
	u8 *octets = (u8 *)&pad;

	lle_dl_wire_encode(&pad, &probe);
	for (bit = 0; bit < 8 * sizeof(pad); bit++) {
		octets[bit / 8] ^= BIT(bit % 8);
		passed += lle_dl_wire_parse(octets, &msg);
		octets[bit / 8] ^= BIT(bit % 8);
	}
	is(passed, 0, "no bit may change");
	memset(&pad, 0, sizeof(pad));
	ok(!lle_dl_wire_parse(octets, &msg), "a pad of zeros says nothing");
}

static void test_sane(struct kunit *test)
{
	static const bool may[16][4] = {
		[LLE_DL_NONE] = { true },
		[LLE_DL_PROBE] = { false, true, true },
		[LLE_DL_CANCEL] = { true, true },
		[LLE_DL_BROKEN] = { true },
		[LLE_DL_CHECK] = { false, true },
		[LLE_DL_CONSISTENCY] = { false, true },
		[LLE_DL_WALK] = { false, true },
		[LLE_DL_RESOLVE] = { true },
	};
	struct lle_dl_msg in = probe, msg;
	struct lle_dl_pad pad;
	unsigned int num, wrong = 0;

	for (in.type = 0; in.type < 16; in.type++)
		for (num = 0; num < 4; num++) {
			in.num_ids = min(num, 2U);
			lle_dl_wire_encode(&pad, &in);
			pad.flags = (pad.flags & ~0x18) | num << 3;
			pad.crc = cpu_to_be16(lle_dl_crc((u8 *)&pad));
			wrong += lle_dl_wire_parse((u8 *)&pad, &msg) !=
				 may[in.type][num];
		}
	is(wrong, 0, "types and numbers of initiators");

	in = probe;
	in.id[1].sw = 0;
	lle_dl_wire_encode(&pad, &in);
	ok(!lle_dl_wire_parse((u8 *)&pad, &msg), "nobody is no initiator");

	in = probe;
	in.type = LLE_DL_RESOLVE;
	in.num_ids = 0;
	in.trig.sw = 0;
	lle_dl_wire_encode(&pad, &in);
	ok(!lle_dl_wire_parse((u8 *)&pad, &msg),
	   "nor a trigger to be dealt with");

	in = probe;
	in.id[0].sw = 0;
	lle_dl_wire_encode(&pad, &in);
	ok(!lle_dl_wire_parse((u8 *)&pad, &msg), "nor is the first one");
}

/* Is a probe accepted if it has @value in an octet, with a right CRC? */
static bool accepts(unsigned int octet, u8 value)
{
	struct lle_dl_msg msg;
	struct lle_dl_pad pad;

	lle_dl_wire_encode(&pad, &probe);
	pad.id[0].port = 0;
	pad.id[1].port = 0;
	pad.min_port = 0;
	pad.trig.port = 0;
	((u8 *)&pad)[octet] = value;
	pad.crc = cpu_to_be16(lle_dl_crc((u8 *)&pad));
	return lle_dl_wire_parse((u8 *)&pad, &msg);
}

static void test_values(struct kunit *test)
{
	static const unsigned int ports[] = { 8, 13, 18, 21 };
	struct lle_dl_msg in = probe, msg;
	struct lle_dl_pad pad;
	unsigned int i, n = 0;

	for (i = 0; i < ARRAY_SIZE(ports); i++)
		ok(accepts(ports[i], LLE_MAX_PORTS - 1) &&
		   !accepts(ports[i], LLE_MAX_PORTS), "port at octet %u", ports[i]);
	for (i = 0; i < 16; i++)
		n += accepts(1, i << 4 | LLE_DL_PROBE);
	is(n, 1, "one version");
	for (i = 0; i < 256; i++)
		n += accepts(0, i);
	is(n, 2, "one first octet");

	in.waits = 0;
	in.trig.host = 0;
	lle_dl_wire_encode(&pad, &in);
	is(pad.flags & 7, 0, "no flag");
	pad.flags |= 1;
	pad.flags -= 1 << LLE_DL_NUM_SHIFT;
	pad.crc = cpu_to_be16(lle_dl_crc((u8 *)&pad));
	ok(lle_dl_wire_parse((u8 *)&pad, &msg) && !msg.waits, "a flag without meaning");
	ok(msg.num_ids == 1 && !msg.id[1].sw, "and one initiator of two");
	ok(lle_dl_id_less((struct lle_dl_id){ .sw = 1, .port = 2 },
			  (struct lle_dl_id){ .sw = 1, .port = 3 }), "order of ports");
}

static void test_round_trip(struct kunit *test)
{
	struct lle_dl_msg in, out;
	struct lle_dl_pad pad;
	unsigned int i, bad = 0;
	u64 seed = 1;

	for (i = 0; i < 10000; i++) {
		in = (struct lle_dl_msg) {
			.type = prng(&seed) % 6,
			.prio = prng(&seed) % 8,
			.waits = prng(&seed) % 2,
			.hops = prng(&seed),
			.hop_epoch = prng(&seed),
			.min = { .sw = prng(&seed), .port = prng(&seed) % 64 },
			.trig = { .sw = prng(&seed),
				  .port = prng(&seed) % 64,
				  .host = prng(&seed) % 2,
				  .seq = prng(&seed) },
		};
		in.num_ids = in.type == LLE_DL_PROBE ?
				     1 + prng(&seed) % 2 :
				     in.type >= LLE_DL_CHECK ||
					     in.type == LLE_DL_CANCEL;
		in.id[0] = (struct lle_dl_id) {
			.sw = 1 + prng(&seed) % 65535,
			.port = i % 64,
			.seq = i,
		};
		if (in.num_ids == 2)
			in.id[1] = (struct lle_dl_id) {
				.sw = 1 + i,
				.port = 7,
				.seq = i,
			};
		lle_dl_wire_encode(&pad, &in);
		bad += !lle_dl_wire_parse((u8 *)&pad, &out) || !same(&in, &out);
	}
	is(bad, 0, "what is written is read");
}

tap_suite("lossless_deadlock_wire",
	  KUNIT_CASE(test_octets),
	  KUNIT_CASE(test_crc),
	  KUNIT_CASE(test_bits),
	  KUNIT_CASE(test_sane),
	  KUNIT_CASE(test_values),
	  KUNIT_CASE(test_round_trip));
