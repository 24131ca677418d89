// SPDX-License-Identifier: GPL-2.0
/* Findings: text, and the commands that mend them. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "doctor.h"
#include "save.h"

static void *got(void *memory)
{
	if (memory)
		return memory;
	exit(ctl_fail("out of memory"));
}

/**
 * doctor_word() - write a name as one word of a shell
 * @word: result, DOCTOR_WORD bytes
 * @name: the name, of up to CTL_NETNS_NAME bytes; hostile
 *
 * Plain, in quotes, or, with bytes that a terminal must not get, by printf.
 */
void doctor_word(char *word, const char *name)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-+@%=,";
	const char *at = name;

	while (*at >= ' ' && *at <= '~' && *at != '\'')
		at++;
	if (name[strspn(name, plain)] == '\0') {
		sprintf(word, "%s", name);
	} else if (!*at) {
		sprintf(word, "'%s'", name);
	} else {
		word += sprintf(word, "\"$(printf '");
		for (at = name; *at; at++)
			word += sprintf(word, "\\%03o", (unsigned char)*at);
		strcpy(word, "')\"");
	}
}

/**
 * doctor_find() - add a finding
 * @d: the run
 * @severity: the consequence
 * @device: name of the device; "": none
 * @fmt: format of the text, with its arguments; hostile bytes become "?"
 */
void doctor_find(struct doctor *d, enum doctor_severity severity, const char *device,
		 const char *fmt, ...)
{
	struct doctor_finding *f;
	va_list list;
	char *at;

	d->findings = got(reallocarray(d->findings, d->num_findings + 1, sizeof(*f)));
	f = &d->findings[d->num_findings++];
	*f = (struct doctor_finding){ .check = d->check, .severity = severity };
	snprintf(f->device, sizeof(f->device), "%s", device);
	va_start(list, fmt);
	if (vasprintf(&f->text, fmt, list) < 0)
		f->text = NULL;
	va_end(list);
	/* names may have any bytes */
	for (at = got(f->text); *at; at++)
		if (*at < ' ' || *at > '~')
			*at = '?';
	f->mend = got(strdup(""));
}

static void append(struct doctor *d, char *more)
{
	struct doctor_finding *f = &d->findings[d->num_findings - 1];
	char *all;

	if (asprintf(&all, "%s%s", f->mend, (char *)got(more)) < 0)
		all = NULL;
	free(more);
	free(f->mend);
	f->mend = got(all);
}

/**
 * doctor_mend() - append to the commands of the last finding
 * @d: the run
 * @fmt: format, with its arguments; names are from doctor_word()
 */
void doctor_mend(struct doctor *d, const char *fmt, ...)
{
	va_list list;
	char *more;

	va_start(list, fmt);
	if (vasprintf(&more, fmt, list) < 0)
		more = NULL;
	va_end(list);
	append(d, more);
}

static void mend_options(struct doctor *d, const struct rtattr *options)
{
	char *more = NULL;
	size_t bytes;
	FILE *to;

	to = got(open_memstream(&more, &bytes));
	lossless_write_opt(to, options);
	fclose(to);
	append(d, more);
}

/* A copy of options, without those of which bit a of @without is set */
static struct rtattr *copy_options(const struct rtattr *old, uint64_t without)
{
	struct rtattr *new = got(malloc(RTA_ALIGN(old->rta_len))), *to = RTA_DATA(new);
	int len = RTA_PAYLOAD(old);
	const struct rtattr *attr;

	for (attr = RTA_DATA(old); RTA_OK(attr, len); attr = RTA_NEXT(attr, len)) {
		if (without >> (attr->rta_type & NLA_TYPE_MASK) & 1)
			continue;
		memcpy(to, attr, attr->rta_len);
		to = (void *)((char *)to + RTA_ALIGN(attr->rta_len));
	}
	new->rta_type = old->rta_type;
	new->rta_len = (char *)to - (char *)new;
	return new;
}

/**
 * doctor_mend_gap() - append the command that makes a device a port
 * @d: the run
 * @word: the device
 * @like: qdisc with the same options
 * @without: bit a: not the option TCA_LOSSLESS_... a
 */
void doctor_mend_gap(struct doctor *d, const char *word, const struct lle_nl_qdisc *like,
		     uint64_t without)
{
	struct rtattr *options = copy_options(like->options, without);

	doctor_mend(d, "tc qdisc replace dev %s root lossless", word);
	mend_options(d, options);
	free(options);
}

/* Watchdogs go with the qdisc. */
static void mend_watchdogs(struct doctor *d, const struct doctor_end *end)
{
	const struct lle_nl_watchdog *wd;

	for (wd = d->watchdogs; wd < d->watchdogs + d->num_watchdogs; wd++)
		if (wd->who.ifindex == end->dev->ifindex && wd->detection_ms &&
		    end->port->pfc_en >> wd->prio & 1)
			doctor_mend(d, " && losslessctl watchdog start -a %s -r %u -- %s %u prio %u",
				    lle_nl_action_name(wd->action), wd->restoration_ms,
				    end->word, wd->detection_ms, wd->prio);
}

/* EtherTypes of dcb app go with the qdisc, too. */
static void mend_ethertypes(struct doctor *d, const struct doctor_end *end)
{
	struct lle_nl_ethertype *types;
	int num, i;

	num = lle_nl_get_ethertypes(end->view->ns->c.nl, end->dev->name, &types);
	if (num <= 0)
		return;
	doctor_mend(d, " && dcb app add dev %s ethtype-prio", end->word);
	for (i = 0; i < num; i++)
		doctor_mend(d, " %#x:%u", types[i].type, types[i].prio);
	free(types);
}

