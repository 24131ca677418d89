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

struct conf_watchdog {
	int action;		/* LOSSLESS_WATCHDOG_*, CONF_OFF or CONF_LEAVE */
	int detection_ms;
	int restoration_ms;	/* 0: no storm ends by itself */
};

/* Section of a port */
struct conf_port {
	char name[LLE_NL_ALTNAME];
	struct conf_watchdog watchdog;
};

/* Bytes that Ethernet's largest packet occupies on a link */
#define CONF_FRAME_BYTES	1538

/* Parameters of tcp_ldcp: files in /proc/sys/net/ldcp */
#define CONF_LDCP_SETTINGS	5
extern const char *const conf_ldcp_names[CONF_LDCP_SETTINGS];

struct conf_ldcp {
	struct prefix *prefixes;	/* destinations with LDCP */
	unsigned int num_prefixes;
	unsigned int rate_mbit;		/* of the path */
	unsigned int rtt_us;		/* of the path, without queues */
	int prio;			/* that the ports mark, or CONF_OFF */
	bool lowq;			/* keep the queues of the ports short */
	unsigned int window;		/* initial, packets */
	char setting[CONF_LDCP_SETTINGS][16];	/* "": no change */
	const char *state;		/* file that records the changes */
};

struct conf {
	struct conf_watchdog watchdog;	/* of ports without a section */
	bool fabric;			/* also of those that face switches */
	struct conf_port *ports;
	unsigned int num_ports;
	struct conf_ldcp ldcp;
	const char *listen;		/* "ADDRESS:PORT" of metrics; "": off */
	const char *textfile;		/* for metrics; "": off */
	int interval_s;			/* of checks and of textfile */
	const char *log;		/* "journal", "stderr" or a path */
	unsigned int debug;		/* bit t: enum log_topic t */
	struct cfg_t *cfg;		/* memory of the strings */
};

struct conf *conf_read(const char *path);
bool conf_can_write(const struct conf *conf, const char *path);
void conf_free(struct conf *conf);
const struct conf_port *conf_port_of(const struct conf *conf, const char *name);

#endif /* LLED_CONF_H */
