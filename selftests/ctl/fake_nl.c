// SPDX-License-Identifier: GPL-2.0
/* Client that always connects, with one error text and no devices (ld --wrap). */
#include <stddef.h>

#include "../../daemon/lib/client.h"

struct lle_nl {
	int unused;
};

static struct lle_nl fake_nl;

int __wrap_lle_nl_open(struct lle_nl **nl)
{
	*nl = &fake_nl;
	return 0;
}

void __wrap_lle_nl_close(struct lle_nl *nl)
{
	(void)nl;
}

const char *__wrap_lle_nl_text(const struct lle_nl *nl)
{
	(void)nl;
	return "it failed";
}

int __wrap_lle_nl_get_devices(struct lle_nl *nl, struct lle_nl_device **result)
{
	(void)nl;
	*result = NULL;
	return 0;
}

int __wrap_lle_nl_get_qdiscs(struct lle_nl *nl, struct lle_nl_qdisc **result)
{
	(void)nl;
	*result = NULL;
	return 0;
}

int __wrap_lle_nl_ethtool(struct lle_nl *nl, const char *dev, void *request)
{
	(void)nl, (void)dev, (void)request;
	return -1;
}
