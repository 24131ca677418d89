// SPDX-License-Identifier: GPL-2.0
/* Do not edit directly, made by spec/gen.py from spec/qdisc.yaml */
#include <net/netlink.h>

#include "options_gen.h"

static const struct netlink_range_validation lossless_rate64_range = {
	.max = LLE_RATE_MAX,
};

static const struct netlink_range_validation lossless_delay_ns_range = {
	.max = LLE_DELAY_MAX_NS,
};

static const struct netlink_range_validation lossless_burst_range = {
	.max = LLE_BUFFER_MAX,
};

static const struct netlink_range_validation lossless_buffer_range = {
	.min = LLE_BUFFER_MIN,
	.max = LLE_BUFFER_MAX,
};

const struct nla_policy lossless_policy[TCA_LOSSLESS_MAX + 1] = {
	[TCA_LOSSLESS_RATE64] = NLA_POLICY_FULL_RANGE(NLA_U64, &lossless_rate64_range),
	[TCA_LOSSLESS_DELAY_NS] = NLA_POLICY_FULL_RANGE(NLA_U64, &lossless_delay_ns_range),
	[TCA_LOSSLESS_OVERHEAD] = NLA_POLICY_MAX(NLA_U32, 256),
	[TCA_LOSSLESS_BURST] = NLA_POLICY_FULL_RANGE(NLA_U32, &lossless_burst_range),
	[TCA_LOSSLESS_LIMIT] = NLA_POLICY_FULL_RANGE(NLA_U32, &lossless_burst_range),
	[TCA_LOSSLESS_GSO] = NLA_POLICY_MAX(NLA_U8, LLE_GSO_MODE_MAX),
	[TCA_LOSSLESS_GSO_NOW] = { .type = NLA_REJECT },
	[TCA_LOSSLESS_BANDS] = NLA_POLICY_RANGE(NLA_U8, 1, 8),
	[TCA_LOSSLESS_STRICT] = NLA_POLICY_MAX(NLA_U8, 8),
	[TCA_LOSSLESS_QUANTA] = { .type = NLA_BINARY, .len = 32 },
	[TCA_LOSSLESS_PRIOMAP] = { .type = NLA_BINARY, .len = 8 },
	[TCA_LOSSLESS_PFC_EN] = NLA_POLICY_BITFIELD32(255),
	[TCA_LOSSLESS_PAUSE_QUANTA] = NLA_POLICY_MIN(NLA_U16, 1),
	[TCA_LOSSLESS_SWITCH] = { .type = NLA_U32 },
	[TCA_LOSSLESS_BUFFER] = NLA_POLICY_FULL_RANGE(NLA_U32, &lossless_buffer_range),
	[TCA_LOSSLESS_SHARED] = { .type = NLA_REJECT },
	[TCA_LOSSLESS_RESERVED] = NLA_POLICY_FULL_RANGE(NLA_U32, &lossless_burst_range),
	[TCA_LOSSLESS_TO_ALPHA] = NLA_POLICY_MAX(NLA_U8, LLE_TO_ALPHA_MAX),
	[TCA_LOSSLESS_XOFF] = NLA_POLICY_FULL_RANGE(NLA_U32, &lossless_burst_range),
	[TCA_LOSSLESS_XON_DELTA] = NLA_POLICY_FULL_RANGE(NLA_U32, &lossless_burst_range),
	[TCA_LOSSLESS_XON_DELTA_NOW] = { .type = NLA_REJECT },
	[TCA_LOSSLESS_HEADROOM] = NLA_POLICY_FULL_RANGE(NLA_U32, &lossless_burst_range),
	[TCA_LOSSLESS_HEADROOM_NOW] = { .type = NLA_REJECT },
	[TCA_LOSSLESS_HEADROOM_NEED] = { .type = NLA_REJECT },
	[TCA_LOSSLESS_REACTION_NS] = NLA_POLICY_FULL_RANGE(NLA_U32, &lossless_delay_ns_range),
	[TCA_LOSSLESS_DEADLOCK] = NLA_POLICY_MAX(NLA_U8, LLE_DEADLOCK_ACTION_MAX),
	[TCA_LOSSLESS_DEADLOCK_TRIGGER] = NLA_POLICY_MAX(NLA_U8, LLE_DEADLOCK_TRIGGER_MAX),
	[TCA_LOSSLESS_RCM] = NLA_POLICY_MAX(NLA_U8, 1),
	[TCA_LOSSLESS_RCM_HOST_CN] = NLA_POLICY_MAX(NLA_U8, 1),
	[TCA_LOSSLESS_RCM_QEQ] = NLA_POLICY_FULL_RANGE(NLA_U32, &lossless_burst_range),
	[TCA_LOSSLESS_RCM_LAS] = { .type = NLA_U8 },
	[TCA_LOSSLESS_WRED] = { .type = NLA_NESTED },
	[TCA_LOSSLESS_TRUST] = NLA_POLICY_MAX(NLA_U8, LLE_TRUST_MAX),
	[TCA_LOSSLESS_DSCP_PRIO] = NLA_POLICY_EXACT_LEN(64),
	[TCA_LOSSLESS_FACING] = NLA_POLICY_MAX(NLA_U8, LLE_FACING_MAX),
	[TCA_LOSSLESS_ROLE] = NLA_POLICY_MAX(NLA_U8, LLE_ROLE_MAX),
	[TCA_LOSSLESS_RX_RATE64] = { .type = NLA_U64 },
	[TCA_LOSSLESS_CLEARMAX] = { .type = NLA_FLAG },
};

