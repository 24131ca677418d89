/* SPDX-License-Identifier: GPL-2.0 */
/* losslessctl: settings as commands. */
#ifndef LLE_CTL_SAVE_H
#define LLE_CTL_SAVE_H

#include "../tc/q_lossless.h"
#include "ctl.h"

enum ctl_exit ctl_save_all(struct ctl *c, FILE *to);
enum ctl_exit ctl_restore_all(FILE *from, const char *name);
bool ctl_restore_batch(const char *program, const char *commands);

#endif /* LLE_CTL_SAVE_H */
