// SPDX-License-Identifier: GPL-2.0
/*
 * Building and removing a testbed. All bridges are in one network namespace,
 * which takes far less time than one each; `switch N` keeps their buffers
 * apart.
 *
 * Qdiscs are added before a device is up: to replace the qdisc of a running
 * device the kernel waits for packets in flight. Ports are set up before hosts:
 * the second end of a link is operational at once, the first one later; so it
 * is enough to wait for the ports.
 */
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <linux/if.h>
#include <netlink/netlink.h>
#include <netlink/route/link.h>

#include "ask.h"
#include "netns.h"

#define TB_LOOPBACK	1	/* ifindex of lo in every network namespace */
#define TB_WAIT_MS	30000

/* A testbed while it is built */
struct tb_making {
	const struct tb_topo *t;
	const struct tb_build *b;	/* how to build it */
	unsigned int made;	/* network namespaces: switches, hosts */
	int *fd;	/* their descriptors */
	struct tb_batch sw;	/* batch of the switches' network namespace */
	struct tb_batch host;	/* batch of a host's network namespace */
};

/* Node name of network namespace number @i. */
static const char *tb_netns_node(const struct tb_topo *t, unsigned int i)
{
	return i ? t->host[i - 1].name : TB_SWITCHES;
}

/* Each network namespace needs a descriptor: raise the limit of open files. */
static int tb_make_netns(struct tb_making *m)
{
	const struct tb_topo *t = m->t;
	struct rlimit limit;

	if (!getrlimit(RLIMIT_NOFILE, &limit)) {
		limit.rlim_cur = limit.rlim_max;
		setrlimit(RLIMIT_NOFILE, &limit);
	}
	if (tb_netns_prepare())
		return -1;
	while (m->made <= t->hosts) {
		if (m->made && !tb_has_host(t, m->b, m->made - 1)) {
			m->made++;
			continue;
		}
		m->fd[m->made] = tb_netns_add(m->b->name,
					      tb_netns_node(t, m->made));
		if (m->fd[m->made] < 0)
			return -1;
		if (!m->made++ && tb_batch_open(&m->sw))
			return -1;
		if (tb_batch_interrupted())
			return -1;
	}
	return 0;
}

/* The end of a wire at a host is made with the host. */
static int tb_make_link(struct tb_making *m, unsigned int link)
{
	const struct tb_topo *t = m->t;
	const struct tb_link *l = &t->link[link];
	unsigned int mtu = m->b->mtu;

	if (!m->b->parts)
		return tb_ask_link(&m->sw, t, link, mtu,
				   m->fd[l->to_host ? 1 + l->end[1].node : 0]);
	if (tb_ask_wire(&m->sw, t, link, 0, mtu))
		return -1;
	return l->to_host ? 0 : tb_ask_wire(&m->sw, t, link, 1, mtu);
}

static int tb_make_links(struct tb_making *m)
{
	const struct tb_topo *t = m->t;
	unsigned int i;

	for (i = 0; i < t->switches; i++)
		if (tb_is_here(m->b, t->sw[i].part) && tb_ask_bridge(&m->sw, t, i))
			return -1;
	for (i = 0; i < t->links; i++)
		if (tb_has_link(t, m->b, &t->link[i]) && tb_make_link(m, i))
			return -1;
	return 0;
}

static int tb_make_ports(struct tb_making *m)
{
	const struct tb_topo *t = m->t;
	bool broadcast = !tb_has_loops(t);
	const struct tb_link *l;
	unsigned int i;

	for (i = 0; i < 2 * t->links; i++) {
		l = &t->link[i / 2];
		if (tb_role(l, i % 2) == TB_HOST || !tb_is_here(m->b, tb_part_of(t, l, i % 2)))
			continue;
		if (!t->no_qdisc && tb_ask_qdisc(&m->sw, t, i / 2, i % 2))
			return -1;
		if (tb_ask_port(&m->sw, t, i / 2, i % 2, broadcast))
			return -1;
	}
	return 0;
}

static int tb_make_forwarding(struct tb_making *m)
{
	const struct tb_topo *t = m->t;
	unsigned int sw, host;

	for (sw = 0; sw < t->switches; sw++) {
		if (!tb_is_here(m->b, t->sw[sw].part))
			continue;
		for (host = 0; host < t->hosts; host++)
			if (t->next[(size_t)sw * t->hosts + host] &&
			    tb_ask_forward(&m->sw, t, sw, host))
				return -1;
	}
	return 0;
}

