/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Client library of the netlink family "lossless", for losslessctl and
 * losslessd.
 *
 * All requests concern the network namespace in which the program opened the
 * client. A function that fails returns a negative errno. lle_nl_text() then
 * names the subject of the request and the reason, in the kernel's words if it
 * gave any.
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

/* Buffer of the functions called ..._text(), bytes */
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

/**
 * struct lle_nl_who - identifies a port
 * @ifindex: ifindex of its device
 * @ifname: name of its device
 * @sw: number of its switch
 */
struct lle_nl_who {
	uint32_t ifindex;
	char ifname[IFNAMSIZ];
	uint32_t sw;
};

/**
 * struct lle_nl_switch - a switch
 * @id: number of the switch in its network namespace
 * @ports: number of ports
 * @buffer_bytes: packet memory
 * @shared_bytes: part of @buffer_bytes that is neither reserved nor headroom
 * @used_bytes: part of @shared_bytes in use
 * @used_max_bytes: high-water mark of @used_bytes
 * @discard: 1: lossless priorities with a watchdog are treated as stormed
 * @deadlock: enum lle_deadlock_action
 * @deadlocks: counters of the deadlock detection
 */
struct lle_nl_switch {
	uint32_t id;
	uint32_t ports;
	uint32_t buffer_bytes;
	uint32_t shared_bytes;
	uint64_t used_bytes;
	uint64_t used_max_bytes;
	uint8_t discard;
	uint8_t deadlock;
	struct lle_deadlock_stats deadlocks;
};

/**
 * struct lle_nl_port - a port
 * @who: identifies the port
 * @peer: ifindex of the other end of the link; 0: not known
 * @peer_mac: source address of the last PFC frame received; zeros: none
 * @slot: number of the port in its switch
 * @facing: enum lle_facing
 * @rate: bytes per second; 0: not known
 * @mtu_bytes: MTU of the device
 * @pfc_en: bit p: priority p is lossless
 * @rcm: bit p: priority p has regional congestion mitigation
 * @to_alpha: alpha is 2^(to_alpha - 10)
 * @xoff_bytes: static threshold; 0: dynamic, by alpha
 * @headroom_bytes: headroom of each lossless priority group
 * @headroom_need_bytes: headroom that each of them needs
 * @unaccounted: packets of lossless priorities that the port queued, or
 *	dropped, and that no port of its switch received
 * @unaccounted_ifindex: device that received the last of them; 0: none
 * @author: of an event: name of the program that caused it; hostile; "": not known
 * @author_pid: its process ID
 * @time_ns: time of reading the counters, CLOCK_MONOTONIC; 0: no counters
 * @stats_prios: bit p: @stats[p] is valid
 * @stats: counters by priority
 */
struct lle_nl_port {
	struct lle_nl_who who;
	uint32_t peer;
	uint8_t peer_mac[6];
	uint8_t slot;
	uint8_t facing;
	uint64_t rate;
	uint32_t mtu_bytes;
	uint8_t pfc_en;
	uint8_t rcm;
	uint8_t to_alpha;
	uint32_t xoff_bytes;
	uint32_t headroom_bytes;
	uint32_t headroom_need_bytes;
	uint64_t unaccounted;
	uint32_t unaccounted_ifindex;
	char author[IFNAMSIZ];
	uint32_t author_pid;
	uint64_t time_ns;
	uint8_t stats_prios;
	struct lle_prio_stats stats[LLE_NUM_PRIO];
};

/**
 * struct lle_nl_history - pauses of a priority in one direction
 * @who: the port
 * @prio: the priority
 * @direction: enum lossless_direction
 * @since_ns: start of the current pause, CLOCK_MONOTONIC; 0: not paused
 * @count: number of pauses that ended
 * @total_ns: their total duration
 * @longest_ns: duration of the longest of them
 * @episodes: the last of them, newest first
 * @num_episodes: entries of @episodes
 */
struct lle_nl_history {
	struct lle_nl_who who;
	uint8_t prio;
	uint8_t direction;
	uint64_t since_ns;
	uint64_t count;
	uint64_t total_ns;
	uint64_t longest_ns;
	struct lle_episode episodes[LOSSLESS_NUM_EPISODE];
	unsigned int num_episodes;
};

/**
 * struct lle_nl_watchdog - the watchdog of a priority
 * @who: the port
 * @prio: the priority
 * @detection_ms: detection time; 0: off
 * @restoration_ms: restoration time; 0: no storm ends by itself
 * @action: enum lossless_watchdog_action
 * @stormed: 1: stormed
 * @stats: counters
 */