/**
 * doctor_mend_switch() - append commands that move a port to another switch
 * @d: the run
 * @end: the port
 * @sw: number of the switch
 */
void doctor_mend_switch(struct doctor *d, const struct doctor_end *end, uint32_t sw)
{
	struct rtattr *options = copy_options(end->qdisc->options, 0), *attr;
	int len = RTA_PAYLOAD(options);

	for (attr = RTA_DATA(options); RTA_OK(attr, len); attr = RTA_NEXT(attr, len))
		if (attr->rta_type == TCA_LOSSLESS_SWITCH && RTA_PAYLOAD(attr) >= sizeof(sw))
			memcpy(RTA_DATA(attr), &sw, sizeof(sw));
	doctor_mend(d, "tc qdisc del dev %s root && tc qdisc add dev %s root handle %x: lossless",
		    end->word, end->word, end->qdisc->handle >> 16);
	mend_options(d, options);
	mend_ethertypes(d, end);
	mend_watchdogs(d, end);
	free(options);
}

/**
 * doctor_mend_pfc() - append a list that makes priorities lossless
 * @d: the run
 * @prios: bit p: priority p
 */
void doctor_mend_pfc(struct doctor *d, uint8_t prios)
{
	char words[CTL_WORDS];

	doctor_mend(d, " prio-pfc%s", ctl_prio_words(words, prios, " %d:on"));
}

/* The priority of each DSCP at a port; false: the module does not tell. */
static bool read_dscp(const struct doctor_end *end, uint8_t *map)
{
	const struct rtattr *tb[TCA_LOSSLESS_MAX + 1];

	lossless_attr_parse(tb, TCA_LOSSLESS_MAX, end->qdisc->options);
	return lossless_attr_array(tb[TCA_LOSSLESS_DSCP_PRIO], map, sizeof(map[0]),
				   DOCTOR_DSCPS) == DOCTOR_DSCPS;
}

/**
 * doctor_dscp_prios() - get the priorities that DSCPs have at a port
 * @end: the port
 *
 * Return: bit p: priority p; all if the module does not tell.
 */
uint8_t doctor_dscp_prios(const struct doctor_end *end)
{
	uint8_t map[DOCTOR_DSCPS], has = 0;

	if (!read_dscp(end, map))
		return 0xff;
	for (unsigned int i = 0; i < DOCTOR_DSCPS; i++)
		has |= 1U << map[i] % LLE_NUM_PRIO;
	return has;
}

/**
 * doctor_has_dscp_map() - has a port another map of DSCPs than the default?
 * @end: the port
 */
bool doctor_has_dscp_map(const struct doctor_end *end)
{
	uint8_t map[DOCTOR_DSCPS];
	unsigned int i = 0;

	if (!read_dscp(end, map))
		return false;
	while (i < DOCTOR_DSCPS && map[i] == i / (DOCTOR_DSCPS / LLE_NUM_PRIO))
		i++;
	return i < DOCTOR_DSCPS;
}

/* The DSCP that a priority takes: of its eight, or else the next that may change */
static unsigned int dscp_for(const uint8_t *map, unsigned int prio, uint8_t keep)
{
	unsigned int first = DOCTOR_DSCPS / LLE_NUM_PRIO * prio, i, dscp;

	for (i = 0; i < DOCTOR_DSCPS; i++) {
		dscp = (first + i) % DOCTOR_DSCPS;
		if (!(keep >> map[dscp] % LLE_NUM_PRIO & 1))
			return dscp;
	}
	return first;
}

/**
 * doctor_copy_dscp() - append the map of DSCPs of a port, for a new port
 * @d: the run
 * @end: the port; its map is not the default
 */
void doctor_copy_dscp(struct doctor *d, const struct doctor_end *end)
{
	uint8_t map[DOCTOR_DSCPS];

	if (!read_dscp(end, map))
		return;
	doctor_mend(d, " dscp-prio");
	for (unsigned int i = 0; i < DOCTOR_DSCPS; i++)
		if (map[i] != i / (DOCTOR_DSCPS / LLE_NUM_PRIO))
			doctor_mend(d, " %u:%u", i, map[i]);
}

/**
 * doctor_mend_dscp() - append a list that gives priorities a DSCP
 * @d: the run
 * @end: the port
 * @lacks: bit p: priority p gets a DSCP, but none of another lossless priority
 */
void doctor_mend_dscp(struct doctor *d, const struct doctor_end *end, uint8_t lacks)
{
	uint8_t keep = end->port->pfc_en;
	uint8_t map[DOCTOR_DSCPS];
	unsigned int dscp, p;

	if (!read_dscp(end, map))
		return;
	doctor_mend(d, " dscp-prio");
	for (p = 0; p < LLE_NUM_PRIO; p++) {
		if (!(lacks >> p & 1))
			continue;
		dscp = dscp_for(map, p, keep);
		map[dscp] = p;
		doctor_mend(d, " %u:%u", dscp, p);
	}
}

/**
 * doctor_free_findings() - free all findings
 * @d: the run
 */
void doctor_free_findings(struct doctor *d)
{
	for (int i = 0; i < d->num_findings; i++) {
		free(d->findings[i].text);
		free(d->findings[i].mend);
	}
	free(d->findings);
}
