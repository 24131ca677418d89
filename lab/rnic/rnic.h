/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RNIC_H
#define RNIC_H

#include <linux/hrtimer.h>
#include <linux/interrupt.h>
#include <linux/llist.h>
#include <linux/netdevice.h>
#include <linux/refcount.h>
#include <linux/timerqueue.h>
#include <linux/xarray.h>

#include <linux/lossless_frame.h>

#include "dcqcn.h"
#include "ldcp.h"
#include "roce.h"

/* Payload bytes of a packet, at most: what jumbo frames carry. InfiniBand ends at 4096. */
#define RNIC_MTU_MAX	9000

/**
 * struct rnic_config - module parameters, as they were when the run was started
 * @mtu: payload bytes of a packet
 * @window: packets that may be unacknowledged; 0: any number
 * @ack_every: packets between two requests for an ACK
 * @ack_prio: priority of ACKs, NAKs and CNPs
 * @depth: packets of a priority that the NIC hands to the qdisc ahead of time
 * @flow_depth: packets of a flow that it does; 0: any number
 * @rto_ns: time without progress after which a sender goes back
 * @cnp_ns: least time between two CNPs of a flow
 * @bin_ns: width of a bin of throughput; 0: none
 * @bins: their number
 * @sample_ns: time between two looks at queues; 0: none
 * @samples: their number
 * @timeline_us: time between the first two looks at all ports; 0: none
 * @storm_ns: time between two pauses of a broken NIC
 * @pair_ns: messages between two hosts share a queue pair if one begins sooner than this
 *	after the other; 0: none do
 * @ect: packets are ECN capable
 * @icrc: compute and check the ICRC
 * @cc: rate control
 * @dcqcn: parameters of DCQCN
 * @ldcp: parameters of LDCP
 */
struct rnic_config {
	u32 mtu;
	u32 window;
	u32 ack_every;
	u32 ack_prio;
	u32 depth;
	u32 flow_depth;
	u64 rto_ns;
	u64 cnp_ns;
	u64 bin_ns;
	u32 bins;
	u64 sample_ns;
	u32 samples;
	u32 timeline_us;
	u64 storm_ns;
	u64 pair_ns;
	bool ect;
	bool icrc;
	const struct rnic_cc *cc;
	struct dcqcn_params dcqcn;
	struct rnic_ldcp_params ldcp;
};

extern struct rnic_config rnic_config;

struct rnic_flow;

/**
 * struct rnic_ack - what an ACK or a NAK says
 * @packets: that are acknowledged now, and were not
 * @marked: the packet that it answers was
 * @limited: the flow had sent as much as its window allows
 */
struct rnic_ack {
	u32 packets;
	bool marked;
	bool limited;
};

/**
 * struct rnic_cc - a congestion control
 * @name: as in the module parameter
 * @init: a flow begins
 * @send: a packet of some bytes is sent; returns the rate, bytes per second
 * @cnp: a CNP has arrived; NULL: it wants none
 * @window: packets that may be unacknowledged; NULL: as many as the module parameter says,
 *	and no ACK or loss is told
 * @is_ect: is a packet ECN capable that is not sent again?
 * @acked: an ACK or a NAK has arrived; returns how long after the last packet the next
 *	one may be sent, ns
 * @lost: what is not acknowledged is sent again, after a NAK or a time-out
 * @rtt: a request for an RTT has been answered, which took @rtt_ns; NULL: it wants none
 *
 * All under the sending host's lock.
 */
struct rnic_cc {
	const char *name;
	void (*init)(struct rnic_flow *flow);
	u64 (*send)(struct rnic_flow *flow, u32 bytes, u64 now_ns);
	void (*cnp)(struct rnic_flow *flow, u64 now_ns);
	u32 (*window)(const struct rnic_flow *flow);
	bool (*is_ect)(const struct rnic_flow *flow, u32 packet);
	u64 (*acked)(struct rnic_flow *flow, const struct rnic_ack *ack,
		     u64 now_ns);
	void (*lost)(struct rnic_flow *flow, bool timeout);
	void (*rtt)(struct rnic_flow *flow, u64 rtt_ns);
};

