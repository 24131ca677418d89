/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Client library of the netlink family "lossless", for losslessctl and
 * losslessd. Requests concern the network namespace in which the client was
 * opened. A function that fails returns a negative errno; lle_nl_text() then has
 * the subject of the request and the reason, in the kernel's words if any. One
 * that gets a list returns its length, and the caller frees the list.
 */
#ifndef LLE_CLIENT_H
#define LLE_CLIENT_H

#include <net/if.h>
#include <stdbool.h>
#include <stdint.h>

#include <linux/if_link.h>
#include <linux/lossless.h>
#include <linux/pkt_sch_lossless.h>

#include "state.h"

struct lle_nl;

/* Buffer of the functions called ..._text(), which they return, bytes */
#define LLE_NL_WORD	32

/* Multicast groups */
#define LLE_NL_PAUSE	1U
#define LLE_NL_STORM	2U
#define LLE_NL_CONFIG	4U
#define LLE_NL_DEADLOCK	8U
#define LLE_NL_CONGESTION	16U

/* The last of enum lossless_watchdog_action */
#define LLE_NL_ACTION_MAX	LOSSLESS_WATCHDOG_ACTION_ALERT

/* Maximum number of hops of a loop */
#define LLE_NL_HOPS	64

struct lle_nl_who {
	uint32_t ifindex;
	char ifname[IFNAMSIZ];
	uint32_t sw; /* number of its switch */
};

struct lle_nl_switch {
	uint32_t id;
	uint32_t ports;
	uint32_t buffer_bytes; /* packet memory */
	uint32_t shared_bytes; /* neither reserved nor headroom */
	uint64_t used_bytes; /* of the shared bytes */
	uint64_t used_max_bytes; /* high-water mark */
	uint8_t discard; /* lossless priorities with a watchdog count as stormed */
	uint8_t deadlock; /* enum lle_deadlock_action */
	struct lle_deadlock_stats deadlocks;
};

struct lle_nl_port {
	struct lle_nl_who who;
	uint32_t peer; /* ifindex of the link partner; 0: not known */
	uint8_t peer_mac[6]; /* source of the last PFC frame; zeros: none */
	uint8_t slot; /* number in the switch */
	uint8_t facing; /* enum lle_facing */
	uint64_t rate; /* bytes/s; 0: not known */
	uint32_t mtu_bytes;
	uint8_t pfc_en; /* bit p: priority p is lossless */
	uint8_t rcm; /* bit p: priority p has RCM */
	uint8_t to_alpha; /* alpha is 2^(to_alpha - 10) */
	uint32_t xoff_bytes; /* static threshold; 0: dynamic */
	uint32_t headroom_bytes; /* of each lossless priority group */
	uint32_t headroom_need_bytes; /* required by the link */
	uint64_t unaccounted; /* lossless packets queued or dropped, received by no port */
	uint32_t unaccounted_ifindex; /* device that received the last one; 0: none */
	char author[IFNAMSIZ]; /* of an event: program that caused it; hostile; "": not known */
	uint32_t author_pid;
	uint64_t time_ns; /* CLOCK_MONOTONIC of the counters; 0: no counters */
	uint8_t stats_prios; /* bit p: stats[p] is valid */
	struct lle_prio_stats stats[LLE_NUM_PRIO];
};

/* Pauses of a priority in one direction */
struct lle_nl_history {
	struct lle_nl_who who;
	uint8_t prio;
	uint8_t direction; /* enum lossless_direction */
	uint64_t since_ns; /* CLOCK_MONOTONIC; 0: not paused */
	uint64_t count; /* of pauses that ended */
	uint64_t total_ns;
	uint64_t longest_ns;
	struct lle_episode episodes[LOSSLESS_NUM_EPISODE]; /* newest first */
	unsigned int num_episodes;
};

/* Watchdog of a priority */
struct lle_nl_watchdog {
	struct lle_nl_who who;
	uint8_t prio;
	uint32_t detection_ms; /* 0: off */
	uint32_t restoration_ms; /* 0: no storm ends by itself */
	uint8_t action; /* enum lossless_watchdog_action */
	uint8_t stormed;
	struct lle_watchdog_stats stats;
};

/* Packets queued at an egress port */
struct lle_nl_queue {
	struct lle_nl_who who;
	uint8_t prio;
	uint32_t backlog_bytes;
	/* of the first LOSSLESS_QUEUE_LOOK packets, by ingress port */
	struct lle_waiting waiting[LOSSLESS_NUM_WAITING];
	unsigned int num_waiting;
};

