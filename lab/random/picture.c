// SPDX-License-Identifier: GPL-2.0
/* Graph of waiting ports for dot(1). Red: dead; bold: has declared it. */
#include <errno.h>
#include <string.h>

#include "../../daemon/lib/client.h"
#include "random.h"

static bool has_declared(const struct outcome *o, int port)
{
	const struct lle_nl_deadlock *d;

	for (d = o->deadlocks; d < o->deadlocks + o->declared; d++)
		if (port_of(&o->state, d->sw, d->info.initiator.slot) == port)
			return true;
	return false;
}

/* Return: bytes from an ingress port that wait at an egress port */
static unsigned int waiting(const struct state *s, int ingress, int egress)
{
	const struct packet *p;
	unsigned int bytes = 0;

	for (p = s->packet; p < s->packet + s->packets; p++)
		if (p->ingress == ingress && p->egress == egress)
			bytes += p->bytes;
	return bytes;
}

static void picture_port(const struct outcome *o, int i, FILE *f)
{
	const struct state *s = &o->state;
	const struct port *p = &s->port[i];
	bool dead = o->dead.ports & PORT(i);
	unsigned int bytes;
	int e;

	fprintf(f, "\t\"%s\" [label=\"%s\\n%u/%u XON %u\"%s%s];\n", p->name,
		p->name, p->sw, p->slot, p->xon, dead ? ", color=red" : "",
		has_declared(o, i) ? ", style=bold" : "");
	for (e = 0; e < (int)s->ports; e++) {
		bytes = s->port[e].holder < 0 ? 0 : waiting(s, i, e);
		if (bytes)
			fprintf(f, "\t\"%s\" -> \"%s\" [label=\"%u at %s\"%s];\n",
				p->name, s->port[s->port[e].holder].name, bytes,
				s->port[e].name, dead ? ", color=red" : "");
	}
}

/* Return: 0; -1 after an error message. */
int picture_print(const struct outcome *o, const char *path)
{
	FILE *f = fopen(path, "w");
	unsigned int i;

	if (!f) {
		fprintf(stderr, "lle_random: %s: %s\n", path, strerror(errno));
		return -1;
	}
	fprintf(f, "digraph waits {\n");
	for (i = 0; i < o->state.ports; i++)
		if (o->state.port[i].pausing && o->state.port[i].peer)
			picture_port(o, i, f);
	fprintf(f, "}\n");
	fclose(f);
	return 0;
}
