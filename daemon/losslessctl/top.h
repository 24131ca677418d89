/* SPDX-License-Identifier: GPL-2.0 */
/* losslessctl top: from samples to rows, from rows to lines, from lines to the screen. */
#ifndef LLE_CTL_TOP_H
#define LLE_CTL_TOP_H

#include "../lib/client.h"

struct ctl;

/* Room for a line. */
#define TOP_LINE	256

/**
 * struct top_sample - what the kernel has said
 * @time_ns: when, CLOCK_MONOTONIC
 * @switches: all of them, and so on; sorted as the client does
 * @ports: with counters
 * @histories: of what was ever paused
 * @watchdogs: which say where there is a storm
 * @num_switches: how many, and so on
 * @num_ports: see there
 * @num_histories: see there
 * @num_watchdogs: see there
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
 * enum top_sort - what comes first
 * @TOP_BY_NAME: the least switch, name, priority
 * @TOP_BY_BUFFER: what has most of its threshold
 * @TOP_BY_PAUSED: what was paused for longest, in any direction
 * @__TOP_NUM_SORT: internal use
 */
enum top_sort {
	TOP_BY_NAME,
	TOP_BY_BUFFER,
	TOP_BY_PAUSED,
	__TOP_NUM_SORT
};

/**
 * struct top_want - which rows are wanted
 * @sort: their order
 * @active: only those where something waits, moves or is paused
 * @devs: only of these ports
 * @num_devs: how many; 0: of all
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
 * @lossless: it has PFC
 * @stormed: there is a storm
 * @rx_paused: the peer pauses it now
 * @tx_paused: it pauses the peer now
 * @occupancy: bytes that came by the port and wait in the switch
 * @headroom: those of them that are in headroom
 * @threshold: bytes without headroom from which it is paused, or dropped
 * @backlog: bytes queued to leave by the port
 * @is_new: it was not there before, so that what follows is not known, but 0
 * @rx_bytes: received since the sample before
 * @tx_bytes: sent
 * @dropped: packets dropped
 * @rx_paused_ns: time it was paused by the peer
 * @tx_paused_ns: time it paused the peer
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
 * struct top_view - what is to be shown
 * @interval_ns: time between the two samples
 * @rows: the rows that are wanted, in order; to be freed
 * @num: how many
 * @storms: how many there are, wanted or not
 */
struct top_view {
	uint64_t interval_ns;
	struct top_row *rows;
	int num;
	int storms;
};

/**
 * struct top_layout - widths of columns
 * @sw: number of the switch
 * @name: name of the port
 * @bar: the bar
 */
struct top_layout {
	int sw;
	int name;
	int bar;
};

/**
 * struct top_show - what keys change
 * @want: which rows are wanted
 * @first: the first of them on the screen
 * @page: how many there is room for
 * @held: no new samples are taken
 * @quit: it is to end
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

/* top_text.c; lines have room for TOP_LINE bytes */
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
