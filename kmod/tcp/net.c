// SPDX-License-Identifier: GPL-2.0
/*
 * Data shared by the sockets of a network namespace: learned initial windows,
 * counters, and parameters in /proc/sys/net/ldcp, replaced as a whole (RCU): no
 * flow sees half of a change.
 */
#include <linux/proc_fs.h>
#include <linux/random.h>
#include <linux/seq_file.h>
#include <linux/siphash.h>
#include <linux/slab.h>
#include <linux/sysctl.h>
#include <net/ipv6.h>
#include <net/netns/generic.h>

#include "ldcp.h"

/* Unit of parameters: 1/1024 packet */
#define LDCP_UNIT_SHIFT		(LLE_LDCP_SHIFT - 10)

/* Maximum of a parameter, except the initial window: avoids overflows */
#define LDCP_VALUE_MAX		1024U

/* Half-life of a learned window */
#define LDCP_PATH_HALF		(60 * HZ)
#define LDCP_PATHS		256

enum ldcp_key {
	LDCP_MODE,
	LDCP_ALPHA,
	LDCP_BETA,
	LDCP_GAMMA,
	LDCP_MIN,
	LDCP_IW,
	LDCP_KEYS
};

/**
 * struct ldcp_path - learned window of the path to an address
 * @lock: protects the other members
 * @address: the address; IPv4 addresses are mapped
 * @packets: BDP in packets; 0: unknown
 * @rtt_us: shortest RTT of the flow that delivered them
 * @seen: time of that, in jiffies
 */
struct ldcp_path {
	spinlock_t lock;	/* no lock is taken inside */
	struct in6_addr address;
	u32 packets;
	u32 rtt_us;
	unsigned long seen;
};

/**
 * struct ldcp_net - state of a network namespace
 * @settings: current parameters; replaced under @lock
 * @lock: serialises changes of @value
 * @value: parameters set by the user, by ldcp_key
 * @table: sysctls
 * @header: registration of @table
 * @key: key of the hash
 * @path: paths by a hash of the address; the last one learned has a slot
 * @stats: counters
 */
struct ldcp_net {
	struct ldcp_settings __rcu *settings;
	struct mutex lock;	/* no lock is taken inside */
	u32 value[LDCP_KEYS];
	struct ctl_table table[LDCP_KEYS + 1];
	struct ctl_table_header *header;
	siphash_key_t key;
	struct ldcp_path path[LDCP_PATHS];
	struct ldcp_stats __percpu *stats;
};

static unsigned int ldcp_net_id __read_mostly;

static struct ldcp_net *ldcp_net(const struct net *net)
{
	return net_generic(net, ldcp_net_id);
}

/* Parameters of a network namespace; RCU */
const struct ldcp_settings *ldcp_net_settings(const struct net *net)
{
	return rcu_dereference(ldcp_net(net)->settings);
}

/* Counters of a network namespace */
struct ldcp_stats __percpu *ldcp_net_stats(const struct net *net)
{
	return ldcp_net(net)->stats;
}

/* Slot of a socket's path; @address: its key */
static struct ldcp_path *ldcp_path(const struct sock *sk, struct in6_addr *address)
{
	struct ldcp_net *n = ldcp_net(sock_net(sk));

	ipv6_addr_set_v4mapped(sk->sk_daddr, address);
#if IS_ENABLED(CONFIG_IPV6)
	if (sk->sk_family == AF_INET6)
		*address = sk->sk_v6_daddr;
#endif
	return &n->path[siphash(address, sizeof(*address), &n->key) % LDCP_PATHS];
}

/* BDP in packets, halved with age. Context: the path's lock. */
static u32 ldcp_known(const struct ldcp_path *path, const struct in6_addr *address)
{
	if (!ipv6_addr_equal(&path->address, address))
		return 0;
	return path->packets >> min((jiffies - path->seen) / LDCP_PATH_HALF, 31UL);
}

/*
 * Learns the window of a path from a flow that ends: the BDP is its delivery rate
 * times its shortest RTT. Concurrent flows have only a part of it each, so it
 * replaces no larger one.
 */
void ldcp_net_learn(const struct sock *sk)
{
	const struct tcp_sock *tp = tcp_sk(sk);
	u32 rtt_us = tcp_min_rtt(tp), packets;
	struct in6_addr address;
	struct ldcp_path *path;

	if (!tp->rate_interval_us || rtt_us == ~0U)
		return;
	packets = min_t(u64, div_u64((u64)tp->rate_delivered * rtt_us,
				     tp->rate_interval_us), LLE_LDCP_WINDOW_END - 1);
	path = ldcp_path(sk, &address);
	spin_lock_bh(&path->lock);
	if (packets >= ldcp_known(path, &address)) {
		path->address = address;
		path->packets = packets;
		path->rtt_us = max(rtt_us, 1U);
		path->seen = jiffies;
	}
	spin_unlock_bh(&path->lock);
}

