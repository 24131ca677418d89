/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLED_HTTP_H
#define LLED_HTTP_H

#include <sys/socket.h>
#include <systemd/sd-event.h>

#include "../lib/client.h"

struct http;

int http_address(const char *listen, struct sockaddr_storage *address);
int http_open(struct http **http, sd_event *loop, struct lle_nl *nl,
	      const char *listen);
void http_close(struct http *http);

#endif /* LLED_HTTP_H */
