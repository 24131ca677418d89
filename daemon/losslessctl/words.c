// SPDX-License-Identifier: GPL-2.0
/* Words of the command line: numbers, sizes, priorities, devices. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../tc/alike.h"
#include "ctl.h"

/* Without sign and space. Return: false: no digit, or too many */
static bool ctl_digits(const char *word, unsigned long long *value, char **end)
{
	errno = 0;
	*value = strtoull(word, end, 10);
	return *word >= '0' && *word <= '9' && !errno;
}

/* @what: name of the number, for the message */
enum ctl_exit ctl_number(const struct ctl *c, const char *what,
			 const char *word, uint32_t min, uint32_t max,
			 uint32_t *value)
{
	unsigned long long number;
	char *end;

	if (!ctl_digits(word, &number, &end) || *end || number < min ||
	    number > max)
		return ctl_wrong(c, "%s: \"%s\" is not a number of %u..%u",
				 what, word, min, max);
	*value = number;
	return CTL_OK;
}

/* Reads a size as tc writes it. @what: its name, for the message */
enum ctl_exit ctl_size(const struct ctl *c, const char *what, const char *word,
		       uint32_t min, uint32_t max, uint32_t *bytes)
{
	static const struct {
		const char *name;
		unsigned int shift;
	} units[] = {
		{ "", 0 }, { "b", 0 }, { "k", 10 }, { "kb", 10 },
		{ "m", 20 }, { "mb", 20 }, { "g", 30 }, { "gb", 30 },
	};
	unsigned long long number;
	unsigned int i;
	char *end;

	if (!ctl_digits(word, &number, &end) || number > max)
		goto err;
	for (i = 0; i < ARRAY_SIZE(units); i++)
		if (!strcasecmp(end, units[i].name))
			break;
	if (i == ARRAY_SIZE(units))
		goto err;
	number <<= units[i].shift;
	if (number < min || number > max)
		goto err;
	*bytes = number;
	return CTL_OK;
err:
	return ctl_wrong(c, "%s: \"%s\" is not a size of %u..%u bytes", what,
			 word, min, max);
}

/* @word: numbers, separated by commas. @prios: result; bit p: priority p */
enum ctl_exit ctl_prios(const struct ctl *c, const char *word, uint8_t *prios)
{
	const char *at = word;

	*prios = 0;
	do {
		if (*at < '0' || *at >= '0' + LLE_NUM_PRIO ||
		    (at[1] && at[1] != ','))
			return ctl_wrong(c, "prio: \"%s\" is not a list of priorities of 0..7, such as 3,4",
					 word);
		*prios |= 1U << (*at - '0');
		at += 2;
	} while (at[-1]);
	return CTL_OK;
}

/* @word: a name or an alternative name. Return: ifindex, or 0 */
static unsigned int ctl_find_dev(struct ctl *c, const char *word)
{
	if (strlen(word) < IFNAMSIZ)
		return if_nametoindex(word);
	return c->nl ? lle_nl_ifindex(c->nl, word) : 0;
}

/* Opens the client for an alternative name. */
bool ctl_is_dev(struct ctl *c, const char *word)
{
	if (strlen(word) >= IFNAMSIZ && !c->nl && lle_nl_open(&c->nl)) {
		lle_nl_close(c->nl);
		c->nl = NULL;
		return false;
	}
	return ctl_find_dev(c, word);
}

/* @letters: as in lle_nearer(). @name: result, IFNAMSIZ bytes */
bool ctl_similar_dev(const char *word, unsigned int *letters, char *name)
{
	struct if_nameindex *all = if_nameindex(), *dev;
	bool found = false;

	for (dev = all; dev && dev->if_index; dev++)
		if (lle_nearer(word, dev->if_name, letters)) {
			snprintf(name, IFNAMSIZ, "%s", dev->if_name);
			found = true;
		}
	if (all)
		if_freenameindex(all);
	return found;
}

/* @word: a name or an alternative name. Return: CTL_USAGE: it is not a name */
enum ctl_exit ctl_ifindex(struct ctl *c, const char *word, unsigned int *ifindex)
{
	unsigned int letters = LLE_ALIKE;
	size_t len = strlen(word);
	char name[IFNAMSIZ];

	if (!len || len >= LLE_NL_ALTNAME || strpbrk(word, "/: \t\n"))
		return ctl_wrong(c, "\"%s\" is not the name of a device", word);
	if (len >= IFNAMSIZ && !ctl_open(c))
		return CTL_FAIL;
	*ifindex = ctl_find_dev(c, word);
	if (*ifindex)
		return CTL_OK;
	if (ctl_similar_dev(word, &letters, name) && letters)
		return ctl_fail("%s: no such device in this network namespace; did you mean \"%s\"?",
				word, name);
	return ctl_fail("%s: no such device in this network namespace", word);
}

/* @dev: a device; NULL: all ports. The caller frees @ports after CTL_OK. */
enum ctl_exit ctl_get_ports(struct ctl *c, const char *dev,
			    struct lle_nl_port **ports, int *num)
{
	unsigned int ifindex;
	enum ctl_exit ret;

	*ports = NULL;
	if (!dev) {
		if (!ctl_open(c))
			return CTL_FAIL;
		*num = lle_nl_get_ports(c->nl, ports);
		return *num < 0 ? ctl_refused(c) : CTL_OK;
	}
	ret = ctl_ifindex(c, dev, &ifindex);
	if (ret)
		return ret;
	if (!ctl_open(c))
		return CTL_FAIL;
	*num = 1;
	*ports = malloc(sizeof(**ports));
	if (!*ports)
		return ctl_fail("%s: %s", dev, strerror(ENOMEM));
	if (!lle_nl_get_port(c->nl, ifindex, *ports))
		return CTL_OK;
	free(*ports);
	return ctl_refused(c);
}

/* Fails if @dev is no port. */
static enum ctl_exit ctl_port_ifindex(struct ctl *c, const char *dev,
				      unsigned int *ifindex)
{
	struct lle_nl_port *port;
	enum ctl_exit ret;
	int num;

	ret = ctl_get_ports(c, dev, &port, &num);
	if (ret)
		return ret;
	*ifindex = port->who.ifindex;
	free(port);
	return CTL_OK;
}

/* Reads the last words, [DEV [PRIO]]. A result without a word stays the same. */
enum ctl_exit ctl_dev_prio(struct ctl *c, int argc, char **argv,
			   unsigned int *ifindex, uint8_t *prios)
{
	if (argc - optind > 2)
		return ctl_wrong(c, "%s: unknown argument \"%s\"", c->command->name,
				 argv[optind + 2]);
	if (argc - optind == 2 && ctl_prios(c, argv[optind + 1], prios))
		return CTL_USAGE;
	if (argc > optind)
		return ctl_port_ifindex(c, argv[optind], ifindex);
	return ctl_open(c) ? CTL_OK : CTL_FAIL;
}

/* CLOCK_MONOTONIC, as in the messages of the kernel */
uint64_t ctl_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ULL + now.tv_nsec;
}
