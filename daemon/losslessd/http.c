// SPDX-License-Identifier: GPL-2.0
/* The Prometheus endpoint: GET /metrics, on the event loop of the daemon. */
#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <syslog.h>
#include <unistd.h>

#include "http.h"
#include "log.h"
#include "metrics.h"

#define MAX_CONNECTIONS	16
#define TIMEOUT_S	10
#define TYPE		"text/plain; version=0.0.4; charset=utf-8"

struct http {
	struct MHD_Daemon *daemon;
	sd_event_source *io;
	sd_event_source *timer;	/* when libmicrohttpd must run again */
	struct lle_nl *nl;
};

static enum MHD_Result answer(struct MHD_Connection *connection, int status,
			      const char *type, void *text, size_t len,
			      enum MHD_ResponseMemoryMode mode)
{
	struct MHD_Response *response;
	enum MHD_Result result;

	response = MHD_create_response_from_buffer(len, text, mode);
	if (!response)
		return MHD_NO;
	MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, type);
	result = MHD_queue_response(connection, status, response);
	MHD_destroy_response(response);
	return result;
}

static enum MHD_Result say(struct MHD_Connection *connection, int status,
			   const char *text)
{
	return answer(connection, status, "text/plain", (void *)text,
		      strlen(text), MHD_RESPMEM_PERSISTENT);
}

static enum MHD_Result serve(void *arg, struct MHD_Connection *connection,
			     const char *url, const char *method,
			     const char *version, const char *data,
			     size_t *data_len, void **state)
{
	struct http *http = arg;
	struct snapshot s;
	char *text = NULL;
	size_t len;

	(void)version, (void)data, (void)data_len, (void)state;
	if (strcmp(method, MHD_HTTP_METHOD_GET) &&
	    strcmp(method, MHD_HTTP_METHOD_HEAD))
		return say(connection, MHD_HTTP_METHOD_NOT_ALLOWED,
			   "GET only\n");
	if (strcmp(url, "/metrics"))
		return say(connection, MHD_HTTP_NOT_FOUND,
			   "the metrics are at /metrics\n");
	if (!snapshot_take(http->nl, &s))
		text = metrics_text(&s, &len);
	log_debug(TOPIC_METRICS, "scrape: %zu bytes", text ? len : 0);
	snapshot_free(&s);
	if (!text)
		return say(connection, MHD_HTTP_SERVICE_UNAVAILABLE,
			   "the kernel does not answer\n");
	return answer(connection, MHD_HTTP_OK, TYPE, text, len,
		      MHD_RESPMEM_MUST_FREE);
}

static int run(struct http *http)
{
	MHD_UNSIGNED_LONG_LONG ms;
	uint64_t now_us;

	MHD_run(http->daemon);
	if (MHD_get_timeout(http->daemon, &ms) != MHD_YES)
		return sd_event_source_set_enabled(http->timer, SD_EVENT_OFF);
	sd_event_now(sd_event_source_get_event(http->timer), CLOCK_MONOTONIC,
		     &now_us);
	sd_event_source_set_time(http->timer, now_us + ms * 1000);
	return sd_event_source_set_enabled(http->timer, SD_EVENT_ONESHOT);
}

static int on_io(sd_event_source *source, int fd, uint32_t events, void *arg)
{
	(void)source, (void)fd, (void)events;
	return run(arg);
}

static int on_timer(sd_event_source *source, uint64_t at_us, void *arg)
{
	(void)source, (void)at_us;
	return run(arg);
}

