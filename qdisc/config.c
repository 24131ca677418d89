// SPDX-License-Identifier: GPL-2.0
/*
 * Options of the qdisc: the policy checks ranges, then contradictions are
 * found. An option that is not given keeps its value, so init changes the
 * defaults.
 */
#include <net/netlink.h>

#include "../kmod/lossless/gso.h"
#include "config.h"

static const struct netlink_range_validation lossless_rate_range = {
	.max = LLE_RATE_MAX,
};

static const struct netlink_range_validation lossless_delay_range = {
	.max = LLE_DELAY_MAX_NS,
};

static const struct netlink_range_validation lossless_bytes_range = {
	.max = LLE_BUFFER_MAX,
};

static const struct netlink_range_validation lossless_buffer_range = {
	.min = LLE_BUFFER_MIN,
	.max = LLE_BUFFER_MAX,
};

/* GSO packets are whole by default from that rate on: 64 KB in 10 us */
#define LOSSLESS_GSO_RATE	(65536ULL * 100000)

/* and from that kmin on, if there is WRED: two GSO packets */
#define LOSSLESS_GSO_KMIN	(128U << 10)

/* and from that pause-quanta on: half of that is two GSO packets */
#define LOSSLESS_GSO_QUANTA	(4 * LLE_GSO_BYTES * 8 / LLE_QUANTUM_BITS)

/* strict bands, if the user says nothing of bands: priorities 7 and 6 */
#define LOSSLESS_STRICT_DEFAULT	2

#define LOSSLESS_BYTES NLA_POLICY_FULL_RANGE(NLA_U32, &lossless_bytes_range)

static const struct nla_policy lossless_policy[TCA_LOSSLESS_MAX + 1] = {
	[TCA_LOSSLESS_RATE64] =
		NLA_POLICY_FULL_RANGE(NLA_U64, &lossless_rate_range),
	[TCA_LOSSLESS_DELAY_NS] =
		NLA_POLICY_FULL_RANGE(NLA_U64, &lossless_delay_range),
	[TCA_LOSSLESS_OVERHEAD] = NLA_POLICY_MAX(NLA_U32, LLE_OVERHEAD_MAX),
	[TCA_LOSSLESS_BURST] = LOSSLESS_BYTES,
	[TCA_LOSSLESS_LIMIT] = LOSSLESS_BYTES,
	[TCA_LOSSLESS_BANDS] = NLA_POLICY_RANGE(NLA_U8, 1, LLE_NUM_BAND),
	[TCA_LOSSLESS_STRICT] = NLA_POLICY_MAX(NLA_U8, LLE_NUM_BAND),
	[TCA_LOSSLESS_QUANTA] = { .type = NLA_BINARY,
				  .len = LLE_NUM_BAND * sizeof(u32) },
	[TCA_LOSSLESS_PRIOMAP] = { .type = NLA_BINARY, .len = LLE_NUM_PRIO },
	[TCA_LOSSLESS_PFC_EN] = { .type = NLA_U8 },
	[TCA_LOSSLESS_PAUSE_QUANTA] = NLA_POLICY_MIN(NLA_U16, 1),
	[TCA_LOSSLESS_SWITCH] = { .type = NLA_U32 },
	[TCA_LOSSLESS_BUFFER] =
		NLA_POLICY_FULL_RANGE(NLA_U32, &lossless_buffer_range),
	[TCA_LOSSLESS_RESERVED] = LOSSLESS_BYTES,
	[TCA_LOSSLESS_TO_ALPHA] = NLA_POLICY_MAX(NLA_U8, LLE_TO_ALPHA_MAX),
	[TCA_LOSSLESS_XOFF] = LOSSLESS_BYTES,
	[TCA_LOSSLESS_XON_DELTA] = LOSSLESS_BYTES,
	[TCA_LOSSLESS_HEADROOM] = LOSSLESS_BYTES,
	[TCA_LOSSLESS_REACTION_NS] =
		NLA_POLICY_FULL_RANGE(NLA_U32, &lossless_delay_range),
	[TCA_LOSSLESS_TRUST] = NLA_POLICY_MAX(NLA_U8, LLE_TRUST_MAX),
	[TCA_LOSSLESS_DSCP_PRIO] = NLA_POLICY_EXACT_LEN(64),
	[TCA_LOSSLESS_FACING] = NLA_POLICY_MAX(NLA_U8, LLE_FACING_MAX),
	[TCA_LOSSLESS_WRED] = { .type = NLA_NESTED },
	[TCA_LOSSLESS_CLEARMAX] = { .type = NLA_FLAG },
	[TCA_LOSSLESS_XON_DELTA_NOW] = { .type = NLA_REJECT },
	[TCA_LOSSLESS_HEADROOM_NOW] = { .type = NLA_REJECT },
	[TCA_LOSSLESS_HEADROOM_NEED] = { .type = NLA_REJECT },
	[TCA_LOSSLESS_SHARED] = { .type = NLA_REJECT },
	[TCA_LOSSLESS_ROLE] = NLA_POLICY_MAX(NLA_U8, LLE_ROLE_MAX),
	[TCA_LOSSLESS_RX_RATE64] = { .type = NLA_U64 },
	[TCA_LOSSLESS_DEADLOCK] =
		NLA_POLICY_MAX(NLA_U8, LLE_DEADLOCK_ACTION_MAX),
	[TCA_LOSSLESS_DEADLOCK_MODE] =
		NLA_POLICY_MAX(NLA_U8, LLE_DEADLOCK_MODE_MAX),
	[TCA_LOSSLESS_DEADLOCK_TRIGGER] =
		NLA_POLICY_MAX(NLA_U8, LLE_DEADLOCK_TRIGGER_MAX),
	[TCA_LOSSLESS_RCM] = NLA_POLICY_MAX(NLA_U8, 1),
	[TCA_LOSSLESS_RCM_QEQ] = LOSSLESS_BYTES,
	[TCA_LOSSLESS_RCM_HOST_CN] = NLA_POLICY_MAX(NLA_U8, 1),
	[TCA_LOSSLESS_RCM_LAS] = { .type = NLA_U8 },
	[TCA_LOSSLESS_GSO] = NLA_POLICY_MAX(NLA_U8, LLE_GSO_MODE_MAX),
	[TCA_LOSSLESS_GSO_NOW] = { .type = NLA_REJECT },
};

