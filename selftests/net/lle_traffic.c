// SPDX-License-Identifier: GPL-2.0
/*
 * Traffic for the scenarios: sends exact frames, and counts received ones.
 *
 *	lle_traffic send DEV MAC [OPTION...]	UDP in IPv4, at the rate of DEV
 *	lle_traffic count DEV IDLE_MS [ip]	receives until idle; at DEV, or
 *						in IPv4
 *	lle_traffic pfc DEV ENABLE Q0 .. Q7	one PFC frame
 *	lle_traffic raw DEV HEX [COUNT]		frames of these bytes (1)
 *	lle_traffic cost DEV COUNT HEX...	frames in turn; prints ns each
 *
 * Options of send:
 *	-n COUNT	frames (1)
 *	-s BYTES	length of each without FCS (1000)
 *	-d DSCP		(0)
 *	-e ECN		ECN field, 0..3 (0)
 *	-g NS		gap between frames (0: none)
 *	-f ID		flow; the receiver counts gaps of each flow (0)
 *	-P PORT		UDP source port (9)
 *	-p PCP		VLAN tag of this priority, VLAN 0
 *	-r SEED		every other frame has a random length
 *	-N		not IPv4: an EtherType of local experiments
 *	-B		bypass the qdisc of DEV
 *	-O PRIO:MBIT	obey PFC frames for PRIO, like a NIC of that rate
 *	-G SEGMENTS	TCP: GSO packets of SEGMENTS segments of -s bytes
 *
 * `count` prints a JSON object per flow and a sum; "ns" is from the first frame
 * to the last.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <getopt.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <linux/lossless_frame.h>
#include <linux/virtio_net.h>
#include <net/if.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define MAGIC		0x4c4c4531	/* "LLE1" */
#define MAX_FRAME	9216
#define FRAME_MIN	62		/* headers with a tag, and the payload */
#define MAX_GSO		(14 + 65535)
#define TCP_HEADERS	66		/* Ethernet, IPv4, TCP with timestamps */
#define MAX_FLOWS	64
#define MAX_TURNS	4
#define ETH_P_LOCAL	0x88b5		/* IEEE 802 local experimental */

struct payload {
	uint32_t magic;
	uint32_t flow;
	uint32_t seq_hi;
	uint32_t seq_lo;
} __attribute__((packed));

struct flow {
	unsigned long long packets, bytes, lost, reordered, ce;
	uint64_t next, first_ns, last_ns;
};

static void die(const char *what)
{
	fprintf(stderr, "lle_traffic: %s: %s\n", what, strerror(errno));
	exit(2);
}

static int open_dev(const char *name, int protocol, struct sockaddr_ll *addr)
{
	int fd = socket(AF_PACKET, SOCK_RAW, htons(protocol));

	if (fd < 0)
		die("socket");
	memset(addr, 0, sizeof(*addr));
	addr->sll_family = AF_PACKET;
	addr->sll_protocol = htons(protocol);
	addr->sll_ifindex = if_nametoindex(name);
	if (!addr->sll_ifindex)
		die(name);
	return fd;
}

static void dev_mac(const char *name, uint8_t *mac)
{
	char path[128];
	FILE *f;

	snprintf(path, sizeof(path), "/sys/class/net/%s/address", name);
	f = fopen(path, "r");
	if (!f || fscanf(f, "%hhx:%hhx:%hhx:%hhx:%hhx:%hhx", &mac[0], &mac[1],
			 &mac[2], &mac[3], &mac[4], &mac[5]) != 6)
		die(path);
	fclose(f);
}

static void send_frame(int fd, const struct sockaddr_ll *addr, const void *data,
		       size_t len)
{
	while (sendto(fd, data, len, 0, (const void *)addr,
		      sizeof(*addr)) < 0) {
		if (errno != ENOBUFS && errno != EAGAIN)
			die("send");
		usleep(100);
	}
}

