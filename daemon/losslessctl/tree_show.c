// SPDX-License-Identifier: GPL-2.0
/* losslessctl tree */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "ctl.h"
#include "dot.h"
#include "tree.h"

/**
 * struct ctl_tree - a tree to show
 * @tree: the tree
 * @now_ns: time after the input was read
 * @to_causes: print from effects to causes, not from causes to effects
 * @shown: lines of text
 * @seen: by node: already printed
 */
struct ctl_tree {
	struct tree tree;
	uint64_t now_ns;
	bool to_causes;
	unsigned int shown;
	bool *seen;
};

/* The device at the other end of the link. */
static const char *ctl_tree_peer(char *text, const struct lle_nl_port *port)
{
	ctl_peer_text(text, port);
	return strcmp(text, "-") ? text : strcpy(text, "its peer");
}

/* The reason why pauses begin at a root. */
static const char *ctl_tree_reason(const struct tree_node *node)
{
	if (node->side == TREE_INGRESS)
		return "receiver";
	return node->since_ns ? "peer" : "congestion";
}

/* "paused by 02:00:00:00:00:03 for 1.203s, 843264 bytes wait" */
static void ctl_tree_state(const struct ctl_tree *t,
			   const struct tree_node *node)
{
	char peer[CTL_TEXT], time[CTL_TEXT];

	if (!node->since_ns)
		printf("more comes than the link can take");
	else
		printf("%s %s for %s",
		       node->side == TREE_EGRESS ? "paused by" : "pauses",
		       ctl_tree_peer(peer, node->port),
		       lle_nl_time_text(time, t->now_ns - node->since_ns));
	printf(", %" PRIu64 " bytes %s", node->bytes,
	       node->side == TREE_EGRESS ? "wait" : "have come and wait");
	if (node->side == TREE_INGRESS && tree_root(node))
		printf(" for its receiver");
}

/* @edge: the edge that led here; NULL: none */
static void ctl_tree_line(struct ctl_tree *t, unsigned int n,
			  const struct tree_edge *edge, unsigned int depth)
{
	const struct tree_node *node = &t->tree.nodes[n], *other;
	char name[CTL_TEXT];

	t->shown++;
	printf("%*s%s prio %u: ", 2 * depth, "",
	       lle_nl_dev_text(name, node->port->who.ifname), node->prio);
	ctl_tree_state(t, node);
	if (edge && edge->bytes) {
		other = &t->tree.nodes[t->to_causes ? edge->effect :
						      edge->cause];
		printf(", %" PRIu64 " %s %s", edge->bytes,
		       t->to_causes ? "from" : "at",
		       lle_nl_dev_text(name, other->port->who.ifname));
	}
	if (node->in_loop)
		printf(" [loop]");
	if (t->seen[n] && (t->to_causes ? node->causes : node->effects))
		printf(" (see above)");
	printf("\n");
}

static void ctl_tree_text(struct ctl_tree *t, unsigned int n,
			  const struct tree_edge *edge, unsigned int depth)
{
	const struct tree *tree = &t->tree;

	ctl_tree_line(t, n, edge, depth);
	if (t->seen[n])
		return;
	t->seen[n] = true;
	for (unsigned int e = 0; e < tree->num_edges; e++) {
		const struct tree_edge *next = &tree->edges[e];

		if ((t->to_causes ? next->effect : next->cause) == n)
			ctl_tree_text(t, t->to_causes ? next->cause :
							next->effect,
				      next, depth + 1);
	}
}

/* Roots first, then loops without a root. */
static void ctl_tree_print_all(struct ctl_tree *t)
{
	const struct tree_node *nodes = t->tree.nodes;
	unsigned int n;

	for (n = 0; n < t->tree.num_nodes; n++)
		if (tree_root(&nodes[n]))
			ctl_tree_text(t, n, NULL, 0);
	for (n = 0; n < t->tree.num_nodes; n++)
		if (nodes[n].in_loop && !t->seen[n])
			ctl_tree_text(t, n, NULL, 0);
}

static void ctl_tree_print_port(struct ctl_tree *t, uint32_t ifindex,
				uint8_t prios)
{
	t->to_causes = true;
	for (unsigned int n = 0; n < t->tree.num_nodes; n++) {
		const struct tree_node *node = &t->tree.nodes[n];

		if (node->port->who.ifindex == ifindex &&
		    prios >> node->prio & 1 && tree_shows(node) && !t->seen[n])
			ctl_tree_text(t, n, NULL, 0);
	}
}

