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

static void mend_options(struct doctor *d, const struct lle_nl_qdisc *qdisc)
{
	char *more = NULL;
	size_t bytes;
	FILE *to;

	to = got(open_memstream(&more, &bytes));
	lossless_write_opt(to, qdisc->options);
	fclose(to);
	append(d, more);
}

/**
 * doctor_mend_gap() - append the command that makes a device a port
 * @d: the run
 * @word: the device
 * @like: qdisc with the same options
 */
void doctor_mend_gap(struct doctor *d, const char *word, const struct lle_nl_qdisc *like)
{
	doctor_mend(d, "tc qdisc replace dev %s root lossless", word);
	mend_options(d, like);
}

/**
 * doctor_mend_switch() - append commands that move a port to another switch
 * @d: the run
 * @end: the port
 * @sw: number of the switch
 */
void doctor_mend_switch(struct doctor *d, const struct doctor_end *end, uint32_t sw)
{
	struct rtattr *old = end->qdisc->options, *attr;
	struct lle_nl_qdisc moved = { .options = got(malloc(RTA_ALIGN(old->rta_len))) };
	int len = RTA_PAYLOAD(old);

	memcpy(moved.options, old, old->rta_len);
	for (attr = RTA_DATA(moved.options); RTA_OK(attr, len); attr = RTA_NEXT(attr, len))
		if (attr->rta_type == TCA_LOSSLESS_SWITCH && RTA_PAYLOAD(attr) >= sizeof(sw))
			memcpy(RTA_DATA(attr), &sw, sizeof(sw));
	doctor_mend(d, "tc qdisc del dev %s root && tc qdisc add dev %s root lossless",
		    end->word, end->word);
	mend_options(d, &moved);
	free(moved.options);
}

/**
 * doctor_prio_words() - write priorities as words of a command
 * @words: result, DOCTOR_WORDS bytes
 * @prios: bit p: priority p
 * @format: format of one, at most 7 bytes, for its number twice
 *
 * Return: @words.
 */
const char *doctor_prio_words(char *words, uint8_t prios, const char *format)
{
	char *at = words;

	*words = '\0';
	for (int p = 0; p < LLE_NUM_PRIO; p++)
		if (prios >> p & 1)
			at += sprintf(at, format, p, p);
	return words;
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
