// SPDX-License-Identifier: GPL-2.0
/*
 * lle-storm: a broken NIC that sends PFC frames without end, or in another
 * pattern. A packet socket sends them at exact times, past the qdisc of the
 * device. See lle-storm(8).
 */
#include <errno.h>
#include <getopt.h>
#include <linux/if_packet.h>
#include <linux/lossless_frame.h>
#include <net/if.h>
#include <arpa/inet.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define NS_PER_MS	1000000ULL
#define NS_PER_S	1000000000ULL
#define RATE_MAX	1000000

enum { PAUSE, RESUME, FLAP };

/* The pattern of frames */
struct storm {
	const char *dev;	/* name of the device */
	uint8_t prios;	/* bit p: priority p */
	uint16_t quanta;	/* quanta of each pause */
	int what;	/* PAUSE, RESUME, or FLAP: both in turn */
	uint64_t interval_ns;	/* time between two frames */
	uint64_t on_ns;	/* time with frames */
	uint64_t off_ns;	/* time without; both 0: no gaps */
	uint64_t count;	/* number of frames; 0: no limit */
	uint64_t length_ns;	/* time of the run; 0: no limit */
	bool sorry;	/* send a resume at the end */
};

static volatile sig_atomic_t stopped;

static void stop(int signal)
{
	(void)signal;
	stopped = 1;
}

__attribute__((noreturn, format(printf, 2, 3)))
static void die(int status, const char *format, ...)
{
	__builtin_va_list args;

	fprintf(stderr, "lle-storm: ");
	__builtin_va_start(args, format);
	vfprintf(stderr, format, args);
	__builtin_va_end(args);
	fprintf(stderr, "\n");
	exit(status);
}

static uint64_t number(const char *option, const char *text, uint64_t min,
		       uint64_t max)
{
	unsigned long long value;
	char *end;

	errno = 0;
	value = strtoull(text, &end, 10);
	if (errno || end == text || *end || *text == '-' || value < min ||
	    value > max)
		die(2, "%s: a number from %llu to %llu, not '%s'", option,
		    (unsigned long long)min, (unsigned long long)max, text);
	return value;
}

static uint8_t priorities(char *text)
{
	uint8_t prios = 0;
	char *word;

	for (word = strtok(text, ","); word; word = strtok(NULL, ","))
		prios |= 1 << number("--prio", word, 0, LLE_NUM_PRIO - 1);
	return prios;
}

static void gap(struct storm *s, const char *text)
{
	char *colon = strchr(text, ':');

	if (!colon)
		die(2, "--gap: ON:OFF in milliseconds, not '%s'", text);
	*colon = '\0';
	s->on_ns = number("--gap", text, 1, 3600000) * NS_PER_MS;
	s->off_ns = number("--gap", colon + 1, 1, 3600000) * NS_PER_MS;
}

static void source(uint8_t *mac, const char *text)
{
	char rest;

	if (sscanf(text, "%2hhx:%2hhx:%2hhx:%2hhx:%2hhx:%2hhx%c", &mac[0],
		   &mac[1], &mac[2], &mac[3], &mac[4], &mac[5], &rest) != 6)
		die(2, "--source: an Ethernet address, not '%s'", text);
}

static int open_dev(const char *dev, uint8_t *mac, struct sockaddr_ll *to)
{
	int fd = socket(AF_PACKET, SOCK_RAW, 0), yes = 1;
	struct ifreq ifr = {};

	if (fd < 0)
		die(1, "a packet socket: %s", strerror(errno));
	snprintf(ifr.ifr_name, sizeof(ifr.ifr_name), "%s", dev);
	if (strlen(dev) >= sizeof(ifr.ifr_name) ||
	    ioctl(fd, SIOCGIFINDEX, &ifr))
		die(1, "%s: no such device", dev);
	to->sll_family = AF_PACKET;
	to->sll_protocol = htons(LLE_ETH_P_MAC_CONTROL);
	to->sll_ifindex = ifr.ifr_ifindex;
	if (ioctl(fd, SIOCGIFHWADDR, &ifr))
		die(1, "%s: its address: %s", dev, strerror(errno));
	memcpy(mac, ifr.ifr_hwaddr.sa_data, 6);
	/* data that is paused in the qdisc must not delay the frames */
	if (setsockopt(fd, SOL_PACKET, PACKET_QDISC_BYPASS, &yes, sizeof(yes)))
		die(1, "past the qdisc: %s", strerror(errno));
	return fd;
}

static void send_frame(int fd, const struct sockaddr_ll *to,
		       struct lle_pfc_frame *frame, const struct storm *s,
		       bool pause)
{
	unsigned int p;

	for (p = 0; p < LLE_NUM_PRIO; p++)
		frame->quanta[p] = htons(s->prios >> p & pause ? s->quanta : 0);
	if (sendto(fd, frame, sizeof(*frame), 0, (const void *)to,
		   sizeof(*to)) < 0 && errno != ENOBUFS && errno != EINTR)
		die(1, "%s: %s", s->dev, strerror(errno));
}

