// SPDX-License-Identifier: GPL-2.0
/* Read lossless.conf. Errors are logged with their line. */
#include <confuse.h>
#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <syslog.h>
#include <unistd.h>

#include "conf.h"
#include "http.h"
#include "log.h"
#include "../lib/client.h"
#include "../tc/alike.h"

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

#define INTERVAL_MAX	3600
#define LDCP_WINDOW_MAX	4095

const char *const conf_ldcp_names[CONF_LDCP_SETTINGS] = {
	"mode", "alpha", "beta", "gamma", "min_window",
};

#define SIZE_MAX_BYTES	(1U << 20)

/* Option appended to the file; it is unknown within a section left open. */
#define END		"end_of_file"

/* Sections without a name, and bits for those in the file */
static const char *const sections[] = { "watchdog", "metrics", "ldcp" };
static unsigned int seen;

/* For messages, as the context of a section lacks the path */
static const char *file;

/* The option of @cfg most similar to the unknown one in @text, or NULL */
static const char *similar(cfg_t *cfg, const char *text)
{
	unsigned int letters = LLE_ALIKE;
	const char *best = NULL;
	const cfg_opt_t *opt;
	char word[64];

	if (sscanf(text, "no such option '%63[^']'", word) != 1)
		return NULL;
	for (opt = cfg->opts; opt->name; opt++)
		if (lle_nearer(word, opt->name, &letters))
			best = opt->name;
	return best;
}

__attribute__((format(printf, 2, 0)))
static void complain(cfg_t *cfg, const char *format, va_list args)
{
	const char *best;
	char text[256];

	vsnprintf(text, sizeof(text), format, args);
	best = similar(cfg, text);
	log_say(LOG_ERR, "%s:%d: %s%s%s%s", file, cfg->line,
		strstr(text, END) ? "premature end of file: a } is missing" : text,
		best ? "; did you mean '" : "", best ?: "", best ? "'?" : "");
}

/* The file and END, to be freed; NULL: not readable, or too large (EFBIG) */
static char *read_file(const char *path)
{
	char *text = malloc(SIZE_MAX_BYTES + sizeof("\n" END " = true\n"));
	FILE *f = fopen(path, "re");
	size_t len = 0;
	bool whole = false;

	int err = errno;

	if (text && f) {
		errno = EFBIG;
		len = fread(text, 1, SIZE_MAX_BYTES, f);
		whole = feof(f) && !ferror(f);
		err = errno;
	}
	if (f)
		fclose(f);
	if (!whole) {
		free(text);
		errno = err;
		return NULL;
	}
	strcpy(text + len, "\n" END " = true\n");
	return text;
}

static int action_of(const char *word)
{
	int action;

	for (action = 0; action <= (int)LLE_NL_ACTION_MAX; action++)
		if (!strcmp(word, lle_nl_action_name(action)))
			return action;
	return CONF_OFF;
}

static int topic_of(const char *word)
{
	int topic = 0;

	while (topic < NUM_TOPIC && strcmp(word, log_topics[topic]))
		topic++;
	return topic;
}

static bool is_action(const char *word)
{
	return action_of(word) != CONF_OFF || !strcmp(word, "off");
}

static bool is_topic(const char *word)
{
	return topic_of(word) != NUM_TOPIC;
}

static bool is_ports(const char *word)
{
	return !strcmp(word, "edge") || !strcmp(word, "all");
}

static bool is_profile(const char *word)
{
	return !strcmp(word, "churn") || !strcmp(word, "lowq");
}

static bool is_listen(const char *word)
{
	struct sockaddr_storage address;

	return !*word || !http_address(word, &address);
}

static bool is_prefix(const char *word)
{
	struct prefix p;

	return prefix_read(word, &p);
}

static bool is_path(const char *word)
{
	return *word == '/';
}

/* An option has the same limits in all sections. */
static const struct {
	const char *option;
	long min;
	long max;
} numbers[] = {
	{ "watchdog|detection", LOSSLESS_WATCHDOG_MS_MIN, LOSSLESS_WATCHDOG_MS_MAX },
	{ "watchdog|restoration", 0, LOSSLESS_WATCHDOG_MS_MAX },
	{ "port|detection", LOSSLESS_WATCHDOG_MS_MIN, LOSSLESS_WATCHDOG_MS_MAX },
	{ "port|restoration", 0, LOSSLESS_WATCHDOG_MS_MAX },
	{ "metrics|interval", 1, INTERVAL_MAX },
	{ "ldcp|rate", 1, 1000000 },
	{ "ldcp|rtt", 1, 1000000 },
	{ "ldcp|priority", 0, LLE_NUM_PRIO - 1 },
};