extern const struct rnic_cc rnic_cc_ldcp;
extern const struct rnic_cc rnic_cc_ldcp_rate;

/**
 * struct rnic_stats - what a host has sent and seen
 * @data: data packets sent
 * @timeouts: times that a sender went back for lack of progress
 * @malformed: received packets that were dropped as not ours to understand
 * @nomem: data packets that could not be made
 */
struct rnic_stats {
	u64 data;
	u64 timeouts;
	u64 malformed;
	u64 nomem;
};

/**
 * struct rnic_lane - one priority of a host
 * @host: the host
 * @ready: flows that may send now, in turn; @host's lock
 * @in_qdisc: packets in the qdisc
 * @sent: flows of which some have left it
 * @last: the last message to each host, by its address, if they share queue pairs; RTNL
 * @dropped: the device has dropped one instead of queueing it, as when it is down:
 *	the next one is for the time-out to send; @host's lock
 */
struct rnic_lane {
	struct rnic_host *host;
	struct list_head ready;
	atomic_t in_qdisc;
	struct llist_head sent;
	struct xarray last;
	bool dropped;
};

/**
 * struct rnic_host - a NIC: a netdev that flows start or end at
 * @dev: the device; NULL when it has gone. Written under RTNL, read under RCU
 * @addr: IPv4 address that the flows know it by
 * @node: in the list of all hosts, RTNL
 * @lock: protects what follows, and the sending half of its flows
 * @lane: by priority
 * @paced: flows that may send later
 * @send: sends what may be sent
 * @timer: runs @send for the first of @paced
 * @stats: counters
 * @refs: one of the list, one of each packet on its way
 * @rcu: for freeing
 */
struct rnic_host {
	struct net_device __rcu *dev;
	__be32 addr;
	struct list_head node;
	spinlock_t lock;	/* a leaf, but for packet.c */
	struct rnic_lane lane[LLE_NUM_PRIO];
	struct timerqueue_head paced;
	struct tasklet_struct send;
	struct hrtimer timer;
	struct rnic_stats stats;
	refcount_t refs;
	struct rcu_head rcu;
};

/**
 * struct rnic_flow - a message to send, and its queue pair
 * @id: its number: both ends' QPN
 * @qp: the first message of its queue pair: itself, but if those of two hosts share one,
 *	which is sent one after the other. @dcqcn, @cnp_ns and @lock are @qp's
 * @after: the message of the pair that is sent after this one
 * @src: sender
 * @dst: receiver
 * @prio: priority of the data
 * @size: bytes of the message
 * @packets: packets of the message
 * @start_ns: when it starts, after the start of the run
 * @rate_cap: bytes per second; U64_MAX: none
 * @refs: one of the list, one of each packet in the qdisc
 * @in_qdisc: their number
 * @sent: in its lane's list
 * @is_sent: it is there, bit 0
 * @node: in @src's ready list. From here under @src's lock
 * @pace: in @src's paced queue; expires when the next packet may go
 * @next: next packet to be sent
 * @acked: packets that are acknowledged
 * @highest: packets that were ever sent
 * @progress_ns: when @acked last moved
 * @done_ns: when all was acknowledged; 0: not yet
 * @retrans: packets sent again
 * @cnps: CNPs received
 * @dcqcn: state of DCQCN
 * @ldcp: state of LDCP
 * @sent_ns: when the last packet was sent
 * @asked_ns: when an RTT was asked for that has not been answered; 0: none was
 * @rto: fires when @acked does not move
 * @lock: protects what follows
 * @expected: next packet that the receiver takes
 * @nak_sent: the gap before what arrives has been reported
 * @ooo: packets that came before @expected did
 * @dup: packets that came again
 * @naks: NAKs sent
 * @marked: packets with CE
 * @cnp_ns: when the last CNP was sent
 * @cnps_sent: CNPs sent for packets of this message
 * @first_ns: when the first packet arrived
 * @last_ns: when the last one did; 0: not yet
 * @bin: bytes received, by time; NULL: not wanted
 */
