// SPDX-License-Identifier: GPL-2.0
/* losslessctl ldcp: TCP sockets with LDCP. */
#include <arpa/inet.h>

#include "ctl.h"

/* "[", an address, "]:", and a port */
#define ENDPOINT	(INET6_ADDRSTRLEN + 9)

/* Names of enum lle_ldcp_phase, from 1 on; 0: no LDCP */
static const char *ctl_ldcp_phase(const struct lle_nl_tcp *tcp)
{
	static const char *const names[] = {
		"none", "first-rtt", "full", "count", "stable",
	};

	return tcp->phase < ARRAY_SIZE(names) ? names[tcp->phase] : "?";
}

static void ctl_endpoint(char *text, uint8_t family, const void *address, uint16_t port)
{
	char buffer[INET6_ADDRSTRLEN];

	snprintf(text, ENDPOINT, family == AF_INET6 ? "[%s]:%u" : "%s:%u",
		 inet_ntop(family, address, buffer, sizeof(buffer)) ? buffer : "?", port);
}

static double ctl_ldcp_window(const struct lle_nl_tcp *tcp)
{
	return tcp->window / 1024.0;
}

static void ctl_ldcp_text(const void *item, const void *arg)
{
	const struct lle_nl_tcp *tcp = item;
	char own[ENDPOINT], peer[ENDPOINT];

	(void)arg;
	ctl_endpoint(own, tcp->family, tcp->address, tcp->port);
	ctl_endpoint(peer, tcp->family, tcp->peer, tcp->peer_port);
	printf("%-23s %-23s %-9s ", own, peer,
	       tcp->phase ? ctl_ldcp_phase(tcp) : tcp->cc);
	printf("%9.3f %8u %8u %10u %10u %6u %8u\n", ctl_ldcp_window(tcp), tcp->rtt_us,
	       tcp->min_rtt_us, tcp->packets, tcp->marked, tcp->first_lost, tcp->retrans);
}

static struct json_object *ctl_ldcp_json(const void *item, const void *arg)
{
	struct json_object *o = ctl_object();
	const struct lle_nl_tcp *tcp = item;
	char text[ENDPOINT];

	(void)arg;
	inet_ntop(tcp->family, tcp->address, text, sizeof(text));
	ctl_put_text(o, "address", text);
	ctl_put_u64(o, "port", tcp->port);
	inet_ntop(tcp->family, tcp->peer, text, sizeof(text));
	ctl_put_text(o, "peer", text);
	ctl_put_u64(o, "peer_port", tcp->peer_port);
	ctl_put_text(o, "cc", tcp->cc);
	ctl_put_text(o, "phase", ctl_ldcp_phase(tcp));
	ctl_put(o, "window", json_object_new_double(ctl_ldcp_window(tcp)));
	ctl_put_u64(o, "rtt_us", tcp->rtt_us);
	ctl_put_u64(o, "min_rtt_us", tcp->min_rtt_us);
	ctl_put_u64(o, "packets", tcp->packets);
	ctl_put_u64(o, "marked", tcp->marked);
	ctl_put_u64(o, "first_rtt_lost", tcp->first_lost);
	ctl_put_u64(o, "retrans", tcp->retrans);
	ctl_put_u64(o, "acked_bytes", tcp->acked_bytes);
	return o;
}

static const struct ctl_rows ctl_ldcp_rows = {
	sizeof(struct lle_nl_tcp),
	"LOCAL                   PEER                    PHASE        WINDOW   RTT_US   MIN_US    PACKETS     MARKED    1ST  RETRANS",
	NULL, ctl_ldcp_text, ctl_ldcp_json
};

enum ctl_exit ctl_ldcp_show(struct ctl *c, int argc, char **argv)
{
	struct lle_nl_tcp *tcps;
	enum ctl_exit ret = ctl_words(c, argc, argv, "ldcp show", 0);
	int num;

	if (ret)
		return ret;
	if (!ctl_open(c))
		return CTL_FAIL;
	num = lle_nl_get_tcps(c->nl, &tcps);
	return ctl_show(c, &ctl_ldcp_rows, tcps, num, NULL,
			"no TCP socket in this network namespace uses LDCP");
}
