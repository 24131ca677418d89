/* SPDX-License-Identifier: GPL-2.0 */
/* The pause tree: who is paused because of whom, now. */
#ifndef LLE_CTL_TREE_H
#define LLE_CTL_TREE_H

#include <stdbool.h>
#include <stdint.h>

#include "../lib/client.h"

/**
 * enum tree_side - which half of a priority of a port
 * @TREE_EGRESS: its queue, which the peer may pause
 * @TREE_INGRESS: what came by it and waits in the switch, for which it may pause
 *	the peer
 */
enum tree_side {
	TREE_EGRESS,
	TREE_INGRESS,
};

/**
 * struct tree_node - one side of a priority of a port
 * @port: the port
 * @prio: the priority
 * @side: the side
 * @since_ns: since when it is paused, or pauses its peer, CLOCK_MONOTONIC; 0: it
 *	is not, or does not
 * @bytes: egress: in the queue; ingress: that came by it and wait anywhere
 * @causes: edges that end here
 * @effects: edges that begin here
 * @in_loop: it is a cause of itself
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
 * @cause: index of its node
 * @effect: index of its node
 * @bytes: that came by the ingress and wait in the queue of the egress; 0: the
 *	ingress is the cause, and pauses the egress over their link
 */
struct tree_edge {
	unsigned int cause;
	unsigned int effect;
	uint64_t bytes;
};

/**
 * struct tree_input - what is known
 * @ports: the ports, in any order
 * @num_ports: how many
 * @histories: of pauses
 * @num_histories: how many
 * @queues: that are not empty
 * @num_queues: how many
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
 * struct tree - the nodes that have to do with pauses, and their edges
 * @nodes: all there could be: see tree_shows()
 * @num_nodes: how many
 * @edges: sorted by cause, then the most bytes first
 * @num_edges: how many
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
 * tree_shows() - does a node belong to the tree?
 * @node: the node
 */
static inline bool tree_shows(const struct tree_node *node)
{
	return node->since_ns || node->causes || node->effects;
}

/**
 * tree_root() - is it where pauses begin?
 * @node: a node of the tree
 */
static inline bool tree_root(const struct tree_node *node)
{
	return tree_shows(node) && !node->causes;
}

#endif /* LLE_CTL_TREE_H */
