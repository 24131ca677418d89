// SPDX-License-Identifier: GPL-2.0
/*
 * Bulk TCP of priority 3, in writes of 64 KB.
 *
 * Usage: bulk recv PORT BYTES
 *        bulk send ADDRESS PORT BYTES
 *        bulk cost ADDRESS PORT BYTES
 *				as send; prints the ns in which the CPU was not idle
 *        bulk seed		seeds the kernel's random number generator: until
 *				then each random number costs a new seed
 */
#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/random.h>
#include <netinet/in.h>
#include <netinet/ip.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define CHUNK	65536
#define DSCP	26

static char buffer[4 * CHUNK];

static int fail(const char *what)
{
	perror(what);
	return 1;
}

static int seed(void)
{
	struct {
		struct rand_pool_info info;
		char bytes[64];
	} entropy = { .info = { .entropy_count = 512, .buf_size = 64 } };
	int fd = open("/dev/random", O_RDWR);

	memset(entropy.bytes, 7, sizeof(entropy.bytes));
	return fd < 0 || ioctl(fd, RNDADDENTROPY, &entropy) ? fail("seed") : 0;
}

static int receive(int s, const struct sockaddr_in *at, long left)
{
	ssize_t n;
	int peer;

	if (bind(s, (const void *)at, sizeof(*at)) || listen(s, 1))
		return fail("bind");
	peer = accept(s, NULL, NULL);
	if (peer < 0)
		return fail("accept");
	while (left > 0) {
		n = recv(peer, buffer, sizeof(buffer), MSG_TRUNC);
		if (n <= 0)
			return fail("recv");
		left -= n;
	}
	return 0;
}

static int send_all(int s, const struct sockaddr_in *to, long left)
{
	ssize_t n;

	if (connect(s, (const void *)to, sizeof(*to)))
		return fail("connect");
	while (left > 0) {
		n = send(s, buffer, left < CHUNK ? left : CHUNK, 0);
		if (n < 0)
			return fail("send");
		left -= n;
	}
	shutdown(s, SHUT_WR);
	while (recv(s, buffer, sizeof(buffer), 0) > 0)
		;
	return 0;
}

/* The time in which the CPUs were not idle, in ns; -1: unknown. */
static long long busy_ns(void)
{
	FILE *f = fopen("/proc/timer_list", "r");
	long long idle = 0, ns, n = 0;
	struct timespec now;
	char line[256];

	while (f && fgets(line, sizeof(line), f)) {
		if (sscanf(line, " .idle_sleeptime : %lld", &ns) == 1) {
			idle += ns;
			n++;
		}
	}
	if (f)
		fclose(f);
	clock_gettime(CLOCK_MONOTONIC, &now);
	return n ? n * (now.tv_sec * 1000000000ll + now.tv_nsec) - idle : -1;
}

static int cost(int s, const struct sockaddr_in *to, long left)
{
	long long begin = busy_ns();

	if (begin < 0)
		return fail("/proc/timer_list");
	if (send_all(s, to, left))
		return 1;
	printf("%lld\n", busy_ns() - begin);
	return 0;
}

int main(int argc, char **argv)
{
	struct sockaddr_in address = { .sin_family = AF_INET };
	int s = socket(AF_INET, SOCK_STREAM, 0), yes = 1, tos = DSCP << 2;

	setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
	setsockopt(s, IPPROTO_IP, IP_TOS, &tos, sizeof(tos));
	if (argc == 2 && !strcmp(argv[1], "seed"))
		return seed();
	if (argc == 4 && !strcmp(argv[1], "recv")) {
		address.sin_port = htons(atoi(argv[2]));
		return receive(s, &address, atol(argv[3]));
	}
	if (argc == 5 && inet_aton(argv[2], &address.sin_addr)) {
		address.sin_port = htons(atoi(argv[3]));
		if (!strcmp(argv[1], "send"))
			return send_all(s, &address, atol(argv[4]));
		if (!strcmp(argv[1], "cost"))
			return cost(s, &address, atol(argv[4]));
	}
	fprintf(stderr, "usage: bulk recv PORT BYTES | send|cost ADDRESS PORT BYTES | seed\n");
	return 2;
}
