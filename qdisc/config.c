// SPDX-License-Identifier: GPL-2.0
/*
 * Options of the qdisc: the policy checks ranges, this file contradictions. An
 * omitted option keeps its value, so init changes the defaults.
 */
#include <net/netlink.h>

#include "../kmod/lossless/gso.h"
#include "options_gen.h"

/* Default thresholds for whole GSO packets: rate of 64 KB in 10 us, */
#define LOSSLESS_GSO_RATE	(65536ULL * 100000)

/* kmin of two GSO packets with WRED, */
#define LOSSLESS_GSO_KMIN	(128U << 10)

/* pause-quanta of four GSO packets: a pause is repeated after half of it */
#define LOSSLESS_GSO_QUANTA	(4 * LLE_GSO_BYTES * 8 / LLE_QUANTUM_BITS)

#define LOSSLESS_STRICT_DEFAULT	2

/* Highest priority to the first band; fewer bands take several each. */
static void lossless_default_priomap(struct lle_sched_params *s)
{
	unsigned int p;

	memset(s->prios, 0, sizeof(s->prios));
	for (p = 0; p < LLE_NUM_PRIO; p++)
		s->prios[(LLE_NUM_PRIO - 1 - p) * s->bands / LLE_NUM_PRIO] |=
			BIT(p);
}

/* 7 and 6, for control, are strict; others share: ARP gets its turns. */
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

/* Sets all options to their defaults. */
void lossless_config_defaults(struct lossless_config *c,
			      const struct net_device *dev)
{
	unsigned int i;

	memset(c, 0, sizeof(*c));
	c->limit_bytes = U32_MAX;
	lossless_options_defaults(c);
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
		if (!nla_len(attr) || nla_len(attr) % sizeof(u32))
			return LLE_REFUSE_ATTR(extack, attr, -EINVAL,
					       "quanta: not a list of 32 bit numbers");
		quanta = nla_len(attr) / sizeof(u32);
	}

	strict = 0;
	if (tb[TCA_LOSSLESS_STRICT])
		strict = nla_get_u8(tb[TCA_LOSSLESS_STRICT]);
	bands = strict + quanta;
	if (tb[TCA_LOSSLESS_BANDS])
		bands = nla_get_u8(tb[TCA_LOSSLESS_BANDS]);

	if (!bands || bands > LLE_NUM_BAND)
		return LLE_REFUSE(extack, -EINVAL,
				  "bands: strict and quanta must add up to 1 to 8");
	if (strict > bands)
		return LLE_REFUSE(extack, -EINVAL,
				  "strict: more than there are bands");
	if (quanta > bands - strict)
		return LLE_REFUSE(extack, -EINVAL,
				  "quanta: more than there are bands that are not strict");

	s->bands = bands;
	s->strict = strict;
	for (i = strict; i < bands; i++) {
		quantum = psched_mtu(dev);
		if (i - strict < quanta)
			memcpy(&quantum, nla_data(attr) + (i - strict) * 4, 4);
		if (quantum < LLE_QUANTUM_MIN || quantum > LLE_QUANTUM_MAX)
			return LLE_REFUSE_ATTR(extack, attr, -EINVAL,
					       "quanta: not in 64 B .. 16 MB");
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
		if (band >= s->bands)
			return LLE_REFUSE_ATTR(extack, attr, -EINVAL,
					       "priomap: no such band");
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

	if (!tb[TCA_LOSSLESS_WRED_PRIO])
		return LLE_REFUSE_ATTR(extack, attr, -EINVAL,
				       "wred: priority is required");
	prio = nla_get_u8(tb[TCA_LOSSLESS_WRED_PRIO]);
	if (nla_get_flag(tb[TCA_LOSSLESS_WRED_OFF])) {
		c->wred[prio] = LLE_WRED_OFF;
		return 0;
	}

	if (!tb[TCA_LOSSLESS_WRED_KMIN] || !tb[TCA_LOSSLESS_WRED_KMAX] ||
	    !tb[TCA_LOSSLESS_WRED_PMAX])
		return LLE_REFUSE_ATTR(extack, attr, -EINVAL,
				       "wred: kmin, kmax and pmax are required");
	lossless_wred_get(&w, tb);

	if (w.kmin_bytes > w.kmax_bytes)
		return LLE_REFUSE_ATTR(extack, attr, -EINVAL,
				       "wred: kmin is above kmax");
	if (w.bufmax_bytes && w.bufmax_bytes < w.kmax_bytes)
		return LLE_REFUSE_ATTR(extack, attr, -EINVAL,
				       "wred: bufmax is below kmax");
	if (w.dequeue && !w.ecn)
		return LLE_REFUSE_ATTR(extack, attr, -EINVAL,
				       "wred: dequeue requires ecn");
	lle_wred_params_init(&w);
	c->wred[prio] = w;
	return 0;
}

static int lossless_check_wred(struct lossless_config *c,
			       struct netlink_ext_ack *extack)
{
	struct lle_wred_params *w;
	unsigned int p;

	for (p = 0; p < LLE_NUM_PRIO; p++) {
		w = &c->wred[p];
		w->nodrop = c->port.pfc_en & BIT(p);
		if (w->dequeue && c->port.rcm.on)
			return LLE_REFUSE(extack, -EINVAL,
					  "wred: dequeue does not know the queues of rcm");
		if (!w->nodrop || w->idle_bytes == U32_MAX)
			continue;
		if (w->nonect_bytes)
			return LLE_REFUSE(extack, -EINVAL,
					  "wred: nonect would drop packets of a priority with PFC");
		if (w->bufmax_bytes)
			return LLE_REFUSE(extack, -EINVAL,
					  "wred: bufmax would drop packets of a priority with PFC");
		if (!w->ecn)
			return LLE_REFUSE(extack, -EINVAL,
					  "wred: without ecn it would drop packets of a priority with PFC");
	}
	return 0;
}