/* Learned BDP of a path; @rate: its delivery rate in bytes per second */
static u32 ldcp_recall(const struct sock *sk, unsigned long *rate)
{
	struct in6_addr address;
	struct ldcp_path *path = ldcp_path(sk, &address);
	u32 packets;

	spin_lock_bh(&path->lock);
	packets = ldcp_known(path, &address);
	if (packets)
		*rate = div_u64((u64)packets * tcp_sk(sk)->mss_cache * USEC_PER_SEC,
				path->rtt_us);
	spin_unlock_bh(&path->lock);
	return packets;
}

/*
 * Chooses the initial window, in packets, and its pacing: the route's, or the
 * larger of the learned one and the namespace's. The learned part is paced at
 * the delivery rate of the path: it builds no queue.
 */
unsigned int ldcp_net_initial_window(struct sock *sk)
{
	const struct dst_entry *dst;
	struct ldcp *c = ldcp_of(sk);
	unsigned long rate = 0;
	unsigned int iw, known;

	rcu_read_lock();
	dst = __sk_dst_get(sk);
	c->known_rate = 0;
	iw = dst ? dst_metric(dst, RTAX_INITCWND) : 0;
	if (iw)
		goto out;
	iw = ldcp_net_settings(sock_net(sk))->iw;
	known = ldcp_recall(sk, &rate);
	if (known > iw) {
		c->known_rate = rate;
		c->at_once = iw;
		iw = known;
	}
out:
	rcu_read_unlock();
	return iw;
}

/* ERR_PTR(): no memory, or invalid parameters */
static struct ldcp_settings *ldcp_make(const u32 *value)
{
	struct ldcp_settings *s = kzalloc(sizeof(*s), GFP_KERNEL);
	struct lle_ldcp_params *p;

	if (!s)
		return ERR_PTR(-ENOMEM);
	p = &s->params;
	p->mode = value[LDCP_MODE];
	p->alpha = value[LDCP_ALPHA] << LDCP_UNIT_SHIFT;
	p->beta = value[LDCP_BETA] << LDCP_UNIT_SHIFT;
	p->gamma = value[LDCP_GAMMA] << LDCP_UNIT_SHIFT;
	p->eta = LLE_LDCP_ONE - p->beta;
	p->min = value[LDCP_MIN] << LDCP_UNIT_SHIFT;
	p->max = (LLE_LDCP_WINDOW_END - 1) << LLE_LDCP_SHIFT;
	p->tail = 3;
	if (p->mode == LLE_LDCP_DRAFT) {
		p->eta = LLE_LDCP_ONE / 2;
		p->min = p->gamma;
	}
	s->iw = value[LDCP_IW];
	if (p->mode > LLE_LDCP_DRAFT || !lle_ldcp_params_are_good(p)) {
		kfree(s);
		return ERR_PTR(-EINVAL);
	}
	return s;
}

static int ldcp_set(struct ldcp_net *n, enum ldcp_key key, u32 value)
{
	struct ldcp_settings *old, *new;
	u32 values[LDCP_KEYS];

	memcpy(values, n->value, sizeof(values));
	values[key] = value;
	new = ldcp_make(values);
	if (IS_ERR(new))
		return PTR_ERR(new);
	n->value[key] = value;
	old = rcu_replace_pointer(n->settings, new, lockdep_is_held(&n->lock));
	kfree_rcu(old, rcu);
	return 0;
}

static int ldcp_handler(LLE_CTL_CONST struct ctl_table *entry, int write,
			void *buffer, size_t *len, loff_t *pos)
{
	struct ldcp_net *n = entry->extra1;
	enum ldcp_key key = (u32 *)entry->data - n->value;
	struct ctl_table copy = *entry;
	u32 value;
	int err;

	copy.data = &value;
	mutex_lock(&n->lock);
	value = n->value[key];
	err = proc_douintvec(&copy, write, buffer, len, pos);
	if (!err && write)
		err = value > (key == LDCP_IW ? LLE_LDCP_WINDOW_END - 1 : LDCP_VALUE_MAX) ?
		      -EINVAL : ldcp_set(n, key, value);
	mutex_unlock(&n->lock);
	return err;
}

