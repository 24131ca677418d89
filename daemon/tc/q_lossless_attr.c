// SPDX-License-Identifier: GPL-2.0
/* Reads netlink attributes, and formats their values. */
#include <string.h>

#include "q_lossless.h"

/* @tb: by type, to @max; NULL: absent. The last attribute of a type counts. */
void lossless_attr_parse(const struct rtattr *tb[], unsigned int max,
			 const struct rtattr *nest)
{
	const struct rtattr *attr = RTA_DATA(nest);
	int len = RTA_PAYLOAD(nest);
	unsigned int type;

	memset(tb, 0, (max + 1) * sizeof(*tb));
	for (; RTA_OK(attr, len); attr = RTA_NEXT(attr, len)) {
		type = attr->rta_type & NLA_TYPE_MASK;
		if (type <= max)
			tb[type] = attr;
	}
}

/* Reads a u8, u16, u32 or u64. @attr: NULL: 0 */
__u64 lossless_attr_get(const struct rtattr *attr)
{
	__u64 u64;
	__u32 u32;
	__u16 u16;

	if (!attr)
		return 0;

	switch (RTA_PAYLOAD(attr)) {
	case sizeof(__u8):
		return *(const __u8 *)RTA_DATA(attr);
	case sizeof(u16):
		memcpy(&u16, RTA_DATA(attr), sizeof(u16));
		return u16;
	case sizeof(u32):
		memcpy(&u32, RTA_DATA(attr), sizeof(u32));
		return u32;
	case sizeof(u64):
		memcpy(&u64, RTA_DATA(attr), sizeof(u64));
		return u64;
	}
	return 0;
}

/* @attr: bitfield32; NULL: 0 */
__u32 lossless_attr_bits(const struct rtattr *attr)
{
	struct nla_bitfield32 bits = {};

	lossless_attr_array(attr, &bits, sizeof(bits), 1);
	return bits.value;
}

/* @size: bytes per element. Return: number of elements, at most @max */
unsigned int lossless_attr_array(const struct rtattr *attr, void *array,
				 unsigned int size, unsigned int max)
{
	unsigned int n;

	if (!attr)
		return 0;
	n = RTA_PAYLOAD(attr) / size;
	if (n > max)
		n = max;
	memcpy(array, RTA_DATA(attr), n * size);
	return n;
}

/* Exact, as tc reads it. @units: each @step times the one before */
static const char *lossless_units_text(char *buf, __u64 value, unsigned int step,
				       const char *const units[4])
{
	unsigned int i;

	for (i = 0; value && !(value % step) && i < 3; i++)
		value /= step;
	snprintf(buf, LOSSLESS_TEXT, "%llu%s", (unsigned long long)value, units[i]);
	return buf;
}

/* @buf: LOSSLESS_TEXT bytes */
const char *lossless_size_text(char *buf, __u64 bytes)
{
	static const char * const units[] = { "b", "Kb", "Mb", "Gb" };

	return lossless_units_text(buf, bytes, 1024, units);
}

/* As lossless_size_text() */
const char *lossless_time_text(char *buf, __u64 ns)
{
	static const char * const units[] = { "ns", "us", "ms", "s" };

	return lossless_units_text(buf, ns, 1000, units);
}

/* As lossless_size_text(). @to_alpha: at most LLE_TO_ALPHA_MAX */
const char *lossless_alpha_text(char *buf, unsigned int to_alpha)
{
	if (to_alpha >= LLE_TO_ALPHA_ONE)
		snprintf(buf, LOSSLESS_TEXT, "%u",
			 1U << (to_alpha - LLE_TO_ALPHA_ONE));
	else
		snprintf(buf, LOSSLESS_TEXT, "1/%u",
			 1U << (LLE_TO_ALPHA_ONE - to_alpha));
	return buf;
}
