// SPDX-License-Identifier: GPL-2.0
/* Prints a testbed as text, JSON, dot, path groups, addresses or topology file. */
#include <errno.h>
#include <string.h>

#include "netns.h"
#include "tb.h"
#include "tc.h"

#define TB_MAC_SIZE	18

static void tb_host_text(unsigned int host, char *address, char *mac)
{
	uint8_t a[4], m[6];

	tb_host_address(host, a);
	tb_host_mac(host, m);
	snprintf(address, TB_NAME_SIZE, "%u.%u.%u.%u", a[0], a[1], a[2], a[3]);
	snprintf(mac, TB_MAC_SIZE, "%02x:%02x:%02x:%02x:%02x:%02x", m[0], m[1],
		 m[2], m[3], m[4], m[5]);
}

static void tb_print_text(const struct tb_topo *t, const struct tb_build *b)
{
	char address[TB_NAME_SIZE], mac[TB_MAC_SIZE];
	const struct tb_link *l;
	unsigned int i;

	printf("testbed %s: %u switches in %s-%s, %u hosts, %u links\n", b->name,
	       t->switches, b->name, TB_SWITCHES, t->hosts, t->links);
	for (i = 0; i < t->links; i++) {
		l = &t->link[i];
		if (l->to_host) {
			tb_host_text(l->end[1].node, address, mac);
			printf("host %s-%s %s %s at %s", b->name,
			       t->host[l->end[1].node].name, address, mac,
			       l->end[0].dev);
		} else {
			printf("link %s %s", l->end[0].dev, l->end[1].dev);
		}
		tb_save_attrs(l, stdout);
	}
}

static void tb_print_dot(const struct tb_topo *t, const struct tb_build *b)
{
	const struct tb_link *l;
	unsigned int i;

	printf("graph \"%s\" {\n\tnode [shape=box];\n", b->name);
	for (i = 0; i < t->switches; i++)
		printf("\t\"%s\";\n", t->sw[i].name);
	for (i = 0; i < t->hosts; i++)
		printf("\t\"%s\" [shape=ellipse];\n", t->host[i].name);
	for (i = 0; i < t->links; i++) {
		l = &t->link[i];
		printf("\t\"%s\" -- \"%s\" [taillabel=\"%s\", headlabel=\"%s\"%s];\n",
		       tb_node_name(t, l, 0), tb_node_name(t, l, 1),
		       l->end[0].dev, l->end[1].dev,
		       l->failed ? ", style=dashed" : "");
	}
	printf("}\n");
}

/* Prints all options of the qdisc at an end of a link, in one string. */
static void tb_json_qdisc(const struct tb_topo *t, const struct tb_link *l,
			  unsigned int side)
{
	char number[TB_NAME_SIZE], text[TB_MSG_MAX];
	struct tb_words w;
	unsigned int i, len = 0;

	if (t->no_qdisc)
		return;
	tb_qdisc_words(t, l, side, &w, number);
	text[0] = '\0';
	for (i = 0; i < w.num && len < sizeof(text); i++)
		len += snprintf(text + len, sizeof(text) - len, "%s%s",
				i ? " " : "", w.word[i]);
	print_string(PRINT_JSON, "qdisc", NULL, text);
}

static void tb_json_port(const struct tb_topo *t, const struct tb_port *p)
{
	const struct tb_link *l = &t->link[p->link];

	open_json_object(NULL);
	print_string(PRINT_JSON, "dev", NULL, l->end[p->side].dev);
	print_string(PRINT_JSON, "role", NULL, tb_role_name(tb_role(l, p->side)));
	print_string(PRINT_JSON, "peer", NULL, tb_node_name(t, l, !p->side));
	print_string(PRINT_JSON, "peer_dev", NULL, l->end[!p->side].dev);
	print_color_bool(PRINT_JSON, COLOR_NONE, "failed", NULL, l->failed);
	tb_json_qdisc(t, l, p->side);
	close_json_object();
}

static void tb_json_switch(const struct tb_topo *t, unsigned int i)
{
	const struct tb_switch *sw = &t->sw[i];
	const struct tb_port *p;
	unsigned int host, port;

	open_json_object(NULL);
	print_string(PRINT_JSON, "name", NULL, sw->name);
	print_u64(PRINT_JSON, "number", NULL, sw->number);
	if (sw->part)
		print_u64(PRINT_JSON, "part", NULL, sw->part);
	open_json_array(PRINT_JSON, "ports");
	for (p = sw->port; p < sw->port + sw->ports; p++)
		tb_json_port(t, p);
	close_json_array(PRINT_JSON, NULL);
	open_json_object("forward");
	for (host = 0; host < t->hosts; host++) {
		port = t->next[(size_t)i * t->hosts + host];
		if (!port)
			continue;
		p = &sw->port[port - 1];
		print_string(PRINT_JSON, t->host[host].name, NULL,
			     t->link[p->link].end[p->side].dev);
	}
	close_json_object();
	close_json_object();
}

