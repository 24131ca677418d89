// SPDX-License-Identifier: GPL-2.0
/* losslessctl top: from rows to lines of text. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "ctl.h"
#include "top.h"

/* Characters of the columns that struct top_layout lacks, with separators */
#define TOP_FIXED	54
#define TOP_BAR_MIN	6
#define TOP_BAR_MAX	42
#define TOP_SWITCH_BAR	30

/**
 * top_sort_name() - get the word for an order
 * @sort: an order
 *
 * Return: the word.
 */
const char *top_sort_name(enum top_sort sort)
{
	static const char *const names[] = {
		[TOP_BY_NAME] = "name",
		[TOP_BY_BUFFER] = "buffer",
		[TOP_BY_PAUSED] = "paused",
	};

	return names[sort];
}

/* Three digits and a unit letter, at most five characters. */
static const char *top_number(char *text, double value, unsigned int base)
{
	static const char units[] = " KMGTPE";
	const char *unit = units;
	int places;

	for (; value >= 999.5 && unit[1]; unit++)
		value /= base;
	places = value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
	if (unit == units && value == (unsigned int)value)
		places = 0;
	snprintf(text, CTL_TEXT, "%.*f%.*s", places, value, *unit != ' ', unit);
	return text;
}

/* @share: 1: full; @over: mark the end of the bar */
static const char *top_bar(char *text, int width, double share, bool over)
{
	int inner = width - 2, full = share < 1 ? share * inner : inner;

	/* show any share above 0 */
	if (share > 0 && !full)
		full = 1;
	memset(text, ' ', width);
	memset(text + 1, '|', full);
	if (over)
		text[width - 2] = '!';
	text[0] = '[';
	text[width - 1] = ']';
	text[width] = '\0';
	return text;
}

/**
 * top_layout() - compute the widths of columns
 * @view: rows
 * @width: characters of a line
 *
 * Return: widths that fit the rows; the bar gets the rest.
 */
struct top_layout top_layout(const struct top_view *view, int width)
{
	struct top_layout layout = { .sw = 2, .name = 4 };
	char text[CTL_TEXT];
	int len;

	for (int i = 0; i < view->num; i++) {
		len = snprintf(text, sizeof(text), "%u", view->rows[i].who.sw);
		if (layout.sw < len)
			layout.sw = len;
		len = strlen(view->rows[i].who.ifname);
		if (layout.name < len)
			layout.name = len;
	}
	layout.bar = width - TOP_FIXED - layout.sw - layout.name;
	if (layout.bar < TOP_BAR_MIN)
		layout.bar = TOP_BAR_MIN;
	if (layout.bar > TOP_BAR_MAX)
		layout.bar = TOP_BAR_MAX;
	return layout;
}

/**
 * top_title_text() - format the first line
 * @line: result, TOP_LINE bytes
 * @view: rows
 * @want: which rows are shown
 */
void top_title_text(char *line, const struct top_view *view,
		    const struct top_want *want)
{
	time_t now = time(NULL);
	char clock[16];
	struct tm tm;

	strftime(clock, sizeof(clock), "%H:%M:%S", localtime_r(&now, &tm));
	snprintf(line, TOP_LINE,
		 "losslessctl top - %s   storms: %d   rows: %d%s, by %s", clock,
		 view->storms, view->num, want->active ? " active" : "",
		 top_sort_name(want->sort));
}

/**
 * top_switch_text() - format the line of a switch
 * @line: result, TOP_LINE bytes
 * @sw: the switch
 */
void top_switch_text(char *line, const struct lle_nl_switch *sw)
{
	double share = sw->shared_bytes ?
			       (double)sw->used_bytes / sw->shared_bytes : 0;
	char bar[TOP_SWITCH_BAR + 1], used[CTL_TEXT], of[CTL_TEXT];
	char max[CTL_TEXT];

	snprintf(line, TOP_LINE, "switch %u %s %s of %s, max %s%s", sw->id,
		 top_bar(bar, TOP_SWITCH_BAR, share, false),
		 top_number(used, sw->used_bytes, 1024),
		 top_number(of, sw->shared_bytes, 1024),
		 top_number(max, sw->used_max_bytes, 1024),
		 sw->discard ? ", discards" : "");
}

/**
 * top_head_text() - format the column heads
 * @line: result, TOP_LINE bytes
 * @layout: widths of columns
 */
void top_head_text(char *line, const struct top_layout *layout)
{
	snprintf(line, TOP_LINE,
		 "%*s %-*s P %-*s %5s %5s %5s %5s %5s %5s %6s %s", layout->sw,
		 "SW", layout->name, "PORT", layout->bar, "BUFFER", "USED",
		 "QUEUE", "RX", "TX", "RX-P%", "TX-P%", "DROP/s", "STATE");
}

static const char *top_state(const struct top_row *row)
{
	if (row->stormed)
		return " STORM";
	if (row->rx_paused)
		return " PAUSED";
	return row->tx_paused ? " PAUSES" : "";
}

/* Values that are not known are dashes. */
static const char *top_rate(char *text, const struct top_view *view,
			    const struct top_row *row, uint64_t count,
			    double scale)
{
	if (row->is_new)
		return strcpy(text, "-");
	return top_number(text, count * scale / view->interval_ns, 1000);
}

static const char *top_percent(char *text, const struct top_view *view,
			       const struct top_row *row, uint64_t ns)
{
	if (row->is_new)
		return strcpy(text, "-");
	snprintf(text, CTL_TEXT, ns ? "%.1f" : "0",
		 ns * 100. / view->interval_ns);
	return text;
}

/**
 * top_row_text() - format a row
 * @line: result, TOP_LINE bytes
 * @layout: widths of columns
 * @view: the rows, of which this is one
 * @row: the row
 */
void top_row_text(char *line, const struct top_layout *layout,
		  const struct top_view *view, const struct top_row *row)
{
	char name[CTL_TEXT], bar[TOP_BAR_MAX + 1], used[CTL_TEXT];
	char queue[CTL_TEXT], rx[CTL_TEXT], tx[CTL_TEXT];
	char rx_paused[CTL_TEXT], tx_paused[CTL_TEXT], dropped[CTL_TEXT];

	snprintf(line, TOP_LINE,
		 "%*u %-*s %u %s %5s %5s %5s %5s %5s %5s %6s%s", layout->sw,
		 row->who.sw, layout->name, lle_nl_dev_text(name, row->who.ifname),
		 row->prio,
		 top_bar(bar, layout->bar, top_fill(row), row->headroom),
		 top_number(used, row->occupancy, 1024),
		 top_number(queue, row->backlog, 1024),
		 top_rate(rx, view, row, row->rx_bytes, 8e9),
		 top_rate(tx, view, row, row->tx_bytes, 8e9),
		 top_percent(rx_paused, view, row, row->rx_paused_ns),
		 top_percent(tx_paused, view, row, row->tx_paused_ns),
		 top_rate(dropped, view, row, row->dropped, 1e9),
		 top_state(row));
}
