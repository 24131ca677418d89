// SPDX-License-Identifier: GPL-2.0
/*
 * The receive side of a host's NIC: a buffer, and the pipeline that empties it.
 *
 *	hook --> buffer --pipeline (rx-rate)--> stack
 *
 * Queued packets are charged to the port's priority groups in the host's own
 * switch, which pause the peer as usual. The one pipeline keeps the order of
 * arrival: while it is stopped, all priorities wait.
 *
 * Source: "RDMA over Commodity Ethernet at Scale": a NIC with a stopped receive
 * pipeline pauses its switch for ever (section 4.3), a slow one often (4.4).
 */
#include <linux/rtnetlink.h>
#include <linux/slab.h>
#include <net/dst.h>
#include <net/sock.h>

#include "admit.h"
#include "gso.h"
#include "host.h"
#include "watchdog.h"

/* Packets passed on before other softirqs run */
#define LLE_HOST_BUDGET		64

/**
 * struct lle_host_cb - control block of a queued packet
 * @charge: its charge
 * @sk: socket chosen by bpf_sk_assign(), held; or NULL
 */
struct lle_host_cb {
	struct lle_charge charge;
	struct sock *sk;
};

static struct lle_host_cb *lle_host_cb(const struct sk_buff *skb)
{
	return (struct lle_host_cb *)skb->cb;
}

/* Continue behind the hook, after generic XDP, taps, filters and RPS. */
static void lle_host_pass(struct sk_buff *skb)
{
	struct sock *sk = lle_host_cb(skb)->sk;

	skb_set_redirected(skb, false);
	skb->tc_skip_classify = 1;
	netif_receive_skb_core(skb);
	if (sk)
		sock_gen_put(sk);
}

/* Keep a prefetched socket while its packet waits. */
static struct sock *lle_host_hold(struct sk_buff *skb)
{
	struct sock *sk = skb->sk;

	if (skb_sk_is_prefetched(skb) && refcount_inc_not_zero(&sk->sk_refcnt))
		return sk;
	skb_orphan(skb);
	return NULL;
}

static void lle_host_free(struct sk_buff *skb)
{
	struct sock *sk = lle_host_cb(skb)->sk;

	kfree_skb(skb);
	if (sk)
		sock_gen_put(sk);
}

/* Set the timer for when the pipeline is free. */
static void lle_host_arm(struct lle_host *host)
{
	host->armed = !host->stopped && !skb_queue_empty(&host->queue);
	if (host->armed)
		hrtimer_start(&host->timer, ns_to_ktime(host->pipe.free_ns),
			      HRTIMER_MODE_ABS_SOFT);
}

/* Account for the memory of added or (@bytes < 0) removed packets. */
static void lle_host_account(struct lle_host *host, int bytes)
{
	host->memory.bytes += bytes;
	if (lle_memory_has_changed(&host->memory))
		lle_admit_update_memory(host->port, &host->memory);
}

/* NULL: the queue is empty, or the pipeline busy. */
static struct sk_buff *lle_host_next(struct lle_host *host, u64 now_ns)
{
	const struct lle_charge *charge;
	struct sk_buff *skb = NULL;

	spin_lock(&host->queue.lock);
	if (!host->stopped && !skb_queue_empty(&host->queue) &&
	    lle_link_ready(&host->pipe, &host->pipe_params, now_ns)) {
		skb = __skb_dequeue(&host->queue);
		charge = &lle_host_cb(skb)->charge;
		lle_link_send(&host->pipe, &host->pipe_params, charge->bytes,
			      charge->packets, now_ns);
		host->idle_since_ns = now_ns;
		lle_admit_release_locked(host->port, charge, NULL, false);
		lle_host_account(host, -skb->truesize);
	}
	spin_unlock(&host->queue.lock);
	return skb;
}

static enum hrtimer_restart lle_host_timer(struct hrtimer *timer)
{
	struct lle_host *host = container_of(timer, struct lle_host, timer);
	unsigned int budget = LLE_HOST_BUDGET;
	u64 now_ns = ktime_get_ns();
	struct sk_buff *skb;

