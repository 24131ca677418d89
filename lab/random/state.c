// SPDX-License-Identifier: GPL-2.0
/* Reads the state of all switches from lle_oracle.ko. */
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"

static int state_find(const struct state *s, unsigned int ifindex)
{
	unsigned int i;

	for (i = 0; i < s->ports; i++)
		if (s->port[i].ifindex == ifindex)
			return i;
	return -1;
}

static bool state_port(struct state *s, const char *line)
{
	struct port *p = &s->port[s->ports];
	unsigned int prio, bytes;
	uint64_t pauses;

	if (s->ports == PORTS ||
	    sscanf(line, "port %u %15s %u %u %u %u %u %" SCNu64 " %u %" SCNu64
		   " %u %u %u %" SCNu64 " %" SCNu64 " %" SCNu64, &p->ifindex,
		   p->name, &p->sw, &p->slot, &p->peer, &prio, &p->pausing,
		   &p->pausing_ns, &p->paused, &p->paused_ns, &p->xon, &bytes,
		   &p->queued, &p->sent, &pauses, &p->drops) != 16)
		return false;
	s->ports++;
	return prio == PRIO;
}

/* Keeps the ifindex of ports until all ports are read. */
static bool state_packet(struct state *s, const char *line)
{
	struct packet *p = &s->packet[s->packets];
	unsigned int prio;

	if (s->packets == PACKETS ||
	    sscanf(line, "packet %d %u %d %u %" SCNu64, &p->egress, &prio,
		   &p->ingress, &p->bytes, &p->ns) != 5)
		return false;
	s->packets++;
	return prio == PRIO;
}

static bool state_saying(struct state *s, const char *line)
{
	struct saying *said = &s->saying[s->sayings];
	unsigned int pause;

	if (s->sayings == SAYINGS ||
	    sscanf(line, "said %" SCNu64 " %u", &said->ns, &pause) != 2)
		return false;
	s->sayings++;
	said->pause = pause;
	return true;
}

static bool state_line(struct state *s, const char *line)
{
	if (!strncmp(line, "port", 4))
		return state_port(s, line);
	if (!strncmp(line, "packet", 6))
		return state_packet(s, line);
	return state_saying(s, line);
}

static void state_connect(struct state *s)
{
	struct packet *packet;
	struct port *p;

	for (p = s->port; p < s->port + s->ports; p++) {
		p->holder = p->paused && p->peer ? state_find(s, p->peer) : -1;
		if (p->holder >= 0 && !s->port[p->holder].pausing)
			p->holder = -1;
	}
	for (packet = s->packet; packet < s->packet + s->packets; packet++) {
		packet->egress = state_find(s, packet->egress);
		packet->ingress = state_find(s, packet->ingress);
	}
}

static int state_compare(const void *a, const void *b)
{
	const struct port *x = a, *y = b;

	return (x->ifindex > y->ifindex) - (x->ifindex < y->ifindex);
}

/* Parses the lines of all parts. Return: 0; -1 after an error message. */
int state_read(struct state *s, const char *text)
{
	const char *end;
	char line[256];

	s->ports = 0;
	s->packets = 0;
	s->sayings = 0;
	for (; *text; text = end + 1) {
		end = strchr(text, '\n');
		if (end && end - text < (ptrdiff_t)sizeof(line)) {
			memcpy(line, text, end - text);
			line[end - text] = '\0';
			if (state_line(s, line))
				continue;
		}
		fprintf(stderr, "lle_random: a state that is not understood\n");
		return -1;
	}
	qsort(s->port, s->ports, sizeof(s->port[0]), state_compare);
	state_connect(s);
	return 0;
}