static uint16_t ip_checksum(const uint8_t *p)
{
	uint32_t sum = 0;
	int i;

	for (i = 0; i < 20; i += 2)
		sum += p[i] << 8 | p[i + 1];
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return ~sum;
}

/* Ethernet, an optional tag, IPv4, UDP; returns the payload's offset. */
static size_t build_headers(uint8_t *f, size_t len, const uint8_t *dst,
			    const uint8_t *src, int port, int tos, int pcp,
			    int local)
{
	size_t at = 12, ip_len;

	memcpy(f, dst, 6);
	memcpy(f + 6, src, 6);
	if (pcp >= 0) {
		f[at] = 0x81;
		f[at + 2] = pcp << 5;
		at += 4;
	}
	if (local) {
		f[at] = ETH_P_LOCAL >> 8;
		f[at + 1] = ETH_P_LOCAL & 0xff;
		return at + 2;
	}
	f[at] = 0x08;
	at += 2;

	ip_len = len - at;
	f[at] = 0x45;
	f[at + 1] = tos;
	f[at + 2] = ip_len >> 8;
	f[at + 3] = ip_len;
	f[at + 8] = 64;
	f[at + 9] = 17;
	/* documentation range: no host answers */
	memcpy(f + at + 12, (uint8_t[]){ 198, 51, 100, src[5], 198, 51, 100, dst[5] }, 8);
	*(uint16_t *)(f + at + 10) = htons(ip_checksum(f + at));
	at += 20;
	*(uint16_t *)(f + at) = htons(port);
	*(uint16_t *)(f + at + 2) = htons(9);	/* discard */
	*(uint16_t *)(f + at + 4) = htons(ip_len - 20);
	return at + 8;
}

static void wait_until(struct timespec *next, long gap_ns)
{
	next->tv_nsec += gap_ns % 1000000000;
	next->tv_sec += gap_ns / 1000000000 + next->tv_nsec / 1000000000;
	next->tv_nsec %= 1000000000;
	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, next, NULL);
}

/* Keeps the length in the IP header, which no receiver checks. */
static size_t random_len(unsigned int *seed, size_t max)
{
	int r = rand_r(seed);

	return r & 1 ? max : FRAME_MIN + (r >> 1) % (max - FRAME_MIN + 1);
}

/* Segments have @len bytes and the addresses of @frame. */
static int send_gso(int fd, const struct sockaddr_ll *addr, const uint8_t *frame,
		    unsigned long long count, unsigned int segments, size_t len)
{
	static uint8_t packet[sizeof(struct virtio_net_hdr) + MAX_GSO];
	size_t bytes = TCP_HEADERS + segments * (len - TCP_HEADERS);
	struct virtio_net_hdr hdr = {
		.flags = VIRTIO_NET_HDR_F_NEEDS_CSUM,
		.gso_type = VIRTIO_NET_HDR_GSO_TCPV4,
		.hdr_len = TCP_HEADERS,
		.gso_size = len - TCP_HEADERS,
		.csum_start = 34,
		.csum_offset = 16,
	};
	uint8_t *f = packet + sizeof(hdr);
	int one = 1;

	if (bytes > MAX_GSO)
		return 1;
	if (setsockopt(fd, SOL_PACKET, PACKET_VNET_HDR, &one, sizeof(one)))
		die("PACKET_VNET_HDR");
	memcpy(packet, &hdr, sizeof(hdr));
	memcpy(f, frame, 34);
	f[16] = (bytes - 14) >> 8;
	f[17] = bytes - 14;
	f[23] = IPPROTO_TCP;
	memset(f + 24, 0, 2);
	*(uint16_t *)(f + 24) = htons(ip_checksum(f + 14));
	*(uint16_t *)(f + 34) = *(uint16_t *)(f + 36) = htons(9);
	f[46] = 8 << 4;			/* length of the TCP header, words */
	f[47] = 0x10;			/* ACK */
	memcpy(f + 54, (uint8_t[]){ 1, 1, 8, 10 }, 4);
	while (count--)
		send_frame(fd, addr, packet, sizeof(hdr) + bytes);
	return 0;
}

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ULL + now.tv_nsec;
}

