// SPDX-License-Identifier: GPL-2.0
/*
 * The pause tree, from the state of ports and queues.
 *
 *	egress --bytes--> ingress --link--> egress of the peer --bytes--> ...
 *
 * A port pauses its link partner (ingress) because packets that it received
 * wait in queues (egress). Such a queue is paused itself, or gets more packets
 * than its link can send. A queue is paused (egress) by the port at the other
 * end of its link (ingress), if that is a known port.
 */
#include <errno.h>
#include <stdlib.h>

#include "tree.h"

/* A queue that is not paused is a cause if it has 1/10 of the waiting bytes. */
#define TREE_SHARE	10

#define TREE_NONE	(~0U)

/**
 * struct tree_build - a tree under construction
 * @tree: the tree
 * @in: input
 * @by_ifindex: ports, sorted by ifindex
 * @room: allocated edges
 */
struct tree_build {
	struct tree *tree;
	const struct tree_input *in;
	const struct lle_nl_port **by_ifindex;
	unsigned int room;
};

static int tree_compare_ifindex(const void *key, const void *port)
{
	uint32_t ifindex = *(const uint32_t *)key;
	const struct lle_nl_port *const *p = port;

	return (ifindex > (*p)->who.ifindex) - (ifindex < (*p)->who.ifindex);
}

static int tree_compare_ports(const void *a, const void *b)
{
	const struct lle_nl_port *const *x = a;

	return tree_compare_ifindex(&(*x)->who.ifindex, b);
}

/* The node; TREE_NONE: no such port. */
static unsigned int tree_find(const struct tree_build *b, uint32_t ifindex,
			      unsigned int prio, enum tree_side side)
{
	const struct lle_nl_port **found;

	found = bsearch(&ifindex, b->by_ifindex, b->in->num_ports,
			sizeof(*found), tree_compare_ifindex);
	if (!found)
		return TREE_NONE;
	return ((*found - b->in->ports) * LLE_NUM_PRIO + prio) * 2 + side;
}

static int tree_add(struct tree_build *b, unsigned int cause,
		    unsigned int effect, uint64_t bytes)
{
	struct tree *tree = b->tree;

	if (tree->num_edges == b->room) {
		unsigned int room = b->room ? 2 * b->room : 16;
		struct tree_edge *edges;

		edges = reallocarray(tree->edges, room, sizeof(*edges));
		if (!edges)
			return -ENOMEM;
		tree->edges = edges;
		b->room = room;
	}
	tree->edges[tree->num_edges++] = (struct tree_edge){
		.cause = cause, .effect = effect, .bytes = bytes,
	};
	tree->nodes[cause].effects++;
	tree->nodes[effect].causes++;
	return 0;
}

static int tree_nodes(struct tree_build *b)
{
	const struct tree_input *in = b->in;
	struct tree *tree = b->tree;
	unsigned int n;
	int i;

	tree->num_nodes = in->num_ports * LLE_NUM_PRIO * 2;
	/* one more, so that it is never 0 bytes */
	tree->nodes = calloc(tree->num_nodes + 1, sizeof(*tree->nodes));
	b->by_ifindex = calloc(in->num_ports + 1, sizeof(*b->by_ifindex));
	if (!tree->nodes || !b->by_ifindex)
		return -ENOMEM;

	for (i = 0; i < in->num_ports; i++)
		b->by_ifindex[i] = &in->ports[i];
	qsort(b->by_ifindex, in->num_ports, sizeof(*b->by_ifindex),
	      tree_compare_ports);

	for (n = 0; n < tree->num_nodes; n++) {
		struct tree_node *node = &tree->nodes[n];

		node->port = &in->ports[n / 2 / LLE_NUM_PRIO];
		node->prio = n / 2 % LLE_NUM_PRIO;
		node->side = n % 2;
		node->bytes = node->side == TREE_EGRESS ?
				      node->port->stats[node->prio].backlog :
				      node->port->stats[node->prio].occupancy;
	}
	for (i = 0; i < in->num_histories; i++) {
		const struct lle_nl_history *h = &in->histories[i];

		n = tree_find(b, h->who.ifindex, h->prio,
			      h->direction == LOSSLESS_DIRECTION_RX ? TREE_EGRESS :
							   TREE_INGRESS);
		if (n != TREE_NONE)
			tree->nodes[n].since_ns = h->since_ns;
	}
	return 0;
}

