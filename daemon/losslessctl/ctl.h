/* SPDX-License-Identifier: GPL-2.0 */
/* losslessctl: interface between its files. */
#ifndef LLE_CTL_H
#define LLE_CTL_H

#include <getopt.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>

#include <json-c/json.h>

#include "../lib/client.h"
#include "../lib/deadlock.h"

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

/* Buffer for a time, rate, list of priorities or address as text, bytes */
#define CTL_TEXT	LLE_NL_WORD

/* Priorities as words of a command, such as " 3:on 4:on" */
#define CTL_WORDS	64

enum ctl_exit {
	CTL_OK,
	CTL_FAIL,
	CTL_USAGE,	/* wrong command line */
};

/* A run of the program */
struct ctl {
	const struct ctl_command *command;	/* NULL: not known yet */
	bool json;
	bool pretty;	/* JSON with line breaks */
	struct lle_nl *nl;	/* NULL: not open */
	void (*help)(const char *command);	/* NULL: of all commands */
};

/* Argument of ctl_history_rows */
struct ctl_pauses {
	uint8_t prios;	/* bit p: priority p */
	uint64_t now_ns;	/* after the read */
};

struct ctl_command {
	const char *name;	/* first word */
	const char *sub;	/* second word, or NULL */
	bool is_default;	/* the second word may be omitted */
	const char *usage;	/* arguments, for the help */
	const char *help;	/* purpose and options */
	/* argv[0] is for getopt; arguments and options follow */
	enum ctl_exit (*run)(struct ctl *c, int argc, char **argv);
};

/* How to show the items of a list; @arg: what the command line asks for */
struct ctl_rows {
	size_t size;	/* of an item */
	const char *head;	/* line above the text; NULL: none */
	bool (*wanted)(const void *item, const void *arg);	/* NULL: all are */
	void (*text)(const void *item, const void *arg);
	struct json_object *(*json)(const void *item, const void *arg);
};

/* run.c */
enum ctl_exit ctl_end(enum ctl_exit ret);
enum ctl_exit ctl_words(struct ctl *c, int argc, char **argv, const char *what, int most);
int ctl_option(struct ctl *c, int argc, char **argv, const char *letters,
	       const struct option *names);
bool ctl_open(struct ctl *c);
enum ctl_exit ctl_refused(const struct ctl *c);

/* view.c */
enum ctl_exit ctl_view(struct ctl *c, int argc, char **argv);

/* text.c */
enum ctl_exit ctl_fail(const char *fmt, ...)
	__attribute__((format(printf, 1, 2)));
