// SPDX-License-Identifier: GPL-2.0
/*
 * Flow and destination as numbers. Switches exchange them, so they depend only
 * on the bytes on the wire, not on the byte order or a secret of a switch.
 */
#include "ether.h"
#include "flow.h"

#define LLE_FLOW_TCP	6
#define LLE_FLOW_UDP	17
#define LLE_FLOW_ROCE	4791	/* destination port of RoCEv2 */
#define LLE_FLOW_QP	12	/* word with the QP, from the UDP header */

static u32 lle_flow_32(const u8 *at)
{
	return (u32)lle_ether_16(at) << 16 | lle_ether_16(at + 2);
}

static inline u64 lle_flow_64(const u8 *at)
{
	return (u64)lle_flow_32(at) << 32 | lle_flow_32(at + 4);
}

/* Multiply and fold: each bit of @word changes both halves of the result. */
static u64 lle_flow_mix(u64 hash, u64 word)
{
	hash = (hash ^ word) * 0x9e3779b97f4a7c15ULL;
	return hash ^ hash >> 32;
}

static u32 lle_flow_number(u64 hash)
{
	return hash * 0xd6e8feb86659fd93ULL >> 32;
}

/* Adds protocol, ports and RoCEv2 QP. @at: transport header, @len bytes. */
static inline u64 lle_flow_transport(u64 hash, u8 protocol, const u8 *at,
				     unsigned int len)
{
	bool ports = len >= 4 && (protocol == LLE_FLOW_TCP ||
				  protocol == LLE_FLOW_UDP);
	u64 word = (u64)protocol << 32 | (ports ? lle_flow_32(at) : 0);

	hash = lle_flow_mix(hash, word);
	if (protocol == LLE_FLOW_UDP && len >= LLE_FLOW_QP + 4 &&
	    lle_ether_16(at + 2) == LLE_FLOW_ROCE)
		hash = lle_flow_mix(hash, lle_flow_32(at + LLE_FLOW_QP) & 0xffffff);
	return hash;
}

static inline void lle_flow_ipv4_hash(const u8 *ip, const u8 *at,
				      unsigned int len, struct lle_flow *f)
{
	u64 hash = lle_flow_mix(LLE_ETHER_IPV4, lle_flow_32(ip + 16));

	f->dst = lle_flow_number(hash);
	hash = lle_flow_mix(hash, lle_flow_32(ip + 12));
	hash = lle_flow_transport(hash, ip[9], at, len);
	f->flow = lle_flow_number(hash);
}

static bool lle_flow_ipv4(const u8 *ip, unsigned int len, struct lle_flow *f)
{
	unsigned int header;

	if (len < 20 || ip[0] >> 4 != 4)
		return false;
	header = (ip[0] & 15) * 4;
	/* only the first fragment has ports */
	if (lle_ether_16(ip + 6) & 0x3fff || header < 20)
		len = 0;
	lle_flow_ipv4_hash(ip, ip + header, len > header ? len - header : 0, f);
	return true;
}

static bool lle_flow_ipv6(const u8 *ip, unsigned int len, struct lle_flow *f)
{
	u64 hash;

	if (len < 40 || ip[0] >> 4 != 6)
		return false;
	hash = lle_flow_mix(LLE_ETHER_IPV6, lle_flow_64(ip + 24));
	hash = lle_flow_mix(hash, lle_flow_64(ip + 32));
	f->dst = lle_flow_number(hash);
	hash = lle_flow_mix(hash, lle_flow_64(ip + 8));
	hash = lle_flow_mix(hash, lle_flow_64(ip + 16));
	hash = lle_flow_transport(hash, ip[6], ip + 40, len - 40);
	f->flow = lle_flow_number(hash);
	return true;
}

static void lle_flow_ethernet(const u8 *frame, u16 type, struct lle_flow *f)
{
	u64 hash = lle_flow_mix(0, lle_flow_64(frame) >> 16);

	f->dst = lle_flow_number(hash);
	hash = lle_flow_mix(hash, (lle_flow_64(frame + 4) << 16) | type);
	f->flow = lle_flow_number(hash);
}

static noinline bool lle_flow_any(const u8 *frame, unsigned int len,
				  struct lle_flow *f)
{
	struct lle_ether e;
	unsigned int at;

	if (len < 14)
		return false;
	lle_ether_parse(lle_ether_16(frame + 12), frame + 14, len - 14, &e);
	at = 14 + e.at;
	if (e.type == LLE_ETHER_IPV4 && lle_flow_ipv4(frame + at, len - at, f))
		return true;
	if (e.type == LLE_ETHER_IPV6 && lle_flow_ipv6(frame + at, len - at, f))
		return true;
	lle_flow_ethernet(frame, e.type, f);
	return true;
}

bool lle_flow_parse(const u8 *frame, unsigned int len, struct lle_flow *f)
{
	const u8 *ip = frame + 14;

	/* most packets: IPv4 without tags, options and fragments */
	if (likely(len >= 14 + 20 + LLE_FLOW_QP + 4 &&
		   lle_ether_16(frame + 12) == LLE_ETHER_IPV4 && ip[0] == 0x45 &&
		   !(lle_ether_16(ip + 6) & 0x3fff))) {
		lle_flow_ipv4_hash(ip, ip + 20, LLE_FLOW_QP + 4, f);
		return true;
	}
	return lle_flow_any(frame, len, f);
}
