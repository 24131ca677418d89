/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Random networks on the real modules: made of a seed, run, and what is dead at the end
 * computed from queues and pauses alone.
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

/**
 * enum shape - kinds of networks, as in selftests/model
 * @G0: rings with few chords, simple detours
 * @G1: walks, switches of two bridges, which are passed twice
 * @G2: few switches, many chords and flows, XON far below XOFF
 */
enum shape { G0, G1, G2, SHAPES };

/**
 * struct setting - what is given
 * @seed: of the first run
 * @runs: how many
 * @shape: enum shape, or SHAPES: all of them in turn
 * @dynamic: thresholds follow the free buffer; -1: of every other run
 * @rate: of all links, bits per second
 * @loss: of 1000 messages so many are lost
 * @pfc_loss: of 1000 PFC frames
 * @jitter: frames of both kinds are late by up to so many ticks
 * @mode: deadlock-mode of all switches
 * @dot: name of a file for a picture of the last run; NULL: none
 * @rcm: thresholds leave room for RCM, and are static
 * @rcm_on: there is RCM
 * @counterfactual: run deadlocks again without what has begun them
 */
struct setting {
	uint64_t seed;
	unsigned int runs;
	int shape;
	int dynamic;
	uint64_t rate;
	unsigned int loss;
	unsigned int pfc_loss;
	unsigned int jitter;
	const char *mode;
	const char *dot;
	bool rcm;
	bool rcm_on;
	bool counterfactual;
};

/**
 * struct bridge - a switch, or half of one
 * @whole: the bridge that it is one switch with, of a lower number; or itself
 * @ports: how many
 * @xoff: static threshold in bytes; 0: dynamic
 * @to_alpha: dynamic one
 * @xon_delta: bytes below
 * @pool: bytes a port of shared buffer, if it is dynamic
 * @via: by host: next bridge on the way there, NONE: by a shortest path
 */
struct bridge {
	uint8_t whole;
	uint8_t ports;
	uint32_t xoff;
	uint8_t to_alpha;
	uint32_t xon_delta;
	uint32_t pool;
	uint8_t via[HOSTS];
};

/**
 * struct host - a host
 * @bridge: where it is
 * @port: number of the port there, from 1
 * @reached: a way to it is given
 * @storm_ns: when it begins to pause
 * @pause_ns: for how long; 0: it does not
 */
struct host {
	uint8_t bridge;
	uint8_t port;
	bool reached;
	uint64_t storm_ns;
	uint64_t pause_ns;
};

/**
 * struct flow - a message
 * @src: host
 * @dst: host
 * @start_ns: when it begins
 * @size: bytes
 * @rate: bits per second
 */
struct flow {
	uint8_t src;
	uint8_t dst;
	uint64_t start_ns;
	uint64_t size;
	uint64_t rate;
};

/**
 * struct network - of one seed
 * @seed: the seed
 * @rnd: state of the random numbers
 * @shape: enum shape
 * @dynamic: thresholds follow the free buffer
 * @mode: deadlock-mode of all switches
 * @rcm: thresholds leave room for RCM
 * @rcm_on: there is RCM
 * @rate: of links, bits per second
 * @tick_ns: time of a packet on a link
 * @delay_ns: of links
 * @bridges: number of @bridge
 * @links: number of @link
 * @hosts: number of @host
 * @flows: number of @flow
 * @bridge: by number
 * @link: bridges at both ends
 * @host: by number
 * @flow: by number
 */
struct network {
	uint64_t seed;
	uint64_t rnd;
	enum shape shape;
	bool dynamic;
	const char *mode;
	bool rcm;
	bool rcm_on;
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

/**
 * struct port - a port of a switch: the ingress that pauses, the egress that is paused
 * @ifindex: of its device
 * @name: of its device
 * @sw: its switch
 * @slot: its number there
 * @peer: ifindex of the port at the other end; 0: that is a host
 * @pausing: it pauses its peer
 * @pausing_ns: since when
 * @paused: it is paused by its peer
 * @paused_ns: since when
 * @xon: it resumes its peer when so many bytes are left
 * @queued: bytes that wait to leave by it
 * @sent: packets that have left by it
 * @drops: packets
 * @holder: number of the port that holds it; -1: none does
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

/**
 * struct packet - a packet that waits where it is held
 * @egress: number of the port it is to leave by
 * @ingress: number of the port it has come by
 * @bytes: its bytes
 * @ns: when it came
 */
struct packet {
	int egress;
	int ingress;
	unsigned int bytes;
	uint64_t ns;
};

/**
 * struct saying - what a switch has said to another one
 * @ns: when
 * @pause: it has begun to pause; else a message in a frame of its own
 */
struct saying {
	uint64_t ns;
	bool pause;
};

/**
 * struct state - of all switches, at one moment
 * @ports: number of @port
 * @packets: number of @packet
 * @sayings: number of @saying
 * @port: by number, lle_oracle.ko's
 * @packet: in any order
 * @saying: in any order
 */
struct state {
	unsigned int ports, packets, sayings;
	struct port port[PORTS];
	struct packet packet[PACKETS];
	struct saying saying[SAYINGS];
};

/* A set of ports */
typedef unsigned __int128 ports_t;
#define PORT(n)		((ports_t)1 << (n))

/**
 * struct core - ports that hold each other for ever, whatever else there is
 * @ports: the set
 * @formed_ns: since when
 * @hops: length of the shortest loop
 */
struct core {
	ports_t ports;
	uint64_t formed_ns;
	unsigned int hops;
};

#define CORES		16

/**
 * struct dead - what is dead
 * @ports: all of it: those that hold each other, and those that wait for them
 * @cores: number of @core
 * @core: by number
 */
struct dead {
	ports_t ports;
	unsigned int cores;
	struct core core[CORES];
};

/**
 * struct never - what does not pause in a run
 * @host: number of a host; -1: none
 * @port: name of a port; "": none
 * @bridge: the port's
 */
struct never {
	int host;
	char port[16];
	unsigned int bridge;
};

/**
 * struct outcome - what a run has come to
 * @start_ns: when it was started
 * @state: at the end
 * @dead: in @state
 * @deadlocks: what switches have declared
 * @declared: how many
 */
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
int state_read(struct state *s, const char *path);

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
