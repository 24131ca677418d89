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
#include "irn.h"
#include "ldcp.h"
#include "roce.h"

/* Maximum payload of a packet, bytes: a jumbo frame. InfiniBand allows 4096. */
#define RNIC_MTU_MAX	9000

/* Queue pairs 0 and 1 are special, and small numbers look like errors. */
#define RNIC_FIRST_QPN	16

/* The sender writes or sends a message, or the receiver reads it. */
enum rnic_verb {
	RNIC_WRITE,
	RNIC_SEND,
	RNIC_READ,
};

/*
 * The module parameters at load time, as main.c describes them. Rates are bytes
 * per second. @pair_ns: a message shares the queue pair of the previous one
 * between the same hosts if it begins sooner than this after it; 0: never
 */
struct rnic_config {
	u32 mtu;
	u32 window;
	u32 ack_every;
	u32 ack_prio;
	u32 cnp_prio;
	u32 turn_bytes;
	bool irn;
	u32 depth;
	u32 flow_depth;
	u64 rto_ns;
	u64 rto_low_ns;
	u32 rto_low_packets;
	u64 cnp_ns;
	u64 cnp_nic_ns;
	u64 cnp_delay_ns;
	u64 bin_ns;
	u32 bins;
	u64 sample_ns;
	u32 samples;
	u32 timeline_us;
	u64 storm_ns;
	u64 pair_ns;
	bool ect;
	const struct rnic_cc *cc;
	struct dcqcn_params dcqcn;
	struct rnic_ldcp_params ldcp;
};

extern struct rnic_config rnic_config;

struct rnic_flow;
struct rnic_waiter;

/* Contents of an ACK or a NAK */
struct rnic_ack {
	u32 packets;	/* number of newly acknowledged packets */
	bool marked;	/* the packet that it answers was marked */
	bool limited;	/* the window was full */
};

/* A congestion control. All under the sending host's lock. */
struct rnic_cc {
	const char *name;
	void (*init)(struct rnic_flow *flow);	/* a flow begins */
	/* a packet of some bytes is sent; returns the rate, bytes per second */
	u64 (*send)(struct rnic_flow *flow, u32 bytes, u64 now_ns);
	/* a CNP has arrived; NULL: receivers send none */
	void (*cnp)(struct rnic_flow *flow, u64 now_ns);
	/*
	 * returns the maximum of unacknowledged packets; NULL: module parameter
	 * @window applies, @is_ect, @acked and @lost are not called
	 */
	u32 (*window)(const struct rnic_flow *flow);
	/* is the first transmission of a packet ECN capable? */
	bool (*is_ect)(const struct rnic_flow *flow, u32 packet);
	/*
	 * an ACK or a NAK has arrived; returns the minimum time from the last
	 * packet to the next one, ns
	 */
	u64 (*acked)(struct rnic_flow *flow, const struct rnic_ack *ack,
		     u64 now_ns);
	/* packets are sent again, after a NAK or a time-out */
	void (*lost)(struct rnic_flow *flow, bool timeout);
	/* an RTT was measured; NULL: RTTs are not measured */
	void (*rtt)(struct rnic_flow *flow, u64 rtt_ns);
};

extern const struct rnic_cc rnic_cc_ldcp;
extern const struct rnic_cc rnic_cc_ldcp_rate;

/* Counters of a host */
struct rnic_stats {
	u64 data;	/* data packets sent */
	u64 timeouts;	/* time-outs of senders */
	u64 malformed;	/* dropped: malformed, or of no flow here */
	u64 nomem;	/* data packets that could not be allocated */
};

/* One priority of a host */
struct rnic_lane {
	struct rnic_host *host;
	struct list_head ready;	/* flows that may send now; @host's lock */
	atomic_t in_qdisc;	/* number of packets in the qdisc */
	struct llist_head sent;	/* flows with packets that have left it */
	struct xarray last;	/* by address, if messages share pairs; RTNL */
	/* the device dropped a packet: wait for a time-out; @host's lock */
	bool dropped;
};

/* CNPs of a NIC. @made: being generated, with the time when they leave */
struct rnic_cnps {
	spinlock_t lock;	/* inside of struct rnic_flow.lock */
	u64 last_ns;
	struct sk_buff_head made;
	struct hrtimer timer;
};