static const struct nla_policy
lossless_wred_policy[TCA_LOSSLESS_WRED_MAX + 1] = {
	[TCA_LOSSLESS_WRED_PRIO] = NLA_POLICY_MAX(NLA_U8, LLE_NUM_PRIO - 1),
	[TCA_LOSSLESS_WRED_KMIN] = LOSSLESS_BYTES,
	[TCA_LOSSLESS_WRED_KMAX] = LOSSLESS_BYTES,
	[TCA_LOSSLESS_WRED_PMAX] = NLA_POLICY_MIN(NLA_U32, 1),
	[TCA_LOSSLESS_WRED_NONECT] = LOSSLESS_BYTES,
	[TCA_LOSSLESS_WRED_BUFMAX] = LOSSLESS_BYTES,
	[TCA_LOSSLESS_WRED_ECN] = NLA_POLICY_MAX(NLA_U8, 1),
	[TCA_LOSSLESS_WRED_OFF] = { .type = NLA_FLAG },
};

/* Map the highest priority to the first band; fewer bands take several each. */
static void lossless_default_priomap(struct lle_sched_params *s)
{
	unsigned int p;

	memset(s->prios, 0, sizeof(s->prios));
	for (p = 0; p < LLE_NUM_PRIO; p++)
		s->prios[(LLE_NUM_PRIO - 1 - p) * s->bands / LLE_NUM_PRIO] |=
			BIT(p);
}

/*
 * Serve priorities 7 and 6 first, as they are for control, and let the others
 * share: a lossless priority that is full all the time leaves ARP its turns.
 */
static void lossless_default_bands(struct lle_sched_params *s,
				   const struct net_device *dev)
{
	unsigned int b;

	s->bands = LLE_NUM_BAND;
	s->strict = LOSSLESS_STRICT_DEFAULT;
	for (b = s->strict; b < s->bands; b++)
		s->quantum_bytes[b] = clamp_t(u32, 2 * psched_mtu(dev),
					      LLE_QUANTUM_MIN, LLE_QUANTUM_MAX);
	lossless_default_priomap(s);
}

/**
 * lossless_config_defaults() - set all options to their defaults
 * @c: result
 * @dev: device of the qdisc
 */
