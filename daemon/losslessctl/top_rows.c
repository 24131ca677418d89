// SPDX-License-Identifier: GPL-2.0
/* losslessctl top: from two samples to rows, without any input or output. */
#include <stdlib.h>
#include <string.h>

#include "top.h"

/**
 * top_fill() - get the share of its threshold that a priority uses
 * @row: its row
 *
 * Return: 1: all of the threshold.
 */
double top_fill(const struct top_row *row)
{
	uint64_t used = row->occupancy - row->headroom;

	if (row->headroom > row->occupancy || !used)
		return 0;
	return row->threshold ? (double)used / row->threshold : 1;
}

static const void *top_find(const void *key, const void *items, int num,
			    size_t size,
			    int (*compare)(const void *a, const void *b))
{
	return num ? bsearch(key, items, num, size, compare) : NULL;
}

/* Current threshold of each priority of a port, bytes of the shared buffer. */
static uint64_t top_threshold(const struct top_sample *s,
			      const struct lle_nl_port *port)
{
	struct lle_nl_switch key = { .id = port->who.sw };
	const struct lle_nl_switch *sw;
	unsigned int to_alpha = port->to_alpha;
	uint64_t free_bytes;

	if (port->xoff_bytes)
		return port->xoff_bytes;
	sw = top_find(&key, s->switches, s->num_switches, sizeof(key),
		      lle_nl_compare_switches);
	if (!sw || sw->used_bytes >= sw->shared_bytes)
		return 0;
	free_bytes = sw->shared_bytes - sw->used_bytes;
	if (to_alpha > LLE_TO_ALPHA_MAX)
		to_alpha = LLE_TO_ALPHA_MAX;
	return to_alpha > LLE_TO_ALPHA_ONE ?
		       free_bytes << (to_alpha - LLE_TO_ALPHA_ONE) :
		       free_bytes >> (LLE_TO_ALPHA_ONE - to_alpha);
}

/* Total time that a priority was paused until the sample. */
static uint64_t top_paused_ns(const struct top_sample *s,
			      const struct top_row *row,
			      enum lossless_direction direction)
{
	struct lle_nl_history key = {
		.who = row->who, .prio = row->prio, .direction = direction
	};
	const struct lle_nl_history *h;

	h = top_find(&key, s->histories, s->num_histories, sizeof(key),
		     lle_nl_compare_histories);
	if (!h)
		return 0;
	/* a pause may have begun between the sample's time and the answer */
	if (!h->since_ns || h->since_ns >= s->time_ns)
		return h->total_ns;
	return h->total_ns + s->time_ns - h->since_ns;
}

static bool top_stormed(const struct top_sample *s, const struct top_row *row)
{
	struct lle_nl_watchdog key = { .who = row->who, .prio = row->prio };
	const struct lle_nl_watchdog *wd;

	wd = top_find(&key, s->watchdogs, s->num_watchdogs, sizeof(key),
		      lle_nl_compare_watchdogs);
	return wd && wd->stormed;
}

static uint64_t top_dropped(const struct lle_prio_stats *s)
{
	uint64_t sum = 0;

	for (unsigned int i = 0; i < LLE_NUM_DROP; i++)
		sum += lle_nl_drop(s, i);
	return sum;
}

/* Growth of a counter. A counter that is less than before was reset. */
static uint64_t top_grown(struct top_row *row, uint64_t now, uint64_t before)
{
	if (now < before)
		row->is_new = true;
	return now - before;
}

/* If one counter was reset, no difference is known: @row->is_new. */
static void top_row_since(struct top_row *row, const struct top_sample *now,
			  const struct top_sample *before,
			  const struct lle_prio_stats *s,
			  const struct lle_prio_stats *was)
{
	uint64_t interval = now->time_ns - before->time_ns;

	row->is_new = false;
	row->rx_bytes = top_grown(row, s->rx_bytes, was->rx_bytes);
	row->tx_bytes = top_grown(row, s->tx_bytes, was->tx_bytes);
	row->dropped = top_grown(row, top_dropped(s), top_dropped(was));
	row->rx_paused_ns = top_grown(row, top_paused_ns(now, row, LOSSLESS_DIRECTION_RX),
				      top_paused_ns(before, row, LOSSLESS_DIRECTION_RX));
	row->tx_paused_ns = top_grown(row, top_paused_ns(now, row, LOSSLESS_DIRECTION_TX),
				      top_paused_ns(before, row, LOSSLESS_DIRECTION_TX));
	/* a pause may have ended after the sample's time */
	if (row->rx_paused_ns > interval)
		row->rx_paused_ns = interval;
	if (row->tx_paused_ns > interval)
		row->tx_paused_ns = interval;
}

