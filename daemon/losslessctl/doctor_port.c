// SPDX-License-Identifier: GPL-2.0
/* Settings of a port. */
#include "doctor.h"
#include "save.h"

/* The lossless priority of a switch that has none, as in the pages */
#define LOSSLESS_PRIO	3

/* Bytes of a turn of a band, if it has none: two frames */
#define QUANTUM		3000

/* Detection time of losslessd, if no port has one, ms */
#define DETECTION_MS	100

static bool has_wred(const struct doctor_end *own)
{
	uint64_t value;

	return lle_nl_option(own->qdisc, TCA_LOSSLESS_WRED, &value);
}

static void mend_change(struct doctor *d, const struct doctor_end *own)
{
	doctor_mend(d, "tc qdisc change dev %s root lossless", own->word);
}

/**
 * doctor_pfc() - has a switch any lossless priority?
 * @d: the run
 *
 * A switch for LDCP has none, and marks instead.
 */
void doctor_pfc(struct doctor *d)
{
	const struct doctor_end *own = &d->own;

	if (doctor_switch_prios(d, own->port->who.sw) || has_wred(own))
		return;
	doctor_find(d, DOCTOR_ERROR, own->dev->name,
		    "no priority has PFC: the port never pauses its neighbour, and drops packets when the buffer is full");
	mend_change(d, own);
	doctor_mend_pfc(d, 1 << LOSSLESS_PRIO);
}

/**
 * doctor_prios() - are the same priorities lossless as at the other ports?
 * @d: the run
 */
void doctor_prios(struct doctor *d)
{
	const struct doctor_end *own = &d->own;
	uint8_t lacks = doctor_switch_prios(d, own->port->who.sw) & ~own->port->pfc_en;
	char text[CTL_TEXT];

	if (!lacks)
		return;
	doctor_find(d, DOCTOR_ERROR, own->dev->name,
		    "no PFC on priority %s, which is lossless at other ports of the switch: this port drops its packets, where the others pause their neighbours",
		    ctl_prios_text(text, lacks));
	mend_change(d, own);
	doctor_mend_pfc(d, lacks);
}

static bool is_computed(const struct doctor_end *own)
{
	return !doctor_option(own, TCA_LOSSLESS_HEADROOM);
}

/**
 * doctor_headroom() - is headroom that was set by hand large enough?
 * @d: the run
 */
void doctor_headroom(struct doctor *d)
{
	const struct doctor_end *own = &d->own;

	if (!lle_nl_headroom_low(own->port) || is_computed(own))
		return;
	doctor_find(d, DOCTOR_ERROR, own->dev->name,
		    "headroom is set to %u bytes, and rate, delay, MTU and reaction time need %u: packets are lost after each pause",
		    own->port->headroom_bytes, own->port->headroom_need_bytes);
	mend_change(d, own);
	doctor_mend(d, " headroom auto");
}

/*
 * Bytes that give each lossless priority of a switch the headroom that it needs.
 * The kernel uses half of the buffer at most for headroom and reserved bytes.
 */
static uint64_t buffer_need(const struct doctor *d, const struct lle_nl_switch *sw)
{
	const struct doctor_view *view = &d->views[0];
	uint64_t largest = 0, prios = 0, lacks;
	const struct lle_nl_port *port;

	for (port = view->ports; port < view->ports + view->num_ports; port++) {
		if (port->who.sw != sw->id)
			continue;
		prios += __builtin_popcount(port->pfc_en);
		if (!lle_nl_headroom_low(port))
			continue;
		lacks = port->headroom_need_bytes - port->headroom_bytes;
		largest = lacks > largest ? lacks : largest;
	}
	return 2 * (sw->buffer_bytes - sw->shared_bytes + prios * largest);
}

/**
 * doctor_buffer() - has the switch buffer for the headroom of all ports?
 * @d: the run
 */
void doctor_buffer(struct doctor *d)
{
	const struct doctor_end *own = &d->own;
	const struct lle_nl_switch *sw = doctor_switch(d, own->port->who.sw);
	uint64_t need;

	if (!sw || !lle_nl_headroom_low(own->port) || !is_computed(own))
		return;
	need = buffer_need(d, sw);
	doctor_find(d, DOCTOR_ERROR, own->dev->name,
		    "headroom of %u bytes, %u needed: half of the buffer of switch %u is too little for the headroom of all ports, and packets are lost after a pause",
		    own->port->headroom_bytes, own->port->headroom_need_bytes, sw->id);
	doctor_mend(d, "losslessctl switch set %u buffer %" PRIu64, sw->id,
		    need < LLE_BUFFER_MAX ? need : LLE_BUFFER_MAX);
}