static int tb_ask_host(struct tb_making *m, unsigned int host)
{
	const struct tb_topo *t = m->t;
	unsigned int link = t->host[host].link, other;
	struct tb_batch *b = &m->host;

	if ((m->b->parts && tb_ask_wire(b, t, link, 1, m->b->mtu)) ||
	    (!t->no_qdisc && tb_ask_qdisc(b, t, link, 1)) ||
	    tb_ask_address(b, t, host) ||
	    tb_ask_up(b, t->host[host].name, "lo", TB_LOOPBACK) ||
	    tb_ask_up(b, t->host[host].name, "eth0", TB_IFINDEX))
		return -1;
	for (other = 0; m->b->arp && other < t->hosts; other++)
		if (other != host && tb_ask_neighbour(b, t, host, other))
			return -1;
	return tb_batch_flush(b);
}

static int tb_make_hosts(struct tb_making *m)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; i < m->t->hosts && !ret; i++) {
		if (!tb_has_host(m->t, m->b, i))
			continue;
		if (tb_netns_enter(m->fd[i + 1], m->t->host[i].name) ||
		    tb_batch_open(&m->host))
			return -1;
		ret = tb_ask_host(m, i);
		tb_batch_close(&m->host);
	}
	return ret;
}

/* A bridge port forwards only after linkwatch has made it operational. */
static int tb_wait_port(struct tb_batch *b, unsigned int ifindex,
			const struct tb_end *end, unsigned int *left_ms)
{
	static const struct timespec ms = { .tv_nsec = 1000000 };
	struct rtnl_link *link;
	int err, state;

	while (!(err = rtnl_link_get_kernel(b->sk, ifindex, NULL, &link))) {
		state = rtnl_link_get_operstate(link);
		rtnl_link_put(link);
		if (state == IF_OPER_UP)
			return 0;
		if (!(*left_ms)--)
			return tb_error("%s does not come up", end->dev);
		if (tb_batch_interrupted())
			return -1;
		nanosleep(&ms, NULL);
	}
	return tb_error("%s: %s", end->dev, nl_geterror(err));
}

static int tb_wait_ports(struct tb_making *m)
{
	const struct tb_topo *t = m->t;
	unsigned int i, left_ms = TB_WAIT_MS;
	const struct tb_link *l;

	for (i = 0; i < 2 * t->links; i++) {
		l = &t->link[i / 2];
		if (!l->failed && tb_role(l, i % 2) != TB_HOST &&
		    tb_is_here(m->b, tb_part_of(t, l, i % 2)) &&
		    tb_wait_port(&m->sw, tb_ifindex(t, i / 2, i % 2),
				 &l->end[i % 2], &left_ms))
			return -1;
	}
	return 0;
}

static int tb_make(struct tb_making *m)
{
	if (tb_make_netns(m) || tb_make_links(m) || tb_make_ports(m) ||
	    tb_make_forwarding(m) || tb_batch_flush(&m->sw) ||
	    tb_make_hosts(m) || tb_wait_ports(m))
		return -1;
	m->b->format(m->t, m->b);
	return tb_printed();
}

/* Removes the hosts first: the links to the switches go with them. */
static int tb_remove(const struct tb_topo *t, const char *testbed, unsigned int made)
{
	int ret = 0;

	while (made)
		ret |= tb_netns_del(testbed, tb_netns_node(t, --made));
	if (!ret)
		tb_forget(testbed);
	return ret;
}

/* Builds a testbed, or leaves nothing behind. */
int tb_up(const struct tb_topo *t, const struct tb_build *b)
{
	static struct tb_making m;

	m.t = t;
	m.b = b;
	m.fd = tb_zalloc(t->hosts + 1, sizeof(*m.fd));
	tb_batch_catch_signals();
	if (tb_save(t, b->name))
		return -1;
	if (!tb_make(&m) && !tb_batch_interrupted())
		return 0;
	tb_remove(t, b->name, m.made);
	return -1;
}

/* Removes a testbed; parts may be missing. */
int tb_down(const struct tb_topo *t, const char *testbed)
{
	return tb_remove(t, testbed, t->hosts + 1);
}
