// SPDX-License-Identifier: GPL-2.0
/*
 * Sends flows by TCP between hosts of lle-testbed, and prints their results:
 *
 *	lle_tcp [-c] [-a START,END] [-s NAME=VALUE]... CC SECONDS <flows >flows.csv
 *
 * Flows are lines as for lle_rnic.ko. They begin START_NS after 0.1 s; with -c,
 * connections are established before. -s sets NAME of /proc/sys/net in the
 * hosts. CC is the congestion control, or "-": that of the routes. One process
 * has the sockets of all hosts, and sleeps while the kernel sends. It ends when
 * all is received, or after SECONDS; then it counts the received bytes.
 *
 * -a: the network has several parts, each with a process of this program. A
 * host without a network namespace is in another part. Flows begin after START,
 * ns of CLOCK_MONOTONIC; at END, packets have stopped.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/inet_diag.h>
#include <linux/sockios.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#define FLOWS_MAX	16384
#define SETTINGS_MAX	8
#define PORT		1025
#define SETTLE_NS	100000000ULL
#define SETTLES_MAX	20
#define NSEC_PER_SEC	1000000000ULL

/*
 * Large buffers: each wake-up of this process costs time, and disturbs the run.
 * BUFFERS_BYTES is for all flows: TCP's memory does not allow much more.
 */
#define BUFFERS_BYTES	(32 << 20)
#define BUFFER_MIN	65536
#define BUFFER_MAX	(4 << 20)

/* Purpose of a flow's file descriptor. LISTEN: until the sender connects */
enum role { START, LISTEN, SEND, RECEIVE, ROLES };

/* A connection that carries some bytes */
struct flow {
	int fd[ROLES];	/* by role; 0: that end is in another part */
	uint64_t start_ns;	/* start, from the start of all */
	uint64_t size;	/* bytes to send */
	struct in_addr src;
	struct in_addr dst;
	unsigned int prio;
	uint64_t sent;	/* bytes that the kernel has accepted */
	uint64_t read;	/* bytes read */
	uint64_t received;	/* that the kernel had received at the end */
	int64_t last_ns;	/* end, from the start of all; -1: not yet */
};

static struct flow flows[FLOWS_MAX];
static unsigned int num_flows;
static unsigned int receivers;	/* flows that end here */
static unsigned int done;
static uint64_t all_start_ns;
static const char *cc;
static uint64_t buffer;
static bool connect_first;
static uint64_t end_ns;		/* of all parts; 0: there is one */
static const char *settings[SETTINGS_MAX];
static unsigned int num_settings;
static int epoll;

static void die(const char *what)
{
	fprintf(stderr, "lle_tcp: %s: %s\n", what, strerror(errno));
	exit(1);
}

static uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * NSEC_PER_SEC + ts.tv_nsec;
}

/* Events of the descriptor carry the number of the flow, and the role. */
static void watch(unsigned int i, enum role role, uint32_t events)
{
	struct epoll_event event = {
		.events = events,
		.data.u32 = i * ROLES + role,
	};

	if (epoll_ctl(epoll, EPOLL_CTL_ADD, flows[i].fd[role], &event))
		die("epoll_ctl");
}

static void unwatch(unsigned int i, enum role role)
{
	epoll_ctl(epoll, EPOLL_CTL_DEL, flows[i].fd[role], NULL);
}

/* Applies NAME=VALUE in the current network namespace. */
static void set(const char *setting)
{
	const char *value = strchr(setting, '=');
	char path[128];
	FILE *file;

	errno = EINVAL;
	if (!value)
		die(setting);
	snprintf(path, sizeof(path), "/proc/sys/net/%.*s",
		 (int)(value - setting), setting);
	file = fopen(path, "w");
	if (!file || fputs(value + 1, file) < 0 || fclose(file))
		die(setting);
}

