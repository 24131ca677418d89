/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Data structures of a testbed, and functions that files share. Those that can
 * fail return 0, or -1 after an error message.
 */
#ifndef LLE_TB_H
#define LLE_TB_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

/* IFNAMSIZ: size of a name of a switch, host or device, with the final 0 */
#define TB_NAME_SIZE	16

/* Path of a network namespace or of a testbed's file, with the final 0. */
#define TB_PATH_SIZE	80

/* A host's number is two bytes of its MAC. */
#define TB_NODE_MAX	65535
#define TB_LINK_MAX	(1 << 20)

/* Kernels that may share a testbed; lle_wire.ko has the same limit. */
#define TB_PART_MAX	16

/* Words of a line. A qdisc may have the options of a role and of a switch. */
#define TB_WORD_MAX	256

/* Place of a qdisc: port to a host, port to a switch, or the host */
enum tb_role {
	TB_EDGE,
	TB_FABRIC,
	TB_HOST,
	TB_NUM_ROLE
};

/* Options for tc; the words point into other memory */
struct tb_words {
	unsigned int num;
	const char *word[2 * TB_WORD_MAX];
};

/* @node: switch or host, from 0; @port: of the switch, from 0; 0 at a host */
struct tb_end {
	unsigned int node;
	unsigned int port;
	char dev[TB_NAME_SIZE];
};

/* A pair of devices, the first of a switch; @failed: no path uses it */
struct tb_link {
	struct tb_end end[2];
	bool to_host;
	bool failed;
	const char *rate;
	const char *delay;
};

/* Group of a port without a group: no other port leads to the same hosts. */
#define TB_NO_GROUP	UINT32_MAX

/* A port of a switch. @side: end of the link; @group: from 1; 0: no path */
struct tb_port {
	unsigned int link;
	unsigned int side;
	unsigned int group;
};

/* A bridge */
struct tb_switch {
	const char *name;	/* name of the switch and of its bridge */
	unsigned int number;	/* from 1; several bridges may be a switch */
	unsigned int ports;	/* number of ports */
	struct tb_port *port;
	unsigned int level;	/* links to the nearest bridge with hosts */
	unsigned int part;	/* of the network, from 1; 0: no parts */
	struct tb_words *qdisc;	/* of its ports, beyond the role's, or NULL */
};

struct tb_host {
	const char *name;
	unsigned int link;
};

/* A next hop that the user gives, in @line of the topology file */
struct tb_given {
	unsigned int sw;
	unsigned int host;
	unsigned int via;
	unsigned int line;
};

/* A whole testbed */
struct tb_topo {
	const char *file;	/* of its file, or NULL */
	char *text;	/* text of the file */
	struct tb_switch *sw;
	struct tb_host *host;	/* hosts */
	struct tb_link *link;	/* in the order of their ports */
	struct tb_given *given;	/* next hops that the user gives */
	unsigned int switches;	/* number of @sw */
	unsigned int hosts;	/* number of @host */
	unsigned int links;	/* number of @link */
	unsigned int givens;	/* number of @given */
	struct tb_words qdisc[TB_NUM_ROLE];	/* beyond those implied */
	bool no_qdisc;	/* no device gets the lossless qdisc */
	unsigned int groups;	/* number of path groups, of all switches */
	uint16_t *next;	/* [switch * hosts + host]: port, from 1; or 0 */
};

struct tb_build;

/* Prints a testbed in some format. */
typedef void tb_format(const struct tb_topo *t, const struct tb_build *b);

/* How to build a testbed */
struct tb_build {
	const char *name;	/* prefix of its network namespaces */
	unsigned int mtu;	/* of devices but bridges; 0: the kernel's */
	bool arp;	/* hosts get the MAC addresses of all others */
	unsigned int parts;	/* with links of lle_wire; 0: veth */
	unsigned int here;	/* this kernel's part; 0: it has all */
	tb_format *format;	/* prints the result */
};

/* error.c */
int tb_error(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void tb_error_at(const char *file, unsigned int line, const char *statement);
void *tb_grow(void *array, unsigned int num, size_t size);
void *tb_zalloc(size_t num, size_t size);

/* topo.c */
bool tb_is_name(const char *name);
int tb_find_switch(const char *name, unsigned int *sw);
int tb_find_host(const char *name, unsigned int *host);
int tb_add_switch(struct tb_topo *t, const char *name);
int tb_add_host(struct tb_topo *t, const char *name, unsigned int sw);
int tb_add_link(struct tb_topo *t, unsigned int a, unsigned int b);
int tb_fail(struct tb_topo *t, char *name);

/* shape.c */
unsigned int tb_neighbour(const struct tb_topo *t, const struct tb_port *port);
enum tb_role tb_role(const struct tb_link *l, unsigned int side);
const char *tb_role_name(enum tb_role role);
const char *tb_node_name(const struct tb_topo *t, const struct tb_link *l,
			 unsigned int side);
bool tb_has_loops(const struct tb_topo *t);
void tb_host_address(unsigned int host, uint8_t address[4]);
void tb_host_mac(unsigned int host, uint8_t mac[6]);
void tb_port_mac(unsigned int link, unsigned int side, uint8_t mac[6]);

/* gen.c */
int tb_generate(struct tb_topo *t, int argc, char **argv);

/* convert.c */
bool tb_is_foreign(const char *path);
bool tb_is_foreign_text(const char *text);
int tb_convert(char **text, const char *path);

/* file.c */
int tb_file_read(struct tb_topo *t, const char *path);
int tb_file_text(char **text, FILE *f, const char *path);
int tb_file_convert(struct tb_topo *t, const char *path);
int tb_split(struct tb_words *w, char *text);
int tb_add_words(struct tb_words *w, unsigned int num, const char *const *word);
void tb_append(struct tb_words *w, unsigned int num, const char *const *word);

/* save.c */
void tb_save_attrs(const struct tb_link *l, FILE *f);
void tb_print_file(const struct tb_topo *t, const struct tb_build *b);
int tb_save(const struct tb_topo *t, const char *testbed);
int tb_saved(const char *testbed, char *path);
void tb_forget(const char *testbed);

/* route.c */
int tb_route(struct tb_topo *t);

/* qdisc.c */
int tb_qdisc_check(unsigned int num, const char *const *word);
int tb_qdisc_check_all(const struct tb_topo *t);
int tb_qdisc_delay(const struct tb_topo *t, const struct tb_link *l,
		   unsigned int side, uint64_t *ns);
void tb_qdisc_words(const struct tb_topo *t, const struct tb_link *l,
		    unsigned int side, struct tb_words *w, char *number);

/* part.c */
int tb_part(struct tb_topo *t, unsigned int parts);
unsigned int tb_part_of(const struct tb_topo *t, const struct tb_link *l,
			unsigned int side);
bool tb_is_here(const struct tb_build *b, unsigned int part);
bool tb_has_host(const struct tb_topo *t, const struct tb_build *b, unsigned int host);
bool tb_has_link(const struct tb_topo *t, const struct tb_build *b, const struct tb_link *l);

/* print.c */
tb_format *tb_find_format(const char *name);
int tb_printed(void);

/* build.c */
int tb_up(const struct tb_topo *t, const struct tb_build *b);
int tb_down(const struct tb_topo *t, const char *testbed);

/* stats.c */
int tb_stats(const struct tb_topo *t, const struct tb_build *b);

#endif /* LLE_TB_H */