struct lle_nl_watchdog {
	struct lle_nl_who who;
	uint8_t prio;
	uint32_t detection_ms;
	uint32_t restoration_ms;
	uint8_t action;
	uint8_t stormed;
	struct lle_watchdog_stats stats;
};

/**
 * struct lle_nl_queue - packets queued at an egress port
 * @who: the port
 * @prio: the priority
 * @backlog_bytes: bytes in the queue
 * @waiting: the first LOSSLESS_QUEUE_LOOK packets by ingress port
 * @num_waiting: entries of @waiting
 */
struct lle_nl_queue {
	struct lle_nl_who who;
	uint8_t prio;
	uint32_t backlog_bytes;
	struct lle_waiting waiting[LOSSLESS_NUM_WAITING];
	unsigned int num_waiting;
};

/**
 * struct lle_nl_congestion - regional congestion mitigation of a priority
 * @who: the port
 * @prio: the priority
 * @info: state and counters
 * @ids: isolated flows or destinations, the first of @info.ids
 * @num_ids: entries of @ids
 */
struct lle_nl_congestion {
	struct lle_nl_who who;
	uint8_t prio;
	struct lle_congestion info;
	struct lle_congested ids[LOSSLESS_NUM_CONGESTED];
	unsigned int num_ids;
};

/**
 * struct lle_nl_path - a path group
 * @sw: number of the switch
 * @group: number of the group
 * @adaptive: 1: flows leave a congested path
 * @gap_us: time without packets after which they may
 * @ifindex: devices of the ports
 * @ports: number of ports
 * @stats: counters
 */
struct lle_nl_path {
	uint32_t sw;
	uint32_t group;
	uint8_t adaptive;
	uint32_t gap_us;
	uint32_t ifindex[LOSSLESS_PATHS_MAX];
	unsigned int ports;
	struct lle_path_stats stats;
};

/**
 * enum lle_nl_setting - a setting that is compared with that of other ports
 * @LLE_NL_ALPHA: alpha
 * @LLE_NL_WATCHDOG: detection time, restoration time or action of the watchdog
 * @LLE_NL_NUM_SETTING: number of settings
 */
enum lle_nl_setting {
	LLE_NL_ALPHA,
	LLE_NL_WATCHDOG,
	LLE_NL_NUM_SETTING,
};

/* lle_nl_setting() of a watchdog that is off */
#define LLE_NL_WATCHDOG_OFF	0

/**
 * struct lle_nl_settings - settings of all ports
 * @ports: the ports
 * @num_ports: entries of @ports
 * @watchdogs: all watchdogs that are on, sorted by lle_nl_compare_watchdogs()
 * @num_watchdogs: entries of @watchdogs
 */
struct lle_nl_settings {
	const struct lle_nl_port *ports;
	int num_ports;
	const struct lle_nl_watchdog *watchdogs;
	int num_watchdogs;
};

/**
 * struct lle_nl_usual - settings of the majority of lossless priorities, by
 *	facing of the port
 * @known: more than half of them have the same value
 * @value: that value
 */
struct lle_nl_usual {
	bool known[LLE_FACING_MAX + 1][LLE_NL_NUM_SETTING];
	uint64_t value[LLE_FACING_MAX + 1][LLE_NL_NUM_SETTING];
};

/**
 * struct lle_nl_route - a route
 * @data: struct rtmsg and its attributes
 * @len: bytes of @data
 */
struct lle_nl_route {
	void *data;
	unsigned int len;
};

/**
 * struct lle_nl_link - counters of a device
 * @ifindex: ifindex of the device
 * @stats: the counters
 */
struct lle_nl_link {
	unsigned int ifindex;
	struct rtnl_link_stats64 stats;
};

/* Buffer for the kind of a device, such as "vlan", bytes */
#define LLE_NL_KIND	16

/**
 * struct lle_nl_device - a network device
 * @ifindex: ifindex of the device
 * @name: its name
 * @slave_kind: kind of @master
 * @flags: IFF_UP and others
 * @master: ifindex of the bridge, bond or the like to which it belongs; 0: none
 */
struct lle_nl_device {
	uint32_t ifindex;
	char name[IFNAMSIZ];
	char slave_kind[LLE_NL_KIND];
	unsigned int flags;
	uint32_t master;
};

/* Buffer for an alternative name of a device, bytes */
#define LLE_NL_ALTNAME	128

