/* SPDX-License-Identifier: GPL-2.0 */
/* losslessctl top: from samples to rows, from rows to lines, to the screen. */
#ifndef LLE_CTL_TOP_H
#define LLE_CTL_TOP_H

#include "../lib/client.h"

struct ctl;

/* Buffer for a line, bytes */
#define TOP_LINE	256

/**
 * struct top_sample - state of the kernel at one time
 * @time_ns: time of the sample, CLOCK_MONOTONIC
 * @switches: all switches; all arrays are sorted as the client returns them
 * @ports: all ports, with counters
 * @histories: all priorities and directions with pauses
 * @watchdogs: all watchdogs, with the state of storms
 * @num_switches: entries of @switches
 * @num_ports: entries of @ports
 * @num_histories: entries of @histories
 * @num_watchdogs: entries of @watchdogs
 */
struct top_sample {
	uint64_t time_ns;
	struct lle_nl_switch *switches;
	struct lle_nl_port *ports;
	struct lle_nl_history *histories;
	struct lle_nl_watchdog *watchdogs;
	int num_switches;
	int num_ports;
	int num_histories;
	int num_watchdogs;
};

/**
 * enum top_sort - order of rows
 * @TOP_BY_NAME: by switch, name and priority
 * @TOP_BY_BUFFER: the largest share of its threshold first
 * @TOP_BY_PAUSED: the longest time paused first, in either direction
 * @__TOP_NUM_SORT: internal use
 */
enum top_sort {
	TOP_BY_NAME,
	TOP_BY_BUFFER,
	TOP_BY_PAUSED,
	__TOP_NUM_SORT
};

/**
 * struct top_want - which rows to show
 * @sort: order
 * @active: only rows with packets queued, traffic or pauses
 * @devs: only these ports
 * @num_devs: entries of @devs; 0: all ports
 */
struct top_want {
	enum top_sort sort;
	bool active;
	char **devs;
	int num_devs;
};

/**
 * struct top_row - a priority of a port
 * @who: the port
 * @prio: the priority
 * @lossless: the priority has PFC
 * @stormed: the watchdog has detected a storm
 * @rx_paused: the link partner pauses the priority now
 * @tx_paused: the port pauses its link partner now
 * @occupancy: bytes that the port received and that wait in the switch
 * @headroom: bytes of @occupancy in headroom
 * @threshold: bytes without headroom above which the priority is paused, or
 *	dropped
 * @backlog: bytes queued at the port
 * @is_new: no earlier sample, so the following members are not known, and 0
 * @rx_bytes: bytes received since the previous sample
 * @tx_bytes: bytes sent since then
 * @dropped: packets dropped since then
 * @rx_paused_ns: time since then that the link partner paused the priority
 * @tx_paused_ns: time since then that the port paused its link partner
 */
struct top_row {
	struct lle_nl_who who;
	uint8_t prio;
	bool lossless;
	bool stormed;
	bool rx_paused;
	bool tx_paused;
	uint64_t occupancy;
	uint64_t headroom;
	uint64_t threshold;
	uint64_t backlog;
	bool is_new;
	uint64_t rx_bytes;
	uint64_t tx_bytes;
	uint64_t dropped;
	uint64_t rx_paused_ns;
	uint64_t tx_paused_ns;
};

/**
 * struct top_view - rows to show
 * @interval_ns: time between the two samples
 * @rows: rows in order; to be freed
 * @num: entries of @rows
 * @storms: number of storms, also of ports without a row
 */
struct top_view {
	uint64_t interval_ns;
	struct top_row *rows;
	int num;
	int storms;
};

/**
 * struct top_layout - widths of columns
 * @sw: of the switch number
 * @name: of the port name
 * @bar: of the bar
 */
struct top_layout {
	int sw;
	int name;
	int bar;
};

/**
 * struct top_show - settings that keys change
 * @want: which rows to show
 * @first: the first row on the screen
 * @page: rows that fit on the screen
 * @held: take no new samples
 * @quit: end the program
 */
struct top_show {
	struct top_want want;
	int first;
	int page;
	bool held;
	bool quit;
};

/* top_rows.c */
double top_fill(const struct top_row *row);
bool top_view(struct top_view *view, const struct top_sample *now,
	      const struct top_sample *before, const struct top_want *want);

/* top_text.c; buffers for lines have TOP_LINE bytes */
const char *top_sort_name(enum top_sort sort);
struct top_layout top_layout(const struct top_view *view, int width);
void top_title_text(char *line, const struct top_view *view,
		    const struct top_want *want);
void top_switch_text(char *line, const struct lle_nl_switch *sw);
void top_head_text(char *line, const struct top_layout *layout);
void top_row_text(char *line, const struct top_layout *layout,
		  const struct top_view *view, const struct top_row *row);

/* top_screen.c */
bool top_screen_open(void);
void top_screen_close(void);
void top_screen_draw(struct top_show *show, const struct top_view *view,
		     const struct top_sample *now);
bool top_screen_wait(struct top_show *show, int timer);

/* top_json.c */
void top_print_json(const struct ctl *c, const struct top_view *view,
		    const struct top_sample *now);

#endif /* LLE_CTL_TOP_H */
