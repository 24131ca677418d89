// SPDX-License-Identifier: GPL-2.0
/* kmod/core/path/flow.c: fields of a flow ID, truncated frames. */
#include "prng.h"
#include "tap.h"

#include "../../kmod/core/path/flow.c"

#define FRAME_BYTES	112

/* Offsets in an untagged IPv4 frame without options */
#define IP4		14
#define IP4_PORTS	(IP4 + 20)
#define IP4_QP		(IP4_PORTS + 8 + 5)
#define IP6		14
#define IP6_PORTS	(IP6 + 40)

static void put16(u8 *at, u16 value)
{
	at[0] = value >> 8;
	at[1] = value;
}

/* RoCEv2: UDP port 4791, BTH */
static void ipv4(u8 *frame)
{
	u64 seed = 1;
	int i;

	for (i = 0; i < FRAME_BYTES; i++)
		frame[i] = prng(&seed);
	put16(frame + 12, LLE_ETHER_IPV4);
	frame[IP4] = 0x45;
	put16(frame + IP4 + 6, 0x4000);	/* don't fragment */
	frame[IP4 + 9] = LLE_FLOW_UDP;
	put16(frame + IP4_PORTS + 2, LLE_FLOW_ROCE);
}

static void ipv6(u8 *frame)
{
	ipv4(frame);
	put16(frame + 12, LLE_ETHER_IPV6);
	frame[IP6] = 0x60;
	frame[IP6 + 6] = LLE_FLOW_UDP;
	put16(frame + IP6_PORTS + 2, LLE_FLOW_ROCE);
}

static void other(u8 *frame)
{
	ipv4(frame);
	put16(frame + 12, 0x8915);	/* RoCEv1 */
}

static struct lle_flow parse(const u8 *frame)
{
	struct lle_flow f = {};

	lle_flow_parse(frame, FRAME_BYTES, &f);
	return f;
}

enum { NEITHER, FLOW, BOTH };	/* IDs that change with a byte */

static const struct {
	const char *name;
	void (*make)(u8 *frame);
	unsigned int at;
	unsigned int changes;
} bytes[] = {
	{ "IPv4: MAC address", ipv4, 0, NEITHER },
	{ "IPv4: DSCP and ECN", ipv4, IP4 + 1, NEITHER },
	{ "IPv4: identification", ipv4, IP4 + 4, NEITHER },
	{ "IPv4: TTL", ipv4, IP4 + 8, NEITHER },
	{ "IPv4: source", ipv4, IP4 + 15, FLOW },
	{ "IPv4: destination", ipv4, IP4 + 19, BOTH },
	{ "UDP: source port", ipv4, IP4_PORTS, FLOW },
	{ "UDP: length", ipv4, IP4_PORTS + 4, NEITHER },
	{ "RoCEv2: opcode", ipv4, IP4_PORTS + 8, NEITHER },
	{ "RoCEv2: first byte of the QP", ipv4, IP4_QP, FLOW },
	{ "RoCEv2: last byte of the QP", ipv4, IP4_QP + 2, FLOW },
	{ "RoCEv2: sequence number", ipv4, IP4_QP + 6, NEITHER },
	{ "IPv6: traffic class", ipv6, IP6 + 1, NEITHER },
	{ "IPv6: hop limit", ipv6, IP6 + 7, NEITHER },
	{ "IPv6: source, upper half", ipv6, IP6 + 8, FLOW },
	{ "IPv6: source, lower half", ipv6, IP6 + 23, FLOW },
	{ "IPv6: destination, upper half", ipv6, IP6 + 24, BOTH },
	{ "IPv6: destination, lower half", ipv6, IP6 + 39, BOTH },
	{ "IPv6: source port", ipv6, IP6_PORTS, FLOW },
	{ "Ethernet: destination", other, 5, BOTH },
	{ "Ethernet: source", other, 6, FLOW },
	{ "Ethernet: type", other, 13, FLOW },
	{ "Ethernet: payload", other, 14, NEITHER },
};