/**
 * struct lle_nl_qdisc - a lossless qdisc
 * @ifindex: ifindex of its device
 * @handle: handle of the qdisc
 * @role: enum lle_role
 * @options: TCA_OPTIONS, a struct rtattr
 */
struct lle_nl_qdisc {
	uint32_t ifindex;
	uint32_t handle;
	uint8_t role;
	void *options;
};

/**
 * struct lle_nl_ethertype - priority of an EtherType
 * @type: the EtherType
 * @prio: its priority
 */
struct lle_nl_ethertype {
	uint16_t type;
	uint8_t prio;
};

/**
 * struct lle_nl_wred - WRED of a priority
 * @ifindex: the port
 * @prio: the priority
 * @ecn: 1: mark ECN capable packets instead of dropping them
 * @kmin_bytes: queue from which the probability rises from 0
 * @kmax_bytes: queue from which it is 1
 * @pmax_q32: probability just below @kmax_bytes, in 1/2^32; 0: no WRED
 * @nonect_bytes: queue from which packets without ECN are dropped; 0: they
 *	follow the curve
 * @bufmax_bytes: queue above which all packets are dropped; 0: no limit
 */
struct lle_nl_wred {
	uint32_t ifindex;
	uint8_t prio;
	uint8_t ecn;
	uint32_t kmin_bytes;
	uint32_t kmax_bytes;
	uint32_t pmax_q32;
	uint32_t nonect_bytes;
	uint32_t bufmax_bytes;
};

/**
 * struct lle_nl_tcp - a TCP socket with LDCP
 * @family: AF_INET or AF_INET6
 * @address: local address
 * @peer: address of the peer
 * @port: local port
 * @peer_port: port of the peer
 * @cc: name of the congestion control
 * @phase: enum lle_ldcp_phase, from 1 on; 0: no LDCP
 * @window: window in 1/1024 packets
 * @packets: packets acknowledged by ACKs that report marks
 * @marked: those of @packets that were marked
 * @first_lost: packets of first RTTs that were lost
 * @rtt_us: smoothed RTT
 * @min_rtt_us: shortest RTT
 * @retrans: segments retransmitted
 * @acked_bytes: bytes acknowledged
 */
struct lle_nl_tcp {
	uint8_t family;
	uint8_t address[16];
	uint8_t peer[16];
	uint16_t port;
	uint16_t peer_port;
	char cc[16];
	uint16_t phase;
	uint32_t window;
	uint32_t packets;
	uint32_t marked;
	uint32_t first_lost;
	uint32_t rtt_us;
	uint32_t min_rtt_us;
	uint32_t retrans;
	uint64_t acked_bytes;
};

/**
 * struct lle_nl_deadlock - a deadlock; see deadlock.h
 * @sw: number of the switch that found it
 * @info: description and cure
 * @hops: the loop if @info.loop, else only the hop of @sw
 * @num_hops: entries of @hops, at least 1
 * @duplicates: how often other switches found it, too, see
 *	lle_nl_deadlock_unite()
 */
struct lle_nl_deadlock {
	uint32_t sw;
	struct lle_deadlock_info info;
	struct lle_deadlock_hop hops[LLE_NL_HOPS];
	unsigned int num_hops;
	unsigned int duplicates;
};

/**
 * struct lle_nl_watchdog_change - a change of the watchdogs of a port
 * @ifindex: the port
 * @prios: bit p: change priority p
 * @detection_ms: 0: off; -1: no change
 * @restoration_ms: 0: no storm ends by itself; -1: no change
 * @action: enum lossless_watchdog_action; -1: no change
 */
struct lle_nl_watchdog_change {
	unsigned int ifindex;
	uint8_t prios;
	int detection_ms;
	int restoration_ms;
	int action;
};

/**
 * struct lle_nl_pause - LOSSLESS_CMD_PAUSE_NTF
 * @who: the port
 * @direction: enum lossless_direction
 * @prios: bit p: priority p was paused or resumed
 * @paused: bit p: it is paused now
 * @time_ns: time of the event, CLOCK_MONOTONIC
 */
struct lle_nl_pause {
	struct lle_nl_who who;
	uint8_t direction;
	uint8_t prios;
	uint8_t paused;
	uint64_t time_ns;
};

/**
 * struct lle_nl_storm - LOSSLESS_CMD_STORM_NTF
 * @who: the port
 * @peer_mac: source address of the last PFC frame received; zeros: none
 * @prio: the priority
 * @stormed: 1: a storm was detected; 0: it has ended
 * @since_ns: since when the queue is stuck, or free of pauses, CLOCK_MONOTONIC
 * @time_ns: time of the event, CLOCK_MONOTONIC
 * @stats: counters of the watchdog
 */
