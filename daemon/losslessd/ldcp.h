/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLED_LDCP_H
#define LLED_LDCP_H

#include "conf.h"
#include "../lib/client.h"

void ldcp_apply(struct lle_nl *nl, const struct conf_ldcp *conf);
void ldcp_look(struct lle_nl *nl, const struct conf_ldcp *conf);
void ldcp_forget(unsigned int ifindex);
void ldcp_put_back(struct lle_nl *nl, const char *path);

#endif /* LLED_LDCP_H */