void lossless_config_defaults(struct lossless_config *c,
			      const struct net_device *dev)
{
	unsigned int i;

	memset(c, 0, sizeof(*c));
	c->limit_bytes = U32_MAX;
	c->port.sb.to_alpha = LLE_TO_ALPHA_DEFAULT;
	c->port.overhead_bytes = LLE_OVERHEAD_DEFAULT;
	c->port.burst_bytes = LLE_BURST_DEFAULT;
	c->port.reaction_ns = LLE_REACTION_DEFAULT_NS;
	c->port.pause_quanta = LLE_QUANTA_MAX;
	c->port.rx_rate = LLE_RX_UNLIMITED;
	c->port.trust = LLE_TRUST_DSCP;
	c->port.facing = LLE_FACING_EDGE;
	c->port.deadlock = LLE_DEADLOCK_UNSAID;
	c->port.deadlock_mode = LLE_DEADLOCK_UNSAID;
	c->port.deadlock_trigger = LLE_DEADLOCK_UNSAID;
	c->port.rcm.las = LLE_RCM_LAS_DEFAULT;
	for (i = 0; i < ARRAY_SIZE(c->port.dscp_prio); i++)
		c->port.dscp_prio[i] = i >> 3;
	lossless_default_bands(&c->sched, dev);
	for (i = 0; i < LLE_NUM_PRIO; i++)
		c->wred[i] = LLE_WRED_OFF;
}

/* bands, strict, quanta: as in ets(8), missing ones follow from the others. */
static int lossless_parse_bands(struct lle_sched_params *s,
				struct net_device *dev, struct nlattr **tb,
				struct netlink_ext_ack *extack)
{
	const struct nlattr *attr = tb[TCA_LOSSLESS_QUANTA];
	unsigned int quanta = 0, bands, strict, i;
	u32 quantum;

	if (!tb[TCA_LOSSLESS_BANDS] && !tb[TCA_LOSSLESS_STRICT] && !attr)
		return 0;

	if (attr) {
		if (!nla_len(attr) || nla_len(attr) % sizeof(u32)) {
			NL_SET_ERR_MSG_ATTR(extack, attr, "quanta: not a list of 32 bit numbers");
			return -EINVAL;
		}
		quanta = nla_len(attr) / sizeof(u32);
	}

	strict = 0;
	if (tb[TCA_LOSSLESS_STRICT])
		strict = nla_get_u8(tb[TCA_LOSSLESS_STRICT]);
	bands = strict + quanta;
	if (tb[TCA_LOSSLESS_BANDS])
		bands = nla_get_u8(tb[TCA_LOSSLESS_BANDS]);

	if (!bands || bands > LLE_NUM_BAND) {
		NL_SET_ERR_MSG(extack, "bands: strict and quanta must add up to 1 to 8");
		return -EINVAL;
	}
	if (strict > bands) {
		NL_SET_ERR_MSG(extack, "strict: more than there are bands");
		return -EINVAL;
	}
	if (quanta > bands - strict) {
		NL_SET_ERR_MSG(extack, "quanta: more than there are bands that are not strict");
		return -EINVAL;
	}

	s->bands = bands;
	s->strict = strict;
	for (i = strict; i < bands; i++) {
		quantum = psched_mtu(dev);
		if (i - strict < quanta)
			memcpy(&quantum, nla_data(attr) + (i - strict) * 4, 4);
		if (quantum < LLE_QUANTUM_MIN || quantum > LLE_QUANTUM_MAX) {
			NL_SET_ERR_MSG_ATTR(extack, attr, "quanta: not in 64 B .. 16 MB");
			return -EINVAL;
		}
		s->quantum_bytes[i] = quantum;
	}
	lossless_default_priomap(s);
	return 0;
}

static int lossless_parse_priomap(struct lle_sched_params *s,
				  const struct nlattr *attr,
				  struct netlink_ext_ack *extack)
{
	unsigned int p, band;
	const u8 *bands;

	if (!attr)
		return 0;

	bands = nla_data(attr);
	memset(s->prios, 0, sizeof(s->prios));
	for (p = 0; p < LLE_NUM_PRIO; p++) {
		band = p < nla_len(attr) ? bands[p] : s->bands - 1;
		if (band >= s->bands) {
			NL_SET_ERR_MSG_ATTR(extack, attr, "priomap: no such band");
			return -EINVAL;
		}
		s->prios[band] |= BIT(p);
	}
	return 0;
}