/* Regional congestion mitigation of a priority */
struct lle_nl_congestion {
	struct lle_nl_who who;
	uint8_t prio;
	struct lle_congestion info;
	struct lle_congested ids[LOSSLESS_NUM_CONGESTED]; /* the first of info.ids */
	unsigned int num_ids;
};

struct lle_path_stats {
	uint64_t moved; /* times a flow left a congested path */
	uint64_t saved; /* times a flow left a dead port */
};

struct lle_nl_path {
	uint32_t group;
	uint32_t sw;
	uint8_t adaptive; /* 1: flows leave a congested path */
	uint32_t gap_us; /* idle time of a flow before it may leave */
	uint32_t ifindex[LOSSLESS_PATHS_MAX];
	unsigned int ports;
	struct lle_path_stats stats;
};

/* Settings that are compared between ports */
enum lle_nl_setting {
	LLE_NL_ALPHA,
	LLE_NL_WATCHDOG,
	LLE_NL_NUM_SETTING,
};

/* lle_nl_setting() of a watchdog that is off */
#define LLE_NL_WATCHDOG_OFF	0

struct lle_nl_settings {
	const struct lle_nl_port *ports;
	int num_ports;
	/* all that are on, in the order of lle_nl_compare_prios() */
	const struct lle_nl_watchdog *watchdogs;
	int num_watchdogs;
};

/* The value of more than half of the lossless priorities, by facing of the port */
struct lle_nl_usual {
	bool known[LLE_FACING_MAX + 1][LLE_NL_NUM_SETTING]; /* there is such a value */
	uint64_t value[LLE_FACING_MAX + 1][LLE_NL_NUM_SETTING];
};

struct lle_nl_route {
	void *data; /* struct rtmsg and its attributes */
	unsigned int len; /* bytes */
};

struct lle_nl_link {
	unsigned int ifindex;
	struct rtnl_link_stats64 stats;
};

/* Buffer for the kind of a device, such as "vlan", bytes */
#define LLE_NL_KIND	16

struct lle_nl_device {
	uint32_t ifindex;
	char name[IFNAMSIZ];
	char slave_kind[LLE_NL_KIND]; /* kind of the master */
	unsigned int flags; /* IFF_UP and others */
	uint32_t master; /* ifindex of the bridge, bond or the like; 0: none */
};

/* Buffer for an alternative name of a device, bytes */
#define LLE_NL_ALTNAME	128

struct lle_nl_qdisc {
	uint32_t ifindex;
	uint32_t handle;
	uint8_t role; /* enum lle_role */
	void *options; /* TCA_OPTIONS, a struct rtattr */
};

struct lle_nl_ethertype {
	uint16_t type;
	uint8_t prio;
};

/* WRED of a priority */
struct lle_nl_wred {
	uint32_t ifindex;
	uint8_t prio;
	uint8_t ecn; /* 1: mark ECN capable packets, do not drop them */
	uint8_t dequeue; /* 1: mark them when they leave */
	uint32_t kmin_bytes; /* queue above which the probability rises from 0 */
	uint32_t kmax_bytes; /* queue from which the probability is 1 */
	uint32_t pmax_q32; /* just below kmax_bytes, in 1/2^32; 0: no WRED */
	uint32_t nonect_bytes; /* drop Not-ECT from here on; 0: they follow the curve */
	uint32_t bufmax_bytes; /* drop all packets above; 0: no limit */
};

/* A TCP socket with LDCP */
struct lle_nl_tcp {
	uint8_t family; /* AF_INET or AF_INET6 */
	uint8_t address[16];
	uint8_t peer[16];
	uint16_t port;
	uint16_t peer_port;
	char cc[16]; /* congestion control */
	uint16_t phase; /* enum lle_ldcp_phase, from 1 on; 0: no LDCP */
	uint32_t window; /* 1/1024 packets */
	uint32_t packets; /* acknowledged by ACKs that report marks */
	uint32_t marked; /* part of packets */
	uint32_t first_lost; /* packets of first RTTs that were lost */
	uint32_t rtt_us; /* smoothed */
	uint32_t min_rtt_us;
	uint32_t retrans; /* segments */
	uint64_t acked_bytes;
};

struct lle_deadlock_info {
	__u64 number; /* counted per switch */
	__u8 prio;
	__u8 loop; /* 1: the whole loop is known */
	__u8 cure; /* enum lossless_deadlock_cure */
	__u8 resolved; /* 1: its trigger was quarantined, or that was requested */
	__u32 bytes; /* that wait at this switch */
	struct lle_deadlock_who initiator; /* the pause that waits for itself */
	struct lle_deadlock_who trigger; /* initial trigger of that pause */
	__u64 since_ns; /* start of that pause, CLOCK_MONOTONIC */
	__u64 declared_ns; /* detection */
	__u64 reported_ns; /* end of the walk along the loop; 0: not yet */
	__u32 parked_bytes; /* parked at first to break the loop */
	__u32 dropped_bytes; /* dropped to break the loop */
};