/* @listen: such as "127.0.0.1:9417" or "[::1]:9417"; -EINVAL: wrong */
int http_address(const char *listen, struct sockaddr_storage *address)
{
	struct sockaddr_in6 *in6 = (void *)address;
	struct sockaddr_in *in = (void *)address;
	const char *colon = strrchr(listen, ':');
	char host[INET6_ADDRSTRLEN + 2], *end;
	unsigned long port;
	size_t len;

	if (!colon || (size_t)(colon - listen) >= sizeof(host))
		return -EINVAL;
	len = colon - listen;
	memcpy(host, listen, len);
	host[len] = '\0';
	port = strtoul(colon + 1, &end, 10);
	if (end == colon + 1 || *end || !port || port > UINT16_MAX)
		return -EINVAL;

	memset(address, 0, sizeof(*address));
	if (len > 2 && host[0] == '[' && host[len - 1] == ']') {
		host[len - 1] = '\0';
		in6->sin6_family = AF_INET6;
		in6->sin6_port = htons(port);
		return inet_pton(AF_INET6, host + 1, &in6->sin6_addr) == 1 ?
			       0 : -EINVAL;
	}
	in->sin_family = AF_INET;
	in->sin_port = htons(port);
	return inet_pton(AF_INET, host, &in->sin_addr) == 1 ? 0 : -EINVAL;
}

/* 1: no device has the address yet; connections are accepted when one has. */
static int bind_to(int fd, const struct sockaddr_storage *address)
{
	bool v6 = address->ss_family == AF_INET6;
	socklen_t len = v6 ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in);
	const int on = 1;

	if (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) ||
	    (v6 && setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof(on))))
		return -errno;
	if (!bind(fd, (const struct sockaddr *)address, len))
		return 0;
	if (errno != EADDRNOTAVAIL ||
	    setsockopt(fd, v6 ? IPPROTO_IPV6 : IPPROTO_IP, v6 ? IPV6_FREEBIND : IP_FREEBIND,
		       &on, sizeof(on)) ||
	    bind(fd, (const struct sockaddr *)address, len))
		return -errno;
	return 1;
}

/* Own socket: libmicrohttpd does not say why it cannot listen. */
static int listen_at(const char *listen_to, const struct sockaddr_storage *address)
{
	int fd = socket(address->ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	int err;

	if (fd < 0)
		return -errno;
	err = bind_to(fd, address);
	if (err > 0)
		log_say(LOG_NOTICE, "listen: %s: no device has this address yet", listen_to);
	if (err >= 0)
		err = listen(fd, SOMAXCONN) ? -errno : 0;
	if (!err)
		return fd;
	close(fd);
	return err;
}

static int serve_on(struct http *http, sd_event *loop, int fd, bool v6)
{
	const union MHD_DaemonInfo *info;
	int err;

	errno = 0;
	http->daemon = MHD_start_daemon(
		MHD_USE_EPOLL | (v6 ? MHD_USE_IPv6 : 0), 0, NULL, NULL, serve, http,
		MHD_OPTION_LISTEN_SOCKET, (MHD_socket)fd,
		MHD_OPTION_CONNECTION_LIMIT, (unsigned int)MAX_CONNECTIONS,
		MHD_OPTION_CONNECTION_TIMEOUT, (unsigned int)TIMEOUT_S,
		MHD_OPTION_END);
	if (!http->daemon) {
		err = errno ? -errno : -ENOMEM;
		close(fd);
		return err;
	}
	info = MHD_get_daemon_info(http->daemon, MHD_DAEMON_INFO_EPOLL_FD);
	err = sd_event_add_io(loop, &http->io, info->epoll_fd, EPOLLIN, on_io,
			      http);
	if (err >= 0)
		err = sd_event_add_time(loop, &http->timer, CLOCK_MONOTONIC, 0,
					1000, on_timer, http);
	return err < 0 ? err : 0;
}

/* @to: see http_address(); no device need have the address yet */
int http_open(struct http **result, sd_event *loop, struct lle_nl *nl,
	      const char *to)
{
	struct sockaddr_storage address;
	struct http *http;
	int err, fd;

	err = http_address(to, &address);
	if (err)
		return err;
	fd = listen_at(to, &address);
	if (fd < 0)
		return fd;
	http = calloc(1, sizeof(*http));
	if (!http) {
		close(fd);
		return -ENOMEM;
	}
	http->nl = nl;
	err = serve_on(http, loop, fd, address.ss_family == AF_INET6);
	if (err) {
		http_close(http);
		return err;
	}
	*result = http;
	return 0;
}

void http_close(struct http *http)
{
	if (!http)
		return;
	sd_event_source_unref(http->io);
	sd_event_source_unref(http->timer);
	if (http->daemon)
		MHD_stop_daemon(http->daemon);
	free(http);
}