static int lossless_parse_wred(struct lossless_config *c,
			       const struct nlattr *attr,
			       struct netlink_ext_ack *extack)
{
	struct nlattr *tb[TCA_LOSSLESS_WRED_MAX + 1];
	struct lle_wred_params w = {};
	unsigned int prio;
	int err;

	err = nla_parse_nested(tb, TCA_LOSSLESS_WRED_MAX, attr,
			       lossless_wred_policy, extack);
	if (err)
		return err;

	if (!tb[TCA_LOSSLESS_WRED_PRIO]) {
		NL_SET_ERR_MSG_ATTR(extack, attr, "wred: priority is required");
		return -EINVAL;
	}
	prio = nla_get_u8(tb[TCA_LOSSLESS_WRED_PRIO]);
	if (nla_get_flag(tb[TCA_LOSSLESS_WRED_OFF])) {
		c->wred[prio] = LLE_WRED_OFF;
		return 0;
	}

	if (!tb[TCA_LOSSLESS_WRED_KMIN] || !tb[TCA_LOSSLESS_WRED_KMAX] ||
	    !tb[TCA_LOSSLESS_WRED_PMAX]) {
		NL_SET_ERR_MSG_ATTR(extack, attr, "wred: kmin, kmax and pmax are required");
		return -EINVAL;
	}
	w.kmin_bytes = nla_get_u32(tb[TCA_LOSSLESS_WRED_KMIN]);
	w.kmax_bytes = nla_get_u32(tb[TCA_LOSSLESS_WRED_KMAX]);
	w.pmax_q32 = nla_get_u32(tb[TCA_LOSSLESS_WRED_PMAX]);
	if (tb[TCA_LOSSLESS_WRED_NONECT])
		w.nonect_bytes = nla_get_u32(tb[TCA_LOSSLESS_WRED_NONECT]);
	if (tb[TCA_LOSSLESS_WRED_BUFMAX])
		w.bufmax_bytes = nla_get_u32(tb[TCA_LOSSLESS_WRED_BUFMAX]);
	if (tb[TCA_LOSSLESS_WRED_ECN])
		w.ecn = nla_get_u8(tb[TCA_LOSSLESS_WRED_ECN]);

	if (w.kmin_bytes > w.kmax_bytes) {
		NL_SET_ERR_MSG_ATTR(extack, attr, "wred: kmin is above kmax");
		return -EINVAL;
	}
	if (w.bufmax_bytes && w.bufmax_bytes < w.kmax_bytes) {
		NL_SET_ERR_MSG_ATTR(extack, attr, "wred: bufmax is below kmax");
		return -EINVAL;
	}
	lle_wred_params_init(&w);
	c->wred[prio] = w;
	return 0;
}

/* Refuse WRED that drops packets of a lossless priority. */
static int lossless_check_wred(struct lossless_config *c,
			       struct netlink_ext_ack *extack)
{
	struct lle_wred_params *w;
	unsigned int p;

	for (p = 0; p < LLE_NUM_PRIO; p++) {
		w = &c->wred[p];
		w->nodrop = c->port.pfc_en & BIT(p);
		if (!w->nodrop || w->idle_bytes == U32_MAX)
			continue;
		if (w->nonect_bytes) {
			NL_SET_ERR_MSG(extack,
				       "wred: nonect would drop packets of a priority with PFC");
			return -EINVAL;
		}
		if (w->bufmax_bytes) {
			NL_SET_ERR_MSG(extack,
				       "wred: bufmax would drop packets of a priority with PFC");
			return -EINVAL;
		}
		if (!w->ecn) {
			NL_SET_ERR_MSG(extack,
				       "wred: without ecn it would drop packets of a priority with PFC");
			return -EINVAL;
		}
	}
	return 0;
}

static int lossless_check_link(const struct lle_port_params *p,
			       struct netlink_ext_ack *extack)
{
	if (p->rate && p->rate < LLE_RATE_MIN) {
		NL_SET_ERR_MSG(extack, "rate: below 8 kbit");
		return -ERANGE;
	}
	if (p->delay_ns && !p->rate) {
		NL_SET_ERR_MSG(extack, "delay: requires rate");
		return -EINVAL;
	}
	if (mul_u64_u64_div_u64(p->rate, p->delay_ns, NSEC_PER_SEC) >
	    LLE_WIRE_MAX) {
		NL_SET_ERR_MSG(extack, "delay: at this rate more than 64 MB would be on the wire");
		return -EINVAL;
	}
	return 0;
}

