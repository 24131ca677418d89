/* SPDX-License-Identifier: GPL-2.0 */
/* losslessctl: pause the peers of all ports. */
#ifndef LLE_CTL_HOLD_H
#define LLE_CTL_HOLD_H

#include <sys/types.h>

#include "netns.h"

/* A process that pauses peers */
struct ctl_hold {
	pid_t pid;	/* > 0: it was started */
	int pipe;	/* it runs until this is closed */
};

enum ctl_exit ctl_hold_begin(struct ctl_hold *h, const struct ctl_netnses *n);
void ctl_hold_end(struct ctl_hold *h);

#endif /* LLE_CTL_HOLD_H */
