/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Random networks on the real modules: each is made from a seed and run; an
 * oracle computes from queues and pauses alone which ports are dead at the end.
 */
#ifndef LLE_RANDOM_H
#define LLE_RANDOM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct lle_nl_deadlock;

#define PRIO		3
#define PAYLOAD		1024
#define FRAME		1082	/* with headers */
#define ON_LINK		1106	/* with preamble, FCS and gap */
#define MESSAGE_ON_LINK	84

#define BRIDGES		10
#define LINKS		24
#define HOSTS		32
#define FLOWS		40
#define NONE		UINT8_MAX

/*
 * Kinds of networks, as in selftests/model. G0: rings with few chords; G1:
 * random paths, switches of two bridges; G2: many chords, XON far below XOFF
 */
enum shape { G0, G1, G2, SHAPES };

/* The command line */
struct setting {
	uint64_t seed;	/* seed of the first run */
	unsigned int runs;	/* number of runs */
	int shape;	/* enum shape, or SHAPES: all of them in turn */
	int dynamic;	/* follow the free buffer; -1: every other run */
	uint64_t rate;	/* rate of all links, bits per second */
	unsigned int loss;	/* loss of messages, 1/1000 */
	unsigned int pfc_loss;	/* loss of PFC frames, 1/1000 */
	unsigned int jitter;	/* maximum delay of all frames, ticks */
	const char *dot;	/* for a graph of the last run, or NULL */
	bool rcm;	/* static thresholds leave buffer for RCM */
	bool rcm_on;	/* RCM is on */
	bool las;	/* RCM has LAS */
	bool counterfactual;	/* repeat without the initial trigger */
	unsigned int part;	/* of the network, from 1; 0: all of it */
	unsigned int parts;	/* number of parts; 0: links are no wires */
};

/* A switch, or half of one */
struct bridge {
	uint8_t whole;	/* first bridge of its switch */
	uint8_t ports;	/* number of ports */
	uint32_t xoff;	/* static threshold, bytes; 0: dynamic */
	uint8_t to_alpha;	/* dynamic threshold: 2^(to_alpha - 10) */
	uint32_t xon_delta;	/* XOFF - XON, bytes */
	uint32_t pool;	/* buffer of a port, if thresholds are dynamic */
	uint8_t via[HOSTS];	/* next bridge by host, or NONE */
};

/* @reached: a path leads there; @pause_ns: from @storm_ns on; 0: never */
struct host {
	uint8_t bridge;
	uint8_t port;
	bool reached;
	uint64_t storm_ns;
	uint64_t pause_ns;
};

/* A message. @rate: maximum, bits per second */
struct flow {
	uint8_t src;
	uint8_t dst;
	uint64_t start_ns;
	uint64_t size;
	uint64_t rate;
};

/* The network of one seed. @tick_ns: time of a packet on a link */
struct network {
	uint64_t seed;
	uint64_t rnd;
	enum shape shape;
	bool dynamic;
	bool rcm;
	bool rcm_on;
	bool las;
	uint64_t rate;
	double tick_ns;
	uint64_t delay_ns;
	unsigned int bridges, links, hosts, flows;
	struct bridge bridge[BRIDGES];
	uint8_t link[LINKS][2];
	struct host host[HOSTS];
	struct flow flow[FLOWS];
};

#define PORTS		128
#define PACKETS		65536
#define SAYINGS		65536

/*
 * A port of a switch: a pausing ingress and a paused egress. @slot: its number
 * in the switch; @peer: ifindex at the other end, 0: a host; @pausing: it
 * pauses its neighbour, @paused: its neighbour pauses it, each since @..._ns;
 * @xon: bytes at which it resumes its neighbour; @queued, @sent: bytes and
 * packets of the egress; @holder: number of the port that pauses it, -1: no
 * port
 */
struct port {
	unsigned int ifindex;
	char name[16];
	unsigned int sw, slot, peer;
	unsigned int pausing;
	uint64_t pausing_ns;
	unsigned int paused;
	uint64_t paused_ns;
	unsigned int xon, queued;
	uint64_t sent, drops;
	int holder;
};

/* A packet that waits at a paused egress; @ns: arrival */
struct packet {
	int egress;
	int ingress;
	unsigned int bytes;
	uint64_t ns;
};

/* A frame between switches: a pause that begins, or only a message */
struct saying {
	uint64_t ns;
	bool pause;
};

/* State of all switches at one moment; ports in lle_oracle.ko's order */
struct state {
	unsigned int ports, packets, sayings;
	struct port port[PORTS];
	struct packet packet[PACKETS];
	struct saying saying[SAYINGS];
};

/* A set of ports */
typedef unsigned __int128 ports_t;
#define PORT(n)		((ports_t)1 << (n))

/* Ports that pause each other for ever. @hops: of the shortest loop */
struct core {
	ports_t ports;
	uint64_t formed_ns;
	unsigned int hops;
};

#define CORES		16

/* Ports that will never resume: of cores, or waiting for these */
struct dead {
	ports_t ports;
	unsigned int cores;
	struct core core[CORES];
};

/* A host (-1: none) or a port ("": none) that does not pause in a run */
struct never {
	int host;
	char port[16];
	unsigned int bridge;
};

/* Results of a run. @state: at its end; @deadlocks: declared by switches */
struct outcome {
	uint64_t start_ns;
	struct state state;
	struct dead dead;
	struct lle_nl_deadlock *deadlocks;
	int declared;
};

/* graph.c */
void network_make(struct network *n, const struct setting *set, uint64_t seed);

/* testbed.c */
void testbed_print(const struct network *n, FILE *f);
void flows_print(const struct network *n, int never, FILE *f);
uint32_t testbed_buffer(const struct network *n, unsigned int bridge);

/* state.c */
int state_read(struct state *s, const char *text);

/* parts.c */
int file_read(const char *path, char **all, size_t *len);
int parts_share(const struct setting *set, const void *mine, size_t len, char **all,
		size_t *all_len);
int parts_begin(const struct setting *set, uint64_t ns, uint64_t *end_ns);
void parts_end(uint64_t end_ns);

/* dead.c */
void dead_find(const struct state *s, struct dead *d);

/* picture.c */
int picture_print(const struct outcome *o, const char *path);

/* run.c */
int run_once(const struct network *n, const struct setting *set,
	     const struct never *never, struct outcome *o);

/* compare.c */
int port_of(const struct state *s, unsigned int sw, unsigned int slot);
int run_seed(const struct setting *set, uint64_t seed);

#endif /* LLE_RANDOM_H */