static int lossless_check_role(const struct lle_port_params *p,
			       const struct net_device *dev,
			       struct netlink_ext_ack *extack)
{
	if (p->role == LLE_ROLE_HOST && netif_is_bridge_port(dev)) {
		NL_SET_ERR_MSG(extack,
			       "role: a bridge port has role switch; use role host at the other end of the link");
		return -EINVAL;
	}
	if (p->rx_rate == LLE_RX_UNLIMITED)
		return 0;
	if (p->role != LLE_ROLE_HOST) {
		NL_SET_ERR_MSG(extack, "rx-rate: requires role host");
		return -EINVAL;
	}
	if (p->rx_rate &&
	    (p->rx_rate < LLE_RATE_MIN || p->rx_rate > LLE_RATE_MAX)) {
		NL_SET_ERR_MSG(extack, "rx-rate: not in 8 kbit .. 1 tbit");
		return -ERANGE;
	}
	return 0;
}

static int lossless_check_buffer(const struct lle_port_params *p,
				 struct netlink_ext_ack *extack)
{
	unsigned int i;

	if (p->sb.xoff_bytes && p->sb.xon_delta_bytes >= p->sb.xoff_bytes) {
		NL_SET_ERR_MSG(extack, "xon-delta: must be below xoff");
		return -EINVAL;
	}
	for (i = 0; i < ARRAY_SIZE(p->dscp_prio); i++) {
		if (p->dscp_prio[i] >= LLE_NUM_PRIO) {
			NL_SET_ERR_MSG(extack, "dscp-prio: no such priority");
			return -ERANGE;
		}
	}
	return 0;
}

/* Does WRED have to see the queue grow by single segments? */
static bool lossless_wred_is_fine(const struct lossless_config *c)
{
	unsigned int p;

	for (p = 0; p < LLE_NUM_PRIO; p++)
		if (c->wred[p].idle_bytes != U32_MAX &&
		    c->wred[p].kmin_bytes < LOSSLESS_GSO_KMIN)
			return true;
	return false;
}

/*
 * Are GSO packets sent whole, unless the user says so? Not where a pause or
 * another packet would wait long for one, where a mark would be for too many
 * segments, where RCM looks at packets, or where headroom or the pause time were
 * chosen for single frames.
 */
static bool lossless_gso_auto(const struct lossless_config *c)
{
	const struct lle_port_params *p = &c->port;

	if (p->rate && p->rate < LOSSLESS_GSO_RATE)
		return false;
	if (p->pfc_en && (p->sb.headroom_bytes ||
			  p->pause_quanta < LOSSLESS_GSO_QUANTA))
		return false;
	return !p->rcm.on && !lossless_wred_is_fine(c);
}

/**
 * lossless_config_check() - find contradictions
 * @c: the new configuration; derived members are set
 * @dev: device of the qdisc
 * @extack: gets the wrong keyword, and the reason
 *
 * Return: 0, -EINVAL, -ERANGE.
 */
int lossless_config_check(struct lossless_config *c,
			  const struct net_device *dev,
			  struct netlink_ext_ack *extack)
{
	int err;

	c->port.whole = c->port.gso == LLE_GSO_AUTO ?
				lossless_gso_auto(c) :
				c->port.gso == LLE_GSO_WHOLE;
	err = lossless_check_wred(c, extack);
	if (!err)
		err = lossless_check_link(&c->port, extack);
	if (!err)
		err = lossless_check_role(&c->port, dev, extack);
	if (!err)
		err = lossless_check_buffer(&c->port, extack);
	return err;
}

