// SPDX-License-Identifier: GPL-2.0
/*
 * A TCP peer with scripted packets, shows packets and times of the kernel's TCP:
 *
 *	lle_peer CC DEV ADDRESS <script
 *
 * The kernel connects to ADDRESS with congestion control CC. The peer reads and
 * answers its packets at DEV, such as the other end of a veth. A line of the
 * script is a time and an action. The peer acts, collects packets for that many
 * milliseconds, then prints a line of them:
 *
 *	MS connect			the kernel sends a SYN
 *	MS synack [noecn]		the peer accepts it
 *	MS write N			the kernel's program writes N segments
 *	MS last N			writes N paced segments, and ends the
 *					stream before they have left
 *	MS ack N [A-B...] [ece]		ACK of segments 1 to N, SACKs, ECN echo
 *	MS data [ce]			the peer sends a segment, marked with ce
 *	MS cc NAME			changes the congestion control
 *	MS pacing BYTES			sets the largest rate, bytes per second
 *	MS wait
 *	MS window			also prints the congestion window
 *
 * Segments have 1000 bytes and count from 1. Packets are printed as "S" (SYN),
 * "aN" (ACK of the peer's first N segments), or numbers of segments, a row as
 * A-B, in one packet (GSO) as [A-B]; with c, e: CWR, ECE is set; n: Not-ECT;
 * r: retransmitted. "none": the kernel sent nothing.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <error.h>
#include <fcntl.h>
#include <linux/if_packet.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/ip.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define MSS		1000
#define PORT		7
#define ISN		1000000		/* first sequence number of peer */
#define WINDOW_SHIFT	7
#define BUFFER_BYTES	(8 << 20)
#define SEGMENTS_MAX	4000		/* in the buffer of a socket */
#define NSEC_PER_MSEC	1000000L
#define NSEC_PER_SEC	1000000000L
#define ECT0		2
#define CE		3
#define TH_ECE		0x40
#define TH_CWR		0x80

/* Consecutive segments not printed yet; @last 0: empty */
struct row {
	uint32_t first;
	uint32_t last;
	bool gso;
	char flags[5];
};

struct packet {
	struct ether_header eth;
	struct iphdr ip;
	struct tcphdr tcp;
	uint8_t rest[40 + MSS];
} __attribute__((packed));

static int device = -1;			/* of the peer */
static int sock = -1;			/* of the kernel */
static const char *congestion;
static struct sockaddr_in peer = { .sin_family = AF_INET };
static struct sockaddr_in kernel = { .sin_family = AF_INET };
static struct ether_header eth;		/* of packets of the peer */
static uint32_t kernel_isn;
static uint32_t highest;		/* segment of the kernel */
static uint32_t sent;			/* by the peer, in segments */
static struct row row;
static bool printed;

static void print(const char *what)
{
	printf("%s%s", printed ? " " : "", what);
	printed = true;
}

static void print_row(void)
{
	char text[48];

	if (!row.last)
		return;
	if (row.first == row.last)
		snprintf(text, sizeof(text), "%u%s", row.first, row.flags);
	else
		snprintf(text, sizeof(text), row.gso ? "[%u-%u]%s" : "%u-%u%s", row.first,
			 row.last, row.flags);
	print(text);
	row.last = 0;
}

static void add(const struct row *new)
{
	if (row.last && !row.gso && !new->gso && new->first == row.last + 1 &&
	    !strcmp(new->flags, row.flags)) {
		row.last = new->last;
		return;
	}
	print_row();
	row = *new;
}

static void on_segment(const struct iphdr *ip, const struct tcphdr *tcp, uint32_t len)
{
	uint32_t start = ntohl(tcp->seq) - kernel_isn - 1;
	struct row new = {
		.first = start / MSS + 1,
		.last = (start + len + MSS - 1) / MSS,
		.gso = len > MSS,
	};

	snprintf(new.flags, sizeof(new.flags), "%s%s%s", tcp->th_flags & TH_CWR ? "c" : "",
		 ip->tos & 3 ? "" : "n", new.first <= highest ? "r" : "");
	if (new.last > highest)
		highest = new.last;
	add(&new);
}

static void on_control(const struct tcphdr *tcp)
{
	char text[24], flags[3] = "";

	if (tcp->th_flags & TH_ECE)
		strcat(flags, "e");
	if (tcp->th_flags & TH_CWR)
		strcat(flags, "c");
	print_row();
	if (tcp->syn) {
		kernel_isn = ntohl(tcp->seq);
		kernel.sin_port = tcp->source;
		snprintf(text, sizeof(text), "S%s", flags);
	} else {
		snprintf(text, sizeof(text), "a%u%s",
			 (ntohl(tcp->ack_seq) - ISN - 1) / MSS, flags);
	}
	print(text);
}