static struct json_object *ctl_tree_node_json(const struct ctl_tree *t,
					      unsigned int n)
{
	const struct tree_node *node = &t->tree.nodes[n];
	struct json_object *o = ctl_object();
	char peer[CTL_TEXT];

	ctl_put_u64(o, "id", n);
	ctl_put_who(o, &node->port->who);
	ctl_put_u64(o, "prio", node->prio);
	ctl_put_text(o, "side",
		     node->side == TREE_EGRESS ? "egress" : "ingress");
	ctl_put_bool(o, "paused", node->since_ns);
	if (node->since_ns)
		ctl_put_u64(o, "paused_ns", t->now_ns - node->since_ns);
	if (node->port->peer && if_indextoname(node->port->peer, peer))
		ctl_put_text(o, "peer", peer);
	ctl_put_mac(o, "peer_mac", node->port->peer_mac);
	ctl_put_u64(o, "bytes", node->bytes);
	ctl_put_bool(o, "loop", node->in_loop);
	if (tree_root(node))
		ctl_put_text(o, "root", ctl_tree_reason(node));
	return o;
}

static void ctl_tree_json(const struct ctl *c, const struct ctl_tree *t)
{
	struct json_object *all = ctl_object(), *nodes = ctl_array();
	struct json_object *edges = ctl_array(), *o;

	for (unsigned int n = 0; n < t->tree.num_nodes; n++)
		if (tree_shows(&t->tree.nodes[n]))
			ctl_put(nodes, NULL, ctl_tree_node_json(t, n));
	for (unsigned int e = 0; e < t->tree.num_edges; e++) {
		o = ctl_object();
		ctl_put_u64(o, "cause", t->tree.edges[e].cause);
		ctl_put_u64(o, "effect", t->tree.edges[e].effect);
		ctl_put_u64(o, "bytes", t->tree.edges[e].bytes);
		ctl_put(edges, NULL, o);
	}
	ctl_put_u64(all, "now_ns", t->now_ns);
	ctl_put(all, "nodes", nodes);
	ctl_put(all, "edges", edges);
	ctl_print_json(c, all);
}

static void ctl_tree_dot_node(const struct ctl_tree *t, unsigned int n)
{
	const struct tree_node *node = &t->tree.nodes[n];
	char name[CTL_TEXT], time[CTL_TEXT];

	printf("\t\tn%u [label=\"", n);
	ctl_dot_text(lle_nl_dev_text(name, node->port->who.ifname));
	printf(" prio %u\\n", node->prio);
	if (node->since_ns)
		printf("%s %s\\n",
		       node->side == TREE_EGRESS ? "paused" : "pauses for",
		       lle_nl_time_text(time, t->now_ns - node->since_ns));
	printf("%" PRIu64 " bytes\", shape=%s, fillcolor=\"%s\"]\n", node->bytes,
	       node->side == TREE_EGRESS ? "box" : "ellipse",
	       node->in_loop ? DOT_LOOP :
	       tree_root(node) ? DOT_ROOT : DOT_PLAIN);
}

/* The reason for the pause of a root that is not a known queue. */
static void ctl_tree_dot_root(const struct tree_node *node, unsigned int n)
{
	char peer[CTL_TEXT];

	if (!tree_root(node) || !node->since_ns)
		return;
	printf("\tr%u [label=\"", n);
	ctl_dot_text(node->side == TREE_INGRESS ?
		       "slow receiver" : ctl_tree_peer(peer, node->port));
	printf("\", shape=octagon, fillcolor=\"" DOT_CULPRIT "\"]\n");
	printf("\tr%u -> n%u [label=\"pauses\"]\n", n, n);
}

static void ctl_tree_dot_switch(const struct ctl_tree *t, uint32_t sw)
{
	printf("\tsubgraph cluster_%u {\n\t\tlabel=\"switch %u\"\n", sw, sw);
	for (unsigned int n = 0; n < t->tree.num_nodes; n++)
		if (t->tree.nodes[n].port->who.sw == sw &&
		    tree_shows(&t->tree.nodes[n]))
			ctl_tree_dot_node(t, n);
	printf("\t}\n");
}