/*
 * A NIC that obeys PFC frames; @fd: -1 without one. Paused or busy until
 * @until_ns.
 */
struct obey {
	int fd;
	unsigned int prio, mbit;
	uint64_t until_ns;
};

static void obey_open(struct obey *o, const char *dev, const char *text)
{
	struct sockaddr_ll addr;

	if (sscanf(text, "%u:%u", &o->prio, &o->mbit) != 2 || o->prio >= LLE_NUM_PRIO ||
	    !o->mbit) {
		errno = EINVAL;
		die(text);
	}
	o->fd = open_dev(dev, LLE_ETH_P_MAC_CONTROL, &addr);
	if (bind(o->fd, (const void *)&addr, sizeof(addr)))
		die(dev);
}

/* Waits until the NIC may send a frame of @len bytes. */
static void obey(struct obey *o, size_t len)
{
	struct pollfd in = { .fd = o->fd, .events = POLLIN };
	int64_t left_ns = o->until_ns - now_ns();
	struct lle_pfc_frame f;
	struct timespec wait = {};

	/* read waiting frames first, even if not paused */
	do {
		wait.tv_sec = left_ns > 0 ? left_ns / 1000000000 : 0;
		wait.tv_nsec = left_ns > 0 ? left_ns % 1000000000 : 0;
		if (ppoll(&in, 1, &wait, NULL) > 0 &&
		    recv(o->fd, &f, sizeof(f), 0) >= LLE_PFC_FRAME_MIN &&
		    f.opcode == htons(LLE_MACC_OP_PFC) &&
		    ntohs(f.class_enable) >> o->prio & 1)
			o->until_ns = now_ns() + ntohs(f.quanta[o->prio]) * 512ULL * 1000 / o->mbit;
		left_ns = o->until_ns - now_ns();
	} while (left_ns > 0 || in.revents);
	o->until_ns = now_ns() + len * 8 * 1000 / o->mbit;
}

static int cmd_send(int argc, char **argv)
{
	int dscp = 0, ecn = 0, pcp = -1, port = 9, local = 0, bypass = 0, opt, fd;
	unsigned long long count = 1, seq;
	unsigned int segments = 0;
	uint8_t frame[MAX_FRAME] = {}, dst[6], src[6];
	struct payload pl = { .magic = htonl(MAGIC) };
	struct sockaddr_ll addr;
	struct obey o = { .fd = -1 };
	unsigned int seed = 0;
	size_t len = 1000, at;
	struct timespec next;
	long gap_ns = 0;

	if (argc < 3 || sscanf(argv[2], "%hhx:%hhx:%hhx:%hhx:%hhx:%hhx", &dst[0],
			       &dst[1], &dst[2], &dst[3], &dst[4], &dst[5]) != 6)
		return 1;
	optind = 3;
	while ((opt = getopt(argc, argv, "n:s:d:e:g:f:P:p:r:NBG:O:")) != -1) {
		switch (opt) {
		case 'n':
			count = strtoull(optarg, NULL, 0);
			break;
		case 's':
			len = strtoul(optarg, NULL, 0);
			break;
		case 'd':
			dscp = atoi(optarg);
			break;
		case 'e':
			ecn = atoi(optarg);
			break;
		case 'g':
			gap_ns = atol(optarg);
			break;
		case 'f':
			pl.flow = htonl(atoi(optarg));
			break;
		case 'P':
			port = atoi(optarg);
			break;
		case 'p':
			pcp = atoi(optarg);
			break;
		case 'r':
			seed = atoi(optarg);
			break;
		case 'N':
			local = 1;
			break;
		case 'B':
			bypass = 1;
			break;
		case 'G':
			segments = atoi(optarg);
			break;
		case 'O':
			obey_open(&o, argv[1], optarg);
			break;
		default: return 1;
		}
	}
	if (len < (segments ? TCP_HEADERS + 1 : FRAME_MIN) || len > MAX_FRAME ||
	    (segments && (local || pcp >= 0)))
		return 1;

	fd = open_dev(argv[1], local ? ETH_P_LOCAL : ETH_P_IP, &addr);
	if (bypass && setsockopt(fd, SOL_PACKET, PACKET_QDISC_BYPASS, &bypass,
				 sizeof(bypass)))
		die("PACKET_QDISC_BYPASS");
	dev_mac(argv[1], src);
	at = build_headers(frame, len, dst, src, port, dscp << 2 | ecn, pcp,
			   local);
	if (segments)
		return send_gso(fd, &addr, frame, count, segments, len);

	clock_gettime(CLOCK_MONOTONIC, &next);
	for (seq = 0; seq < count; seq++) {
		pl.seq_hi = htonl(seq >> 32);
		pl.seq_lo = htonl(seq);
		memcpy(frame + at, &pl, sizeof(pl));
		if (o.fd >= 0)
			obey(&o, len);
		send_frame(fd, &addr, frame,
			   seed ? random_len(&seed, len) : len);
		if (gap_ns)
			wait_until(&next, gap_ns);
	}
	return 0;
}