static void receive(void)
{
	static uint8_t buffer[sizeof(struct ether_header) + 65536];
	const struct ether_header *from = (const void *)buffer;
	const struct iphdr *ip = (const void *)(from + 1);
	const struct tcphdr *tcp = (const void *)(ip + 1);
	ssize_t len = recv(device, buffer, sizeof(buffer), 0);
	uint32_t headers;

	if (len < (ssize_t)(sizeof(*from) + sizeof(*ip) + sizeof(*tcp)) || ip->ihl != 5 ||
	    ip->protocol != IPPROTO_TCP || ip->daddr != peer.sin_addr.s_addr)
		return;
	memcpy(eth.ether_dhost, from->ether_shost, ETH_ALEN);
	memcpy(eth.ether_shost, from->ether_dhost, ETH_ALEN);
	eth.ether_type = from->ether_type;
	kernel.sin_addr.s_addr = ip->saddr;
	headers = sizeof(*ip) + tcp->doff * 4;
	if (ntohs(ip->tot_len) > headers)
		on_segment(ip, tcp, ntohs(ip->tot_len) - headers);
	else
		on_control(tcp);
}

static int64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * NSEC_PER_SEC + t.tv_nsec;
}

static void collect(unsigned int ms)
{
	int64_t left_ns, end_ns = now_ns() + ms * NSEC_PER_MSEC;
	struct pollfd p = { .fd = device, .events = POLLIN };

	while ((left_ns = end_ns - now_ns()) > 0) {
		struct timespec t = { left_ns / NSEC_PER_SEC, left_ns % NSEC_PER_SEC };

		if (ppoll(&p, 1, &t, NULL) > 0)
			receive();
	}
}

static uint32_t sum(const void *from, size_t len, uint32_t s)
{
	const uint8_t *byte = from;
	size_t i;

	for (i = 0; i < len; i++)
		s += byte[i] << (i % 2 ? 0 : 8);
	return s;
}

static uint16_t fold(uint32_t s)
{
	while (s >> 16)
		s = (s & 0xffff) + (s >> 16);
	return htons(~s);
}

/* @p has the @options, a multiple of four bytes. */
static void transmit(struct packet *p, unsigned int options, unsigned int data,
		     unsigned int ecn)
{
	unsigned int len = sizeof(p->tcp) + options + data;

	p->eth = eth;
	p->ip = (struct iphdr){
		.version = 4, .ihl = 5, .tos = ecn, .ttl = 64, .protocol = IPPROTO_TCP,
		.tot_len = htons(sizeof(p->ip) + len),
		.saddr = peer.sin_addr.s_addr, .daddr = kernel.sin_addr.s_addr,
	};
	p->ip.check = fold(sum(&p->ip, sizeof(p->ip), 0));
	p->tcp.source = htons(PORT);
	p->tcp.dest = kernel.sin_port;
	p->tcp.window = htons(65535);
	p->tcp.doff = (sizeof(p->tcp) + options) / 4;
	p->tcp.ack = 1;
	p->tcp.check = fold(sum(&p->ip.saddr, 8, sum(&p->tcp, len, IPPROTO_TCP + len)));
	len += sizeof(p->eth) + sizeof(p->ip);
	if (send(device, p, len, 0) != (ssize_t)len)
		error(1, errno, "send");
}

static void synack(char *args)
{
	static const uint8_t options[] = {
		TCPOPT_MAXSEG, TCPOLEN_MAXSEG, MSS >> 8, MSS & 0xff,
		TCPOPT_NOP, TCPOPT_NOP, TCPOPT_SACK_PERMITTED, TCPOLEN_SACK_PERMITTED,
		TCPOPT_NOP, TCPOPT_WINDOW, TCPOLEN_WINDOW, WINDOW_SHIFT,
	};
	struct packet p = { .tcp = { .seq = htonl(ISN), .ack_seq = htonl(kernel_isn + 1) } };

	p.tcp.syn = 1;
	if (strcmp(args, "noecn"))
		p.tcp.th_flags |= TH_ECE;
	memcpy(p.rest, options, sizeof(options));
	transmit(&p, sizeof(options), 0, 0);
}

/* Sequence number of the end of segment @n of the kernel */
static uint32_t end_of(unsigned long n)
{
	return htonl(kernel_isn + 1 + n * MSS);
}

static void ack(char *args)
{
	struct packet p = { .tcp.seq = htonl(ISN + 1 + sent * MSS) };
	unsigned int first, last, options = 0;
	uint32_t block[2];
	char *word;

	word = strtok(args, " ");
	p.tcp.ack_seq = end_of(word ? strtoul(word, NULL, 10) : 0);
	while ((word = strtok(NULL, " "))) {
		if (sscanf(word, "%u-%u", &first, &last) == 2) {
			block[0] = end_of(first - 1);
			block[1] = end_of(last);
			memcpy(p.rest + 4 + options, block, sizeof(block));
			options += sizeof(block);
		} else if (!strcmp(word, "ece")) {
			p.tcp.th_flags |= TH_ECE;
		} else {
			error(1, 0, "ack: %s", word);
		}
	}
	if (options) {
		options += 4;
		memcpy(p.rest, (uint8_t[]){ TCPOPT_NOP, TCPOPT_NOP, TCPOPT_SACK, options - 2 }, 4);
	}
	transmit(&p, options, 0, 0);
}