const struct nla_policy lossless_wred_policy[TCA_LOSSLESS_WRED_MAX + 1] = {
	[TCA_LOSSLESS_WRED_PRIO] = NLA_POLICY_MAX(NLA_U8, 7),
	[TCA_LOSSLESS_WRED_KMIN] = NLA_POLICY_FULL_RANGE(NLA_U32, &lossless_burst_range),
	[TCA_LOSSLESS_WRED_KMAX] = NLA_POLICY_FULL_RANGE(NLA_U32, &lossless_burst_range),
	[TCA_LOSSLESS_WRED_PMAX] = NLA_POLICY_MIN(NLA_U32, 1),
	[TCA_LOSSLESS_WRED_NONECT] = NLA_POLICY_FULL_RANGE(NLA_U32, &lossless_burst_range),
	[TCA_LOSSLESS_WRED_BUFMAX] = NLA_POLICY_FULL_RANGE(NLA_U32, &lossless_burst_range),
	[TCA_LOSSLESS_WRED_ECN] = NLA_POLICY_MAX(NLA_U8, 1),
	[TCA_LOSSLESS_WRED_OFF] = { .type = NLA_FLAG },
	[TCA_LOSSLESS_WRED_DEQUEUE] = NLA_POLICY_MAX(NLA_U8, 1),
};

void lossless_options_defaults(struct lossless_config *c)
{
	c->port.overhead_bytes = 24;
	c->port.burst_bytes = 32768;
	c->port.pause_quanta = 65535;
	c->port.sb.to_alpha = LLE_TO_ALPHA_DEFAULT;
	c->port.reaction_ns = 100000;
	c->port.deadlock = LLE_DEADLOCK_UNSAID;
	c->port.deadlock_trigger = LLE_DEADLOCK_UNSAID;
	c->port.trust = LLE_TRUST_DSCP;
	c->port.facing = LLE_FACING_EDGE;
	c->port.role = LLE_ROLE_SWITCH;
	c->port.rx_rate = LLE_RX_UNLIMITED;
}

