/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLED_POLICY_H
#define LLED_POLICY_H

#include "conf.h"
#include "../lib/client.h"

void policy_apply(struct lle_nl *nl, const struct conf *conf);
void policy_resync(struct lle_nl *nl, const struct conf *conf);
void policy_port(struct lle_nl *nl, const struct conf *conf,
		 const struct lle_nl_port *port);
void policy_forget(unsigned int ifindex);
void policy_free(void);

#endif /* LLED_POLICY_H */