	rcu_read_lock();
	while (budget-- && (skb = lle_host_next(host, now_ns)))
		lle_host_pass(skb);
	rcu_read_unlock();

	spin_lock(&host->queue.lock);
	if (skb_queue_empty(&host->queue))
		lle_link_idle(&host->pipe);
	lle_host_arm(host);
	spin_unlock(&host->queue.lock);
	return HRTIMER_NORESTART;
}

static void lle_host_queue(struct lle_host *host, struct sk_buff *skb,
			   unsigned int prio, const struct lle_gso *size,
			   u64 now_ns)
{
	struct lle_charge charge = {
		.pg = prio,
		.queue = prio,
		.packets = size->packets,
		.bytes = size->bytes,
	};

	if (lle_admit_locked(host->port, &charge, NULL) == LLE_DROPPED) {
		kfree_skb(skb);
		return;
	}

	lle_host_cb(skb)->charge = charge;
	lle_host_cb(skb)->sk = lle_host_hold(skb);
	skb_dst_force(skb);
	if (skb_queue_empty(&host->queue))
		host->idle_since_ns = now_ns;
	__skb_queue_tail(&host->queue, skb);
	lle_host_account(host, skb->truesize);
	if (!host->armed)
		lle_host_arm(host);
}

/* Out of memory counts as out of buffer. */
static void lle_host_drop(struct lle_port *port, unsigned int prio,
			  const struct lle_gso *size)
{
	spin_lock(&port->sw->lock);
	lle_admit_drop(port, prio, LLE_DROP_BUFFER, size->bytes, size->packets);
	spin_unlock(&port->sw->lock);
}

/**
 * lle_host_take() - accept a packet that arrived at a host
 * @host: receive side of its port
 * @skb: the packet; untrusted
 * @prio: its priority
 * @size: its bytes and packets
 * Context: softirq, RCU, no qdisc lock held.
 * Return: true: queued or dropped; false: the caller passes it on.
 */
bool lle_host_take(struct lle_host *host, struct sk_buff *skb,
		   unsigned int prio, const struct lle_gso *size)
{
	u64 now_ns = ktime_get_ns();
	bool wait;

	spin_lock(&host->queue.lock);
	wait = host->stopped || host->armed ||
	       !lle_link_ready(&host->pipe, &host->pipe_params, now_ns);
	if (wait) {
		skb = skb_share_check(skb, GFP_ATOMIC);
		if (likely(skb))
			lle_host_queue(host, skb, prio, size, now_ns);
		else
			lle_host_drop(host->port, prio, size);
	} else {
		lle_link_send(&host->pipe, &host->pipe_params, size->bytes,
			      size->packets, now_ns);
	}
	spin_unlock(&host->queue.lock);

	if (wait && READ_ONCE(host->port->watchdog.watched) &&
	    READ_ONCE(host->port->attention.want))
		lle_watchdog_look(host->port);
	return wait;
}

/**
 * lle_host_stuck_since() - get the begin of a pause without receive progress
 * @port: the port
 * @prio: the paused priority
 * Context: BH off, RCU. Return: nanoseconds; LLE_WATCHDOG_NEVER: it is not
 * stuck.
 */
u64 lle_host_stuck_since(struct lle_port *port, unsigned int prio)
{
	const struct lle_port_ingress *in = &port->ingress[prio];
	struct lle_host *host = rcu_dereference(port->host);
	u64 since_ns = LLE_WATCHDOG_NEVER;

	if (!host)
		return LLE_WATCHDOG_NEVER;
	spin_lock(&host->queue.lock);
	if (!skb_queue_empty(&host->queue))
		since_ns = host->idle_since_ns;
	spin_unlock(&host->queue.lock);

	spin_lock(&port->sw->lock);
	since_ns = in->pg.xoff ? max(since_ns, in->xoff_since_ns) :
				 LLE_WATCHDOG_NEVER;
	spin_unlock(&port->sw->lock);
	return since_ns;
}

