// SPDX-License-Identifier: GPL-2.0
/*
 * Pauses in the log. A broken NIC sends more than 2000 a second, ever more, and
 * no data: "RDMA over Commodity Ethernet at Scale", section 6.2.
 */
#include <syslog.h>

#include "log.h"
#include "rates.h"

#define US_PER_S	1000000.0
#define PERIOD_US	300000000ULL
#define ORIGIN_PER_S	2000

static struct rates counters(const struct lle_nl_port *port,
			     uint64_t now_us)
{
	struct rates now = { .start_us = now_us, .rising = true };
	unsigned int p;

	for (p = 0; p < LLE_NUM_PRIO; p++) {
		now.rx_pause[p] = port->stats[p].rx_pause;
		now.tx_pause[p] = port->stats[p].tx_pause;
		now.rx_packets += port->stats[p].rx_packets;
		now.last_rx_pause += port->stats[p].rx_pause;
	}
	return now;
}

static void tell_origin(const struct lle_nl_port *port, double seconds,
			double per_s)
{
	struct json_object *f = log_fields("pause_origin", &port->who);
	char mac[LLE_NL_WORD];

	lle_nl_mac_text(mac, port->peer_mac);
	log_add_text(f, "peer", mac);
	log_add_double(f, "seconds", seconds);
	log_add_double(f, "pause_frames_per_s", per_s);
	log_event(LOG_WARNING, f,
		  "%s, at port %s, is likely the origin of pauses: %.0f pause frames/s for %.0f s, ever more, and no data packet",
		  mac, port->who.ifname, per_s, seconds);
}

static void tell(const struct lle_nl_port *port, const struct rates *r,
		 const struct rates *now)
{
	double seconds = (now->start_us - r->start_us) / US_PER_S;
	uint64_t received = 0, sent = 0, most = 0, packets;
	struct json_object *f;
	unsigned int p;

	for (p = 0; p < LLE_NUM_PRIO; p++) {
		uint64_t more = now->rx_pause[p] - r->rx_pause[p];

		received += more;
		sent += now->tx_pause[p] - r->tx_pause[p];
		if (most < more)
			most = more;
	}
	if (!received && !sent)
		return;
	packets = now->rx_packets - r->rx_packets;
	f = log_fields("pauses", &port->who);
	log_add_double(f, "seconds", seconds);
	log_add(f, "rx_pause", received);
	log_add(f, "tx_pause", sent);
	log_add(f, "rx_packets", packets);
	log_event(LOG_INFO, f,
		  "port %s: %llu pauses received, %llu sent in %.0f s",
		  port->who.ifname, (unsigned long long)received,
		  (unsigned long long)sent, seconds);
	if (r->rising && !packets && most / seconds > ORIGIN_PER_S)
		tell_origin(port, seconds, most / seconds);
}

void rates_check(const struct lle_nl_port *port, struct rates *r,
		 uint64_t now_us)
{
	const struct rates now = counters(port, now_us);

	/* the port is new, or was created anew */
	if (!r->start_us || now.last_rx_pause < r->last_rx_pause ||
	    now.rx_packets < r->rx_packets) {
		*r = now;
		return;
	}
	r->rising &= now.last_rx_pause > r->last_rx_pause;
	r->last_rx_pause = now.last_rx_pause;
	if (now_us - r->start_us < PERIOD_US)
		return;
	tell(port, r, &now);
	*r = now;
}
