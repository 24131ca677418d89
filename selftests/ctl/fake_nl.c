// SPDX-License-Identifier: GPL-2.0
/* Client that always connects, with one error text (ld --wrap). */
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