/* A NIC: a netdev where flows start or end */
struct rnic_host {
	struct net_device __rcu *dev;	/* or NULL. RTNL, read: RCU */
	__be32 addr;	/* its IPv4 address in flows */
	u8 mac[ETH_ALEN];	/* address of the device */
	bool here;	/* not in another part of the network */
	struct list_head node;	/* in the list of all hosts, RTNL */
	/* of what follows, and of the sending half; outside rnic_flow.lock */
	spinlock_t lock;
	struct rnic_lane lane[LLE_NUM_PRIO];
	struct timerqueue_head paced;	/* flows that may send later */
	struct tasklet_struct send;	/* sends all packets that may be sent */
	struct hrtimer timer;	/* for the first of @paced */
	struct rnic_cnps cnps;
	struct rnic_stats stats;
	refcount_t refs;	/* the list, each packet in the qdisc */
	struct rcu_head rcu;
};

/* A message to send, and its queue pair */
struct rnic_flow {
	u32 id;	/* its number, the QPN of both ends */
	/*
	 * first message of its queue pair. A pair sends its messages one after
	 * the other. Its @dcqcn, @cnp_ns and @lock serve the whole pair
	 */
	struct rnic_flow *qp;
	struct rnic_flow *after;
	struct rnic_host *src;
	struct rnic_host *dst;
	u8 prio;
	u8 verb;	/* @src sends the data; of a READ, on request of @dst */
	u64 size;
	u32 packets;
	u64 start_ns;	/* after the run's start; if it @answers, after those */
	struct irn *irn;	/* state of selective repeat; NULL: without */
	bool answers;	/* it waits for flows that its initiator receives */
	struct rnic_waiter *waiters;	/* flows that wait for this one */
	bool read_stopped;	/* a waiting READ does not begin; @dst's lock */
	u64 rate_cap;	/* maximum rate, bytes per second; U64_MAX: no limit */
	refcount_t refs;	/* the list, each packet in the qdisc */
	atomic_t in_qdisc;	/* number of packets in the qdisc */
	struct llist_node sent;	/* in its lane's list @sent */
	unsigned long is_sent;	/* bit 0: it is in that list */

	struct list_head node;	/* in @src's ready list; from here its lock */
	u32 waits;	/* number of flows that have to end before it starts */
	u64 ready_ns;	/* earliest start, if it waits for others */
	u64 began_ns;	/* start, if it has waited for others; 0: not yet */
	struct timerqueue_node pace;	/* expires: next packet */
	u32 next;	/* next packet to send */
	u32 acked;	/* number of acknowledged packets */
	u32 highest;	/* number of packets that were sent at least once */
	u64 progress_ns;	/* when @acked last grew */
	u64 done_ns;	/* when all packets were acknowledged; 0: not yet */
	u64 retrans;	/* packets sent again */
	u64 cnps;
	struct dcqcn dcqcn;
	struct rnic_ldcp ldcp;
	u64 sent_ns;	/* when the last packet was sent */
	u64 asked_ns;	/* of the outstanding RTT request; 0: none */
	u32 turn;	/* bytes sent in this turn */
	struct hrtimer rto;	/* of the initiator */

	spinlock_t lock ____cacheline_aligned_in_smp;	/* protects the rest */
	u32 expected;	/* next packet that the receiver accepts */
	bool nak_sent;	/* the present gap was reported */
	u64 grown_ns;	/* READ: when @expected grew, or the request */
	u64 ooo;	/* packets that arrived before @expected did */
	u64 dup;	/* packets that arrived again */
	u64 naks;
	u64 marked;	/* packets with CE */
	u64 cnp_ns;	/* when the last CNP was sent */
	u64 cnps_sent;	/* CNPs sent for packets of this message */
	u64 first_ns;	/* when the first packet arrived */
	u64 last_ns;	/* when the last packet arrived; 0: not yet */
	u32 *bin;	/* bytes received, by time; NULL: no bins */
};

static inline bool rnic_is_paced(const struct rnic_flow *flow)
{
	return !RB_EMPTY_NODE(&flow->pace.node);
}

/* run.c */
extern u64 rnic_start_ns;
extern u64 rnic_end_ns;
extern bool rnic_running;

/* From now on NICs send and receive nothing: all counters are those of the end. */
static inline bool rnic_has_ended(u64 now_ns)
{
	return now_ns >= rnic_end_ns;
}