static uint64_t now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * NS_PER_S + ts.tv_nsec;
}

static void sleep_until(uint64_t ns)
{
	const struct timespec ts = { ns / NS_PER_S, ns % NS_PER_S };

	while (!stopped &&
	       clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL))
		;
}

/* Return: number of sent frames */
static uint64_t run(int fd, const struct sockaddr_ll *to,
		    struct lle_pfc_frame *frame, const struct storm *s)
{
	uint64_t start = now(), at = start, sent = 0, cycle;

	cycle = s->on_ns + s->off_ns;
	while (!stopped && (!s->count || sent < s->count)) {
		if (cycle && (at - start) % cycle >= s->on_ns)
			at += cycle - (at - start) % cycle;
		if (s->length_ns && at - start >= s->length_ns) {
			sleep_until(start + s->length_ns);
			break;
		}
		sleep_until(at);
		if (stopped)
			break;
		send_frame(fd, to, frame, s,
			   s->what == PAUSE || (s->what == FLAP && !(sent & 1)));
		sent++;
		at += s->interval_ns;
	}
	if (s->sorry) {
		send_frame(fd, to, frame, s, false);
		sent++;
	}
	return sent;
}

static const struct option options[] = {
	{ "prio", required_argument, NULL, 'p' },
	{ "quanta", required_argument, NULL, 'q' },
	{ "rate", required_argument, NULL, 'r' },
	{ "gap", required_argument, NULL, 'g' },
	{ "count", required_argument, NULL, 'c' },
	{ "time", required_argument, NULL, 't' },
	{ "source", required_argument, NULL, 's' },
	{ "xon", no_argument, NULL, 'x' },
	{ "flap", no_argument, NULL, 'f' },
	{ "resume", no_argument, NULL, 'z' },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, 'V' },
	{}
};

static void usage(FILE *to)
{
	fputs("Usage: lle-storm [OPTION]... DEV\n"
	      "Sends PFC frames that pause the peer of DEV, until it is interrupted.\n\n"
	      "  -p, --prio LIST     priorities, such as 3 or 3,4; must be given\n"
	      "  -q, --quanta N      of each pause (65535)\n"
	      "  -r, --rate N        frames a second (1000)\n"
	      "  -g, --gap ON:OFF    frames for ON ms, none for OFF ms, and so on\n"
	      "  -c, --count N       end after so many frames\n"
	      "  -t, --time MS       end after so many ms\n"
	      "  -s, --source MAC    source address (that of DEV)\n"
	      "  -x, --xon           resume instead of pausing\n"
	      "  -f, --flap          pause and resume by turns\n"
	      "  -z, --resume        resume at the end\n"
	      "  -h, --help          this text\n"
	      "  -V, --version\n", to);
}

static void parse(struct storm *s, struct lle_pfc_frame *frame, bool *given,
		  int argc, char **argv)
{
	int opt;

	while ((opt = getopt_long(argc, argv, "p:q:r:g:c:t:s:xfzhV", options,
				  NULL)) != -1) {
		switch (opt) {
		case 'p': s->prios = priorities(optarg); break;
		case 'q': s->quanta = number("--quanta", optarg, 1,
					     LLE_QUANTA_MAX); break;
		case 'r': s->interval_ns = NS_PER_S /
				number("--rate", optarg, 1, RATE_MAX); break;
		case 'g': gap(s, optarg); break;
		case 'c': s->count = number("--count", optarg, 1,
					    UINT64_MAX); break;
		case 't': s->length_ns = NS_PER_MS *
				number("--time", optarg, 1, 86400000); break;
		case 's': source(frame->src, optarg); *given = true; break;
		case 'x': s->what = RESUME; break;
		case 'f': s->what = FLAP; break;
		case 'z': s->sorry = true; break;
		case 'h': usage(stdout); exit(0);
		case 'V': puts("lle-storm " LLE_VERSION); exit(0);
		default: usage(stderr); exit(2);
		}
	}
	if (!s->prios)
		die(2, "--prio is required, such as --prio 3");
	if (optind != argc - 1)
		die(2, "%s", optind == argc ? "DEV is required" : "only one DEV");
	s->dev = argv[optind];
}

int main(int argc, char **argv)
{
	struct lle_pfc_frame frame = {
		.dst = LLE_MACC_ADDR,
		.ethertype = htons(LLE_ETH_P_MAC_CONTROL),
		.opcode = htons(LLE_MACC_OP_PFC),
	};
	struct storm s = {
		.quanta = LLE_QUANTA_MAX,
		.interval_ns = NS_PER_MS,
	};
	const struct sigaction action = { .sa_handler = stop };
	struct sockaddr_ll to = {};
	bool given = false;
	uint8_t mac[6];
	int fd;

	parse(&s, &frame, &given, argc, argv);
	frame.class_enable = htons(s.prios);
	fd = open_dev(s.dev, mac, &to);
	if (!given)
		memcpy(frame.src, mac, sizeof(mac));
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	printf("%llu frames\n", (unsigned long long)run(fd, &to, &frame, &s));
	return fflush(stdout) ? 1 : 0;
}
