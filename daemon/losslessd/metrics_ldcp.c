// SPDX-License-Identifier: GPL-2.0
/* Metrics of LDCP sockets: the counters of the module, if it is loaded. */
#include <stdio.h>
#include <string.h>

#include "metrics.h"

#define STATS	"/proc/net/ldcp"

static const struct {
	const char *name;
	const char *help;
} metrics[] = {
	{ "flows", "Sockets that started with LDCP." },
	{ "restarts", "Restarts of sockets after an idle time." },
	{ "no_ecn", "Sockets without LDCP because their peer has no ECN." },
	{ "packets", "Acknowledged packets that were ECN capable." },
	{ "marked", "Packets of these that were marked." },
	{ "first_rtt_lost", "Packets of a first RTT that were sent again." },
	{ "losses", "Losses in the stable stage." },
	{ "timeouts", "Retransmission time-outs." },
};

void metrics_ldcp(FILE *f)
{
	FILE *stats = fopen(STATS, "re");
	unsigned long long value;
	char name[32], full[64];
	unsigned int i;

	if (!stats)
		return;
	while (fscanf(stats, "%31s %llu", name, &value) == 2)
		for (i = 0; i < sizeof(metrics) / sizeof(metrics[0]); i++) {
			if (strcmp(name, metrics[i].name))
				continue;
			snprintf(full, sizeof(full), "lossless_ldcp_%s_total", name);
			metrics_head(f, full, "counter", metrics[i].help);
			fprintf(f, "%s %llu\n", full, value);
		}
	fclose(stats);
}