static void test_bytes(struct kunit *test)
{
	for_each_vector(v, bytes) {
		struct lle_flow before, after;
		u8 frame[FRAME_BYTES];

		v->make(frame);
		before = parse(frame);
		frame[v->at] ^= 1;
		after = parse(frame);
		is((before.flow != after.flow) + (before.dst != after.dst),
		   v->changes, "%s", v->name);
	}
}

static void test_tags(struct kunit *test)
{
	u8 frame[FRAME_BYTES], tagged[FRAME_BYTES];
	struct lle_flow plain, one, two;

	ipv4(frame);
	plain = parse(frame);
	memcpy(tagged, frame, 12);
	put16(tagged + 12, LLE_ETHER_VLAN);
	put16(tagged + 14, 0x6001);
	memcpy(tagged + 16, frame + 12, FRAME_BYTES - 16);
	one = parse(tagged);
	ok(!memcmp(&plain, &one, sizeof(one)), "a VLAN tag is passed over");
	memcpy(frame, tagged, FRAME_BYTES);
	memcpy(tagged + 16, frame + 12, FRAME_BYTES - 16);
	put16(tagged + 12, LLE_ETHER_QINQ);
	two = parse(tagged);
	ok(!memcmp(&plain, &two, sizeof(two)), "two tags are passed over");
}

static void test_fragments(struct kunit *test)
{
	struct lle_flow first, later;
	u8 frame[FRAME_BYTES];

	ipv4(frame);
	frame[IP4 + 5] = 0;
	frame[IP4 + 8] = 0;
	put16(frame + IP4 + 6, 0x2000);
	first = parse(frame);
	put16(frame + IP4 + 6, 0x0010);
	frame[IP4_PORTS] ^= 0xff;
	later = parse(frame);
	ok(!memcmp(&first, &later, sizeof(later)), "fragments are of one flow");
	put16(frame + IP4 + 6, 0x0001);
	later = parse(frame);
	is(later.flow, first.flow, "also the second");
	put16(frame + IP4 + 6, 0);
	frame[IP4] = 0x44;
	later = parse(frame);
	is(later.flow, first.flow, "as are packets with a header that is too short");
	frame[IP4] = 0x45;
	first = parse(frame);
	frame[IP4 + 1] = 0x45;
	later = parse(frame);
	is(later.flow, first.flow, "DSCP 17 is not a header");
	other(frame);
	frame[14] = 0x60;
	first = parse(frame);
	frame[14 + 8] ^= 1;
	later = parse(frame);
	is(later.flow, first.flow, "nor is a payload that begins like IPv6");
}

static const struct {
	u16 type;
	u8 bytes[14];
	unsigned int len;
	u16 inner;
	int at, pcp, dscp;
} headers[] = {
	{ LLE_ETHER_IPV4, { 0x45, 0xb9 }, 2, LLE_ETHER_IPV4, 0, LLE_ETHER_NONE, 46 },
	{ LLE_ETHER_IPV4, { 0x45, 0xb9 }, 1, LLE_ETHER_IPV4, 0, LLE_ETHER_NONE, LLE_ETHER_NONE },
	{ LLE_ETHER_IPV6, { 0x6b, 0x90 }, 2, LLE_ETHER_IPV6, 0, LLE_ETHER_NONE, 46 },
	{ 0x8915, { 0x45, 0xb9 }, 2, 0x8915, 0, LLE_ETHER_NONE, LLE_ETHER_NONE },
	{ LLE_ETHER_VLAN, { 0x6f, 0xff, 8, 0, 0x45, 0xb8 }, 6, LLE_ETHER_IPV4, 4, 3, 46 },
	{ LLE_ETHER_VLAN, { 0x6f, 0xff, 8, 0, 0x45 }, 5, LLE_ETHER_IPV4, 4, 3, LLE_ETHER_NONE },
	{ LLE_ETHER_VLAN, { 0x6f, 0xff, 8 }, 3, LLE_ETHER_VLAN, 0, LLE_ETHER_NONE,
	  LLE_ETHER_NONE },
	{ LLE_ETHER_VLAN, { 0x6f, 0xff, 8, 0 }, 4, LLE_ETHER_IPV4, 4, 3, LLE_ETHER_NONE },
	{ LLE_ETHER_QINQ, { 0xbf, 0xff, 0x81, 0, 0x20, 0, 8, 0, 0x45, 0xb8 }, 10,
	  LLE_ETHER_IPV4, 8, 5, 46 },
	{ LLE_ETHER_QINQ, { 0xbf, 0xff, 0x81, 0, 0x20, 0, 0x81, 0, 0x40, 0, 8, 0, 0x45, 0xb8 },
	  14, LLE_ETHER_VLAN, 8, 5, LLE_ETHER_NONE },
};

