// SPDX-License-Identifier: GPL-2.0
/*
 * daemon/tc: words of the qdisc, what they put into netlink, and how that is shown: as
 * text, as JSON, and as words again. Also statistics.
 */
#include "../ctl/kernel.h"

#undef ARRAY_SIZE
#include "../../testbed/tc_abi.c"
#include "../../daemon/tc/q_lossless.h"

#define ROOM	8192

extern struct qdisc_util lossless_qdisc_util;

static bool json;

bool is_json_context(void)
{
	return json;
}

/* Is it to be printed? Prints its key in JSON. */
static bool shown(enum output_type t, const char *key)
{
	if (!(t & (json ? PRINT_JSON | PRINT_ANY : PRINT_FP | PRINT_ANY)))
		return false;
	if (json)
		printf("%s:", key ?: "");
	return true;
}

void open_json_object(const char *key)
{
	if (json)
		printf("%s{", key ?: "");
}

void close_json_object(void)
{
	if (json)
		printf("} ");
}

void open_json_array(enum output_type t, const char *key)
{
	if (shown(t, key))
		printf(json ? "[" : "%s", key);
}

void close_json_array(enum output_type t, const char *text)
{
	if (shown(t, ""))
		printf(json ? "] " : "%s", text);
}

void print_nl(void)
{
	if (!json)
		printf("\n");
}

void tc_print_rate(enum output_type t, const char *key, const char *fmt, unsigned long long rate)
{
	char text[32];

	snprintf(text, sizeof(text), "%llubps", rate);
	if (shown(t, key))
		printf(json ? "%s " : fmt, text);
}

void print_color_bool(enum output_type t, enum color_attr color, const char *key,
		      const char *fmt, bool value)
{
	if (shown(t, key))
		printf("%s ", value ? "true" : "false");
}

void print_color_float(enum output_type t, enum color_attr color, const char *key,
		       const char *fmt, double value)
{
	if (shown(t, key))
		printf(json ? "%g " : fmt, value);
}

void print_color_lluint(enum output_type t, enum color_attr color, const char *key,
			const char *fmt, unsigned long long value)
{
	if (shown(t, key))
		printf(json ? "%llu " : fmt, value);
}

void print_color_string(enum output_type t, enum color_attr color, const char *key,
			const char *fmt, const char *value)
{
	if (shown(t, key))
		printf(json ? "%s " : fmt, value);
}

/* The word "stats" alone: numbers in all statistics; "class": of one priority */
static void statistics(struct nlmsghdr *n, bool class)
{
	__u64 words[64];

	for (unsigned int i = 0; i < 64; i++)
		words[i] = 1000 + i;
	if (!class)
		addattr_l(n, ROOM, TCA_LOSSLESS_STATS_PORT, words, 100);
	for (unsigned int prio = 0; prio < (class ? 1 : 3); prio++) {
		struct lle_prio_stats s = {};
		struct lle_prio_rcm rcm = { .prio = prio };

		memcpy(&s, words, sizeof(s));
		if (prio == 1)
			memset(&s, 0, sizeof(s));
		s.prio = prio;
		/* an older kernel knows fewer */
		addattr_l(n, ROOM, TCA_LOSSLESS_STATS_PRIO, &s, prio == 2 ? 100 : sizeof(s));
		if (prio == 0)
			memcpy((char *)&rcm + 8, words, sizeof(rcm) - 8);
		rcm.role = prio;
		if (prio < 2)
			addattr_l(n, ROOM, TCA_LOSSLESS_STATS_RCM, &rcm, sizeof(rcm));
	}
}

static void run(const char *words)
{
	static char message[ROOM];
	struct nlmsghdr *n = (void *)message;
	struct rtattr *options = (void *)(message + NLMSG_HDRLEN);
	char line[512], *argv[64];
	int argc = 0;

	n->nlmsg_len = NLMSG_HDRLEN;
	snprintf(line, sizeof(line), "%s", words);
	for (char *word = strtok(line, " "); word; word = strtok(NULL, " "))
		argv[argc++] = word;
	if (!strcmp(words, "stats") || !strcmp(words, "class")) {
		addattr_nest(n, ROOM, 1);
		statistics(n, *words == 'c');
		addattr_nest_end(n, options);
		for (int i = 0; i < 2; i++, json = true)
			lossless_qdisc_util.print_xstats(NULL, stdout, options);
		return;
	}
	if (lossless_qdisc_util.parse_qopt(NULL, argc, argv, n, "swp1"))
		exit(1);
	for (const unsigned char *at = (void *)(options + 1); at < (unsigned char *)message + n->nlmsg_len; at++)
		printf("%02x", *at);
	for (int i = 0; i < 2; i++, json = true) {
		printf("\n");
		lossless_qdisc_util.print_qopt(NULL, stdout, options);
	}
	printf("\n%d\n", lossless_write_opt(stdout, options));
}

int main(int argc, char **argv)
{
	return run_transcript(__FILE__, run, argc > 1);
}
