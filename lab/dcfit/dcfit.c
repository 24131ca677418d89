// SPDX-License-Identifier: GPL-2.0
/* Algorithm dcfit: events and the state they change. */
#include "../../kmod/core/deadlock/exact_parts.h"
#include "dcfit_round1.h"
#include "dcfit_round2.h"

static size_t lle_dcfit_fixed(const struct lle_dl_params *p)
{
	return offsetof(struct lle_dcfit, port) +
	       p->ports * sizeof(struct lle_dcfit_port);
}

size_t lle_dcfit_state_size(const struct lle_dl_params *p)
{
	const struct lle_dcfit *d;

	return lle_dcfit_fixed(p) - sizeof(d->map.bytes) - sizeof(d->map.row) -
	       sizeof(d->map.sums) - sizeof(d->stats);
}

static size_t lle_dcfit_counters(const struct lle_dl_params *p)
{
	return DIV_ROUND_UP(lle_dcfit_fixed(p), sizeof(u64)) * sizeof(u64);
}

size_t lle_dcfit_size(const struct lle_dl_params *p)
{
	return lle_dcfit_counters(p) + sizeof(struct lle_dl_stats) +
	       lle_dl_map_size(p->ports);
}

struct lle_dcfit *lle_dcfit_init(void *memory, const struct lle_dl_params *p)
{
	struct lle_dcfit *d = memory;
	unsigned int i;

	memset(memory, 0, lle_dcfit_size(p));
	d->sw = p->sw;
	d->prio = p->prio;
	d->stats = memory + lle_dcfit_counters(p);
	lle_dl_map_init(&d->map, p->ports, d->stats + 1);
	for (i = 0; i < p->ports; i++)
		d->port[i].seq = p->first;
	lle_dcfit_configure(d, p->fabric);
	return d;
}

void lle_dcfit_configure(struct lle_dcfit *d, u64 fabric)
{
	unsigned int i;

	for (i = 0; i < d->map.ports; i++)
		d->port[i].fabric = !!(fabric & BIT_ULL(i));
}

u64 lle_dcfit_pausing(const struct lle_dcfit *d)
{
	u64 pausing = 0;
	unsigned int i;

	for (i = 0; i < d->map.ports; i++)
		if (d->port[i].pausing && d->port[i].fabric)
			pausing |= BIT_ULL(i);
	return pausing;
}

static void lle_dcfit_set_due(struct lle_dcfit *d, unsigned int ingress)
{
	if (!d->port[ingress].pausing || !d->port[ingress].fabric)
		return;
	d->port[ingress].due = true;
	d->due = true;
}

/* The first one of an ingress there: no new pause carries the stored message */
void lle_dcfit_enq_held(struct lle_dcfit *d, unsigned int egress,
			unsigned int ingress, u32 len)
{
	u32 *bytes = lle_dl_map_pair(&d->map, egress, ingress);

	if (!*bytes)
		lle_dcfit_set_due(d, ingress);
	*bytes += len;
}

void lle_dcfit_deq_held(struct lle_dcfit *d, unsigned int egress,
			unsigned int ingress, u32 len)
{
	*lle_dl_map_pair(&d->map, egress, ingress) -= len;
}

/* An ingress that is its own cause becomes an initial trigger again. */
void lle_dcfit_pause_tx(struct lle_dcfit *d, unsigned int ingress,
			u32 xon_bytes)
{
	unsigned int cause = lle_dl_trigger_cause(&d->map, d->map.paused,
						  ingress, xon_bytes);
	struct lle_dcfit_port *port = &d->port[ingress];

	port->pausing = true;
	port->initial = cause == d->map.ports ||
			lle_dcfit_same_ingress(d->port[cause].trig,
					       lle_dcfit_me(d, ingress));
	port->seq++;
	port->sent = 0;
	port->fresh = true;
	lle_dcfit_set_due(d, ingress);
}

void lle_dcfit_resume_tx(struct lle_dcfit *d, unsigned int ingress)
{
	d->port[ingress].pausing = false;
	d->port[ingress].loop = 0;
}

/* Checks of an ended own pause would circle, and displace other triggers. */
static bool lle_dcfit_is_over(const struct lle_dcfit *d, struct lle_dl_id trig)
{
	const struct lle_dcfit_port *port;

	if (!lle_dcfit_own(d, trig))
		return false;
	if (trig.port >= d->map.ports)
		return true;
	port = &d->port[trig.port];
	return !port->pausing || !port->initial || port->seq != trig.seq;
}

