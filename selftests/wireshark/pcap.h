/* SPDX-License-Identifier: GPL-2.0 */
/* Writes pcap files for tshark. */
#ifndef LLE_PCAP_H
#define LLE_PCAP_H

#include <stdio.h>
#include <stdlib.h>

static FILE *open_in(const char *dir, const char *name)
{
	char path[4096];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	file = fopen(path, "w");
	if (!file) {
		perror(path);
		exit(1);
	}
	return file;
}

static FILE *pcap_open(const char *dir, const char *name)
{
	/* magic, version 2.4, time zone, accuracy, longest frame, Ethernet */
	static const u32 head[] = { 0xa1b2c3d4, 4 << 16 | 2, 0, 0, 65535, 1 };
	FILE *file = open_in(dir, name);

	fwrite(head, sizeof(head), 1, file);
	return file;
}

static void pcap_add(FILE *file, const void *octets, u32 len, u32 captured)
{
	/* seconds, microseconds, captured octets, octets on the wire */
	const u32 head[] = { 0, 0, captured, len };

	fwrite(head, sizeof(head), 1, file);
	fwrite(octets, captured, 1, file);
}

#endif /* LLE_PCAP_H */