/* See deadlock.h */
struct lle_nl_deadlock {
	uint32_t sw; /* the switch that found it */
	struct lle_deadlock_info info;
	struct lle_deadlock_hop hops[LLE_NL_HOPS]; /* without info.loop: only the hop of sw */
	unsigned int num_hops; /* at least 1 */
	unsigned int duplicates; /* findings of other switches, see lle_nl_deadlock_unite() */
};

/* A change of the watchdogs of a port */
struct lle_nl_watchdog_change {
	unsigned int ifindex;
	uint8_t prios; /* bit p: change priority p */
	int detection_ms; /* 0: off; -1: no change */
	int restoration_ms; /* 0: no storm ends by itself; -1: no change */
	int action; /* enum lossless_watchdog_action; -1: no change */
};

/* LOSSLESS_CMD_PAUSE_NTF */
struct lle_nl_pause {
	struct lle_nl_who who;
	uint8_t direction; /* enum lossless_direction */
	uint8_t prios; /* bit p: priority p was paused or resumed */
	uint8_t paused; /* bit p: it is paused now */
	uint64_t time_ns; /* CLOCK_MONOTONIC, as all times of events */
};

/* LOSSLESS_CMD_STORM_NTF */
struct lle_nl_storm {
	struct lle_nl_who who;
	uint8_t peer_mac[6]; /* source of the last PFC frame; zeros: none */
	uint8_t prio;
	uint8_t stormed; /* 1: detected; 0: ended */
	uint64_t since_ns; /* since when the queue is stuck, or free of pauses */
	uint64_t time_ns;
	struct lle_watchdog_stats stats;
};

/* LOSSLESS_CMD_CONGESTION_NTF */
struct lle_nl_root {
	struct lle_nl_who who;
	uint8_t prio;
	uint8_t root; /* 1: became the root of a region; 0: ceased to be one */
	uint64_t since_ns; /* start as a root */
	uint64_t time_ns;
	uint64_t identified; /* flows or destinations that CFR identified meanwhile */
};

/* LOSSLESS_CMD_HEADROOM_NTF */
struct lle_nl_headroom {
	struct lle_nl_who who;
	uint32_t headroom_bytes; /* of each lossless priority group */
	uint32_t need_bytes; /* required by the link */
	uint64_t time_ns;
};

/* LOSSLESS_CMD_UNACCOUNTED_NTF */
struct lle_nl_unaccounted {
	struct lle_nl_who who;
	uint64_t packets; /* as struct lle_nl_port.unaccounted */
	uint32_t ifindex; /* device that received the last one */
	uint64_t time_ns;
};

struct lle_nl_event {
	uint8_t cmd; /* enum lle_cmd; selects the member of the union */
	union {
		struct lle_nl_who who; /* of all but LOSSLESS_CMD_DEADLOCK_NTF */
		struct lle_nl_pause pause;
		struct lle_nl_storm storm;
		struct lle_nl_port port; /* LOSSLESS_CMD_PORT_NTF, without counters */
		struct lle_nl_deadlock deadlock;
		struct lle_nl_root root;
		struct lle_nl_headroom headroom;
		struct lle_nl_unaccounted unaccounted;
	};
};

/* client.c */
int lle_nl_open(struct lle_nl **nl);
void lle_nl_close(struct lle_nl *nl);
const char *lle_nl_text(const struct lle_nl *nl);

/* names.c */
const char *lle_nl_drop_name(enum lle_drop_reason reason);
uint64_t lle_nl_drop(const struct lle_prio_stats *s, enum lle_drop_reason reason);
const char *lle_nl_action_name(unsigned int action);
const char *lle_nl_cure_name(unsigned int cure);
const char *lle_nl_crd_role_name(unsigned int role);
const char *lle_nl_alpha_text(char *text, unsigned int to_alpha);
const char *lle_nl_mac_text(char *text, const uint8_t *mac);
const char *lle_nl_dev_text(char *text, const char *name);
const char *lle_nl_ifindex_text(char *text, unsigned int ifindex);
const char *lle_nl_time_text(char *text, uint64_t ns);
const char *lle_nl_prios_text(char *text, uint8_t prios);

/* order.c */
int lle_nl_compare_numbers(const void *a, const void *b);
int lle_nl_compare_ports(const void *a, const void *b);
int lle_nl_compare_prios(const void *a, const void *b);
int lle_nl_compare_histories(const void *a, const void *b);
int lle_nl_compare_deadlocks(const void *a, const void *b);
const struct lle_nl_link *lle_nl_find_link(const struct lle_nl_link *links, int num,
					   unsigned int ifindex);