bool lle_dcfit_ride(const struct lle_dcfit *d, unsigned int ingress, bool pause,
		    struct lle_dl_msg *msg)
{
	struct lle_dl_id trig;

	if (!pause || !d->port[ingress].fabric)
		return false;
	trig = lle_dcfit_trigger(d, ingress);
	if (lle_dcfit_is_over(d, trig))
		trig = (struct lle_dl_id) {};
	*msg = (struct lle_dl_msg) {
		.type = trig.sw ? LLE_DL_CHECK : LLE_DL_NONE,
		.prio = d->prio,
		.num_ids = !!trig.sw,
		.hops = 1,
		.hop_epoch = d->port[ingress].seq,
		.id = { trig },
		.trig = trig,
	};
	return true;
}

void lle_dcfit_run(struct lle_dcfit *d, struct lle_dl_out *out)
{
	unsigned int i;

	d->due = false;
	for (i = 0; i < d->map.ports; i++) {
		struct lle_dcfit_port *port = &d->port[i];

		if (!port->due)
			continue;
		if (out->num + LLE_DL_CAP > LLE_DL_SENDS) {
			d->due = true;
			return;
		}
		lle_dcfit_say(d, i, port->fresh, out);
		port->due = false;
		port->fresh = false;
	}
}

/* Repeats the messages of the pause, as frames are lost. */
void lle_dcfit_refresh(struct lle_dcfit *d, unsigned int ingress,
		       struct lle_dl_out *out)
{
	lle_dcfit_run(d, out);
	if (!d->port[ingress].pausing || !d->port[ingress].fabric)
		return;
	d->port[ingress].sent = 0;
	lle_dcfit_say(d, ingress, true, out);
}

static void lle_dcfit_read(struct lle_dcfit *d, unsigned int egress,
			   const struct lle_dl_msg *msg, struct lle_dl_out *out)
{
	if (!d->port[egress].fabric || !(d->map.paused & BIT_ULL(egress)) ||
	    !msg->hops || msg->hops > LLE_DL_HOPS)
		return;
	if (msg->type == LLE_DL_CONSISTENCY)
		lle_dcfit_consistency_rx(d, egress, msg, out);
	else if (msg->type != LLE_DL_CHECK)
		return;
	else if (lle_dl_id_same(msg->id[0], msg->trig))
		lle_dcfit_trigger_rx(d, egress, msg->trig, msg->hops, out);
	else
		lle_dcfit_middle_rx(d, egress, msg, out);
}

void lle_dcfit_message_rx(struct lle_dcfit *d, unsigned int egress,
			  const struct lle_dl_msg *msg, struct lle_dl_out *out)
{
	lle_dcfit_run(d, out);
	lle_dcfit_read(d, egress, msg, out);
}

/* The switch numbers the pauses of its hosts (section 3.1). */
void lle_dcfit_pause_rx(struct lle_dcfit *d, unsigned int egress,
			const struct lle_dl_msg *msg, struct lle_dl_out *out)
{
	struct lle_dl_id host = { .sw = d->sw, .port = egress, .host = 1 };
	struct lle_dcfit_port *port = &d->port[egress];
	bool begins = !(d->map.paused & BIT_ULL(egress));

	lle_dcfit_run(d, out);
	d->map.paused |= BIT_ULL(egress);
	lle_dl_map_hold(&d->map, egress);
	if (msg)
		lle_dcfit_read(d, egress, msg, out);
	if (port->fabric || !begins)
		return;
	host.seq = ++port->seq;
	lle_dcfit_trigger_rx(d, egress, host, 0, out);
}

/* Resumes and expired pauses delete the stored IDs (section 3.2). */
void lle_dcfit_resume_rx(struct lle_dcfit *d, unsigned int egress,
			 struct lle_dl_out *out)
{
	struct lle_dcfit_port *port = &d->port[egress];

	lle_dcfit_run(d, out);
	lle_dl_map_resume(&d->map, egress);
	port->trig = (struct lle_dl_id) {};
	port->mid = (struct lle_dl_id) {};
	port->later = false;
}

void lle_dcfit_report(const struct lle_dcfit *d, unsigned int ingress,
		      struct lle_dl_report *report)
{
	u64 paused = d->map.paused;
	unsigned int p;

	*report = (struct lle_dl_report) {
		.initiator = lle_dcfit_me(d, ingress),
		.trigger = lle_dcfit_trigger(d, ingress),
		.hops = d->port[ingress].loop,
	};
	lle_dl_for_each(p, paused)
		if (*lle_dl_map_pair(&d->map, p, ingress))
			report->egresses |= BIT_ULL(p);
}
