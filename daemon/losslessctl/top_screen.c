// SPDX-License-Identifier: GPL-2.0
/* losslessctl top: lines on a terminal, and keys. */
#include <curses.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <term.h>
#include <unistd.h>

#include "ctl.h"
#include "top.h"

#define TOP_HELP " q quit   s sort   a active only   space hold   arrows scroll"

/* Colour pairs */
enum {
	TOP_RED = 1,
	TOP_YELLOW,
};

static const int top_signals[] = { SIGINT, SIGTERM, SIGHUP };

static volatile sig_atomic_t top_signalled;
static SCREEN *top_terminal;
/* signal mask while the program waits */
static sigset_t top_waiting;

static void top_signal(int number)
{
	(void)number;
	top_signalled = 1;
}

/* Signals end the program as q does, but only while it waits. */
static void top_catch_signals(void)
{
	struct sigaction action = { .sa_handler = top_signal };
	sigset_t blocked;

	sigemptyset(&blocked);
	for (unsigned int i = 0; i < ARRAY_SIZE(top_signals); i++) {
		sigaddset(&blocked, top_signals[i]);
		sigaction(top_signals[i], &action, NULL);
	}
	/* a new size: ncurses notes it, and interrupts only the wait */
	sigaddset(&blocked, SIGWINCH);
	sigprocmask(SIG_BLOCK, &blocked, &top_waiting);
}

/* newterm() checks this, too, but leaks memory if it fails. */
static bool top_knows_terminal(void)
{
	int why;

	if (setupterm(NULL, STDOUT_FILENO, &why) != OK)
		return false;
	del_curterm(cur_term);
	return true;
}

/**
 * top_screen_open() - take over the terminal
 *
 * Return: true: done; false: failed, after an error message.
 */
bool top_screen_open(void)
{
	const char *term = getenv("TERM");

	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)) {
		ctl_fail("top: this is no terminal; -b does without");
		return false;
	}
	top_catch_signals();
	if (top_knows_terminal())
		top_terminal = newterm(NULL, stdout, stdin);
	if (!top_terminal) {
		ctl_fail("top: terminal \"%s\" is not known; -b does without",
			 term ? term : "");
		return false;
	}
	cbreak();
	noecho();
	nonl();
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	set_escdelay(50);
	curs_set(0);
	if (start_color() == OK && use_default_colors() == OK) {
		init_pair(TOP_RED, COLOR_RED, -1);
		init_pair(TOP_YELLOW, COLOR_YELLOW, -1);
	}
	return true;
}

/**
 * top_screen_close() - restore the terminal
 */
void top_screen_close(void)
{
	if (!top_terminal)
		return;
	endwin();
	delscreen(top_terminal);
	top_terminal = NULL;
}

/* A line that does not fit is cut off. */
static void top_line(int y, int attributes, const char *line)
{
	attrset(attributes);
	mvaddnstr(y, 0, line, COLS);
	attrset(0);
}

/* In reverse video, over the whole width. */
static void top_reverse_line(int y, const char *line)
{
	top_line(y, A_REVERSE, line);
	mvchgat(y, 0, -1, A_REVERSE, 0, NULL);
}

static int top_attributes(const struct top_row *row)
{
	if (row->stormed)
		return A_BOLD | COLOR_PAIR(TOP_RED);
	return row->rx_paused || row->tx_paused ? COLOR_PAIR(TOP_YELLOW) : 0;
}

/* Use at most a third of the screen. Return: number of the next line. */
static int top_draw_switches(const struct top_sample *now)
{
	int room = LINES / 3, num = now->num_switches, y = 1;
	char line[TOP_LINE];

	if (num > room)
		num = room ? room - 1 : 0;
	for (int i = 0; i < num; i++) {
		top_switch_text(line, &now->switches[i]);
		top_line(y++, 0, line);
	}
	if (num < now->num_switches) {
		snprintf(line, sizeof(line), "and %d more switches",
			 now->num_switches - num);
		top_line(y++, 0, line);
	}
	return y;
}

/* Rows from show->first on, which is kept in range. */
static void top_draw_rows(struct top_show *show, const struct top_view *view,
			  int y)
{
	struct top_layout layout = top_layout(view, COLS);
	int last = view->num - show->page;
	char line[TOP_LINE];

	if (show->first > last)
		show->first = last;
	if (show->first < 0)
		show->first = 0;
	top_head_text(line, &layout);
	top_reverse_line(y++, line);
	for (int i = show->first;
	     i < view->num && i < show->first + show->page; i++) {
		top_row_text(line, &layout, view, &view->rows[i]);
		top_line(y++, top_attributes(&view->rows[i]), line);
	}
}

/**
 * top_screen_draw() - draw the screen
 * @show: settings of the display
 * @view: rows
 * @now: sample with the switches
 */
void top_screen_draw(struct top_show *show, const struct top_view *view,
		     const struct top_sample *now)
{
	char line[TOP_LINE];
	int y;

	erase();
	top_title_text(line, view, &show->want);
	top_line(0, view->storms ? A_BOLD | COLOR_PAIR(TOP_RED) : A_BOLD, line);
	y = top_draw_switches(now);
	/* without the column heads and the last line */
	show->page = LINES - y - 2 > 0 ? LINES - y - 2 : 0;
	top_draw_rows(show, view, y);
	top_reverse_line(LINES - 1, show->held ? TOP_HELP "   HELD" : TOP_HELP);
	refresh();
}

static void top_key(struct top_show *show, int key)
{
	switch (key) {
	case 'q':
		show->quit = true;
		break;
	case 's':
		show->want.sort = (show->want.sort + 1) % __TOP_NUM_SORT;
		break;
	case 'a':
		show->want.active = !show->want.active;
		break;
	case ' ':
		show->held = !show->held;
		break;
	case KEY_UP:
		show->first--;
		break;
	case KEY_DOWN:
		show->first++;
		break;
	case KEY_PPAGE:
		show->first -= show->page;
		break;
	case KEY_NPAGE:
		show->first += show->page;
		break;
	case KEY_HOME:
		show->first = 0;
		break;
	case KEY_END:
		show->first = INT_MAX / 2;
		break;
	}
}

/**
 * top_screen_wait() - wait for the next round, a key or a new size
 * @show: settings that keys change
 * @timer: descriptor of the timer of the rounds
 *
 * Return: true: next round; false: draw again.
 */
bool top_screen_wait(struct top_show *show, int timer)
{
	struct pollfd fds[] = {
		{ .fd = STDIN_FILENO, .events = POLLIN },
		{ .fd = show->held ? -1 : timer, .events = POLLIN },
	};
	int num, key;
	uint64_t fired;

	num = ppoll(fds, ARRAY_SIZE(fds), NULL, &top_waiting);
	/* the terminal may be gone */
	if (top_signalled || (num > 0 && fds[0].revents & ~POLLIN))
		show->quit = true;
	else
		while ((key = getch()) != ERR)
			top_key(show, key);
	return num > 0 && fds[1].revents &&
	       read(timer, &fired, sizeof(fired)) == sizeof(fired);
}