static void test_headers(struct kunit *test)
{
	for_each_vector(v, headers) {
		int n = v - headers;
		struct lle_ether e;

		lle_ether_parse(v->type, v->bytes, v->len, &e);
		is(e.type, v->inner, "line %d: type", n);
		is(e.at, v->at, "line %d: bytes of tags", n);
		is(e.pcp, v->pcp, "line %d: priority", n);
		is(lle_ether_dscp(&e, v->bytes, v->len), v->dscp, "line %d: DSCP", n);
	}
}

/* longest parsed headers: two tags, 40 bytes of options */
static void test_longest(struct kunit *test)
{
	u8 frame[FRAME_BYTES] = {};
	struct lle_flow before, after;
	unsigned int last = LLE_FLOW_BYTES - 5;	/* of the QP */

	put16(frame + 12, LLE_ETHER_QINQ);
	put16(frame + 16, LLE_ETHER_VLAN);
	put16(frame + 20, LLE_ETHER_IPV4);
	frame[22] = 0x4f;
	frame[22 + 9] = LLE_FLOW_UDP;
	put16(frame + 22 + 60 + 2, LLE_FLOW_ROCE);
	lle_flow_parse(frame, LLE_FLOW_BYTES, &before);
	frame[last] ^= 1;
	lle_flow_parse(frame, LLE_FLOW_BYTES, &after);
	ok(before.flow != after.flow, "the QP behind the longest headers counts");
	is(before.dst, after.dst, "for the flow alone");
}

static void test_options(struct kunit *test)
{
	u8 frame[FRAME_BYTES], with[FRAME_BYTES];
	struct lle_flow plain, options;

	ipv4(frame);
	plain = parse(frame);
	memcpy(with, frame, IP4_PORTS);
	with[IP4] = 0x46;
	memset(with + IP4_PORTS, 1, 4);
	memcpy(with + IP4_PORTS + 4, frame + IP4_PORTS,
	       FRAME_BYTES - IP4_PORTS - 4);
	options = parse(with);
	is(options.flow, plain.flow, "options of IPv4 are passed over");
}

/* A copy of exact size: a read beyond the end is detected. */
static bool cut(void (*make)(u8 *frame))
{
	struct lle_flow whole, part;
	u8 frame[FRAME_BYTES];
	unsigned int len;
	bool parsed;

	make(frame);
	whole = parse(frame);
	for (len = 0; len <= LLE_FLOW_BYTES; len++) {
		u8 *copy = kmalloc(len, GFP_KERNEL);

		memcpy(copy, frame, len);
		parsed = lle_flow_parse(copy, len, &part);
		kfree(copy);
		require(parsed == (len >= 14), "%u bytes", len);
	}
	require(part.flow == whole.flow && part.dst == whole.dst,
		"%u bytes are not enough", len);
	return true;
}

static void test_cut(struct kunit *test)
{
	ok(cut(ipv4), "IPv4, cut short anywhere");
	ok(cut(ipv6), "IPv6, cut short anywhere");
	ok(cut(other), "Ethernet, cut short anywhere");
}

