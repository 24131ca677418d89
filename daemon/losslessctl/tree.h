/* SPDX-License-Identifier: GPL-2.0 */
/* The pause tree: which port is paused because of which other one, now. */
#ifndef LLE_CTL_TREE_H
#define LLE_CTL_TREE_H

#include <stdbool.h>
#include <stdint.h>

#include "../lib/client.h"

/**
 * enum tree_side - egress or ingress side of a priority of a port
 * @TREE_EGRESS: its queue, which the link partner may pause
 * @TREE_INGRESS: packets that it received and that wait in the switch; they may
 *	make the port pause its link partner
 */
enum tree_side {
	TREE_EGRESS,
	TREE_INGRESS,
};

/**
 * struct tree_node - a side of a priority of a port
 * @port: the port
 * @prio: the priority
 * @side: the side
 * @since_ns: start of the pause, CLOCK_MONOTONIC; 0: not paused, or does not
 *	pause
 * @bytes: egress: in the queue; ingress: received and waiting in the switch
 * @causes: number of edges that end here
 * @effects: number of edges that begin here
 * @in_loop: on a loop, or on a path between loops
 */
struct tree_node {
	const struct lle_nl_port *port;
	uint8_t prio;
	enum tree_side side;
	uint64_t since_ns;
	uint64_t bytes;
	unsigned int causes;
	unsigned int effects;
	bool in_loop;
};

/**
 * struct tree_edge - one node is the cause of another
 * @cause: index of the cause's node
 * @effect: index of the effect's node
 * @bytes: bytes from the ingress that wait in the queue of the egress; 0: the
 *	ingress is the cause, and pauses the egress over their link
 */
struct tree_edge {
	unsigned int cause;
	unsigned int effect;
	uint64_t bytes;
};

/**
 * struct tree_input - input of the tree
 * @ports: ports, in any order
 * @num_ports: entries of @ports
 * @histories: pauses
 * @num_histories: entries of @histories
 * @queues: queues that are not empty
 * @num_queues: entries of @queues
 */
struct tree_input {
	const struct lle_nl_port *ports;
	int num_ports;
	const struct lle_nl_history *histories;
	int num_histories;
	const struct lle_nl_queue *queues;
	int num_queues;
};

/**
 * struct tree - the pause tree
 * @nodes: both sides of all priorities; tree_shows() tells which are in the
 *	tree
 * @num_nodes: entries of @nodes
 * @edges: sorted by cause, then by bytes, largest first
 * @num_edges: entries of @edges
 */
struct tree {
	struct tree_node *nodes;
	unsigned int num_nodes;
	struct tree_edge *edges;
	unsigned int num_edges;
};

int tree_build(struct tree *tree, const struct tree_input *in);
void tree_free(struct tree *tree);

/**
 * tree_shows() - is a node part of the tree?
 * @node: the node
 */
static inline bool tree_shows(const struct tree_node *node)
{
	return node->since_ns || node->causes || node->effects;
}

/**
 * tree_root() - do pauses begin at a node?
 * @node: a node of the tree
 */
static inline bool tree_root(const struct tree_node *node)
{
	return tree_shows(node) && !node->causes;
}

#endif /* LLE_CTL_TREE_H */
