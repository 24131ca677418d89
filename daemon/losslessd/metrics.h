/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLED_METRICS_H
#define LLED_METRICS_H

#include <stddef.h>

#include "../client/client.h"

char *metrics_text(struct lle_nl *nl, size_t *len);
int metrics_write(struct lle_nl *nl, const char *path);

#endif /* LLED_METRICS_H */