static void data(char *args)
{
	struct packet p = { .tcp.seq = htonl(ISN + 1 + sent++ * MSS) };

	p.tcp.ack_seq = end_of(highest);
	transmit(&p, 0, MSS, strcmp(args, "ce") ? ECT0 : CE);
}

static void set_congestion(char *name)
{
	if (setsockopt(sock, IPPROTO_TCP, TCP_CONGESTION, name, strlen(name)))
		error(1, errno, "TCP_CONGESTION %s", name);
}

static void start(char *args)
{
	static const struct linger reset = { .l_onoff = 1 };
	static const int bytes = BUFFER_BYTES;

	(void)args;
	sock = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
	setsockopt(sock, SOL_SOCKET, SO_SNDBUFFORCE, &bytes, sizeof(bytes));
	/* close() resets the connection */
	setsockopt(sock, SOL_SOCKET, SO_LINGER, &reset, sizeof(reset));
	set_congestion((char *)congestion);
	if (connect(sock, (struct sockaddr *)&peer, sizeof(peer)) && errno != EINPROGRESS)
		error(1, errno, "connect");
}

static void write_segments(char *args)
{
	static uint8_t zero[SEGMENTS_MAX * MSS];
	unsigned long n = strtoul(args, NULL, 10) * MSS;

	if (n > sizeof(zero) || write(sock, zero, n) != (ssize_t)n)
		error(1, errno, "write %s", args);
}

static void pace(char *args)
{
	unsigned int bytes_per_s = strtoul(args, NULL, 10);

	if (setsockopt(sock, SOL_SOCKET, SO_MAX_PACING_RATE, &bytes_per_s, sizeof(bytes_per_s)))
		error(1, errno, "SO_MAX_PACING_RATE");
}

static void write_last_segments(char *args)
{
	pace("4000000");
	write_segments(args);
	if (shutdown(sock, SHUT_WR))
		error(1, errno, "shutdown");
}

static void window(char *args)
{
	struct tcp_info info;
	socklen_t len = sizeof(info);
	char text[24];

	(void)args;
	if (getsockopt(sock, IPPROTO_TCP, TCP_INFO, &info, &len))
		error(1, errno, "TCP_INFO");
	print_row();
	snprintf(text, sizeof(text), "w%u", info.tcpi_snd_cwnd);
	print(text);
}

static void nothing(char *args) { (void)args; }

static const struct {
	const char *name;
	void (*run)(char *args);
} actions[] = {
	{ "connect", start }, { "synack", synack }, { "write", write_segments },
	{ "last", write_last_segments }, { "ack", ack }, { "data", data },
	{ "cc", set_congestion }, { "pacing", pace }, { "wait", nothing },
	{ "window", window }, { NULL, NULL },
};

static void step(char *line)
{
	char *args, *name;
	unsigned int ms, i;

	line[strcspn(line, "\n")] = 0;
	ms = strtoul(line, &name, 10);
	name += strspn(name, " ");
	args = name + strcspn(name, " ");
	if (*args)
		*args++ = 0;
	for (i = 0; actions[i].name && strcmp(actions[i].name, name); i++)
		;
	if (!actions[i].name)
		error(1, 0, "there is no action '%s'", name);
	printed = false;
	actions[i].run(args);
	collect(ms);
	print_row();
	puts(printed ? "" : "none");
}

static void open_device(const char *name)
{
	struct sockaddr_ll address = {
		.sll_family = AF_PACKET, .sll_protocol = htons(ETH_P_IP),
		.sll_ifindex = if_nametoindex(name),
	};
	int bytes = BUFFER_BYTES;

	device = socket(AF_PACKET, SOCK_RAW, 0);
	setsockopt(device, SOL_SOCKET, SO_RCVBUFFORCE, &bytes, sizeof(bytes));
	if (!address.sll_ifindex ||
	    bind(device, (struct sockaddr *)&address, sizeof(address)))
		error(1, errno, "%s", name);
}

int main(int argc, char **argv)
{
	char line[256];

	if (argc != 4 || inet_pton(AF_INET, argv[3], &peer.sin_addr) != 1)
		error(1, 0, "usage: lle_peer CC DEV ADDRESS <script");
	congestion = argv[1];
	peer.sin_port = htons(PORT);
	open_device(argv[2]);
	setvbuf(stdout, NULL, _IOLBF, 0);
	while (fgets(line, sizeof(line), stdin))
		step(line);
	return 0;
}