/* Nodes are sorted by port, and ports by switch. */
static void ctl_tree_dot(const struct ctl_tree *t)
{
	const struct tree_node *nodes = t->tree.nodes;
	int64_t last = -1;

	ctl_dot_begin("pauses");
	printf("\trankdir=LR\n");
	for (unsigned int n = 0; n < t->tree.num_nodes; n++) {
		if (!tree_shows(&nodes[n]))
			continue;
		if (nodes[n].port->who.sw != last) {
			last = nodes[n].port->who.sw;
			ctl_tree_dot_switch(t, last);
		}
		ctl_tree_dot_root(&nodes[n], n);
	}
	for (unsigned int e = 0; e < t->tree.num_edges; e++) {
		const struct tree_edge *edge = &t->tree.edges[e];

		printf("\tn%u -> n%u [", edge->cause, edge->effect);
		if (edge->bytes)
			printf("label=\"%" PRIu64 "\"]\n", edge->bytes);
		else
			printf("label=\"pauses\", penwidth=2]\n");
	}
	printf("}\n");
}

static int ctl_tree_ask(struct ctl *c, struct ctl_tree *t,
			struct lle_nl_port *ports, int num_ports)
{
	struct lle_nl_history *histories = NULL;
	struct lle_nl_queue *queues = NULL;
	struct tree_input in = { .ports = ports, .num_ports = num_ports };
	int err = CTL_OK;

	in.num_histories = lle_nl_get_histories(c->nl, 0, &histories);
	if (in.num_histories >= 0)
		in.num_queues = lle_nl_get_queues(c->nl, &queues);
	if (in.num_histories < 0 || in.num_queues < 0) {
		err = ctl_refused(c);
		goto out;
	}
	in.histories = histories;
	in.queues = queues;
	/* after the answers, so that no time in them is in the future */
	t->now_ns = ctl_now_ns();
	if (tree_build(&t->tree, &in))
		err = ctl_fail("%s", strerror(ENOMEM));
	t->seen = calloc(t->tree.num_nodes + 1, sizeof(*t->seen));
	if (!err && !t->seen)
		err = ctl_fail("%s", strerror(ENOMEM));
out:
	free(histories);
	free(queues);
	return err;
}

/* The command line. */
struct ctl_tree_words {
	bool dot;
	uint32_t ifindex;
	uint8_t prios;
};

static enum ctl_exit ctl_tree_parse(struct ctl *c, int argc, char **argv,
				    struct ctl_tree_words *words)
{
	static const struct option names[] = {
		{ "graph", no_argument, NULL, 'g' },
		{}
	};
	int letter;

	while ((letter = ctl_option(c, argc, argv, "g", names))) {
		if (letter == '?')
			return CTL_USAGE;
		words->dot = true;
	}
	if (argc - optind > 2)
		return ctl_wrong(c, "tree: unknown argument \"%s\"", argv[optind + 2]);
	if (c->json + words->dot + (argc > optind) > 1)
		return ctl_wrong(c, "tree: only one of JSON, graph (both of all ports), or a port");
	if (argc - optind == 2 &&
	    ctl_prios(c, argv[optind + 1], &words->prios))
		return CTL_USAGE;
	if (argc > optind)
		return ctl_port_ifindex(c, argv[optind], &words->ifindex);
	return ctl_open(c) ? CTL_OK : CTL_FAIL;
}

/**
 * ctl_tree() - run tree [-g] [DEV [PRIO]]
 * @c: the run
 * @argc: number of arguments
 * @argv: arguments
 *
 * Return: exit status.
 */
enum ctl_exit ctl_tree(struct ctl *c, int argc, char **argv)
{
	struct ctl_tree_words words = { .prios = 0xff };
	struct ctl_tree t = {};
	struct lle_nl_port *ports;
	enum ctl_exit ret;
	int num;

	ret = ctl_tree_parse(c, argc, argv, &words);
	if (ret)
		return ret;
	num = lle_nl_get_ports(c->nl, &ports);
	if (num < 0)
		return ctl_refused(c);
	ret = ctl_tree_ask(c, &t, ports, num);
	if (ret)
		goto out;
	if (c->json)
		ctl_tree_json(c, &t);
	else if (words.dot)
		ctl_tree_dot(&t);
	else if (words.ifindex)
		ctl_tree_print_port(&t, words.ifindex, words.prios);
	else
		ctl_tree_print_all(&t);
	if (!words.dot)
		ctl_empty(c, t.shown, words.ifindex ? "the port is not paused, and pauses no peer" :
						      "no port is paused, or pauses a peer");
out:
	free(t.seen);
	tree_free(&t.tree);
	free(ports);
	return ret;
}