void lossless_options_get(struct lossless_config *c, struct nlattr *const tb[])
{
	if (tb[TCA_LOSSLESS_RATE64])
		c->port.rate = nla_get_u64(tb[TCA_LOSSLESS_RATE64]);
	if (tb[TCA_LOSSLESS_DELAY_NS])
		c->port.delay_ns = nla_get_u64(tb[TCA_LOSSLESS_DELAY_NS]);
	if (tb[TCA_LOSSLESS_OVERHEAD])
		c->port.overhead_bytes = nla_get_u32(tb[TCA_LOSSLESS_OVERHEAD]);
	if (tb[TCA_LOSSLESS_BURST])
		c->port.burst_bytes = nla_get_u32(tb[TCA_LOSSLESS_BURST]);
	if (tb[TCA_LOSSLESS_GSO])
		c->port.gso = nla_get_u8(tb[TCA_LOSSLESS_GSO]);
	if (tb[TCA_LOSSLESS_PAUSE_QUANTA])
		c->port.pause_quanta = nla_get_u16(tb[TCA_LOSSLESS_PAUSE_QUANTA]);
	if (tb[TCA_LOSSLESS_BUFFER])
		c->port.buffer_bytes = nla_get_u32(tb[TCA_LOSSLESS_BUFFER]);
	if (tb[TCA_LOSSLESS_RESERVED])
		c->port.sb.reserved_bytes = nla_get_u32(tb[TCA_LOSSLESS_RESERVED]);
	if (tb[TCA_LOSSLESS_TO_ALPHA])
		c->port.sb.to_alpha = nla_get_u8(tb[TCA_LOSSLESS_TO_ALPHA]);
	if (tb[TCA_LOSSLESS_XOFF])
		c->port.sb.xoff_bytes = nla_get_u32(tb[TCA_LOSSLESS_XOFF]);
	if (tb[TCA_LOSSLESS_XON_DELTA])
		c->port.sb.xon_delta_bytes = nla_get_u32(tb[TCA_LOSSLESS_XON_DELTA]);
	if (tb[TCA_LOSSLESS_HEADROOM])
		c->port.sb.headroom_bytes = nla_get_u32(tb[TCA_LOSSLESS_HEADROOM]);
	if (tb[TCA_LOSSLESS_REACTION_NS])
		c->port.reaction_ns = nla_get_u32(tb[TCA_LOSSLESS_REACTION_NS]);
	if (tb[TCA_LOSSLESS_DEADLOCK])
		c->port.deadlock = nla_get_u8(tb[TCA_LOSSLESS_DEADLOCK]);
	if (tb[TCA_LOSSLESS_DEADLOCK_TRIGGER])
		c->port.deadlock_trigger = nla_get_u8(tb[TCA_LOSSLESS_DEADLOCK_TRIGGER]);
	if (tb[TCA_LOSSLESS_RCM])
		c->port.rcm.on = nla_get_u8(tb[TCA_LOSSLESS_RCM]);
	if (tb[TCA_LOSSLESS_RCM_HOST_CN])
		c->port.rcm.host_cn = nla_get_u8(tb[TCA_LOSSLESS_RCM_HOST_CN]);
	if (tb[TCA_LOSSLESS_RCM_QEQ])
		c->port.rcm.qeq_bytes = nla_get_u32(tb[TCA_LOSSLESS_RCM_QEQ]);
	if (tb[TCA_LOSSLESS_RCM_LAS])
		c->port.rcm.las = nla_get_u8(tb[TCA_LOSSLESS_RCM_LAS]);
	if (tb[TCA_LOSSLESS_TRUST])
		c->port.trust = nla_get_u8(tb[TCA_LOSSLESS_TRUST]);
	if (tb[TCA_LOSSLESS_FACING])
		c->port.facing = nla_get_u8(tb[TCA_LOSSLESS_FACING]);
	if (tb[TCA_LOSSLESS_ROLE])
		c->port.role = nla_get_u8(tb[TCA_LOSSLESS_ROLE]);
	if (tb[TCA_LOSSLESS_RX_RATE64])
		c->port.rx_rate = nla_get_u64(tb[TCA_LOSSLESS_RX_RATE64]);
}

void lossless_wred_get(struct lle_wred_params *c, struct nlattr *const tb[])
{
	if (tb[TCA_LOSSLESS_WRED_KMIN])
		c->kmin_bytes = nla_get_u32(tb[TCA_LOSSLESS_WRED_KMIN]);
	if (tb[TCA_LOSSLESS_WRED_KMAX])
		c->kmax_bytes = nla_get_u32(tb[TCA_LOSSLESS_WRED_KMAX]);
	if (tb[TCA_LOSSLESS_WRED_PMAX])
		c->pmax_q32 = nla_get_u32(tb[TCA_LOSSLESS_WRED_PMAX]);
	if (tb[TCA_LOSSLESS_WRED_NONECT])
		c->nonect_bytes = nla_get_u32(tb[TCA_LOSSLESS_WRED_NONECT]);
	if (tb[TCA_LOSSLESS_WRED_BUFMAX])
		c->bufmax_bytes = nla_get_u32(tb[TCA_LOSSLESS_WRED_BUFMAX]);
	if (tb[TCA_LOSSLESS_WRED_ECN])
		c->ecn = nla_get_u8(tb[TCA_LOSSLESS_WRED_ECN]);
	if (tb[TCA_LOSSLESS_WRED_DEQUEUE])
		c->dequeue = nla_get_u8(tb[TCA_LOSSLESS_WRED_DEQUEUE]);
}