/**
 * doctor_xoff() - does a pause end before the queue is empty?
 * @d: the run
 */
void doctor_xoff(struct doctor *d)
{
	const struct doctor_end *own = &d->own;
	uint32_t delta = doctor_option(own, TCA_LOSSLESS_XON_DELTA_NOW);

	if (!own->port->xoff_bytes || own->port->xoff_bytes > delta)
		return;
	doctor_find(d, DOCTOR_WARNING, own->dev->name,
		    "xoff of %u bytes is not above xon-delta of %u: a pause ends when nothing is left to send, and the link idles",
		    own->port->xoff_bytes, delta);
	mend_change(d, own);
	doctor_mend(d, " xoff %u", 4 * delta);
}

/**
 * doctor_alpha() - is alpha that of most ports?
 * @d: the run
 */
void doctor_alpha(struct doctor *d)
{
	const struct doctor_end *own = &d->own;
	char is[LLE_NL_WORD], others[LLE_NL_WORD];
	unsigned int usual;

	if (own->port->xoff_bytes ||
	    lle_nl_unusual(&d->settings, own->port, LLE_NL_ALPHA, &d->usual) < 0)
		return;
	usual = d->usual.value[own->port->facing][LLE_NL_ALPHA];
	doctor_find(d, DOCTOR_WARNING, own->dev->name,
		    "alpha is %s, that of most ports that face the same %s: this port pauses its neighbour at another level than they do",
		    lle_nl_alpha_text(is, own->port->to_alpha),
		    lle_nl_alpha_text(others, usual));
	mend_change(d, own);
	doctor_mend(d, " alpha %s", others);
}

/**
 * doctor_classes() - can a packet that arrives have each lossless priority?
 * @d: the run
 */
void doctor_classes(struct doctor *d)
{
	const struct doctor_end *own = &d->own;
	uint32_t trust = doctor_option(own, TCA_LOSSLESS_TRUST);
	uint8_t without = 0, lacks;
	char text[CTL_TEXT];

	if (trust != LLE_TRUST_PCP)
		without = own->port->pfc_en & ~doctor_dscp_prios(own);
	lacks = trust == LLE_TRUST_NONE ? own->port->pfc_en & ~1 : without;
	if (!lacks || !own->bridge)
		return;
	doctor_find(d, DOCTOR_ERROR, own->dev->name,
		    "no IP packet that arrives here gets priority %s (%s): its packets are treated as those of a priority without PFC",
		    ctl_prios_text(text, lacks),
		    trust == LLE_TRUST_NONE ? "trust none" : "dscp-prio");
	mend_change(d, own);
	if (trust == LLE_TRUST_NONE)
		doctor_mend(d, " trust dscp");
	if (without)
		doctor_mend_dscp(d, own, without);
}

/*
 * The same bands, of which fewer are strict: those from the first one of @above on
 * share the link, as the others do.
 */
static void mend_bands(struct doctor *d, const struct rtattr *tb[], const uint8_t *band,
		       uint8_t above)
{
	unsigned int bands = lossless_attr_get(tb[TCA_LOSSLESS_BANDS]), i, num;
	unsigned int strict = lossless_attr_get(tb[TCA_LOSSLESS_STRICT]), first = strict;
	uint32_t quanta[LLE_NUM_BAND];

	for (int p = 0; p < LLE_NUM_PRIO; p++)
		if (above >> p & 1 && band[p] < first)
			first = band[p];
	num = lossless_attr_array(tb[TCA_LOSSLESS_QUANTA], quanta, sizeof(quanta[0]),
				  LLE_NUM_BAND);
	doctor_mend(d, " bands %u strict %u quanta", bands, first);
	for (i = first; i < bands; i++)
		doctor_mend(d, " %u", i >= strict && i - strict < num ? quanta[i - strict] :
									QUANTUM);
	doctor_mend(d, " priomap");
	for (int p = 0; p < LLE_NUM_PRIO; p++)
		doctor_mend(d, " %u", band[p]);
}

