/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLED_CHECKS_H
#define LLED_CHECKS_H

#include "../client/client.h"

void checks_run(struct lle_nl *nl);
void checks_free(void);

#endif /* LLED_CHECKS_H */
