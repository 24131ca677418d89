// SPDX-License-Identifier: GPL-2.0
/* losslessctl top */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "ctl.h"
#include "top.h"

/* Characters of a line in batch mode */
#define TOP_WIDTH	80

/**
 * struct top - a run of top
 * @c: the run of losslessctl
 * @batch: print lines instead of using the terminal
 * @rounds: rounds until the end; 0: no limit
 * @timer: fires once a round
 * @show: settings of the display
 * @now: the newest sample
 * @before: the previous sample; at first an empty one
 */
struct top {
	struct ctl *c;
	bool batch;
	uint32_t rounds;
	int timer;
	struct top_show show;
	struct top_sample now;
	struct top_sample before;
};

static void top_forget(struct top_sample *s)
{
	free(s->switches);
	free(s->ports);
	free(s->histories);
	free(s->watchdogs);
	*s = (struct top_sample) {};
}

/* Return: 0, or a negative errno, with the reason in the client's text. */
static int top_ask(struct lle_nl *nl, struct top_sample *s)
{
	int err;

	*s = (struct top_sample) {};
	err = s->num_switches = lle_nl_get_switches(nl, &s->switches);
	if (err >= 0)
		err = s->num_ports = lle_nl_get_ports(nl, &s->ports);
	/* in between: counters are a little older, pauses newer */
	s->time_ns = ctl_now_ns();
	if (err >= 0)
		err = s->num_histories =
			lle_nl_get_histories(nl, 0, &s->histories);
	if (err >= 0)
		err = s->num_watchdogs =
			lle_nl_get_watchdogs(nl, &s->watchdogs);
	if (err >= 0)
		return 0;
	top_forget(s);
	return err;
}

/* Return: as top_ask(); there may be no client any more. */
static int top_sample(struct top *top)
{
	struct ctl *c = top->c;
	struct top_sample s;
	int err = top_ask(c->nl, &s);

	/* ports come and go all the time: show the last sample again */
	if (err == -EINTR)
		return 0;
	if (err) {
		/* the module may have been reloaded, with new counters */
		top_forget(&top->now);
		lle_nl_close(c->nl);
		err = lle_nl_open(&c->nl);
		if (!err)
			err = top_ask(c->nl, &s);
		if (err)
			return err;
	}
	top_forget(&top->before);
	top->before = top->now;
	top->now = s;
	return 0;
}

static void top_print_text(const struct top *top, const struct top_view *view)
{
	struct top_layout layout = top_layout(view, TOP_WIDTH);
	char line[TOP_LINE];

	top_title_text(line, view, &top->show.want);
	puts(line);
	for (int i = 0; i < top->now.num_switches; i++) {
		top_switch_text(line, &top->now.switches[i]);
		puts(line);
	}
	top_head_text(line, &layout);
	puts(line);
	for (int i = 0; i < view->num; i++) {
		top_row_text(line, &layout, view, &view->rows[i]);
		puts(line);
	}
	puts("");
}

/* Return: false: no memory, after an error message, or output failed. */
static bool top_draw(struct top *top)
{
	struct top_view view;

	if (!top_view(&view, &top->now, &top->before, &top->show.want)) {
		top_screen_close();
		ctl_fail("out of memory");
		return false;
	}
	if (!top->batch)
		top_screen_draw(&top->show, &view, &top->now);
	else if (top->c->json)
		top_print_json(top->c, &view, &top->now);
	else
		top_print_text(top, &view);
	free(view.rows);
	return !top->batch || !fflush(stdout);
}

/* Return: false: as top_draw(). */
static bool top_wait(struct top *top)
{
	uint64_t fired;

	if (top->batch)
		return read(top->timer, &fired, sizeof(fired)) == sizeof(fired);
	while (!top_screen_wait(&top->show, top->timer) && !top->show.quit)
		if (!top_draw(top))
			return false;
	return true;
}

/* The first sample has no rates: only a screen shows it. */
static enum ctl_exit top_run(struct top *top)
{
	int err = top_sample(top);
	bool ok = true;

	if (!err && !top->batch && !top_screen_open())
		return CTL_FAIL;
	for (uint32_t round = 0; !err && ok && !top->show.quit; round++) {
		if (round || !top->batch)
			ok = top_draw(top);
		if (!ok || (top->rounds && round == top->rounds))
			break;
		ok = top_wait(top);
		if (ok && !top->show.quit)
			err = top_sample(top);
	}
	top_screen_close();
	if (err)
		return ctl_refused(top->c);
	return ok ? CTL_OK : CTL_FAIL;
}

static enum ctl_exit top_delay(const struct ctl *c, const char *word,
			       struct timespec *delay)
{
	char *end;
	double seconds = strtod(word, &end);

	/* no sign, no hexadecimal digits, no infinity */
	if (word[strspn(word, "0123456789.")] || *end || end == word ||
	    seconds < 0.1 || seconds > 3600)
		return ctl_wrong(c, "top: \"%s\" is not a number of seconds, 0.1..3600",
				 word);
	delay->tv_sec = seconds;
	delay->tv_nsec = (seconds - delay->tv_sec) * 1e9;
	return CTL_OK;
}

/* A wrong name is an error at the start. Later, ports come and go. */
static enum ctl_exit top_check_devs(const struct top *top)
{
	const struct top_want *want = &top->show.want;
	struct lle_nl_port port;
	unsigned int ifindex;
	enum ctl_exit ret;

	for (int i = 0; i < want->num_devs; i++) {
		ret = ctl_ifindex(top->c, want->devs[i], &ifindex);
		if (ret)
			return ret;
		if (lle_nl_get_port(top->c->nl, ifindex, &port))
			return ctl_refused(top->c);
	}
	return CTL_OK;
}

/**
 * ctl_top() - run top [-b] [-d SECONDS] [-n ROUNDS] [DEV...]
 * @c: the run
 * @argc: number of arguments
 * @argv: arguments
 *
 * Return: exit status.
 */
enum ctl_exit ctl_top(struct ctl *c, int argc, char **argv)
{
	static const struct option names[] = {
		{ "batch", no_argument, NULL, 'b' },
		{ "delay", required_argument, NULL, 'd' },
		{ "rounds", required_argument, NULL, 'n' }, {}
	};
	struct itimerspec times = { .it_interval.tv_sec = 1 };
	struct top top = { .c = c };
	enum ctl_exit ret = CTL_OK;
	int letter;

	while (!ret && (letter = ctl_option(c, argc, argv, "bd:n:", names))) {
		if (letter == 'b')
			top.batch = true;
		else if (letter == 'd')
			ret = top_delay(c, optarg, &times.it_interval);
		else if (letter == 'n')
			ret = ctl_number(c, "rounds", optarg, 1, UINT32_MAX,
					 &top.rounds);
		else
			ret = CTL_USAGE;
	}
	if (ret)
		return ret;
	top.batch |= c->json;
	top.show.want.devs = argv + optind;
	top.show.want.num_devs = argc - optind;
	if (!ctl_open(c))
		return CTL_FAIL;
	ret = top_check_devs(&top);
	if (ret)
		return ret;

	times.it_value = times.it_interval;
	top.timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
	if (top.timer < 0 || timerfd_settime(top.timer, 0, &times, NULL))
		return ctl_fail("top: timer: %s", strerror(errno));
	ret = top_run(&top);
	close(top.timer);
	top_forget(&top.now);
	top_forget(&top.before);
	return ret;
}