static void count_frame(struct flow *flows, const uint8_t *f, ssize_t len)
{
	uint16_t type = f[12] << 8 | f[13];
	struct payload pl;
	struct flow *fl;
	size_t at = 14;
	uint64_t seq;
	int ecn = 0;

	if (type == ETH_P_IP && len >= 42) {
		ecn = f[15] & 3;
		at = 42;
	} else if (type != ETH_P_LOCAL) {
		return;
	}
	if ((size_t)len < at + sizeof(pl))
		return;
	memcpy(&pl, f + at, sizeof(pl));
	if (pl.magic != htonl(MAGIC) || ntohl(pl.flow) >= MAX_FLOWS)
		return;

	fl = &flows[ntohl(pl.flow)];
	seq = (uint64_t)ntohl(pl.seq_hi) << 32 | ntohl(pl.seq_lo);
	fl->last_ns = now_ns();
	if (!fl->packets++)
		fl->first_ns = fl->last_ns;
	fl->bytes += len;
	fl->ce += ecn == 3;
	if (seq < fl->next) {
		fl->reordered++;
		fl->lost -= fl->lost > 0;
		return;
	}
	fl->lost += seq - fl->next;
	fl->next = seq + 1;
}

static void print_flow(const char *name, const struct flow *f)
{
	printf("\"%s\":{\"packets\":%llu,\"bytes\":%llu,\"lost\":%llu,\"reordered\":%llu,\"ce\":%llu,\"ns\":%llu}",
	       name, f->packets, f->bytes, f->lost, f->reordered, f->ce,
	       (unsigned long long)(f->last_ns - f->first_ns));
}

static int cmd_count(int argc, char **argv)
{
	struct flow flows[MAX_FLOWS] = {}, sum = {};
	int fd, i, size = 64 << 20, one = 1;
	uint8_t frame[MAX_FRAME];
	struct sockaddr_ll addr;
	struct pollfd pfd;
	char name[16];
	ssize_t len;

	if (argc != 3 && (argc != 4 || strcmp(argv[3], "ip")))
		return 1;
	fd = open_dev(argv[1], argc == 3 ? ETH_P_ALL : ETH_P_IP, &addr);
	if (setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &size, sizeof(size)) ||
	    setsockopt(fd, SOL_PACKET, PACKET_IGNORE_OUTGOING, &one,
		       sizeof(one)) ||
	    bind(fd, (void *)&addr, sizeof(addr)))
		die("bind");
	/* the caller waits for this line */
	fprintf(stderr, "ready\n");

	pfd = (struct pollfd){ .fd = fd, .events = POLLIN };
	while (poll(&pfd, 1, atoi(argv[2])) > 0) {
		len = recv(fd, frame, sizeof(frame), 0);
		if (len < 0)
			die("recv");
		if (len >= 14)
			count_frame(flows, frame, len);
	}

	printf("{");
	for (i = 0; i < MAX_FLOWS; i++) {
		if (!flows[i].packets)
			continue;
		sum.packets += flows[i].packets;
		sum.bytes += flows[i].bytes;
		sum.lost += flows[i].lost;
		sum.reordered += flows[i].reordered;
		sum.ce += flows[i].ce;
		if (!sum.first_ns || flows[i].first_ns < sum.first_ns)
			sum.first_ns = flows[i].first_ns;
		if (flows[i].last_ns > sum.last_ns)
			sum.last_ns = flows[i].last_ns;
		snprintf(name, sizeof(name), "%d", i);
		print_flow(name, &flows[i]);
		printf(",");
	}
	print_flow("sum", &sum);
	printf("}\n");
	return 0;
}

