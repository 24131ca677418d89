/* SPDX-License-Identifier: GPL-2.0 */
/* losslessctl: all network namespaces of the machine. */
#ifndef LLE_CTL_NETNS_H
#define LLE_CTL_NETNS_H

#include "ctl.h"

/* Buffer for the name of a network namespace, bytes */
#define CTL_NETNS_NAME	64

struct ctl_netns {
	/* of "ip netns", "PID" of a process, or "self" */
	char name[CTL_NETNS_NAME];
	int fd;
	struct ctl c;	/* a run in it, with an open client */
	struct lle_nl_qdisc *qdiscs;	/* lossless ones */
	int num_qdiscs;
};

struct ctl_netnses {
	struct ctl_netns *all;	/* the caller's first */
	int num;
};

enum ctl_exit ctl_netns_find(struct ctl_netnses *n);
void ctl_netns_free(struct ctl_netnses *n);
bool ctl_netns_enter(const struct ctl_netns *ns);
const char *ctl_netns_where(const struct ctl_netns *ns);

/* quiet.c */
enum ctl_exit ctl_wait_until_quiet(const struct ctl_netnses *n, uint32_t wait_ms);

#endif /* LLE_CTL_NETNS_H */