static int lossless_check_link(const struct lle_port_params *p,
			       struct netlink_ext_ack *extack)
{
	if (p->rate && p->rate < LLE_RATE_MIN)
		return LLE_REFUSE(extack, -ERANGE, "rate: below 8 kbit");
	if (p->delay_ns && !p->rate)
		return LLE_REFUSE(extack, -EINVAL, "delay: requires rate");
	if (mul_u64_u64_div_u64(p->rate, p->delay_ns, NSEC_PER_SEC) >
	    LLE_WIRE_MAX)
		return LLE_REFUSE(extack, -EINVAL,
				  "delay: at this rate more than 64 MB would be on the wire");
	return 0;
}

static int lossless_check_role(const struct lle_port_params *p,
			       const struct net_device *dev,
			       struct netlink_ext_ack *extack)
{
	if (p->role == LLE_ROLE_HOST && netif_is_bridge_port(dev))
		return LLE_REFUSE(extack, -EINVAL,
				  "role: a bridge port has role switch; use role host at the other end of the link");
	if (p->rx_rate == LLE_RX_UNLIMITED)
		return 0;
	if (p->role != LLE_ROLE_HOST)
		return LLE_REFUSE(extack, -EINVAL,
				  "rx-rate: requires role host");
	if (p->rx_rate &&
	    (p->rx_rate < LLE_RATE_MIN || p->rx_rate > LLE_RATE_MAX))
		return LLE_REFUSE(extack, -ERANGE,
				  "rx-rate: not in 8 kbit .. 1 tbit");
	return 0;
}

static int lossless_check_buffer(const struct lle_port_params *p,
				 struct netlink_ext_ack *extack)
{
	unsigned int i;

	if (p->sb.xoff_bytes && p->sb.xon_delta_bytes >= p->sb.xoff_bytes)
		return LLE_REFUSE(extack, -EINVAL,
				  "xon-delta: must be below xoff");
	for (i = 0; i < ARRAY_SIZE(p->dscp_prio); i++)
		if (p->dscp_prio[i] >= LLE_NUM_PRIO)
			return LLE_REFUSE(extack, -ERANGE,
					  "dscp-prio: no such priority");
	return 0;
}

/* Must WRED see the queue grow by single segments? */
static bool lossless_wred_is_fine_grained(const struct lossless_config *c)
{
	unsigned int p;

	for (p = 0; p < LLE_NUM_PRIO; p++)
		if (c->wred[p].idle_bytes != U32_MAX &&
		    c->wred[p].kmin_bytes < LOSSLESS_GSO_KMIN)
			return true;
	return false;
}

/*
 * Default of whole GSO packets: not where a pause or packet would wait long for
 * one, where one mark would cover too many segments, with RCM, or where
 * headroom or the pause time suit single frames only.
 */
static bool lossless_gso_auto(const struct lossless_config *c)
{
	const struct lle_port_params *p = &c->port;

	if (p->rate && p->rate < LOSSLESS_GSO_RATE)
		return false;
	if (p->pfc_en && (p->sb.headroom_bytes ||
			  p->pause_quanta < LOSSLESS_GSO_QUANTA))
		return false;
	return !p->rcm.on && !lossless_wred_is_fine_grained(c);
}

/*
 * Finds contradictions, and sets derived members. Returns 0, -EINVAL, -ERANGE;
 * @extack: wrong keyword, and the reason.
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

/* Lists by priority and by DSCP; omitted entries keep their values. */
static void lossless_parse_prios(struct lle_port_params *p, struct nlattr **tb)
{
	struct nla_bitfield32 pfc;
	const u8 *prio;
	unsigned int i;

	if (tb[TCA_LOSSLESS_PFC_EN]) {
		pfc = nla_get_bitfield32(tb[TCA_LOSSLESS_PFC_EN]);
		p->pfc_en = (p->pfc_en & ~pfc.selector) | pfc.value;
	}
	if (!tb[TCA_LOSSLESS_DSCP_PRIO])
		return;
	prio = nla_data(tb[TCA_LOSSLESS_DSCP_PRIO]);
	for (i = 0; i < ARRAY_SIZE(p->dscp_prio); i++)
		if (prio[i] != LLE_DSCP_KEEP)
			p->dscp_prio[i] = prio[i];
}

/*
 * Changes @c, the current configuration, by @opt, TCA_OPTIONS or NULL. RTNL.
 * Returns as lossless_config_check(); after an error @c is invalid.
 */
int lossless_config_parse(struct lossless_config *c, struct net_device *dev,
			  struct nlattr *opt, struct netlink_ext_ack *extack)
{
	struct nlattr *tb[TCA_LOSSLESS_MAX + 1];
	struct nlattr *attr;
	u32 limit;
	int err, rem;

	/* check defaults too, as of the qdisc of net.core.default_qdisc */
	if (!opt)
		return lossless_config_check(c, dev, extack);
	err = nla_parse_nested(tb, TCA_LOSSLESS_MAX, opt, lossless_policy,
			       extack);
	if (err)
		return err;

	lossless_options_get(c, tb);
	/* only role host has an rx-rate */
	if (c->port.role != LLE_ROLE_HOST && !tb[TCA_LOSSLESS_RX_RATE64])
		c->port.rx_rate = LLE_RX_UNLIMITED;
	lossless_parse_prios(&c->port, tb);
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