static bool never_outside(void)
{
	unsigned int i, j;
	u64 seed = 7;

	for (i = 0; i < 100000; i++) {
		unsigned int len = prng_range(&seed, 0, LLE_FLOW_BYTES);
		u8 *frame = kmalloc(len, GFP_KERNEL);
		struct lle_flow f;

		for (j = 0; j < len; j++)
			frame[j] = prng(&seed);
		if (len > IP4 + 1) {
			put16(frame + 12, i & 1 ? LLE_ETHER_IPV4 : LLE_ETHER_VLAN);
			frame[IP4] = 0x40 | (frame[IP4] & 15);
		}
		lle_flow_parse(frame, len, &f);
		kfree(frame);
	}
	return true;
}

static void test_random(struct kunit *test)
{
	ok(never_outside(), "never looks outside of the frame");
}

/* Numbers of frames with the bytes 0, 1, 2 ..., by the formulas of flow.c */
static const struct {
	u16 type;
	u8 protocol;
	bool roce;
	u16 fragment;
	u32 flow, dst;
} numbers[] = {
	{ 0x0800, 6, false, 0x0000, 2448195028u, 2663189355u },
	{ 0x0800, 17, false, 0x0000, 1553489508u, 2663189355u },
	{ 0x0800, 17, true, 0x0000, 1881588560u, 2663189355u },
	{ 0x0800, 1, false, 0x0000, 1586275978u, 2663189355u },
	{ 0x0800, 17, true, 0x0001, 131689543u, 2663189355u },
	{ 0x86dd, 6, false, 0x0000, 3632063042u, 2611296174u },
	{ 0x86dd, 17, true, 0x0000, 3924472697u, 2611296174u },
	{ 0x86dd, 58, false, 0x0000, 828596474u, 2611296174u },
	{ 0x8915, 0, false, 0x0000, 3249697492u, 1920244245u },
};

/* All machines compute the same, as notifications carry IDs. */
static void test_numbers(struct kunit *test)
{
	u8 frame[FRAME_BYTES];
	unsigned int i;

	for_each_vector(v, numbers) {
		unsigned int header = v->type == LLE_ETHER_IPV4 ? 20 : 40;

		for (i = 0; i < FRAME_BYTES; i++)
			frame[i] = i;
		put16(frame + 12, v->type);
		if (v->type != 0x8915)
			frame[IP4] = header == 20 ? 0x45 : 0x60;
		if (header == 20)
			put16(frame + IP4 + 6, v->fragment);
		if (v->type != 0x8915)
			frame[IP4 + (header == 20 ? 9 : 6)] = v->protocol;
		if (v->roce)
			put16(frame + IP4 + header + 2, LLE_FLOW_ROCE);
		is(parse(frame).flow, v->flow, "type %#x, protocol %u: flow", v->type,
		   v->protocol);
		is(parse(frame).dst, v->dst, "destination");
	}

	ipv4(frame);
	is(parse(frame).flow, 2713168772, "a flow's number is the same everywhere");
	is(parse(frame).dst, 2378233932, "a destination's number is the same everywhere");
}

static bool spreads(void)
{
	u16 hits[256] = {};
	u8 frame[FRAME_BYTES];
	unsigned int i, most = 0;

	ipv4(frame);
	for (i = 0; i < 16384; i++) {
		frame[IP4 + 18] = i >> 8;
		frame[IP4 + 19] = i;
		most = max_t(unsigned int, most, ++hits[parse(frame).dst % 256]);
	}
	/* 64 on average; 5 standard deviations */
	require(most <= 64 + 40, "%u in one of 256", most);
	return true;
}

static void test_spread(struct kunit *test)
{
	ok(spreads(), "neighbouring addresses have numbers far apart");
}

tap_suite("lossless_flow",
	  KUNIT_CASE(test_bytes),
	  KUNIT_CASE(test_tags),
	  KUNIT_CASE(test_fragments),
	  KUNIT_CASE(test_headers),
	  KUNIT_CASE(test_options),
	  KUNIT_CASE(test_longest),
	  KUNIT_CASE(test_cut),
	  KUNIT_CASE(test_random),
	  KUNIT_CASE(test_numbers),
	  KUNIT_CASE(test_spread));
