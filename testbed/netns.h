/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_TB_NETNS_H
#define LLE_TB_NETNS_H

/* Node name of the network namespace that holds all switches. */
#define TB_SWITCHES	"sw"

int tb_netns_prepare(void);
int tb_netns_add(const char *testbed, const char *node);
int tb_netns_open(const char *testbed, const char *node);
int tb_netns_enter(int fd, const char *node);
int tb_netns_del(const char *testbed, const char *node);

#endif /* LLE_TB_NETNS_H */
