// SPDX-License-Identifier: GPL-2.0
/*
 * Pauses the peers of all ports while a pipe is open. A separate process does
 * that: pauses go on while losslessctl waits for the kernel, and end with it.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/if_packet.h>
#include <linux/lossless_frame.h>
#include <poll.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "hold.h"

#define NS_PER_S	1000000000LL

/* The peer may be faster than the qdisc of the port */
#define RATE_MIN	(10000000000ULL / 8)
/* A pause is repeated this often before it ends */
#define REPEATS		4
/* Bytes per quantum: 512 bit times */
#define QUANTUM_BYTES	64

/* A port with a paused peer */
struct held {
	int fd;	/* packet socket in the network namespace */
	struct sockaddr_ll to;
	struct lle_pfc_frame frame;
	long long interval_ns;	/* between two frames */
};

struct helds {
	struct held *all;
	int num;
};

static void pause_frame(struct lle_pfc_frame *f, const uint8_t *mac, uint8_t prios)
{
	static const uint8_t to[] = LLE_MACC_ADDR;
	unsigned int p;

	*f = (struct lle_pfc_frame){
		.ethertype = htons(LLE_ETH_P_MAC_CONTROL), .opcode = htons(LLE_MACC_OP_PFC),
		.class_enable = htons(prios),
	};
	memcpy(f->dst, to, sizeof(f->dst));
	memcpy(f->src, mac, sizeof(f->src));
	for (p = 0; p < LLE_NUM_PRIO; p++)
		f->quanta[p] = htons(prios >> p & 1 ? LLE_QUANTA_MAX : 0);
}

static long long interval_of(uint64_t rate)
{
	if (rate < RATE_MIN)
		rate = RATE_MIN;
	return NS_PER_S * LLE_QUANTA_MAX * QUANTUM_BYTES / (long long)rate / REPEATS;
}

static bool add_port(struct helds *h, int fd, const struct lle_nl_port *port)
{
	struct ifreq ifr = {};
	struct held *more;

	memcpy(ifr.ifr_name, port->who.ifname, sizeof(ifr.ifr_name) - 1);
	/* a port that has just been removed */
	if (ioctl(fd, SIOCGIFHWADDR, &ifr))
		return true;
	more = reallocarray(h->all, h->num + 1, sizeof(*more));
	if (!more)
		return false;
	h->all = more;
	more += h->num++;
	*more = (struct held){
		.fd = fd, .interval_ns = interval_of(port->rate),
		.to = {
			.sll_family = AF_PACKET, .sll_protocol = htons(LLE_ETH_P_MAC_CONTROL),
			.sll_ifindex = port->who.ifindex,
		},
	};
	pause_frame(&more->frame, (uint8_t *)ifr.ifr_hwaddr.sa_data, port->pfc_en);
	return true;
}

static enum ctl_exit add_netns(struct helds *h, struct ctl_netns *ns)
{
	struct lle_nl_port *ports;
	int num, i, fd, yes = 1;
	bool ok;

	if (!ctl_netns_enter(ns))
		return CTL_FAIL;
	/* frames that wait in a qdisc would be late, and lost with it */
	fd = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);
	if (fd < 0 || setsockopt(fd, SOL_PACKET, PACKET_QDISC_BYPASS, &yes, sizeof(yes)))
		return ctl_fail("a packet socket: %s", strerror(errno));
	num = lle_nl_get_ports(ns->c.nl, &ports);
	if (num < 0)
		return ctl_refused(&ns->c);
	ok = true;
	for (i = 0; i < num && ok; i++)
		if (ports[i].pfc_en)
			ok = add_port(h, fd, &ports[i]);
	free(ports);
	return ok ? CTL_OK : ctl_fail("out of memory");
}

/* The ports of a network namespace, one after the other, share a socket. */
static void free_ports(struct helds *h)
{
	int i;

	for (i = 0; i < h->num; i++)
		if (!i || h->all[i].fd != h->all[i - 1].fd)
			close(h->all[i].fd);
	free(h->all);
}

static void send_all(const struct helds *h)
{
	struct held *p;

	/* a device that is down or full: the next frame may get through */
	for (p = h->all; p < h->all + h->num; p++)
		sendto(p->fd, &p->frame, sizeof(p->frame), 0, (void *)&p->to, sizeof(p->to));
}

/* Pauses until the pipe is closed, then resumes. */
__attribute__((noreturn))
static void hold(const struct helds *h, int pipe)
{
	const struct sched_param first = { .sched_priority = 1 };
	struct timespec interval = { .tv_nsec = NS_PER_S / 10 };
	struct pollfd end = { .fd = pipe };
	struct held *p;

	/* without the privilege, it may be late on a busy machine */
	sched_setscheduler(0, SCHED_FIFO, &first);
	for (p = h->all; p < h->all + h->num; p++)
		if (p->interval_ns < interval.tv_nsec)
			interval.tv_nsec = p->interval_ns;
	do {
		send_all(h);
	} while (!ppoll(&end, 1, &interval, NULL));
	for (p = h->all; p < h->all + h->num; p++)
		memset(p->frame.quanta, 0, sizeof(p->frame.quanta));
	send_all(h);
	_exit(0);
}

/* The caller ends @h, also after a failure. */
enum ctl_exit ctl_hold_begin(struct ctl_hold *h, const struct ctl_netnses *n)
{
	struct helds helds = {};
	enum ctl_exit ret = CTL_OK;
	int ends[2], i;

	*h = (struct ctl_hold){ .pipe = -1 };
	for (i = 0; i < n->num && !ret; i++)
		if (n->all[i].num_qdiscs)
			ret = add_netns(&helds, &n->all[i]);
	if (!ctl_netns_enter(&n->all[0]))
		ret = CTL_FAIL;
	if (!ret && pipe2(ends, O_CLOEXEC))
		ret = ctl_fail("a pipe: %s", strerror(errno));
	if (!ret) {
		h->pipe = ends[1];
		h->pid = fork();
		if (!h->pid) {
			close(ends[1]);
			hold(&helds, ends[0]);
		}
		close(ends[0]);
		if (h->pid < 0)
			ret = ctl_fail("another process: %s", strerror(errno));
	}
	free_ports(&helds);
	return ret;
}

/* The peers send again. */
void ctl_hold_end(struct ctl_hold *h)
{
	if (h->pipe >= 0)
		close(h->pipe);
	if (h->pid > 0)
		waitpid(h->pid, NULL, 0);
}
