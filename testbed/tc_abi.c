// SPDX-License-Identifier: GPL-2.0
/* tc's functions for the plugin. Return: -1: no room in @maxlen, wrong text */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "tb.h"
#include "tc.h"

static struct rtattr *tail(struct nlmsghdr *n)
{
	return (struct rtattr *)((char *)n + NLMSG_ALIGN(n->nlmsg_len));
}

int addattr_l(struct nlmsghdr *n, int maxlen, int type, const void *data,
	      int alen)
{
	struct rtattr *attr = tail(n);
	int len = RTA_LENGTH(alen);

	if ((int)(NLMSG_ALIGN(n->nlmsg_len) + RTA_ALIGN(len)) > maxlen)
		return -1;
	memset(attr, 0, RTA_ALIGN(len));
	attr->rta_type = type;
	attr->rta_len = len;
	if (alen)
		memcpy(RTA_DATA(attr), data, alen);
	n->nlmsg_len = NLMSG_ALIGN(n->nlmsg_len) + RTA_ALIGN(len);
	return 0;
}

struct rtattr *addattr_nest(struct nlmsghdr *n, int maxlen, int type)
{
	struct rtattr *nest = tail(n);

	addattr_l(n, maxlen, type, NULL, 0);
	return nest;
}

int addattr_nest_end(struct nlmsghdr *n, struct rtattr *nest)
{
	nest->rta_len = (char *)tail(n) - (char *)nest;
	return n->nlmsg_len;
}

int get_u32(__u32 *val, const char *arg, int base)
{
	unsigned long value;
	char *end;

	errno = 0;
	value = strtoul(arg, &end, base);
	if (errno || !isdigit((unsigned char)*arg) || *end ||
	    value > UINT32_MAX)
		return -1;
	*val = value;
	return 0;
}

struct unit {
	const char *name;
	double scale;
};

/* Return: 0; -1 if @str is not a number with one of the units. */
static int get_scaled(double *value, const char *str, const struct unit *units,
		      unsigned int num)
{
	unsigned int i;
	char *end;

	*value = strtod(str, &end);
	if (end == str)
		return -1;
	for (i = 0; i < num; i++) {
		if (!strcasecmp(end, units[i].name)) {
			*value *= units[i].scale;
			return 0;
		}
	}
	return -1;
}

/* @rate: bytes per second; a number without unit is bits per second */
int get_rate64(__u64 *rate, const char *str)
{
	static const struct unit units[] = {
		{ "", 1 }, { "bit", 1 },
		{ "kibit", 0x1p10 }, { "kbit", 1e3 },
		{ "mibit", 0x1p20 }, { "mbit", 1e6 },
		{ "gibit", 0x1p30 }, { "gbit", 1e9 },
		{ "tibit", 0x1p40 }, { "tbit", 1e12 },
		{ "bps", 8 },
		{ "kibps", 0x1p13 }, { "kbps", 8e3 },
		{ "mibps", 0x1p23 }, { "mbps", 8e6 },
		{ "gibps", 0x1p33 }, { "gbps", 8e9 },
		{ "tibps", 0x1p43 }, { "tbps", 8e12 },
	};
	double bits;

	if (get_scaled(&bits, str, units, ARRAY_SIZE(units)) ||
	    !(bits >= 0 && bits < 0x1p64))
		return -1;
	*rate = bits / 8;
	return 0;
}

/* @size: bytes; units are powers of 1024 */
int get_size(unsigned int *size, const char *str)
{
	static const struct unit units[] = {
		{ "", 1 }, { "b", 1 },
		{ "kb", 0x1p10 }, { "k", 0x1p10 }, { "kbit", 0x1p7 },
		{ "mb", 0x1p20 }, { "m", 0x1p20 }, { "mbit", 0x1p17 },
		{ "gb", 0x1p30 }, { "g", 0x1p30 }, { "gbit", 0x1p27 },
	};
	double bytes;

	if (get_scaled(&bytes, str, units, ARRAY_SIZE(units)) ||
	    !(bytes >= 0 && bytes <= UINT32_MAX))
		return -1;
	*size = bytes;
	return 0;
}
