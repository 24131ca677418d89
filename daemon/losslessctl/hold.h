/* SPDX-License-Identifier: GPL-2.0 */
/* losslessctl: pause the peers of all ports. */
#ifndef LLE_CTL_HOLD_H
#define LLE_CTL_HOLD_H

#include <sys/types.h>

#include "netns.h"

/**
 * struct ctl_hold - a process that pauses peers
 * @pid: its process ID; 0: none
 * @pipe: it runs until this is closed
 */
struct ctl_hold {
	pid_t pid;
	int pipe;
};

enum ctl_exit ctl_hold_begin(struct ctl_hold *h, const struct ctl_netnses *n);
void ctl_hold_end(struct ctl_hold *h);

#endif /* LLE_CTL_HOLD_H */