/* Return: the largest buffer with which flows, none beyond its size, need BUFFERS_BYTES */
static uint64_t fair_share(void)
{
	uint64_t least = BUFFER_MIN, most = BUFFER_MAX, middle, sum;
	unsigned int i;

	while (least < most) {
		middle = (least + most + 1) / 2;
		for (i = 0, sum = 0; i < num_flows; i++)
			sum += flows[i].size < middle ? flows[i].size : middle;
		if (sum <= BUFFERS_BYTES)
			least = middle;
		else
			most = middle - 1;
	}
	return least;
}

/* Return: a socket in host 10.0.(i / 256).(i % 256); 0: in another part */
static int host_socket(struct in_addr host, unsigned int prio)
{
	int tos = prio << 5, size = buffer, fd, ns;
	unsigned int i;
	char path[64];

	snprintf(path, sizeof(path), "/run/netns/lle-h%u",
		 ntohl(host.s_addr) & 0xffff);
	ns = open(path, O_RDONLY);
	if (ns < 0 && errno == ENOENT && end_ns)
		return 0;
	if (ns < 0 || setns(ns, CLONE_NEWNET))
		die(path);
	close(ns);
	for (i = 0; i < num_settings; i++)
		set(settings[i]);
	fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
	if (fd < 0 || setsockopt(fd, IPPROTO_IP, IP_TOS, &tos, sizeof(tos)) ||
	    setsockopt(fd, SOL_SOCKET, SO_SNDBUFFORCE, &size, sizeof(size)) ||
	    (strcmp(cc, "-") &&
	     setsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, cc, strlen(cc))))
		die(cc);
	return fd;
}

static int timer_at(uint64_t ns)
{
	struct itimerspec at = {
		.it_value.tv_sec = ns / NSEC_PER_SEC,
		.it_value.tv_nsec = ns % NSEC_PER_SEC,
	};
	int fd = timerfd_create(CLOCK_MONOTONIC, 0);

	if (fd < 0 || timerfd_settime(fd, TFD_TIMER_ABSTIME, &at, NULL))
		die("timer");
	return fd;
}

static struct sockaddr_in address(unsigned int i)
{
	return (struct sockaddr_in) {
		.sin_family = AF_INET,
		.sin_port = htons(PORT + i),
		.sin_addr = flows[i].dst,
	};
}

/* Parses a line; anything but a flow is an error. */
static void add_flow(const char *line)
{
	char src[INET_ADDRSTRLEN], dst[INET_ADDRSTRLEN];
	struct flow *f = &flows[num_flows];

	errno = EINVAL;
	if (num_flows == FLOWS_MAX ||
	    sscanf(line, "%ju %ju %15s %15s %u", &f->start_ns, &f->size, src,
		   dst, &f->prio) != 5 ||
	    inet_pton(AF_INET, src, &f->src) != 1 ||
	    inet_pton(AF_INET, dst, &f->dst) != 1)
		die(line);
	f->last_ns = -1;
	num_flows++;
}

static void connect_to(unsigned int i)
{
	struct sockaddr_in to = address(i);

	if (connect(flows[i].fd[SEND], (void *)&to, sizeof(to)) &&
	    errno != EINPROGRESS)
		die("connect");
}

static void prepare(unsigned int i)
{
	struct sockaddr_in at = address(i);
	struct flow *f = &flows[i];

	f->fd[LISTEN] = host_socket(f->dst, f->prio);
	if (f->fd[LISTEN]) {
		if (bind(f->fd[LISTEN], (void *)&at, sizeof(at)) ||
		    listen(f->fd[LISTEN], 1))
			die("listen");
		watch(i, LISTEN, EPOLLIN);
		receivers++;
	}
	f->fd[SEND] = host_socket(f->src, f->prio);
	if (!f->fd[SEND])
		return;
	if (connect_first)
		connect_to(i);
	f->fd[START] = timer_at(all_start_ns + f->start_ns);
	watch(i, START, EPOLLIN);
}

static void start(unsigned int i)
{
	unwatch(i, START);
	if (!connect_first)
		connect_to(i);
	watch(i, SEND, EPOLLOUT);
}