static const char *const ldcp_names[LDCP_KEYS] = {
	[LDCP_MODE] = "mode", [LDCP_ALPHA] = "alpha", [LDCP_BETA] = "beta",
	[LDCP_GAMMA] = "gamma", [LDCP_MIN] = "min_window",
	[LDCP_IW] = "initial_window",
};

static const u32 ldcp_defaults[LDCP_KEYS] = {
	[LDCP_MODE] = LLE_LDCP_SMOOTH, [LDCP_ALPHA] = 1024, [LDCP_BETA] = 512,
	[LDCP_GAMMA] = 256, [LDCP_MIN] = 16, [LDCP_IW] = TCP_INIT_CWND,
};

static int ldcp_sysctl_init(struct net *net, struct ldcp_net *n)
{
	unsigned int key;

	for (key = 0; key < LDCP_KEYS; key++)
		n->table[key] = (struct ctl_table){
			.procname = ldcp_names[key], .data = &n->value[key],
			.maxlen = sizeof(u32), .mode = 0644,
			.proc_handler = ldcp_handler, .extra1 = n,
		};
	n->header = register_net_sysctl_sz(net, "net/ldcp", n->table, LDCP_KEYS);
	return n->header ? 0 : -ENOMEM;
}

/* /proc/net/ldcp: lines "NAME NUMBER" */
static const char *const ldcp_stat_names[LDCP_STATS] = {
	[LDCP_STAT_FLOWS] = "flows",
	[LDCP_STAT_RESTARTS] = "restarts",
	[LDCP_STAT_NO_ECN] = "no_ecn",
	[LDCP_STAT_PACKETS] = "packets",
	[LDCP_STAT_MARKED] = "marked",
	[LDCP_STAT_FIRST_LOST] = "first_rtt_lost",
	[LDCP_STAT_LOSSES] = "losses",
	[LDCP_STAT_TIMEOUTS] = "timeouts",
};

static int ldcp_stat_show(struct seq_file *m, void *v)
{
	const struct ldcp_stats __percpu *stats = ldcp_net_stats(seq_file_single_net(m));
	unsigned int i, cpu;
	u64 sum;

	for (i = 0; i < LDCP_STATS; i++) {
		sum = 0;
		for_each_possible_cpu(cpu)
			sum += READ_ONCE(per_cpu_ptr(stats, cpu)->n[i]);
		seq_printf(m, "%s %llu\n", ldcp_stat_names[i], sum);
	}
	return 0;
}

static int __net_init ldcp_net_init(struct net *net)
{
	struct ldcp_net *n = ldcp_net(net);
	struct ldcp_settings *settings;
	unsigned int i;
	int err;

	mutex_init(&n->lock);
	get_random_bytes(&n->key, sizeof(n->key));
	for (i = 0; i < LDCP_PATHS; i++)
		spin_lock_init(&n->path[i].lock);
	memcpy(n->value, ldcp_defaults, sizeof(n->value));
	settings = ldcp_make(n->value);
	if (IS_ERR(settings))
		return PTR_ERR(settings);
	RCU_INIT_POINTER(n->settings, settings);
	err = ldcp_sysctl_init(net, n);
	if (err)
		goto free;
	n->stats = alloc_percpu(struct ldcp_stats);
	if (!n->stats) {
		err = -ENOMEM;
		goto sysctl;
	}
	if (!proc_create_net_single("ldcp", 0444, net->proc_net, ldcp_stat_show,
				    NULL)) {
		err = -ENOMEM;
		goto stats;
	}
	err = ldcp_ecn_net_init(net);
	if (err)
		goto proc;
	return 0;

proc:
	remove_proc_entry("ldcp", net->proc_net);
stats:
	free_percpu(n->stats);
sysctl:
	unregister_net_sysctl_table(n->header);
free:
	kfree(settings);
	return err;
}

static void __net_exit ldcp_net_exit(struct net *net)
{
	struct ldcp_net *n = ldcp_net(net);

	ldcp_ecn_net_exit(net);
	remove_proc_entry("ldcp", net->proc_net);
	unregister_net_sysctl_table(n->header);
	/* no sockets are left */
	free_percpu(n->stats);
	kfree(rcu_dereference_protected(n->settings, true));
}

static struct pernet_operations ldcp_net_ops = {
	.init = ldcp_net_init,
	.exit = ldcp_net_exit,
	.id = &ldcp_net_id,
	.size = sizeof(struct ldcp_net),
};

int ldcp_net_register(void)
{
	return register_pernet_subsys(&ldcp_net_ops);
}

/* No socket may use LDCP. */
void ldcp_net_unregister(void)
{
	unregister_pernet_subsys(&ldcp_net_ops);
	/* kfree_rcu() of settings */
	rcu_barrier();
}
