// SPDX-License-Identifier: GPL-2.0
/* Marks of ports for LDCP; a change by another program stays, and is reported. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <syslog.h>

#include "log.h"
#include "marks.h"

/* Smallest kmax - kmin: of a flow of few packets, only a part is marked. */
#define MIN_PACKETS	16

/* Keeps kmax below 1 GiB, the largest threshold of the qdisc. */
#define BDP_MAX		(400U << 20)

/* State that LDCP cannot work with */
enum wrong {
	WRONG_MARKS,	/* another program has changed them */
	WRONG_PAUSES,	/* the priority is lossless */
	WRONG_RATE,	/* a first RTT has more than the port sends in an RTT */
	NUM_WRONG
};

static const char *const names[NUM_WRONG] = {
	[WRONG_MARKS] = "marks",
	[WRONG_PAUSES] = "pauses",
	[WRONG_RATE] = "rate",
};

/* @now is to be freed, also after a failure. */
int marks_read(struct lle_nl *nl, struct marks *now)
{
	*now = (struct marks){ 0 };
	now->num_ports = lle_nl_get_ports(nl, &now->ports);
	if (now->num_ports < 0)
		return now->num_ports;
	now->num_wreds = lle_nl_get_wreds(nl, &now->wreds);
	return now->num_wreds < 0 ? now->num_wreds : 0;
}

void marks_free(struct marks *now)
{
	free(now->ports);
	free(now->wreds);
}

static uint32_t larger(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

/*
 * @rate: bytes per second; 0: that of the path. From kmax on all packets are
 * marked, or dropped if they are not ECN capable.
 */
static struct lle_nl_wred marks_of(const struct conf_ldcp *conf, uint64_t rate)
{
	uint64_t bdp = (rate ?: conf->rate_mbit * 125000ULL) * conf->rtt_us / 1000000;
	uint32_t kmin, kmax;

	if (bdp > BDP_MAX)
		bdp = BDP_MAX;
	kmin = larger(bdp / 20, 2 * CONF_FRAME_BYTES);
	kmax = kmin + larger(conf->lowq ? bdp : 2 * bdp, MIN_PACKETS * CONF_FRAME_BYTES);
	return (struct lle_nl_wred){
		.prio = conf->prio, .ecn = 1, .kmin_bytes = kmin,
		.kmax_bytes = kmax, .pmax_q32 = UINT32_MAX, .nonect_bytes = kmax,
	};
}

static struct lle_nl_wred now_of(const struct marks *now, uint32_t ifindex, uint8_t prio)
{
	int i;

	for (i = 0; i < now->num_wreds; i++)
		if (now->wreds[i].ifindex == ifindex && now->wreds[i].prio == prio)
			return now->wreds[i];
	return (struct lle_nl_wred){ .ifindex = ifindex, .prio = prio };
}

static bool same(const struct lle_nl_wred *a, const struct lle_nl_wred *b)
{
	return a->ecn == b->ecn && a->dequeue == b->dequeue &&
	       a->kmin_bytes == b->kmin_bytes && a->kmax_bytes == b->kmax_bytes && a->pmax_q32 == b->pmax_q32 &&
	       a->nonect_bytes == b->nonect_bytes && a->bufmax_bytes == b->bufmax_bytes;
}

static const struct lle_nl_port *port_of(const struct marks *now, uint32_t ifindex)
{
	int i;

	for (i = 0; i < now->num_ports; i++)
		if (now->ports[i].who.ifindex == ifindex)
			return &now->ports[i];
	return NULL;
}

static bool is_known(const struct ldcp_state *s, uint32_t ifindex)
{
	unsigned int i;

	for (i = 0; i < s->num_wreds; i++)
		if (s->wreds[i].own.ifindex == ifindex)
			return true;
	return false;
}

/* Record the marks of ports that are not known yet. */
int marks_want(struct ldcp_state *s, const struct marks *now,
	       const struct conf_ldcp *conf)
{
	struct lle_nl_wred own, old;
	uint32_t ifindex;
	int i, err = 0;

	for (i = 0; i < now->num_ports && !err; i++) {
		ifindex = now->ports[i].who.ifindex;
		if (is_known(s, ifindex))
			continue;
		own = marks_of(conf, now->ports[i].rate);
		own.ifindex = ifindex;
		old = now_of(now, ifindex, conf->prio);
		err = ldcp_state_add_wred(s, &old, &own);
	}
	return err;
}

__attribute__((format(printf, 5, 6)))
static void check(struct ldcp_wred *w, const struct lle_nl_port *port, enum wrong wrong,
		  bool is, const char *format, ...)
{
	bool reported = w->reported >> wrong & 1;
	struct json_object *f;
	char text[160];
	va_list args;

	if (is == reported)
		return;
	w->reported ^= 1U << wrong;
	f = log_fields(is ? "drift" : "drift_mended", &port->who);
	log_add_text(f, "what", "ldcp");
	log_add_text(f, "of", names[wrong]);
	log_add(f, "prio", w->own.prio);
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	log_event(is ? LOG_WARNING : LOG_NOTICE, f, "port %s, priority %u, LDCP: %s%s",
		  port->who.ifname, w->own.prio, is ? "" : "no longer: ", text);
}

static void look(struct ldcp_wred *w, const struct lle_nl_port *port,
		 const struct lle_nl_wred *now, const struct conf_ldcp *conf)
{
	check(w, port, WRONG_MARKS, !same(now, &w->own),
	      "marks are not as rate and rtt ask for: kmin %u kmax %u nonect %u, and not %u %u %u",
	      w->own.kmin_bytes, w->own.kmax_bytes, w->own.nonect_bytes,
	      now->kmin_bytes, now->kmax_bytes, now->nonect_bytes);
	check(w, port, WRONG_PAUSES, port->pfc_en >> w->own.prio & 1,
	      "it is lossless, and LDCP needs losses in the first RTT");
	check(w, port, WRONG_RATE, port->rate && port->rate < conf->rate_mbit * 125000ULL,
	      "a first RTT of hosts with %u Mbit/s is more than the %llu of the port carry",
	      conf->rate_mbit, (unsigned long long)port->rate / 125000);
}

/* Set the marks that were not tried yet, and report faults. */
void marks_set(struct lle_nl *nl, struct ldcp_state *s, const struct marks *now,
	       const struct conf_ldcp *conf)
{
	const struct lle_nl_port *port;
	struct lle_nl_wred is;
	struct ldcp_wred *w;

	for (w = s->wreds; w < s->wreds + s->num_wreds; w++) {
		port = port_of(now, w->own.ifindex);
		if (!port)
			continue;
		is = now_of(now, w->own.ifindex, w->own.prio);
		if (!w->tried) {
			w->tried = true;
			if (!same(&is, &w->own) && lle_nl_set_wred(nl, &w->own) < 0)
				log_say(LOG_WARNING, "ldcp: %s", lle_nl_text(nl));
			else
				is = w->own;
		}
		look(w, port, &is, conf);
	}
}

/* Unless another program has changed them */
void marks_put_back(struct lle_nl *nl, const struct ldcp_state *s,
		    const struct marks *now)
{
	const struct ldcp_wred *w;
	struct lle_nl_wred is;

	for (w = s->wreds; w < s->wreds + s->num_wreds; w++) {
		is = now_of(now, w->own.ifindex, w->own.prio);
		if (same(&is, &w->own) && !same(&w->old, &w->own) &&
		    lle_nl_set_wred(nl, &w->old) < 0)
			log_say(LOG_WARNING, "ldcp: not restored: %s", lle_nl_text(nl));
	}
}
