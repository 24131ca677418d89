// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <string.h>

#include "metrics.h"

void metrics_head(FILE *f, const char *name, const char *type, const char *help)
{
	fprintf(f, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

/* @text: METRICS_LABELS bytes; returns its end */
char *metrics_device(char *text, const char *name)
{
	text = stpcpy(text, "device=\"");
	for (; *name; name++) {
		if (*name == '\\' || *name == '"')
			*text++ = '\\';
		*text++ = *name;
	}
	return stpcpy(text, "\"");
}

void metrics_prio(char *text, const struct lle_nl_who *who, unsigned int prio)
{
	sprintf(metrics_device(text, who->ifname), ",priority=\"%u\"", prio);
}