/* get.c */
int lle_nl_get_switches(struct lle_nl *nl, struct lle_nl_switch **result);
int lle_nl_get_ports(struct lle_nl *nl, struct lle_nl_port **result);
int lle_nl_get_histories(struct lle_nl *nl, unsigned int ifindex,
			 struct lle_nl_history **result);
int lle_nl_get_watchdogs(struct lle_nl *nl, struct lle_nl_watchdog **result);
int lle_nl_get_queues(struct lle_nl *nl, struct lle_nl_queue **result);
int lle_nl_get_congestions(struct lle_nl *nl, unsigned int ifindex,
			   struct lle_nl_congestion **result);
int lle_nl_get_deadlocks(struct lle_nl *nl, struct lle_nl_deadlock **result);
int lle_nl_get_paths(struct lle_nl *nl, struct lle_nl_path **result);
int lle_nl_get_switch(struct lle_nl *nl, uint32_t id,
		      struct lle_nl_switch *result);
int lle_nl_get_port(struct lle_nl *nl, unsigned int ifindex,
		    struct lle_nl_port *result);

/* set.c */
int lle_nl_set_buffer(struct lle_nl *nl, uint32_t id, uint32_t bytes);
int lle_nl_set_discard(struct lle_nl *nl, uint32_t id, bool on);
int lle_nl_set_watchdog(struct lle_nl *nl,
			const struct lle_nl_watchdog_change *change);
int lle_nl_clear(struct lle_nl *nl, unsigned int ifindex);

/* path.c */
int lle_nl_set_path(struct lle_nl *nl, const struct lle_nl_path *path);
int lle_nl_del_path(struct lle_nl *nl, uint32_t group);

/* route.c */
int lle_nl_get_routes(struct lle_nl *nl, struct lle_nl_route **result);
void lle_nl_free_routes(struct lle_nl_route *route, int num);
int lle_nl_set_route(struct lle_nl *nl, const struct lle_nl_route *route,
		     bool replace);
int lle_nl_del_route(struct lle_nl *nl, const struct lle_nl_route *route);

/* usual.c */
uint64_t lle_nl_setting(const struct lle_nl_settings *s, const struct lle_nl_port *port,
			uint8_t prio, enum lle_nl_setting setting);
struct lle_nl_watchdog lle_nl_watchdog_of(uint64_t value);
void lle_nl_find_usual(const struct lle_nl_settings *s, struct lle_nl_usual *usual);
int lle_nl_unusual(const struct lle_nl_settings *s, const struct lle_nl_port *port,
		   enum lle_nl_setting setting, const struct lle_nl_usual *usual);

/* Has a port less headroom than its link needs? */
static inline bool lle_nl_headroom_low(const struct lle_nl_port *port)
{
	return port->pfc_en && port->headroom_bytes < port->headroom_need_bytes;
}

/* only.c */
int lle_nl_daemon_claim(void);

/* link.c */
int lle_nl_get_links(struct lle_nl *nl, struct lle_nl_link **result);

/* device.c */
int lle_nl_get_devices(struct lle_nl *nl, struct lle_nl_device **result);
int lle_nl_get_altnames(struct lle_nl *nl, unsigned int ifindex,
			void (*named)(const char *name, void *arg), void *arg);
unsigned int lle_nl_ifindex(struct lle_nl *nl, const char *name);
int lle_nl_ethtool(struct lle_nl *nl, const char *dev, void *request);

/* qdisc.c */
int lle_nl_get_qdiscs(struct lle_nl *nl, struct lle_nl_qdisc **result);
bool lle_nl_option(const struct lle_nl_qdisc *qdisc, int type, uint64_t *value);
void lle_nl_free_qdiscs(struct lle_nl_qdisc *qdisc, int num);

/* app.c */
int lle_nl_get_ethertypes(struct lle_nl *nl, const char *dev, struct lle_nl_ethertype **result);

/* wred.c */
int lle_nl_get_wreds(struct lle_nl *nl, struct lle_nl_wred **result);
int lle_nl_set_wred(struct lle_nl *nl, const struct lle_nl_wred *wred);

/* tcp.c */
int lle_nl_get_tcps(struct lle_nl *nl, struct lle_nl_tcp **result);

/* event.c */
int lle_nl_listen(struct lle_nl *nl, unsigned int groups);
int lle_nl_events_fd(const struct lle_nl *nl);
int lle_nl_read_events(struct lle_nl *nl,
		       void (*event)(const struct lle_nl_event *e, void *arg),
		       void *arg);

#endif /* LLE_CLIENT_H */