/* ethers.c: hosts of other parts of the network, RTNL */
int rnic_ethers_add(const char *line, unsigned int number);
bool rnic_ethers_find(__be32 addr, u8 *mac);
bool rnic_elsewhere(void);
void rnic_ethers_clear(void);

/* host.c: NICs, RTNL */
extern struct list_head rnic_hosts;
struct rnic_host *rnic_host_get(__be32 addr);
void rnic_host_sent(struct sk_buff *skb);
void rnic_host_count(struct rnic_host *host, u64 *counter);
void rnic_hosts_clear(void);
int rnic_hosts_init(void);
void rnic_hosts_exit(void);

/* packet.c: packets, RCU; NULL without memory, or without a device */
int rnic_packet_init(void);
void rnic_packet_exit(void);
u32 rnic_packet_bytes(const struct rnic_flow *flow, u32 packet);
struct sk_buff *rnic_packet_data(const struct rnic_flow *flow, u32 packet,
				 bool ect);
struct sk_buff *rnic_packet_ack(const struct rnic_flow *flow, u32 packet,
				u8 syndrome, bool marked);
struct sk_buff *rnic_packet_sack(const struct rnic_flow *flow, u32 expected,
				 u32 packet, bool marked);
struct sk_buff *rnic_packet_cnp(const struct rnic_flow *flow);
struct sk_buff *rnic_packet_request(const struct rnic_flow *flow, u32 packet);
bool rnic_packet_is_of(const struct rnic_flow *flow, u8 opcode);
struct sk_buff *rnic_packet_rtt(const struct rnic_flow *flow, u8 opcode,
				u64 sent_ns);

/* cnp.c: notification point of DCQCN */
void rnic_cnp_init(struct rnic_host *host);
void rnic_cnp_stop(struct rnic_host *host);
bool rnic_cnp_due(struct rnic_flow *flow, u64 now_ns);
void rnic_cnp_send(struct rnic_host *host, struct sk_buff *skb, u64 now_ns);

/* send.c: the sending half of flows */
bool rnic_cc_has_window(void);
bool rnic_has_window(void);
u32 rnic_send_window(const struct rnic_flow *flow);
void rnic_send_queue(struct rnic_flow *flow, u64 now_ns);
void rnic_send_repair(struct rnic_flow *flow);
void rnic_send_init(struct rnic_host *host);
void rnic_send_exit(struct rnic_host *host);
void rnic_send_start(struct rnic_flow *flow, u64 start_ns);
void rnic_send_begin(struct rnic_flow *flow, u64 start_ns);
void rnic_send_stop(struct rnic_flow *flow);

/* answer.c: what comes back to a sender */
void rnic_send_acked(struct rnic_flow *flow, u32 packet, bool nak, bool marked);
void rnic_send_sack(struct rnic_flow *flow, u32 expected, u32 packet);
void rnic_send_requested(struct rnic_flow *flow, u32 packet);
void rnic_send_cnp(struct rnic_flow *flow);
void rnic_send_rtt(struct rnic_flow *flow, u64 sent_ns);

/* read.c: the requesting half of READs */
void rnic_read_start(struct rnic_flow *flow, u64 start_ns);
void rnic_read_begin(struct rnic_flow *flow, u64 start_ns);
void rnic_read_stop(struct rnic_flow *flow);

/* receive.c: the receiving half */
rx_handler_result_t rnic_receive(struct sk_buff **pskb);

/* flows.c: the flows of a run */
extern const char *const rnic_verbs[3];	/* by enum rnic_verb */
struct rnic_host *rnic_flow_initiator(const struct rnic_flow *flow);
struct rnic_flow *rnic_flow_find(u32 id);
void rnic_flow_put(struct rnic_flow *flow);
struct rnic_flow *rnic_flow_next(unsigned long *id);
int rnic_flows_add(const char *line, unsigned int number);
int rnic_flows_start(u64 start_ns, u64 end_ns);
void rnic_flows_clear(void);

/* depend.c: flows that wait for others */
const char *rnic_depend_parse(struct rnic_flow *flow, const char *text);
void rnic_depend_ended(const struct rnic_flow *flow, struct rnic_host *host,
		       u64 now_ns);
void rnic_depend_free(struct rnic_flow *flow);

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