struct lle_nl_storm {
	struct lle_nl_who who;
	uint8_t peer_mac[6];
	uint8_t prio;
	uint8_t stormed;
	uint64_t since_ns;
	uint64_t time_ns;
	struct lle_watchdog_stats stats;
};

/**
 * struct lle_nl_root - LOSSLESS_CMD_CONGESTION_NTF
 * @who: the port
 * @prio: the priority
 * @root: 1: the port became the root of a region; 0: it ceased to be one
 * @since_ns: since when the port is, or was, a root, CLOCK_MONOTONIC
 * @time_ns: time of the event, CLOCK_MONOTONIC
 * @identified: flows or destinations that CFR identified meanwhile
 */
struct lle_nl_root {
	struct lle_nl_who who;
	uint8_t prio;
	uint8_t root;
	uint64_t since_ns;
	uint64_t time_ns;
	uint64_t identified;
};

/**
 * struct lle_nl_headroom - LOSSLESS_CMD_HEADROOM_NTF
 * @who: the port
 * @headroom_bytes: headroom of each lossless priority group
 * @need_bytes: headroom that each of them needs
 * @time_ns: time of the event, CLOCK_MONOTONIC
 */
struct lle_nl_headroom {
	struct lle_nl_who who;
	uint32_t headroom_bytes;
	uint32_t need_bytes;
	uint64_t time_ns;
};

/**
 * struct lle_nl_unaccounted - LOSSLESS_CMD_UNACCOUNTED_NTF
 * @who: the port
 * @packets: as @unaccounted of struct lle_nl_port
 * @ifindex: device that received the last of them
 * @time_ns: time of the event, CLOCK_MONOTONIC
 */
struct lle_nl_unaccounted {
	struct lle_nl_who who;
	uint64_t packets;
	uint32_t ifindex;
	uint64_t time_ns;
};

/**
 * struct lle_nl_event - an event
 * @cmd: enum lle_cmd, which selects the valid member of the union
 * @who: the port; valid for all but LOSSLESS_CMD_DEADLOCK_NTF
 * @pause: LOSSLESS_CMD_PAUSE_NTF
 * @storm: LOSSLESS_CMD_STORM_NTF
 * @port: LOSSLESS_CMD_PORT_NTF, without counters
 * @deadlock: LOSSLESS_CMD_DEADLOCK_NTF
 * @root: LOSSLESS_CMD_CONGESTION_NTF
 * @headroom: LOSSLESS_CMD_HEADROOM_NTF
 * @unaccounted: LOSSLESS_CMD_UNACCOUNTED_NTF
 */
struct lle_nl_event {
	uint8_t cmd;
	union {
		struct lle_nl_who who;
		struct lle_nl_pause pause;
		struct lle_nl_storm storm;
		struct lle_nl_port port;
		struct lle_nl_deadlock deadlock;
		struct lle_nl_root root;
		struct lle_nl_headroom headroom;
		struct lle_nl_unaccounted unaccounted;
	};
};

/* client.c */
int lle_nl_open(struct lle_nl **nl);
const char *lle_nl_other_version(void);
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

/* order.c */
int lle_nl_compare_switches(const void *a, const void *b);
int lle_nl_compare_ports(const void *a, const void *b);
int lle_nl_compare_histories(const void *a, const void *b);
int lle_nl_compare_watchdogs(const void *a, const void *b);
int lle_nl_compare_queues(const void *a, const void *b);
int lle_nl_compare_congestions(const void *a, const void *b);
int lle_nl_compare_deadlocks(const void *a, const void *b);
int lle_nl_compare_paths(const void *a, const void *b);
int lle_nl_compare_links(const void *a, const void *b);
const struct lle_nl_link *lle_nl_find_link(const struct lle_nl_link *links, int num,
					   unsigned int ifindex);

/* get.c; all but the last two return the number of *result, to be freed */
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

/**
 * lle_nl_headroom_low() - has a port less headroom than its link needs?
 * @port: the port
 */
static inline bool lle_nl_headroom_low(const struct lle_nl_port *port)
{
	return port->pfc_en && port->headroom_bytes < port->headroom_need_bytes;
}

/* only.c */
int lle_nl_daemon_claim(void);
bool lle_nl_daemon_runs(void);

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
