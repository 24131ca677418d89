// SPDX-License-Identifier: GPL-2.0
/* Any bytes as a packet: it has a flow ID, which only its fields change. */
#include "fuzz.h"

#include "../../kmod/core/path/flow.c"

#define ETH_LEN		14
#define TAG_LEN		4

static bool same(const struct lle_flow *a, const struct lle_flow *b)
{
	return a->flow == b->flow && a->dst == b->dst;
}

static bool is_tag(const u8 *data)
{
	u16 type = data[12] << 8 | data[13];

	return type == 0x8100 || type == 0x88a8;
}

static void with_tag(const u8 *data, size_t size, const struct lle_flow *flow)
{
	u8 *tagged = malloc(size + TAG_LEN);
	struct lle_flow f;

	memcpy(tagged, data, 12);
	memcpy(tagged + 12, "\x81\x00\x60\x01", TAG_LEN);
	memcpy(tagged + 12 + TAG_LEN, data + 12, size - 12);
	check(lle_flow_parse(tagged, size + TAG_LEN, &f));
	check(same(&f, flow));
	free(tagged);
}

/* Bytes beyond LLE_FLOW_BYTES do not count. */
static void with_end(const u8 *data, size_t size, const struct lle_flow *flow)
{
	struct lle_flow f;

	if (size <= LLE_FLOW_BYTES)
		return;
	check(lle_flow_parse(data, LLE_FLOW_BYTES, &f));
	check(same(&f, flow));
}

static void with_source(const u8 *data, size_t size, const struct lle_flow *flow)
{
	u8 *other = malloc(size);
	struct lle_flow f;

	memcpy(other, data, size);
	memset(other + 6, ~data[6], 6);
	check(lle_flow_parse(other, size, &f));
	check(f.dst == flow->dst);
	free(other);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct lle_flow flow, again;

	memset(&flow, 0xa5, sizeof(flow));
	again = flow;
	check(lle_flow_parse(data, size, &flow) == (size >= ETH_LEN));
	if (size < ETH_LEN) {
		check(same(&flow, &again));
		return 0;
	}
	check(lle_flow_parse(data, size, &again));
	check(same(&flow, &again));
	if (!is_tag(data))
		with_tag(data, size, &flow);
	with_end(data, size, &flow);
	with_source(data, size, &flow);
	return 0;
}