static struct top_row top_row(const struct top_sample *now,
			      const struct top_sample *before,
			      const struct lle_nl_port *port, unsigned int prio)
{
	const struct lle_prio_stats *s = &port->stats[prio];
	const struct lle_nl_port *was;
	struct top_row since, row = {
		.who = port->who,
		.prio = prio,
		.lossless = port->pfc_en >> prio & 1,
		.rx_paused = s->rx_paused,
		.tx_paused = s->tx_paused,
		.occupancy = s->occupancy,
		.headroom = s->headroom,
		.threshold = top_threshold(now, port),
		.backlog = s->backlog,
		.is_new = true,
	};

	row.stormed = top_stormed(now, &row);
	was = top_find(port, before->ports, before->num_ports, sizeof(*port),
		       lle_nl_compare_ports);
	if (!was)
		return row;
	since = row;
	top_row_since(&since, now, before, s, &was->stats[prio]);
	return since.is_new ? row : since;
}

static bool top_is_dev(const struct top_want *want, const char *name)
{
	for (int i = 0; i < want->num_devs; i++)
		if (!strcmp(want->devs[i], name))
			return true;
	return !want->num_devs;
}

static bool top_is_wanted(const struct top_want *want,
			  const struct top_row *row,
			  const struct lle_prio_stats *s)
{
	if (row->stormed || row->rx_paused || row->tx_paused ||
	    row->occupancy || row->backlog)
		return true;
	if (!want->active)
		return row->lossless || s->rx_packets || s->tx_packets;
	return row->rx_bytes || row->tx_bytes || row->dropped ||
	       row->rx_paused_ns || row->tx_paused_ns;
}

static int top_by_name(const void *a, const void *b)
{
	const struct top_row *x = a, *y = b;
	int order = (x->who.sw > y->who.sw) - (x->who.sw < y->who.sw);

	if (!order)
		order = strverscmp(x->who.ifname, y->who.ifname);
	return order ? order : x->prio - y->prio;
}

static int top_by_buffer(const void *a, const void *b)
{
	double x = top_fill(a), y = top_fill(b);

	return x == y ? top_by_name(a, b) : (x < y) - (x > y);
}

static uint64_t top_paused_most(const struct top_row *row)
{
	return row->rx_paused_ns > row->tx_paused_ns ? row->rx_paused_ns :
						       row->tx_paused_ns;
}

static int top_by_paused(const void *a, const void *b)
{
	uint64_t x = top_paused_most(a), y = top_paused_most(b);

	return x == y ? top_by_name(a, b) : (x < y) - (x > y);
}

/**
 * top_view() - make the rows of two samples
 * @view: result
 * @now: the newest sample
 * @before: the previous sample; may be empty
 * @want: which rows to show
 *
 * Return: false: no memory.
 */
bool top_view(struct top_view *view, const struct top_sample *now,
	      const struct top_sample *before, const struct top_want *want)
{
	static int (*const by[])(const void *a, const void *b) = {
		[TOP_BY_NAME] = top_by_name,
		[TOP_BY_BUFFER] = top_by_buffer,
		[TOP_BY_PAUSED] = top_by_paused,
	};
	const struct lle_nl_port *port = now->ports;
	struct top_row *row;

	*view = (struct top_view) {
		.interval_ns = now->time_ns - before->time_ns,
		.rows = calloc(now->num_ports * LLE_NUM_PRIO + 1, sizeof(*row)),
	};
	if (!view->rows)
		return false;
	for (; port < now->ports + now->num_ports; port++) {
		if (!top_is_dev(want, port->who.ifname))
			continue;
		for (unsigned int p = 0; p < LLE_NUM_PRIO; p++) {
			row = &view->rows[view->num];
			*row = top_row(now, before, port, p);
			view->num += top_is_wanted(want, row, &port->stats[p]);
		}
	}
	for (int i = 0; i < now->num_watchdogs; i++)
		view->storms += now->watchdogs[i].stormed;
	qsort(view->rows, view->num, sizeof(*view->rows), by[want->sort]);
	return true;
}
