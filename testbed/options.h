/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_TB_OPTIONS_H
#define LLE_TB_OPTIONS_H

#include "tb.h"

/* Commands, as bits. */
#define TB_UP		1
#define TB_DOWN		2
#define TB_SHOW		4
#define TB_STATS	8
#define TB_ANY		15

/* More than a user types. */
#define TB_GIVEN_MAX	1024

struct tb_option;

/* The command line. @topo: words of the topology; @late: its options */
struct tb_args {
	char **topo;
	int topo_num;
	struct tb_build build;
	bool verbose;
	bool help;
	struct {
		const struct tb_option *option;
		char *value;
	} late[TB_GIVEN_MAX];
	unsigned int late_num;
};

int tb_options_read(struct tb_args *a, unsigned int command, int argc,
		    char **argv);
int tb_options_apply(const struct tb_args *a, struct tb_topo *t);
void tb_options_help(void);

#endif /* LLE_TB_OPTIONS_H */