static void tb_json_host(const struct tb_topo *t, const char *testbed,
			 unsigned int i)
{
	const struct tb_link *l = &t->link[t->host[i].link];
	char address[TB_NAME_SIZE], mac[TB_MAC_SIZE];
	char netns[TB_PATH_SIZE];

	tb_host_text(i, address, mac);
	snprintf(netns, sizeof(netns), "%s-%s", testbed, t->host[i].name);
	open_json_object(NULL);
	print_string(PRINT_JSON, "name", NULL, t->host[i].name);
	print_string(PRINT_JSON, "netns", NULL, netns);
	print_string(PRINT_JSON, "address", NULL, address);
	print_string(PRINT_JSON, "mac", NULL, mac);
	print_string(PRINT_JSON, "peer", NULL, tb_node_name(t, l, 0));
	print_string(PRINT_JSON, "peer_dev", NULL, l->end[0].dev);
	if (tb_part_of(t, l, 1))
		print_u64(PRINT_JSON, "part", NULL, tb_part_of(t, l, 1));
	tb_json_qdisc(t, l, 1);
	close_json_object();
}

static void tb_print_json(const struct tb_topo *t, const struct tb_build *b)
{
	char netns[TB_PATH_SIZE];
	unsigned int i;

	snprintf(netns, sizeof(netns), "%s-%s", b->name, TB_SWITCHES);
	open_json_object(NULL);
	print_string(PRINT_JSON, "name", NULL, b->name);
	print_string(PRINT_JSON, "netns", NULL, netns);
	print_color_bool(PRINT_JSON, COLOR_NONE, "broadcast", NULL,
			 !tb_has_loops(t));
	open_json_array(PRINT_JSON, "switches");
	for (i = 0; i < t->switches; i++)
		tb_json_switch(t, i);
	close_json_array(PRINT_JSON, NULL);
	open_json_array(PRINT_JSON, "hosts");
	for (i = 0; i < t->hosts; i++)
		tb_json_host(t, b->name, i);
	close_json_array(PRINT_JSON, NULL);
	close_json_object();
	printf("\n");
}

/* Return: the first port of a group from @port on; sw->ports: none. */
static unsigned int tb_member(const struct tb_switch *sw, unsigned int group,
			      unsigned int port)
{
	while (port < sw->ports && sw->port[port].group != group)
		port++;
	return port;
}

/* "GROUP DEV DEV...", as losslessctl path set takes it */
static void tb_print_group(const struct tb_topo *t, const struct tb_switch *sw,
			   unsigned int group)
{
	unsigned int p;

	printf("%u", group);
	for (p = 0; (p = tb_member(sw, group, p)) < sw->ports; p++)
		printf(" %s", t->link[sw->port[p].link].end[sw->port[p].side].dev);
	printf("\n");
}

static void tb_print_groups(const struct tb_topo *t, const struct tb_switch *sw)
{
	unsigned int p, group;

	for (p = 0; p < sw->ports; p++) {
		group = sw->port[p].group;
		if (group && group != TB_NO_GROUP && tb_member(sw, group, 0) == p &&
		    tb_member(sw, group, p + 1) < sw->ports)
			tb_print_group(t, sw, group);
	}
}

static void tb_print_paths(const struct tb_topo *t, const struct tb_build *b)
{
	const struct tb_switch *sw;

	for (sw = t->sw; sw < t->sw + t->switches; sw++)
		if (tb_is_here(b, sw->part))
			tb_print_groups(t, sw);
}

/* Lines of ethers(5), with addresses as names */
static void tb_print_ethers(const struct tb_topo *t, const struct tb_build *b)
{
	char address[TB_NAME_SIZE], mac[TB_MAC_SIZE];
	unsigned int i;

	(void)b;
	for (i = 0; i < t->hosts; i++) {
		tb_host_text(i, address, mac);
		printf("%s %s\n", mac, address);
	}
}

/* Return: the function of an output format; NULL after an error message. */
tb_format *tb_find_format(const char *name)
{
	static const struct {
		const char *name;
		tb_format *print;
	} formats[] = {
		{ "text", tb_print_text },
		{ "json", tb_print_json },
		{ "dot", tb_print_dot },
		{ "paths", tb_print_paths },
		{ "ethers", tb_print_ethers },
		{ "file", tb_print_file },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(formats); i++)
		if (!strcmp(name, formats[i].name))
			return formats[i].print;
	tb_error("--format: \"%s\" is not text, json, dot, paths, ethers or file", name);
	return NULL;
}

/* Has all output been written? */
int tb_printed(void)
{
	if (!fflush(stdout) && !ferror(stdout))
		return 0;
	return tb_error("output: %s", strerror(errno));
}