static int cmd_pfc(int argc, char **argv)
{
	struct lle_pfc_frame f = {
		.dst = LLE_MACC_ADDR,
		.ethertype = htons(LLE_ETH_P_MAC_CONTROL),
		.opcode = htons(LLE_MACC_OP_PFC),
	};
	struct sockaddr_ll addr;
	int fd, i;

	if (argc < 3 || argc > 3 + LLE_NUM_PRIO)
		return 1;
	fd = open_dev(argv[1], LLE_ETH_P_MAC_CONTROL, &addr);
	dev_mac(argv[1], f.src);
	f.class_enable = htons(strtoul(argv[2], NULL, 0));
	for (i = 3; i < argc; i++)
		f.quanta[i - 3] = htons(strtoul(argv[i], NULL, 0));
	send_frame(fd, &addr, &f, sizeof(f));
	return 0;
}

struct raw {
	uint8_t data[MAX_FRAME];
	size_t len;
};

static int parse_raw(const char *hex, struct raw *frame)
{
	unsigned int byte;
	const char *p;
	int used;

	frame->len = 0;
	for (p = hex; frame->len < sizeof(frame->data) &&
	     sscanf(p, " %2x%n", &byte, &used) == 1; p += used)
		frame->data[frame->len++] = byte;
	return *p || frame->len < 14;
}

static int cmd_raw(int argc, char **argv)
{
	struct sockaddr_ll addr;
	struct raw frame;
	int fd, count = 1;

	if (argc == 4)
		count = atoi(argv[3]);
	else if (argc != 3)
		return 1;
	if (parse_raw(argv[2], &frame))
		return 1;
	fd = open_dev(argv[1], frame.data[12] << 8 | frame.data[13], &addr);
	while (count-- > 0)
		send_frame(fd, &addr, frame.data, frame.len);
	return 0;
}

static int cmd_cost(int argc, char **argv)
{
	int fd, i, count, num = argc - 3;
	struct raw frames[MAX_TURNS];
	struct sockaddr_ll addr;
	uint64_t start_ns;

	if (num < 1 || num > MAX_TURNS)
		return 1;
	for (i = 0; i < num; i++)
		if (parse_raw(argv[3 + i], &frames[i]))
			return 1;
	count = atoi(argv[2]);
	fd = open_dev(argv[1], frames[0].data[12] << 8 | frames[0].data[13],
		      &addr);
	start_ns = now_ns();
	for (i = 0; i < count; i++)
		send_frame(fd, &addr, frames[i % num].data, frames[i % num].len);
	printf("%llu\n", (unsigned long long)(now_ns() - start_ns) / count);
	return 0;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		int (*run)(int argc, char **argv);
	} cmds[] = {
		{ "send", cmd_send },
		{ "count", cmd_count },
		{ "pfc", cmd_pfc },
		{ "raw", cmd_raw },
		{ "cost", cmd_cost },
	};
	size_t i;

	for (i = 0; argc > 1 && i < sizeof(cmds) / sizeof(*cmds); i++)
		if (!strcmp(argv[1], cmds[i].name) &&
		    !cmds[i].run(argc - 1, argv + 1))
			return 0;
	fprintf(stderr, "usage: see the head of lle_traffic.c\n");
	return 1;
}