static const struct {
	const char *option;
	bool (*is)(const char *word);
	const char *wrong;	/* message, for the word */
} words[] = {
	{ "debug", is_topic,
	  "debug: events, watchdogs, metrics, config, ldcp, not \"%s\"" },
	{ "watchdog|ports", is_ports, "ports: edge or all, not \"%s\"" },
	{ "watchdog|action", is_action, "action: drop, forward, alert or off, not \"%s\"" },
	{ "port|action", is_action, "action: drop, forward, alert or off, not \"%s\"" },
	{ "metrics|listen", is_listen, "listen: ADDRESS:PORT, not \"%s\"" },
	{ "ldcp|prefixes", is_prefix, "prefixes: \"%s\" is no prefix" },
	{ "ldcp|profile", is_profile, "profile: churn or lowq, not \"%s\"" },
	{ "ldcp|state", is_path, "state: a path from / on, not \"%s\"" },
};

static bool is_called(const char *option, const cfg_opt_t *opt)
{
	const char *bar = strchr(option, '|');

	return !strcmp(bar ? bar + 1 : option, opt->name);
}

static int check_number(cfg_t *cfg, cfg_opt_t *opt)
{
	long value = cfg_opt_getnint(opt, cfg_opt_size(opt) - 1);
	unsigned int i;

	for (i = 0; !is_called(numbers[i].option, opt); i++)
		;
	if (value >= numbers[i].min && value <= numbers[i].max)
		return 0;
	cfg_error(cfg, "%s: a number from %ld to %ld, not %ld", opt->name, numbers[i].min,
		  numbers[i].max, value);
	return -1;
}

static int check_word(cfg_t *cfg, cfg_opt_t *opt)
{
	const char *word = cfg_opt_getnstr(opt, cfg_opt_size(opt) - 1);
	unsigned int i;

	for (i = 0; !is_called(words[i].option, opt); i++)
		;
	if (words[i].is(word))
		return 0;
	cfg_error(cfg, words[i].wrong, word);
	return -1;
}

/* At the end of a section: libconfuse would mix two of the same kind. */
static int check_once(cfg_t *cfg, cfg_opt_t *opt)
{
	unsigned int i;

	for (i = 0; strcmp(sections[i], cfg_opt_name(opt)); i++)
		;
	if (!(seen & 1U << i)) {
		seen |= 1U << i;
		return 0;
	}
	cfg_error(cfg, "%s: the section is there twice", sections[i]);
	return -1;
}

/* @whole: it is replaced by a new file in the same directory. */
static bool is_writable(const char *from, const char *name, const char *path, bool whole)
{
	char dir[PATH_MAX];

	if (!whole && !access(path, W_OK))
		return true;
	if (whole || errno == ENOENT) {
		snprintf(dir, sizeof(dir), "%s", path);
		if (!access(dirname(dir), W_OK))
			return true;
	}
	log_say(LOG_ERR, "%s: %s: %s cannot be written: %s", from, name, path, strerror(errno));
	return false;
}

static int check_device(cfg_t *cfg, cfg_opt_t *opt)
{
	cfg_t *port = cfg_opt_getnsec(opt, cfg_opt_size(opt) - 1);
	const char *name = cfg_title(port);

	if (*name && strlen(name) < LLE_NL_ALTNAME && !strpbrk(name, "/: \t"))
		return 0;
	cfg_error(cfg, "port: \"%s\" is not the name of a device", name);
	return -1;
}

static void read_watchdog(cfg_t *cfg, struct conf_watchdog *w)
{
	if (cfg_size(cfg, "action"))
		w->action = action_of(cfg_getstr(cfg, "action"));
	if (cfg_size(cfg, "detection"))
		w->detection_ms = cfg_getint(cfg, "detection");
	if (cfg_size(cfg, "restoration"))
		w->restoration_ms = cfg_getint(cfg, "restoration");
}

