// SPDX-License-Identifier: GPL-2.0
/* Prints a network for lle-testbed, and its flows for lle_rnic.ko. */
#include "../../daemon/lib/client.h"
#include "random.h"

/* Enough for the longest link, delayed frames, and one lost pause */
#define HEADROOM	(96 * FRAME)
#define BUFFER		(64 << 20)

/* Return: the buffer of a bridge's switch, bytes. */
uint32_t testbed_buffer(const struct network *n, unsigned int bridge)
{
	unsigned int whole = n->bridge[bridge].whole, b;
	uint32_t bytes = 0;

	if (!n->dynamic)
		return BUFFER;
	for (b = 0; b < n->bridges; b++)
		if (n->bridge[b].whole == whole)
			bytes += n->bridge[b].ports *
				 (HEADROOM + n->bridge[whole].pool);
	return bytes;
}

static void testbed_switch(const struct network *n, unsigned int number,
			   FILE *f)
{
	const struct bridge *b = &n->bridge[number];
	char alpha[LLE_NL_WORD];

	fprintf(f, "switch s%u", number + 1);
	if (b->whole != number)
		fprintf(f, " with s%u", b->whole + 1);
	fprintf(f, " buffer %u headroom %u xon-delta %u",
		testbed_buffer(n, number), HEADROOM, b->xon_delta);
	if (b->xoff)
		fprintf(f, " xoff %u\n", b->xoff);
	else
		fprintf(f, " alpha %s\n", lle_nl_alpha_text(alpha, b->to_alpha));
}

void testbed_print(const struct network *n, FILE *f)
{
	/* headroom is explicit: only RCM needs the reaction time */
	const char *rcm = !n->rcm_on ? "" :
			  n->las ? " reaction 0 rcm on rcm-las 20" :
				   " reaction 0 rcm on";
	unsigned int b, h, i;
	char link[64];

	snprintf(link, sizeof(link), "rate %llubit delay %lluns",
		 (unsigned long long)n->rate, (unsigned long long)n->delay_ns);
	for (b = 0; b < n->bridges; b++)
		testbed_switch(n, b, f);
	for (i = 0; i < n->links; i++)
		fprintf(f, "link s%u s%u %s\n", n->link[i][0] + 1,
			n->link[i][1] + 1, link);
	for (h = 0; h < n->hosts; h++)
		fprintf(f, "host h%u s%u %s\n", h + 1, n->host[h].bridge + 1,
			link);
	for (b = 0; b < n->bridges; b++)
		for (h = 0; h < n->hosts; h++)
			if (n->bridge[b].via[h] != NONE)
				fprintf(f, "route s%u h%u via s%u\n", b + 1,
					h + 1, n->bridge[b].via[h] + 1);
	fprintf(f, "qdisc edge prio-pfc %u:on%s\n", PRIO, rcm);
	fprintf(f, "qdisc fabric prio-pfc %u:on deadlock alert%s\n", PRIO, rcm);
	fprintf(f, "qdisc host prio-pfc %u:on\n", PRIO);
}

/* Prints no pause of host number @never. */
void flows_print(const struct network *n, int never, FILE *f)
{
	unsigned int i;

	for (i = 0; i < n->flows; i++) {
		const struct flow *flow = &n->flow[i];

		fprintf(f, "%llu %llu 10.0.0.%u 10.0.0.%u %u %llu\n",
			(unsigned long long)flow->start_ns,
			(unsigned long long)flow->size, flow->src + 1,
			flow->dst + 1, PRIO, (unsigned long long)flow->rate);
	}
	for (i = 0; i < n->hosts; i++) {
		const struct host *h = &n->host[i];

		if (h->pause_ns && (int)i != never)
			fprintf(f, "storm %llu 10.0.0.%u %u %llu\n",
				(unsigned long long)h->storm_ns, i + 1, PRIO,
				(unsigned long long)h->pause_ns);
	}
}
