// SPDX-License-Identifier: GPL-2.0
/* Parts of metrics: heads and labels. */
#include <stdio.h>
#include <string.h>

#include "metrics.h"

/**
 * metrics_head() - print the head of a metric
 * @f: output file
 * @name: its name
 * @type: counter or gauge
 * @help: description
 */
void metrics_head(FILE *f, const char *name, const char *type, const char *help)
{
	fprintf(f, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

/**
 * metrics_device() - format the label of a device, escaping its name
 * @text: result, METRICS_LABELS bytes
 * @name: name of the device
 *
 * Return: the end of the text.
 */
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

/**
 * metrics_prio() - format the labels of a priority of a port
 * @text: result, METRICS_LABELS bytes
 * @who: the port
 * @prio: the priority
 */
void metrics_prio(char *text, const struct lle_nl_who *who, unsigned int prio)
{
	sprintf(metrics_device(text, who->ifname), ",priority=\"%u\"", prio);
}