void ctl_try(const struct ctl *c);
enum ctl_exit ctl_wrong(const struct ctl *c, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void ctl_warn(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* What ctl_show() says of an empty list of ports or switches */
#define CTL_NO_PORTS \
	"no port in this network namespace: \"tc qdisc add dev DEV root lossless\" makes one"

void ctl_empty(const struct ctl *c, unsigned int num, const char *text);
const char *ctl_facing_name(unsigned int facing);
const char *ctl_direction_name(unsigned int direction);
const char *ctl_deadlock_name(unsigned int action);
const char *ctl_gso_name(uint64_t mode);
const char *ctl_rate_text(char *text, uint64_t rate);
const char *ctl_prio_words(char *words, uint8_t prios, const char *format);
const char *ctl_peer_text(char *text, const struct lle_nl_port *port);

/* words.c: an error status comes after a message */
enum ctl_exit ctl_number(const struct ctl *c, const char *what,
			 const char *word, uint32_t min, uint32_t max,
			 uint32_t *value);
enum ctl_exit ctl_size(const struct ctl *c, const char *what, const char *word,
		       uint32_t min, uint32_t max, uint32_t *bytes);
enum ctl_exit ctl_prios(const struct ctl *c, const char *word, uint8_t *prios);
bool ctl_is_dev(struct ctl *c, const char *word);
bool ctl_similar_dev(const char *word, unsigned int *letters, char *name);
enum ctl_exit ctl_ifindex(struct ctl *c, const char *word, unsigned int *ifindex);
enum ctl_exit ctl_get_ports(struct ctl *c, const char *dev,
			    struct lle_nl_port **ports, int *num);
enum ctl_exit ctl_dev_prio(struct ctl *c, int argc, char **argv,
			   unsigned int *ifindex, uint8_t *prios);
uint64_t ctl_now_ns(void);

/* json.c */
enum ctl_exit ctl_show(const struct ctl *c, const struct ctl_rows *rows, void *items, int num,
		       const void *arg, const char *empty);
struct json_object *ctl_list(const struct ctl_rows *rows, const void *items, int num,
			     const void *arg);
struct json_object *ctl_object(void);
struct json_object *ctl_array(void);
void ctl_put(struct json_object *to, const char *key, struct json_object *value);
void ctl_put_u64(struct json_object *to, const char *key, uint64_t value);
void ctl_put_bool(struct json_object *to, const char *key, bool value);
void ctl_put_text(struct json_object *to, const char *key, const char *value);
void ctl_put_prios(struct json_object *to, const char *key, uint8_t prios);
void ctl_put_mac(struct json_object *to, const char *key, const uint8_t *mac);
void ctl_put_who(struct json_object *to, const struct lle_nl_who *who);
void ctl_put_unaccounted(struct json_object *to, uint64_t packets,
			 unsigned int ifindex);
void ctl_put_watchdog_stats(struct json_object *to,
			    const struct lle_watchdog_stats *s);
void ctl_put_deadlock(struct json_object *to, const struct lle_nl_deadlock *d,
		      const struct lle_nl_ports *ports);
struct json_object *ctl_prio_of(const struct ctl *c, const struct lle_nl_port *port);
void ctl_print_json(const struct ctl *c, struct json_object *document);

/* one file per command */
enum ctl_exit ctl_dev(struct ctl *c, int argc, char **argv);
struct json_object *ctl_port_json(const struct lle_nl_port *port);
struct json_object *ctl_prio_json(const struct lle_nl_port *port,
				  const struct lle_prio_stats *s);
extern const struct ctl_rows ctl_switch_rows, ctl_history_rows, watchdog_counters;
enum ctl_exit ctl_port_show(struct ctl *c, int argc, char **argv);
enum ctl_exit ctl_switch_show(struct ctl *c, int argc, char **argv);
enum ctl_exit ctl_switch_set(struct ctl *c, int argc, char **argv);
enum ctl_exit ctl_switch_discard(struct ctl *c, int argc, char **argv);
enum ctl_exit ctl_prio_show(struct ctl *c, int argc, char **argv);
enum ctl_exit ctl_pfc(struct ctl *c, int argc, char **argv);
enum ctl_exit ctl_buffer_show(struct ctl *c, int argc, char **argv);
enum ctl_exit ctl_watchdog_start(struct ctl *c, int argc, char **argv);
enum ctl_exit ctl_watchdog_stop(struct ctl *c, int argc, char **argv);
enum ctl_exit ctl_watchdog_show(struct ctl *c, int argc, char **argv);
enum ctl_exit ctl_watchdog_clear(struct ctl *c, int argc, char **argv);
enum ctl_exit ctl_history(struct ctl *c, int argc, char **argv);
enum ctl_exit ctl_deadlock_show(struct ctl *c, int argc, char **argv);
enum ctl_exit ctl_deadlock_history(struct ctl *c, int argc, char **argv);
enum ctl_exit ctl_congestion_show(struct ctl *c, int argc, char **argv);
enum ctl_exit ctl_path_show(struct ctl *c, int argc, char **argv);
enum ctl_exit ctl_path_set(struct ctl *c, int argc, char **argv);
enum ctl_exit ctl_path_del(struct ctl *c, int argc, char **argv);
enum ctl_exit ctl_ldcp_show(struct ctl *c, int argc, char **argv);
enum ctl_exit ctl_state(struct ctl *c, int argc, char **argv);
enum ctl_exit ctl_save(struct ctl *c, int argc, char **argv);
enum ctl_exit ctl_restore(struct ctl *c, int argc, char **argv);
enum ctl_exit ctl_reload(struct ctl *c, int argc, char **argv);
enum ctl_exit ctl_monitor(struct ctl *c, int argc, char **argv);

#endif /* LLE_CTL_H */
