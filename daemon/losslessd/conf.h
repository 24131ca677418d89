/* SPDX-License-Identifier: GPL-2.0 */
/* The configuration of losslessd: lossless.conf(5). */
#ifndef LLED_CONF_H
#define LLED_CONF_H

#include <stdbool.h>
#include <stdint.h>

#include "route.h"
#include "../lib/client.h"

/* As action: the watchdog is off; as priority: none */
#define CONF_OFF	(-1)
/* As action: not set, so that watchdogs are not losslessd's */
#define CONF_LEAVE	(-2)

/**
 * struct conf_watchdog - watchdog of the lossless priorities of a port
 * @action: enum lossless_watchdog_action, CONF_OFF or CONF_LEAVE
 * @detection_ms: detection time
 * @restoration_ms: restoration time; 0: no storm ends by itself
 */
struct conf_watchdog {
	int action;
	int detection_ms;
	int restoration_ms;
};

/**
 * struct conf_port - a port with a section of its own
 * @name: a name of its device
 * @watchdog: its watchdog
 */
struct conf_port {
	char name[LLE_NL_ALTNAME];
	struct conf_watchdog watchdog;
};

/* Bytes that Ethernet's largest packet occupies on a link */
#define CONF_FRAME_BYTES	1538

/* Parameters of tcp_ldcp: files in /proc/sys/net/ldcp */
#define CONF_LDCP_SETTINGS	5
extern const char *const conf_ldcp_names[CONF_LDCP_SETTINGS];

/**
 * struct conf_ldcp - LDCP of this host
 * @prefixes: destinations that use LDCP; none: off
 * @num_prefixes: entries of @prefixes
 * @rate_mbit: rate of the path, Mbit/s
 * @rtt_us: RTT of the path without queues, us
 * @prio: priority that the ports mark; CONF_OFF: none
 * @lowq: keep the queues of the ports short
 * @window: initial window, packets
 * @setting: value of each of conf_ldcp_names; NULL: no change
 * @state: file that records the changes
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
 * @watchdog: watchdog of ports without a section
 * @fabric: it holds for ports that face switches, too
 * @ports: ports with a section
 * @num_ports: entries of @ports
 * @ldcp: LDCP of this host
 * @listen: "ADDRESS:PORT" of the metrics endpoint; empty: none
 * @textfile: file for metrics; empty: none
 * @interval_s: interval of the checks and of writing @textfile, s
 * @log: "journal", "stderr", or the path of a file
 * @debug: bit t: topic t of enum log_topic is logged
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
	unsigned int debug;
};

struct conf *conf_read(const char *path);
bool conf_can_write(const struct conf *conf, const char *path);
void conf_free(struct conf *conf);
const struct conf_port *conf_port_of(const struct conf *conf, const char *name);

#endif /* LLED_CONF_H */
