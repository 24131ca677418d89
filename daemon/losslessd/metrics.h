/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLED_METRICS_H
#define LLED_METRICS_H

#include <stddef.h>
#include <stdio.h>

#include "snapshot.h"

/* Bytes for labels; each character of a name may be escaped. */
#define METRICS_LABELS	64

/* Bytes for metrics_status() */
#define METRICS_STATUS	96

/* metrics_text.c */
void metrics_head(FILE *f, const char *name, const char *type, const char *help);
char *metrics_device(char *text, const char *name);
void metrics_prio(char *text, const struct lle_nl_who *who, unsigned int prio);

/* metrics.c */
char *metrics_text(const struct snapshot *s, size_t *len);
void metrics_status(const struct snapshot *s, char *text);
int metrics_write(const struct snapshot *s, const char *path);

/* metrics_rcm.c, metrics_ldcp.c */
void metrics_rcm(FILE *f, const struct snapshot *s);
void metrics_ldcp(FILE *f);

#endif /* LLED_METRICS_H */