int lossless_options_put(struct sk_buff *skb, const struct lle_port_params *p)
{
	if (nla_put_u64_64bit(skb, TCA_LOSSLESS_RATE64, p->rate, TCA_LOSSLESS_PAD) ||
	    nla_put_u64_64bit(skb, TCA_LOSSLESS_DELAY_NS, p->delay_ns, TCA_LOSSLESS_PAD) ||
	    nla_put_u32(skb, TCA_LOSSLESS_OVERHEAD, p->overhead_bytes) ||
	    nla_put_u32(skb, TCA_LOSSLESS_BURST, p->burst_bytes) ||
	    nla_put_u8(skb, TCA_LOSSLESS_GSO, p->gso) ||
	    nla_put_u16(skb, TCA_LOSSLESS_PAUSE_QUANTA, p->pause_quanta) ||
	    nla_put_u32(skb, TCA_LOSSLESS_RESERVED, p->sb.reserved_bytes) ||
	    nla_put_u8(skb, TCA_LOSSLESS_TO_ALPHA, p->sb.to_alpha) ||
	    nla_put_u32(skb, TCA_LOSSLESS_XOFF, p->sb.xoff_bytes) ||
	    nla_put_u32(skb, TCA_LOSSLESS_XON_DELTA, p->sb.xon_delta_bytes) ||
	    nla_put_u32(skb, TCA_LOSSLESS_HEADROOM, p->sb.headroom_bytes) ||
	    nla_put_u32(skb, TCA_LOSSLESS_REACTION_NS, p->reaction_ns) ||
	    nla_put_u8(skb, TCA_LOSSLESS_RCM, p->rcm.on) ||
	    nla_put_u8(skb, TCA_LOSSLESS_RCM_HOST_CN, p->rcm.host_cn) ||
	    nla_put_u32(skb, TCA_LOSSLESS_RCM_QEQ, p->rcm.qeq_bytes) ||
	    nla_put_u8(skb, TCA_LOSSLESS_RCM_LAS, p->rcm.las) ||
	    nla_put_u8(skb, TCA_LOSSLESS_TRUST, p->trust) ||
	    nla_put_u8(skb, TCA_LOSSLESS_FACING, p->facing) ||
	    nla_put_u8(skb, TCA_LOSSLESS_ROLE, p->role) ||
	    nla_put_u64_64bit(skb, TCA_LOSSLESS_RX_RATE64, p->rx_rate, TCA_LOSSLESS_PAD))
		return -EMSGSIZE;
	return 0;
}

int lossless_wred_put(struct sk_buff *skb, const struct lle_wred_params *p)
{
	if (nla_put_u32(skb, TCA_LOSSLESS_WRED_KMIN, p->kmin_bytes) ||
	    nla_put_u32(skb, TCA_LOSSLESS_WRED_KMAX, p->kmax_bytes) ||
	    nla_put_u32(skb, TCA_LOSSLESS_WRED_PMAX, p->pmax_q32) ||
	    (p->nonect_bytes && nla_put_u32(skb, TCA_LOSSLESS_WRED_NONECT, p->nonect_bytes)) ||
	    (p->bufmax_bytes && nla_put_u32(skb, TCA_LOSSLESS_WRED_BUFMAX, p->bufmax_bytes)) ||
	    nla_put_u8(skb, TCA_LOSSLESS_WRED_ECN, p->ecn) ||
	    (p->dequeue && nla_put_u8(skb, TCA_LOSSLESS_WRED_DEQUEUE, p->dequeue)))
		return -EMSGSIZE;
	return 0;
}