/* Parse the options of the port. */
static void lossless_parse_port(struct lle_port_params *p, struct nlattr **tb)
{
#define LOSSLESS_GET(attr, type, member)			\
	do {							\
		if (tb[TCA_LOSSLESS_##attr])			\
			(member) = nla_get_##type(tb[TCA_LOSSLESS_##attr]); \
	} while (0)

	LOSSLESS_GET(RATE64, u64, p->rate);
	LOSSLESS_GET(DELAY_NS, u64, p->delay_ns);
	LOSSLESS_GET(OVERHEAD, u32, p->overhead_bytes);
	LOSSLESS_GET(BURST, u32, p->burst_bytes);
	LOSSLESS_GET(PFC_EN, u8, p->pfc_en);
	LOSSLESS_GET(PAUSE_QUANTA, u16, p->pause_quanta);
	LOSSLESS_GET(BUFFER, u32, p->buffer_bytes);
	LOSSLESS_GET(RESERVED, u32, p->sb.reserved_bytes);
	LOSSLESS_GET(TO_ALPHA, u8, p->sb.to_alpha);
	LOSSLESS_GET(XOFF, u32, p->sb.xoff_bytes);
	LOSSLESS_GET(XON_DELTA, u32, p->sb.xon_delta_bytes);
	LOSSLESS_GET(HEADROOM, u32, p->sb.headroom_bytes);
	LOSSLESS_GET(REACTION_NS, u32, p->reaction_ns);
	LOSSLESS_GET(TRUST, u8, p->trust);
	LOSSLESS_GET(FACING, u8, p->facing);
	LOSSLESS_GET(ROLE, u8, p->role);
	LOSSLESS_GET(GSO, u8, p->gso);
	LOSSLESS_GET(DEADLOCK, u8, p->deadlock);
	LOSSLESS_GET(DEADLOCK_MODE, u8, p->deadlock_mode);
	LOSSLESS_GET(DEADLOCK_TRIGGER, u8, p->deadlock_trigger);
	LOSSLESS_GET(RCM, u8, p->rcm.on);
	LOSSLESS_GET(RCM_QEQ, u32, p->rcm.qeq_bytes);
	LOSSLESS_GET(RCM_HOST_CN, u8, p->rcm.host_cn);
	LOSSLESS_GET(RCM_LAS, u8, p->rcm.las);
	/* without role host there is no rx-rate */
	if (p->role != LLE_ROLE_HOST)
		p->rx_rate = LLE_RX_UNLIMITED;
	LOSSLESS_GET(RX_RATE64, u64, p->rx_rate);
#undef LOSSLESS_GET

	if (tb[TCA_LOSSLESS_DSCP_PRIO])
		nla_memcpy(p->dscp_prio, tb[TCA_LOSSLESS_DSCP_PRIO],
			   sizeof(p->dscp_prio));
}

/**
 * lossless_config_parse() - read options
 * @c: current configuration; the result if 0 is returned
 * @dev: device of the qdisc
 * @opt: TCA_OPTIONS; NULL: none
 * @extack: gets the wrong keyword, and the reason
 *
 * Context: RTNL. Return: 0, -EINVAL, -ERANGE.
 */
int lossless_config_parse(struct lossless_config *c, struct net_device *dev,
			  struct nlattr *opt, struct netlink_ext_ack *extack)
{
	struct nlattr *tb[TCA_LOSSLESS_MAX + 1];
	struct nlattr *attr;
	u32 limit;
	int err, rem;

	/* what is not set, such as the qdisc of net.core.default_qdisc, is checked too */
	if (!opt)
		return lossless_config_check(c, dev, extack);
	err = nla_parse_nested(tb, TCA_LOSSLESS_MAX, opt, lossless_policy,
			       extack);
	if (err)
		return err;

	lossless_parse_port(&c->port, tb);
	if (tb[TCA_LOSSLESS_SWITCH])
		c->switch_id = nla_get_u32(tb[TCA_LOSSLESS_SWITCH]);
	if (tb[TCA_LOSSLESS_LIMIT]) {
		limit = nla_get_u32(tb[TCA_LOSSLESS_LIMIT]);
		c->limit_bytes = limit ? limit : U32_MAX;
	}
	c->clear_max = nla_get_flag(tb[TCA_LOSSLESS_CLEARMAX]);

	err = lossless_parse_bands(&c->sched, dev, tb, extack);
	if (!err)
		err = lossless_parse_priomap(&c->sched,
					     tb[TCA_LOSSLESS_PRIOMAP], extack);
	nla_for_each_nested(attr, opt, rem) {
		if (!err && nla_type(attr) == TCA_LOSSLESS_WRED)
			err = lossless_parse_wred(c, attr, extack);
	}
	return err ? err : lossless_config_check(c, dev, extack);
}
