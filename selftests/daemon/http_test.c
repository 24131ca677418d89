// SPDX-License-Identifier: GPL-2.0
/* daemon/losslessd/http.c: answers to requests, and addresses to listen at. */
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <net/if.h>
#include <sys/ioctl.h>

#include "../../daemon/losslessd/http.c"

/* The kernel does not answer. */
static bool silent;

int snapshot_take(struct lle_nl *nl, struct snapshot *s)
{
	*s = (struct snapshot){};
	return silent ? -EIO : 0;
}

void snapshot_free(struct snapshot *s)
{
	(void)s;
}

char *metrics_text(const struct snapshot *s, size_t *len)
{
	(void)s;
	*len = 2;
	return strdup("7\n");
}

void log_say(int priority, const char *format, ...)
{
	(void)priority;
	if (strcmp(format, "listen: %s: no device has this address yet"))
		printf("says %s\n", format);
}

void log_debug(enum log_topic topic, const char *format, ...)
{
	(void)topic, (void)format;
}

static const struct {
	const char *request, *status, *text;
	bool silent;
} requests[] = {
	{ "GET /metrics", "200", "\r\n\r\n7\n" },
	{ "HEAD /metrics", "200", "\r\n\r\n" },
	{ "GET /metrics", "503", "the kernel does not answer\n", .silent = true },
	{ "GET /", "404", "the metrics are at /metrics\n" },
	{ "POST /metrics", "405", "GET only\n" },
};

static const struct {
	const char *listen;
	int family, port;
} addresses[] = {
	{ "127.0.0.1:1", AF_INET, 1 }, { "[::1]:65535", AF_INET6, 65535 },
	{ "0.0.0.0:9417", AF_INET, 9417 }, { "127.0.0.1:65536" }, { "127.0.0.1:0" },
	{ "127.0.0.1:" }, { "127.0.0.1:1x" }, { "127.0.0.1" }, { "[::1:1" }, { "::1]:1" },
	{ "[]:1" }, { ":1" }, { "host:1" }, { "[1.2.3.4]:1" },
	{ "[2001:db8:1111:2222:3333:4444:5555:6666:7777:8888:9999:aaaa]:1" },
};

static void check_addresses(void)
{
	struct sockaddr_storage a;

	for (size_t i = 0; i < sizeof(addresses) / sizeof(addresses[0]); i++) {
		int err = http_address(addresses[i].listen, &a), port = 0;

		if (!err)
			port = ntohs(((struct sockaddr_in *)&a)->sin_port);
		if (err != (addresses[i].family ? 0 : -EINVAL) || port != addresses[i].port ||
		    (!err && a.ss_family != addresses[i].family))
			printf("%s: %d, port %d\n", addresses[i].listen, err, port);
	}
}

static void check_request(sd_event *loop, const char *request, const char *status,
			  const char *text)
{
	struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons(19417),
				  .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	int fd = socket(AF_INET, SOCK_STREAM, 0), i;
	char line[128], answer[1024] = "";
	size_t len = 0;
	ssize_t n;

	snprintf(line, sizeof(line), "%s HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n", request);
	if (connect(fd, (void *)&to, sizeof(to)) || write(fd, line, strlen(line)) < 0)
		printf("%s: no connection\n", request);
	for (i = 0; i < 20; i++) {
		sd_event_run(loop, 50000);
		n = recv(fd, answer + len, sizeof(answer) - 1 - len, MSG_DONTWAIT);
		if (!n)
			break;
		len += n > 0 ? n : 0;
	}
	close(fd);
	if (i == 20 || strncmp(answer + strlen("HTTP/1.1 "), status, 3) ||
	    len < strlen(text) || strcmp(answer + len - strlen(text), text) ||
	    !strstr(answer, !strcmp(status, "200") ? TYPE "\r\n" : "text/plain\r\n"))
		printf("%s: %s\n", request, answer);
}

static int loopback_up(void)
{
	struct ifreq ifr = { .ifr_name = "lo", .ifr_flags = IFF_UP };
	int fd = socket(AF_INET, SOCK_DGRAM, 0), err = ioctl(fd, SIOCSIFFLAGS, &ifr);

	close(fd);
	return err;
}

int main(void)
{
	struct http *http = NULL, *second = NULL;
	sd_event *loop;
	int err;

	check_addresses();
	/* no device has the address in a new network namespace, even of the loopback device */
	unshare(CLONE_NEWUSER | CLONE_NEWNET);
	sd_event_new(&loop);
	err = http_open(&http, loop, NULL, "192.0.2.1:19417");
	if (err)
		printf("an address that no device has: %d\n", err);
	http_close(http);
	if (loopback_up())
		printf("no loopback device\n");
	if (http_open(&http, loop, NULL, "127.0.0.1:19417"))
		printf("it does not listen\n");
	err = http_open(&second, loop, NULL, "127.0.0.1:19417");
	if (err != -EADDRINUSE || second)
		printf("twice: %d\n", err);
	if (http_open(&second, loop, NULL, "127.0.0.1") != -EINVAL)
		printf("no port\n");
	for (size_t i = 0; i < sizeof(requests) / sizeof(requests[0]); i++) {
		silent = requests[i].silent;
		check_request(loop, requests[i].request, requests[i].status, requests[i].text);
	}
	http_close(http);
	http_close(NULL);
	sd_event_unref(loop);
	return 0;
}