/* Sets the bytes that wake us: half a buffer, or the rest. */
static void wake_at_bytes(const struct flow *f)
{
	uint64_t left = f->size - f->read;
	int wake = left < buffer / 2 ? left : buffer / 2;

	if (setsockopt(f->fd[RECEIVE], SOL_SOCKET, SO_RCVLOWAT, &wake,
		       sizeof(wake)))
		die("SO_RCVLOWAT");
}

static void accept_one(unsigned int i)
{
	struct flow *f = &flows[i];

	f->fd[RECEIVE] = accept4(f->fd[LISTEN], NULL, NULL, SOCK_NONBLOCK);
	if (f->fd[RECEIVE] < 0)
		die("accept");
	wake_at_bytes(f);
	unwatch(i, LISTEN);
	watch(i, RECEIVE, EPOLLIN);
}

/*
 * Writes once: the rest waits for the next event. On User Mode Linux a system
 * call that fails would take virtual time; one that succeeds takes none.
 */
static void send_more(unsigned int i)
{
	static const char zeros[BUFFER_MAX];
	struct flow *f = &flows[i];
	uint64_t left = f->size - f->sent;
	ssize_t n;

	n = write(f->fd[SEND], zeros, left < sizeof(zeros) ? left : sizeof(zeros));
	if (n < 0 && errno == EAGAIN)
		return;
	if (n < 0)
		die("write");
	f->sent += n;
	if (f->sent < f->size)
		return;
	/* the FIN wakes a receiver that waits for more bytes */
	shutdown(f->fd[SEND], SHUT_WR);
	unwatch(i, SEND);
}

static void receive_more(unsigned int i)
{
	struct flow *f = &flows[i];
	ssize_t n;

	/* discards the bytes without a copy */
	n = recv(f->fd[RECEIVE], NULL, BUFFER_MAX, MSG_TRUNC);
	if (n < 0 && errno == EAGAIN)
		return;
	if (n < 0)
		die("recv");
	f->read += n;
	if (f->read < f->size && f->size - f->read < buffer / 2)
		wake_at_bytes(f);
	if (f->read == f->size && f->last_ns < 0) {
		f->last_ns = now_ns() - all_start_ns;
		done++;
	}
	if (!n)
		unwatch(i, RECEIVE);
}

static void run(double seconds)
{
	static void (*const react[ROLES])(unsigned int i) = {
		[START] = start,
		[LISTEN] = accept_one,
		[SEND] = send_more,
		[RECEIVE] = receive_more,
	};
	struct epoll_event event = { .events = EPOLLIN, .data.u32 = UINT32_MAX };
	int end = timer_at(all_start_ns + (uint64_t)(seconds * NSEC_PER_SEC));

	if (epoll_ctl(epoll, EPOLL_CTL_ADD, end, &event))
		die("epoll_ctl");
	while (done < receivers || end_ns) {
		if (epoll_wait(epoll, &event, 1, -1) != 1)
			die("epoll_wait");
		if (event.data.u32 == UINT32_MAX)
			return;
		react[event.data.u32 % ROLES](event.data.u32 / ROLES);
	}
}

/* Return: TCP_INFO of one end of a connection */
static struct tcp_info info_of(int fd)
{
	struct tcp_info info = { 0 };
	socklen_t len = sizeof(info);

	if (fd)
		getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &len);
	return info;
}

/*
 * Marks that the sender has counted. TCP's count includes repeated echoes in
 * ACKs of packets that are not ECN capable. LDCP's is in DCTCP's field.
 */
static unsigned int marks_of(int fd)
{
	struct tcp_dctcp_info ldcp = { 0 };
	char name[16] = "";
	socklen_t len = sizeof(name);

	if (!fd)
		return 0;
	getsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, name, &len);
	if (strcmp(name, "ldcp"))
		return info_of(fd).tcpi_delivered_ce;
	len = sizeof(ldcp);
	getsockopt(fd, IPPROTO_TCP, TCP_CC_INFO, &ldcp, &len);
	return ldcp.dctcp_ab_ecn;
}

