/* SPDX-License-Identifier: GPL-2.0 */
/* What losslessd is to do: lossless.conf(5). */
#ifndef LLED_CONF_H
#define LLED_CONF_H

#include <net/if.h>
#include <stdbool.h>
#include <stdint.h>

#include "route.h"

#define CONF_PATH	"/etc/lossless.conf"

/* In the place of an action: the watchdog is off; of a priority: there is none */
#define CONF_OFF	(-1)

/**
 * struct conf_watchdog - watchdog of the lossless priorities of a port
 * @action: enum lle_wd_action, or CONF_OFF
 * @detection_ms: time a queue is stuck until that is a storm
 * @restoration_ms: time without pauses until it is over; 0: it never is
 */
struct conf_watchdog {
	int action;
	int detection_ms;
	int restoration_ms;
};

/**
 * struct conf_port - a port for which something else holds
 * @name: of its device
 * @watchdog: its watchdog
 */
struct conf_port {
	char name[IFNAMSIZ];
	struct conf_watchdog watchdog;
};

/* Of Ethernet's largest packet, on a link */
#define CONF_FRAME_BYTES	1538

/* Parameters of tcp_ldcp: files of /proc/sys/net/ldcp */
#define CONF_LDCP_SETTINGS	5
extern const char *const conf_ldcp_names[CONF_LDCP_SETTINGS];

/**
 * struct conf_ldcp - who has LDCP
 * @prefixes: destinations; none: it is off
 * @num_prefixes: how many
 * @rate_mbit: Mbit/s of the path
 * @rtt_us: microseconds of it, when nothing waits
 * @prio: the priority for which ports mark; CONF_OFF: none
 * @lowq: their queues are to be short
 * @window: packets of an initial window
 * @setting: value of each of conf_ldcp_names; NULL: stays as it is
 * @state: file for what was changed
 */
struct conf_ldcp {
	struct prefix *prefixes;
	unsigned int num_prefixes;
	unsigned int rate_mbit;
	unsigned int rtt_us;
	int prio;
	bool lowq;
	unsigned int window;
	char *setting[CONF_LDCP_SETTINGS];
	char *state;
};

/**
 * struct conf - the configuration
 * @watchdog: of ports that have no section of their own
 * @fabric: it is for ports that face switches, too
 * @ports: those that have
 * @num_ports: how many
 * @ldcp: who has LDCP
 * @listen: "ADDRESS:PORT" of the endpoint for metrics; empty: none
 * @textfile: file for metrics; empty: none
 * @interval_s: how often @textfile is written and the checks are made
 * @log: "journal", "stderr", or the path of a file
 */
struct conf {
	struct conf_watchdog watchdog;
	bool fabric;
	struct conf_port *ports;
	unsigned int num_ports;
	struct conf_ldcp ldcp;
	char *listen;
	char *textfile;
	int interval_s;
	char *log;
};

struct conf *conf_read(const char *path);
void conf_free(struct conf *conf);
struct conf_watchdog conf_watchdog_of(const struct conf *conf, const char *name,
				      bool edge);

#endif /* LLED_CONF_H */
