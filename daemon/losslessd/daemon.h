/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLED_DAEMON_H
#define LLED_DAEMON_H

#include "conf.h"

int daemon_run(const char *path, struct conf *conf);

#endif /* LLED_DAEMON_H */