static void print(const struct flow *f)
{
	struct tcp_info sender = info_of(f->fd[SEND]);
	struct tcp_info receiver = info_of(f->fd[RECEIVE]);
	char src[INET_ADDRSTRLEN], dst[INET_ADDRSTRLEN];

	inet_ntop(AF_INET, &f->src, src, sizeof(src));
	inet_ntop(AF_INET, &f->dst, dst, sizeof(dst));
	printf("%td,%s,%s,%u,%ju,%ju,%jd,%ju,%u,%u,%u\n", f - flows, src, dst,
	       f->prio, f->size, f->start_ns, f->last_ns, f->received,
	       sender.tcpi_total_retrans, receiver.tcpi_rcv_ooopack,
	       marks_of(f->fd[SEND]));
}

/* The kernel counts a FIN as a byte. */
static void count(struct flow *f)
{
	f->received = info_of(f->fd[RECEIVE]).tcpi_bytes_received;
	if (f->received > f->size)
		f->received = f->size;
}

static bool are_waiting(void)
{
	unsigned int i;
	int bytes;

	for (i = 0; i < num_flows; i++)
		if (flows[i].fd[SEND] && !ioctl(flows[i].fd[SEND], SIOCOUTQ, &bytes) && bytes)
			return true;
	return false;
}

static void sleep_until(uint64_t ns)
{
	const struct timespec at = {
		.tv_sec = ns / NSEC_PER_SEC,
		.tv_nsec = ns % NSEC_PER_SEC,
	};

	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL);
}

/* Waits for all ACKs, then for the FIN; or for the end of all parts. */
static void settle(void)
{
	struct timespec while_ns = { .tv_nsec = SETTLE_NS };
	unsigned int i;

	if (end_ns) {
		sleep_until(end_ns);
		return;
	}
	for (i = 0; i < SETTLES_MAX && are_waiting(); i++)
		nanosleep(&while_ns, NULL);
	nanosleep(&while_ns, NULL);
}

/*
 * A connection in repair ends with its sockets, without a packet. Otherwise it
 * would keep its namespace and the module of its congestion control.
 */
static void forget(const struct flow *f)
{
	const int on = TCP_REPAIR_ON;

	if (f->fd[SEND])
		setsockopt(f->fd[SEND], IPPROTO_TCP, TCP_REPAIR, &on, sizeof(on));
	if (f->fd[RECEIVE])
		setsockopt(f->fd[RECEIVE], IPPROTO_TCP, TCP_REPAIR, &on, sizeof(on));
}

/* Leaves CC and SECONDS in argv. */
static void parse(int *argc, char ***argv)
{
	int option;

	while ((option = getopt(*argc, *argv, "ca:s:")) != -1) {
		if (option == 'c')
			connect_first = true;
		else if (option == 'a' && sscanf(optarg, "%ju,%ju", &all_start_ns, &end_ns) == 2)
			continue;
		else if (option == 's' && num_settings < SETTINGS_MAX)
			settings[num_settings++] = optarg;
		else
			exit(2);
	}
	*argc -= optind - 1;
	*argv += optind - 1;
	if (*argc != 3) {
		fprintf(stderr, "usage: lle_tcp [-c] [-a START,END] [-s NAME=VALUE]... CC SECONDS "
				"<flows >flows.csv\n");
		exit(2);
	}
}

int main(int argc, char **argv)
{
	char line[256];
	unsigned int i;

	parse(&argc, &argv);
	cc = argv[1];
	epoll = epoll_create1(0);
	if (epoll < 0)
		die("epoll");
	while (fgets(line, sizeof(line), stdin))
		add_flow(line);
	buffer = fair_share();
	if (end_ns)
		sleep_until(all_start_ns - SETTLE_NS / 2);
	else
		all_start_ns = now_ns() + SETTLE_NS;
	for (i = 0; i < num_flows; i++)
		prepare(i);
	run(atof(argv[2]));
	for (i = 0; i < num_flows; i++)
		count(&flows[i]);
	settle();
	printf("id,src,dst,prio,size,start_ns,last_ns,received,retrans,ooo,marked\n");
	for (i = 0; i < num_flows; i++) {
		print(&flows[i]);
		forget(&flows[i]);
	}
	return 0;
}
