/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLED_CHECKS_H
#define LLED_CHECKS_H

#include "snapshot.h"

void checks_run(const struct snapshot *s, uint64_t now_us);
void checks_free(void);

#endif /* LLED_CHECKS_H */