/**
 * doctor_strict() - does a lossless priority starve priority 0?
 * @d: the run
 *
 * A lossless queue is never empty while the port is congested.
 */
void doctor_strict(struct doctor *d)
{
	const struct rtattr *tb[TCA_LOSSLESS_MAX + 1];
	const struct doctor_end *own = &d->own;
	uint32_t strict = doctor_option(own, TCA_LOSSLESS_STRICT);
	uint8_t band[LLE_NUM_PRIO], above = 0;
	char text[CTL_TEXT];

	lossless_attr_parse(tb, TCA_LOSSLESS_MAX, own->qdisc->options);
	if (lossless_attr_array(tb[TCA_LOSSLESS_PRIOMAP], band, sizeof(band[0]),
				LLE_NUM_PRIO) != LLE_NUM_PRIO)
		return;
	for (int p = 1; p < LLE_NUM_PRIO; p++)
		if (own->port->pfc_en >> p & 1 && band[p] < strict && band[p] < band[0])
			above |= 1U << p;
	if (!above || !own->bridge)
		return;
	doctor_find(d, DOCTOR_WARNING, own->dev->name,
		    "priority %s is lossless and strict above priority 0: while the port is congested, ARP, DHCP and all else of priority 0 stand still",
		    ctl_prios_text(text, above));
	mend_change(d, own);
	mend_bands(d, tb, band, above);
}

/* Priorities of a port to a host with the watchdog off, or on */
static uint8_t watched(const struct doctor *d, const struct doctor_end *own, bool on)
{
	uint8_t prios = 0;

	if (!own->bridge || own->port->facing != LLE_FACING_EDGE)
		return 0;
	for (uint8_t p = 0; p < LLE_NUM_PRIO; p++)
		if (own->port->pfc_en >> p & 1 &&
		    on == (lle_nl_setting(&d->settings, own->port, p, LLE_NL_WATCHDOG) !=
			   LLE_NL_WATCHDOG_OFF))
			prios |= 1U << p;
	return prios;
}

/* The settings of most ports, or those of losslessd */
static void mend_watchdog(struct doctor *d, const struct doctor_end *own, uint8_t prios)
{
	uint64_t value = d->usual.value[own->port->facing][LLE_NL_WATCHDOG];
	struct lle_nl_watchdog wd = {
		.action = LOSSLESS_WD_ACTION_DROP, .detection_ms = DETECTION_MS,
		.restoration_ms = LOSSLESS_WATCHDOG_RESTORATION_MS,
	};
	char text[CTL_TEXT];

	if (value != LLE_NL_WATCHDOG_OFF)
		wd = lle_nl_watchdog_of(value);
	doctor_mend(d, "losslessctl watchdog start -a %s -r %u -- %s %u prio %s",
		    lle_nl_action_name(wd.action), wd.restoration_ms, own->word,
		    wd.detection_ms, ctl_prios_text(text, prios));
}

/**
 * doctor_watchdog() - has a port to a host a watchdog?
 * @d: the run
 */
void doctor_watchdog(struct doctor *d)
{
	const struct doctor_end *own = &d->own;
	uint8_t prios = watched(d, own, false);
	char text[CTL_TEXT];

	if (!prios)
		return;
	doctor_find(d, DOCTOR_WARNING, own->dev->name,
		    "no watchdog on priority %s: if the host's NIC pauses for ever, the switch fills, and all its neighbours stall",
		    ctl_prios_text(text, prios));
	mend_watchdog(d, own, prios);
}

/**
 * doctor_watchdog_differs() - has a watchdog the settings of most ports?
 * @d: the run
 */
void doctor_watchdog_differs(struct doctor *d)
{
	const struct doctor_end *own = &d->own;
	uint8_t prios = watched(d, own, true);

	if (!prios || watched(d, own, false) ||
	    d->usual.value[own->port->facing][LLE_NL_WATCHDOG] == LLE_NL_WATCHDOG_OFF ||
	    lle_nl_unusual(&d->settings, own->port, LLE_NL_WATCHDOG, &d->usual) < 0)
		return;
	doctor_find(d, DOCTOR_WARNING, own->dev->name,
		    "the watchdog has another action or other times than those of most ports that face hosts: storms are handled in different ways");
	mend_watchdog(d, own, prios);
}