/* Packets that the path holds */
static unsigned int window_of(const struct conf_ldcp *ldcp)
{
	uint64_t bits = (uint64_t)ldcp->rate_mbit * ldcp->rtt_us;
	uint64_t packets = (bits + 8 * CONF_FRAME_BYTES - 1) / (8 * CONF_FRAME_BYTES);

	return packets < LDCP_WINDOW_MAX ? packets : LDCP_WINDOW_MAX;
}

static bool read_ldcp(cfg_t *cfg, struct conf_ldcp *ldcp)
{
	unsigned int i;

	ldcp->num_prefixes = cfg_size(cfg, "prefixes");
	ldcp->prefixes = calloc(ldcp->num_prefixes + 1, sizeof(*ldcp->prefixes));
	ldcp->state = cfg_getstr(cfg, "state");
	ldcp->rate_mbit = cfg_getint(cfg, "rate");
	ldcp->rtt_us = cfg_getint(cfg, "rtt");
	ldcp->window = window_of(ldcp);
	ldcp->prio = cfg_size(cfg, "priority") ? cfg_getint(cfg, "priority") : CONF_OFF;
	ldcp->lowq = !strcmp(cfg_getstr(cfg, "profile"), "lowq");
	if (!ldcp->prefixes)
		return false;
	for (i = 0; i < ldcp->num_prefixes; i++)
		prefix_read(cfg_getnstr(cfg, "prefixes", i), &ldcp->prefixes[i]);
	for (i = 0; i < CONF_LDCP_SETTINGS; i++)
		if (cfg_size(cfg, conf_ldcp_names[i]))
			snprintf(ldcp->setting[i], sizeof(ldcp->setting[i]), "%ld",
				 cfg_getint(cfg, conf_ldcp_names[i]));
	return true;
}

/* In the directory that systemd makes for the daemon */
static const char *default_state(void)
{
	const char *dir = getenv("RUNTIME_DIRECTORY");
	static char path[PATH_MAX];

	if (!dir)
		return "/run/lossless-ldcp.json";
	snprintf(path, sizeof(path), "%s/ldcp.json", dir);
	return path;
}

/* Takes @cfg over. */
static struct conf *convert(cfg_t *cfg)
{
	cfg_t *watchdog = cfg_getsec(cfg, "watchdog");
	cfg_t *metrics = cfg_getsec(cfg, "metrics");
	struct conf *conf = calloc(1, sizeof(*conf));
	unsigned int i;

	if (!conf) {
		cfg_free(cfg);
		return NULL;
	}
	conf->cfg = cfg;
	conf->watchdog = (struct conf_watchdog) {
		.action = CONF_LEAVE,
		.detection_ms = LOSSLESS_WATCHDOG_DETECTION_MS,
		.restoration_ms = LOSSLESS_WATCHDOG_RESTORATION_MS,
	};
	read_watchdog(watchdog, &conf->watchdog);
	conf->fabric = !strcmp(cfg_getstr(watchdog, "ports"), "all");
	conf->listen = cfg_getstr(metrics, "listen");
	conf->textfile = cfg_getstr(metrics, "textfile");
	conf->interval_s = cfg_getint(metrics, "interval");
	conf->log = cfg_getstr(cfg, "log");
	for (i = 0; i < cfg_size(cfg, "debug"); i++)
		conf->debug |= 1U << topic_of(cfg_getnstr(cfg, "debug", i));
	conf->num_ports = cfg_size(cfg, "port");
	conf->ports = calloc(conf->num_ports + 1, sizeof(*conf->ports));
	if (!read_ldcp(cfg_getsec(cfg, "ldcp"), &conf->ldcp) || !conf->ports) {
		conf_free(conf);
		return NULL;
	}
	for (i = 0; i < conf->num_ports; i++) {
		cfg_t *port = cfg_getnsec(cfg, "port", i);

		strncpy(conf->ports[i].name, cfg_title(port), LLE_NL_ALTNAME - 1);
		conf->ports[i].watchdog = conf->watchdog;
		read_watchdog(port, &conf->ports[i].watchdog);
	}
	return conf;
}

