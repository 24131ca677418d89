/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLED_METRICS_H
#define LLED_METRICS_H

#include <stddef.h>

#include "snapshot.h"

/* Bytes for metrics_status() */
#define METRICS_STATUS	96

char *metrics_text(const struct snapshot *s, size_t *len);
void metrics_status(const struct snapshot *s, char *text);
int metrics_write(const struct snapshot *s, const char *path);

#endif /* LLED_METRICS_H */
