// SPDX-License-Identifier: GPL-2.0
/* losslessctl top: rows as JSON. */
#include "ctl.h"
#include "top.h"

static struct json_object *top_row_json(const struct top_row *row)
{
	struct json_object *o = ctl_object();

	ctl_put_who(o, &row->who);
	ctl_put_u64(o, "prio", row->prio);
	ctl_put_bool(o, "lossless", row->lossless);
	ctl_put_bool(o, "stormed", row->stormed);
	ctl_put_bool(o, "rx_paused", row->rx_paused);
	ctl_put_bool(o, "tx_paused", row->tx_paused);
	ctl_put_u64(o, "occupancy_bytes", row->occupancy);
	ctl_put_u64(o, "headroom_bytes", row->headroom);
	ctl_put_u64(o, "threshold_bytes", row->threshold);
	ctl_put_u64(o, "backlog_bytes", row->backlog);
	if (row->is_new)
		return o;
	ctl_put_u64(o, "rx_bytes", row->rx_bytes);
	ctl_put_u64(o, "tx_bytes", row->tx_bytes);
	ctl_put_u64(o, "dropped_packets", row->dropped);
	ctl_put_u64(o, "rx_paused_ns", row->rx_paused_ns);
	ctl_put_u64(o, "tx_paused_ns", row->tx_paused_ns);
	return o;
}

/**
 * top_print_json() - print a round
 * @c: the run
 * @view: rows
 * @now: sample with the switches
 */
void top_print_json(const struct ctl *c, const struct top_view *view,
		    const struct top_sample *now)
{
	struct json_object *o = ctl_object(), *array = ctl_array();

	ctl_put_u64(o, "time_ns", now->time_ns);
	ctl_put_u64(o, "interval_ns", view->interval_ns);
	ctl_put_u64(o, "storms", view->storms);
	for (int i = 0; i < now->num_switches; i++)
		ctl_put(array, NULL, ctl_switch_json(&now->switches[i]));
	ctl_put(o, "switches", array);
	array = ctl_array();
	for (int i = 0; i < view->num; i++)
		ctl_put(array, NULL, top_row_json(&view->rows[i]));
	ctl_put(o, "prios", array);
	ctl_print_json(c, o);
}