/* NULL: the file cannot be read, or is wrong; both are reported. */
struct conf *conf_read(const char *path)
{
	const char *state = default_state();
	cfg_opt_t watchdog_opts[] = {
		CFG_STR("ports", "edge", CFGF_NONE),
		CFG_STR("action", NULL, CFGF_NODEFAULT),
		CFG_INT("detection", 0, CFGF_NODEFAULT),
		CFG_INT("restoration", 0, CFGF_NODEFAULT),
		CFG_END()
	};
	cfg_opt_t port_opts[] = {
		CFG_STR("action", NULL, CFGF_NODEFAULT),
		CFG_INT("detection", 0, CFGF_NODEFAULT),
		CFG_INT("restoration", 0, CFGF_NODEFAULT),
		CFG_END()
	};
	cfg_opt_t metrics_opts[] = {
		CFG_STR("listen", "", CFGF_NONE),
		CFG_STR("textfile", "", CFGF_NONE),
		CFG_INT("interval", 15, CFGF_NONE),
		CFG_END()
	};
	cfg_opt_t ldcp_opts[] = {
		CFG_STR_LIST("prefixes", "{}", CFGF_NONE),
		CFG_INT("rate", 10000, CFGF_NONE),
		CFG_INT("rtt", 40, CFGF_NONE),
		CFG_INT("priority", 0, CFGF_NODEFAULT),
		CFG_STR("profile", "churn", CFGF_NONE),
		CFG_INT("mode", 0, CFGF_NODEFAULT),
		CFG_INT("alpha", 0, CFGF_NODEFAULT),
		CFG_INT("beta", 0, CFGF_NODEFAULT),
		CFG_INT("gamma", 0, CFGF_NODEFAULT),
		CFG_INT("min_window", 0, CFGF_NODEFAULT),
		CFG_STR("state", state, CFGF_NONE),
		CFG_END()
	};
	cfg_opt_t opts[] = {
		CFG_SEC("watchdog", watchdog_opts, CFGF_NONE),
		CFG_SEC("metrics", metrics_opts, CFGF_NONE),
		CFG_SEC("ldcp", ldcp_opts, CFGF_NONE),
		CFG_SEC("port", port_opts,
			CFGF_MULTI | CFGF_TITLE | CFGF_NO_TITLE_DUPES),
		CFG_STR("log", "journal", CFGF_NONE),
		CFG_STR_LIST("debug", "{}", CFGF_NONE),
		CFG_BOOL(END, cfg_false, CFGF_NONE),
		CFG_END()
	};
	struct conf *conf = NULL;
	unsigned int i;
	char *text;
	cfg_t *cfg;

	text = read_file(path);
	if (!text) {
		log_say(LOG_ERR, "%s: cannot be read: %s", path, strerror(errno));
		return NULL;
	}
	cfg = cfg_init(opts, CFGF_NONE);
	if (!cfg) {
		free(text);
		return NULL;
	}
	file = path;
	cfg_set_error_function(cfg, complain);
	seen = 0;
	for (i = 0; i < ARRAY_SIZE(sections); i++)
		cfg_set_validate_func(cfg, sections[i], check_once);
	for (i = 0; i < ARRAY_SIZE(numbers); i++)
		cfg_set_validate_func(cfg, numbers[i].option, check_number);
	for (i = 0; i < ARRAY_SIZE(words); i++)
		cfg_set_validate_func(cfg, words[i].option, check_word);
	cfg_set_validate_func(cfg, "port", check_device);

	if (cfg_parse_buf(cfg, text) == CFG_SUCCESS)
		conf = convert(cfg);
	else
		cfg_free(cfg);
	free(text);
	return conf;
}

/* False: a file that @conf names cannot be written, which is reported. */
bool conf_can_write(const struct conf *conf, const char *path)
{
	bool ok = true;

	if (strcmp(conf->log, "journal") && strcmp(conf->log, "stderr"))
		ok &= is_writable(path, "log", conf->log, false);
	if (*conf->textfile)
		ok &= is_writable(path, "textfile", conf->textfile, true);
	if (conf->ldcp.num_prefixes)
		ok &= is_writable(path, "state", conf->ldcp.state, true);
	return ok;
}

void conf_free(struct conf *conf)
{
	if (!conf)
		return;
	cfg_free(conf->cfg);
	free(conf->ldcp.prefixes);
	free(conf->ports);
	free(conf);
}

/* @name: a name of its device; NULL: it has no section */
const struct conf_port *conf_port_of(const struct conf *conf, const char *name)
{
	for (unsigned int i = 0; i < conf->num_ports; i++)
		if (!strcmp(conf->ports[i].name, name))
			return &conf->ports[i];
	return NULL;
}