struct rnic_flow {
	u32 id;
	struct rnic_flow *qp;
	struct rnic_flow *after;
	struct rnic_host *src;
	struct rnic_host *dst;
	u8 prio;
	u64 size;
	u32 packets;
	u64 start_ns;
	u64 rate_cap;
	refcount_t refs;
	atomic_t in_qdisc;
	struct llist_node sent;
	unsigned long is_sent;

	struct list_head node;
	struct timerqueue_node pace;
	u32 next;
	u32 acked;
	u32 highest;
	u64 progress_ns;
	u64 done_ns;
	u64 retrans;
	u64 cnps;
	struct dcqcn dcqcn;
	struct rnic_ldcp ldcp;
	u64 sent_ns;
	u64 asked_ns;
	struct hrtimer rto;

	spinlock_t lock ____cacheline_aligned_in_smp;
	u32 expected;
	bool nak_sent;
	u64 ooo;
	u64 dup;
	u64 naks;
	u64 marked;
	u64 cnp_ns;
	u64 cnps_sent;
	u64 first_ns;
	u64 last_ns;
	u32 *bin;
};

/* run.c */
extern u64 rnic_start_ns;
extern bool rnic_running;

/* host.c: NICs, RTNL */
extern struct list_head rnic_hosts;
struct rnic_host *rnic_host_get(__be32 addr);
void rnic_host_sent(struct sk_buff *skb);
void rnic_hosts_clear(void);
int rnic_hosts_init(void);
void rnic_hosts_exit(void);

/* packet.c: packets, RCU; NULL without memory, or if a host has gone */
int rnic_packet_init(void);
void rnic_packet_exit(void);
u32 rnic_packet_bytes(const struct rnic_flow *flow, u32 packet);
struct sk_buff *rnic_packet_data(const struct rnic_flow *flow, u32 packet,
				 bool ect);
struct sk_buff *rnic_packet_ack(const struct rnic_flow *flow, u32 packet,
				u8 syndrome, bool marked);
struct sk_buff *rnic_packet_cnp(const struct rnic_flow *flow);
struct sk_buff *rnic_packet_rtt(const struct rnic_flow *flow, u8 opcode,
				u64 sent_ns);

/* send.c: the sending half of flows */
void rnic_send_init(struct rnic_host *host);
void rnic_send_exit(struct rnic_host *host);
void rnic_send_start(struct rnic_flow *flow, u64 start_ns);
void rnic_send_stop(struct rnic_flow *flow);
void rnic_send_acked(struct rnic_flow *flow, u32 packet, bool nak, bool marked);
void rnic_send_cnp(struct rnic_flow *flow);
void rnic_send_rtt(struct rnic_flow *flow, u64 sent_ns);

/* receive.c: the receiving half */
rx_handler_result_t rnic_receive(struct sk_buff **pskb);

/* flows.c: the flows of a run */
struct rnic_flow *rnic_flow_find(u32 id);
void rnic_flow_put(struct rnic_flow *flow);
struct rnic_flow *rnic_flow_next(unsigned long *id);
int rnic_flows_add(const char *line, unsigned int number);
int rnic_flows_start(u64 start_ns);
void rnic_flows_clear(void);

/* queues.c: queues over time, RTNL */
int rnic_queues_add(const char *line);
void rnic_queues_start(u64 start_ns);
void rnic_queues_clear(void);
void rnic_queues_forget(const struct net_device *dev);
void rnic_queues_show(struct seq_file *m);
void rnic_queues_init(void);
struct Qdisc *rnic_lossless_qdisc(struct net_device *dev);

/* timeline.c: all ports over time, RTNL */
extern const struct seq_operations rnic_timeline_sops;
void rnic_timeline_start(void);
void rnic_timeline_stop(void);
void rnic_timeline_clear(void);
void rnic_timeline_forget(const struct net_device *dev);
void rnic_timeline_init(void);

/* storm.c: broken NICs, RTNL */
const char *rnic_storm_add(const char *line);
void rnic_storms_start(u64 start_ns);
void rnic_storms_clear(void);

/* control.c: files in debugfs */
int rnic_control_init(void);
void rnic_control_exit(void);

/* cc.c */
const struct rnic_cc *rnic_cc_find(const char *name);

#endif /* RNIC_H */
