// SPDX-License-Identifier: GPL-2.0
/* Names and formats for output. */
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "counter_names_gen.h"
#include "client.h"

/* @cure: enum lossless_deadlock_cure */
const char *lle_nl_cure_name(unsigned int cure)
{
	static const char *const names[] = LOSSLESS_DEADLOCK_CURE_NAMES;

	return cure < sizeof(names) / sizeof(names[0]) ? names[cure] : "unknown";
}

/* @role: enum lossless_crd_role */
const char *lle_nl_crd_role_name(unsigned int role)
{
	static const char *const names[] = LOSSLESS_CRD_ROLE_NAMES;

	return role < sizeof(names) / sizeof(names[0]) ? names[role] : "unknown";
}

/* As in tc and sysfs */
const char *lle_nl_drop_name(enum lle_drop_reason reason)
{
#define DROP_NAME(reason, member, name) [LLE_DROP_##reason] = #name,
	static const char * const names[] = { LLE_PRIO_DROPS(DROP_NAME) };

	return names[reason];
}

uint64_t lle_nl_drop(const struct lle_prio_stats *s, enum lle_drop_reason reason)
{
#define DROP_AT(reason, member, name) \
	[LLE_DROP_##reason] = offsetof(struct lle_prio_stats, member),
	static const size_t at[] = { LLE_PRIO_DROPS(DROP_AT) };

	return *(const __u64 *)((const char *)s + at[reason]);
}

/* @action: enum lossless_watchdog_action */
const char *lle_nl_action_name(unsigned int action)
{
	static const char *const names[] = LOSSLESS_WATCHDOG_ACTION_NAMES;

	return action <= LLE_NL_ACTION_MAX ? names[action] : "unknown";
}

/* @to_alpha: alpha is 2^(to_alpha - 10) */
const char *lle_nl_alpha_text(char *text, unsigned int to_alpha)
{
	if (to_alpha > LLE_TO_ALPHA_MAX)
		snprintf(text, LLE_NL_WORD, "unknown");
	else if (to_alpha >= LLE_TO_ALPHA_ONE)
		snprintf(text, LLE_NL_WORD, "%u",
			 1U << (to_alpha - LLE_TO_ALPHA_ONE));
	else
		snprintf(text, LLE_NL_WORD, "1/%u",
			 1U << (LLE_TO_ALPHA_ONE - to_alpha));
	return text;
}

/* @mac: zeros: none, shown as "-" */
const char *lle_nl_mac_text(char *text, const uint8_t *mac)
{
	static const uint8_t none[6];

	if (!memcmp(mac, none, sizeof(none)))
		strcpy(text, "-");
	else
		snprintf(text, LLE_NL_WORD, "%02x:%02x:%02x:%02x:%02x:%02x",
			 mac[0], mac[1], mac[2], mac[3], mac[4], mac[5]);
	return text;
}

/* @name: it may have almost any byte; question marks replace those that cannot be printed */
const char *lle_nl_dev_text(char *text, const char *name)
{
	unsigned int i;

	for (i = 0; name[i] && i < LLE_NL_WORD - 1; i++)
		text[i] = name[i] > ' ' && name[i] <= '~' ? name[i] : '?';
	text[i] = '\0';
	return text;
}

/* The name, or the number of a device that is gone */
const char *lle_nl_ifindex_text(char *text, unsigned int ifindex)
{
	char name[IFNAMSIZ];

	if (if_indextoname(ifindex, name))
		return lle_nl_dev_text(text, name);
	snprintf(text, LLE_NL_WORD, "device %u", ifindex);
	return text;
}

/* With three decimal places */
const char *lle_nl_time_text(char *text, uint64_t ns)
{
	static const struct {
		uint64_t ns;
		const char *name;
	} units[] = { { 1000000000, "s" }, { 1000000, "ms" }, { 1000, "us" } };

	for (unsigned int i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (ns < units[i].ns)
			continue;
		snprintf(text, LLE_NL_WORD, "%" PRIu64 ".%03" PRIu64 "%s",
			 ns / units[i].ns,
			 ns % units[i].ns / (units[i].ns / 1000), units[i].name);
		return text;
	}
	snprintf(text, LLE_NL_WORD, "%" PRIu64 "ns", ns);
	return text;
}

/* @prios: bit p: priority p; 0: shown as "-" */
const char *lle_nl_prios_text(char *text, uint8_t prios)
{
	char *end = text;

	for (unsigned int p = 0; p < LLE_NUM_PRIO; p++)
		if (prios >> p & 1)
			end += sprintf(end, "%s%u", end == text ? "" : ",", p);
	if (end == text)
		strcpy(text, "-");
	return text;
}