/* Packets in a queue are why their ingress ports pause their link partners. */
static int tree_queue(struct tree_build *b, const struct lle_nl_queue *q)
{
	const struct tree_node *nodes = b->tree->nodes;
	unsigned int egress, ingress, i;
	int err;

	egress = tree_find(b, q->who.ifindex, q->prio, TREE_EGRESS);
	if (egress == TREE_NONE)
		return 0;
	for (i = 0; i < q->num_waiting; i++) {
		const struct lle_waiting *w = &q->waiting[i];

		ingress = tree_find(b, w->ifindex, q->prio, TREE_INGRESS);
		if (ingress == TREE_NONE || !nodes[ingress].since_ns)
			continue;
		if (!nodes[egress].since_ns &&
		    w->bytes < nodes[ingress].bytes / TREE_SHARE)
			continue;
		err = tree_add(b, egress, ingress, w->bytes);
		if (err)
			return err;
	}
	return 0;
}

/* A port that pauses its link partner is why the partner's queue is paused. */
static int tree_link(struct tree_build *b, unsigned int ingress)
{
	const struct tree_node *node = &b->tree->nodes[ingress];
	unsigned int peer;

	peer = tree_find(b, node->port->peer, node->prio, TREE_EGRESS);
	if (peer == TREE_NONE || !b->tree->nodes[peer].since_ns)
		return 0;
	return tree_add(b, ingress, peer, 0);
}

static int tree_compare_edges(const void *a, const void *b)
{
	const struct tree_edge *x = a, *y = b;

	if (x->cause != y->cause)
		return x->cause < y->cause ? -1 : 1;
	if (x->bytes != y->bytes)
		return x->bytes > y->bytes ? -1 : 1;
	return (x->effect > y->effect) - (x->effect < y->effect);
}

/*
 * Nodes outside of loops are removed one after the other: those without a cause
 * left, and those without an effect left. Loops, and paths from one loop to
 * another, remain.
 */
static int tree_loops(struct tree *tree)
{
	unsigned int *causes, *effects, e, n;
	bool changed = true;

	causes = calloc(2 * ((size_t)tree->num_nodes + 1), sizeof(*causes));
	if (!causes)
		return -ENOMEM;
	effects = causes + tree->num_nodes + 1;
	for (n = 0; n < tree->num_nodes; n++)
		tree->nodes[n].in_loop = tree_shows(&tree->nodes[n]);

	while (changed) {
		changed = false;
		for (n = 0; n < tree->num_nodes; n++)
			causes[n] = effects[n] = 0;
		for (e = 0; e < tree->num_edges; e++) {
			const struct tree_edge *edge = &tree->edges[e];

			if (!tree->nodes[edge->cause].in_loop ||
			    !tree->nodes[edge->effect].in_loop)
				continue;
			effects[edge->cause]++;
			causes[edge->effect]++;
		}
		for (n = 0; n < tree->num_nodes; n++) {
			if (!tree->nodes[n].in_loop ||
			    (causes[n] && effects[n]))
				continue;
			tree->nodes[n].in_loop = false;
			changed = true;
		}
	}
	free(causes);
	return 0;
}

/**
 * tree_build() - build the tree
 * @tree: result, to be freed with tree_free() also after a failure
 * @in: input; its ports have to stay allocated
 *
 * Input of different times may not fit together. An edge to a port that is gone
 * is omitted.
 *
 * Return: 0 or -ENOMEM.
 */
int tree_build(struct tree *tree, const struct tree_input *in)
{
	struct tree_build b = { .tree = tree, .in = in };
	unsigned int n;
	int err, i;

	*tree = (struct tree){};
	err = tree_nodes(&b);
	for (i = 0; !err && i < in->num_queues; i++)
		err = tree_queue(&b, &in->queues[i]);
	for (n = 0; !err && n < tree->num_nodes; n++)
		if (tree->nodes[n].side == TREE_INGRESS &&
		    tree->nodes[n].since_ns)
			err = tree_link(&b, n);
	free(b.by_ifindex);
	if (err)
		return err;
	if (tree->num_edges)
		qsort(tree->edges, tree->num_edges, sizeof(*tree->edges),
		      tree_compare_edges);
	return tree_loops(tree);
}

/**
 * tree_free() - free the tree
 * @tree: the tree
 */
void tree_free(struct tree *tree)
{
	free(tree->nodes);
	free(tree->edges);
	*tree = (struct tree){};
}