/* Drop and count all queued packets. Under RTNL. */
static void lle_host_purge(struct lle_host *host)
{
	struct sk_buff_head purged;
	const struct lle_charge *charge;
	struct sk_buff *skb;

	__skb_queue_head_init(&purged);
	spin_lock_bh(&host->queue.lock);
	skb_queue_splice_init(&host->queue, &purged);
	host->memory.bytes = 0;
	lle_admit_update_memory(host->port, &host->memory);
	spin_unlock_bh(&host->queue.lock);

	rcu_read_lock_bh();
	while ((skb = __skb_dequeue(&purged))) {
		charge = &lle_host_cb(skb)->charge;
		lle_admit_release_locked(host->port, charge, NULL, false);
		lle_admit_drop(host->port, charge->pg, LLE_DROP_PURGE,
			       charge->bytes, charge->packets);
		lle_host_free(skb);
	}
	rcu_read_unlock_bh();
}

/**
 * lle_host_alloc() - allocate the receive side that a configuration needs
 * @port: the port
 * @params: the configuration
 * @host: result, for lle_host_configure(); NULL: not required, or present
 * Context: RTNL. Return: 0 or -ENOMEM.
 */
int lle_host_alloc(struct lle_port *port, const struct lle_port_params *params,
		   struct lle_host **host)
{
	*host = NULL;
	if (params->rx_rate == LLE_RX_UNLIMITED || rtnl_dereference(port->host))
		return 0;

	*host = kzalloc(sizeof(**host), GFP_KERNEL);
	if (!*host)
		return -ENOMEM;
	(*host)->port = port;
	skb_queue_head_init(&(*host)->queue);
	hrtimer_setup(&(*host)->timer, lle_host_timer, CLOCK_MONOTONIC,
		      HRTIMER_MODE_ABS_SOFT);
	return 0;
}

/**
 * lle_host_configure() - apply a new configuration to the receive side
 * @port: the port; keeps queued packets as long as it is a host
 * @params: the configuration
 * @host: from lle_host_alloc()
 * Context: RTNL, may sleep.
 */
void lle_host_configure(struct lle_port *port,
			const struct lle_port_params *params,
			struct lle_host *host)
{
	if (params->role != LLE_ROLE_HOST) {
		lle_host_end(port);
		return;
	}
	if (host) {
		rcu_assign_pointer(port->host, host);
		WRITE_ONCE(port->attention.host, true);
	}
	host = rtnl_dereference(port->host);
	if (!host)
		return;

	spin_lock_bh(&host->queue.lock);
	host->stopped = !params->rx_rate;
	lle_link_params_init(&host->pipe_params,
			     params->rx_rate == LLE_RX_UNLIMITED ?
			     0 : params->rx_rate, 0, params->burst_bytes);
	/* do not wait for a packet that still passes at the old rate */
	host->pipe.free_ns = min(host->pipe.free_ns, ktime_get_ns());
	if (!skb_queue_empty(&host->queue))
		lle_host_arm(host);
	spin_unlock_bh(&host->queue.lock);
}

/**
 * lle_host_down() - drop queued packets when the device goes down
 * @port: the port
 * Context: RTNL.
 */
void lle_host_down(struct lle_port *port)
{
	struct lle_host *host = rtnl_dereference(port->host);

	if (host)
		lle_host_purge(host);
}

/**
 * lle_host_end() - remove the receive side of a port
 * @port: the port, which ends or ceases to be a host
 * Context: RTNL, may sleep.
 */
void lle_host_end(struct lle_port *port)
{
	struct lle_host *host = rtnl_dereference(port->host);

	if (!host)
		return;
	WRITE_ONCE(port->attention.host, false);
	RCU_INIT_POINTER(port->host, NULL);
	/* after this only the timer function itself can set the timer */
	synchronize_net();
	hrtimer_cancel(&host->timer);
	lle_host_purge(host);
	kfree(host);
}
