// SPDX-License-Identifier: GPL-2.0
/* The pause tree, built from ports, histories and queues. */
#include "../unit/tap.h"
#include "../../daemon/losslessctl/tree.c"

#define PRIO	3

/* Ports have ifindex 10, 20, ..., and are listed in reverse order. */
#define PORTS	6
#define IFINDEX(i) (10U * ((i) + 1))

static struct lle_nl_port ports[PORTS];
static struct lle_nl_history histories[2 * PORTS];
static struct lle_nl_queue queues[PORTS];
static struct tree_input in;

static void begin(void)
{
	memset(ports, 0, sizeof(ports));
	in = (struct tree_input){
		.ports = ports, .num_ports = PORTS,
		.histories = histories, .queues = queues,
	};
	for (unsigned int i = 0; i < PORTS; i++)
		ports[PORTS - 1 - i].who.ifindex = IFINDEX(i);
}

static struct lle_nl_port *port(unsigned int i)
{
	return &ports[PORTS - 1 - i];
}

static void link_ports(unsigned int i, unsigned int j)
{
	port(i)->peer = IFINDEX(j);
	port(j)->peer = IFINDEX(i);
}

static void paused(unsigned int i, enum lossless_direction direction)
{
	histories[in.num_histories++] = (struct lle_nl_history){
		.who.ifindex = IFINDEX(i), .prio = PRIO,
		.direction = direction, .since_ns = 1,
	};
}

/* @bytes of ingress port @from wait at egress port @at. */
static void waits(unsigned int at, unsigned int from, uint64_t bytes)
{
	struct lle_nl_queue *q = queues;

	while (q < queues + in.num_queues && q->who.ifindex != IFINDEX(at))
		q++;
	if (q == queues + in.num_queues) {
		*q = (struct lle_nl_queue){ .who.ifindex = IFINDEX(at),
					    .prio = PRIO };
		in.num_queues++;
	}
	q->waiting[q->num_waiting++] = (struct lle_waiting){
		.ifindex = IFINDEX(from), .packets = 1, .bytes = bytes,
	};
	port(at)->stats[PRIO].backlog += bytes;
	port(from)->stats[PRIO].occupancy += bytes;
}

static struct tree_node *node(struct tree *tree, unsigned int i,
			      enum tree_side side)
{
	return &tree->nodes[((PORTS - 1 - i) * LLE_NUM_PRIO + PRIO) * 2 + side];
}

static unsigned int count(const struct tree *tree,
			  bool (*what)(const struct tree_node *node))
{
	unsigned int n, num = 0;

	for (n = 0; n < tree->num_nodes; n++)
		num += what(&tree->nodes[n]);
	return num;
}

static bool shows(const struct tree_node *node) { return tree_shows(node); }
static bool root(const struct tree_node *node) { return tree_root(node); }
static bool loop(const struct tree_node *node) { return node->in_loop; }

/* host -> 0 [switch] 1 -- 2 [switch] 3 -> host that pauses */
static void chain_test(struct kunit *test)
{
	struct tree tree;

	begin();
	link_ports(1, 2);
	paused(3, LOSSLESS_DIRECTION_RX);
	paused(2, LOSSLESS_DIRECTION_TX);
	paused(1, LOSSLESS_DIRECTION_RX);
	paused(0, LOSSLESS_DIRECTION_TX);
	waits(3, 2, 500);
	waits(1, 0, 400);
	is(tree_build(&tree, &in), 0, "built");
	is(count(&tree, shows), 4, "nodes");
	is(count(&tree, root), 1, "roots");
	is(count(&tree, loop), 0, "none in a loop");
	is(tree_root(node(&tree, 3, TREE_EGRESS)), true, "root is where the pause comes from");
	is(tree.num_edges, 3, "edges");
	is(node(&tree, 0, TREE_INGRESS)->effects, 0, "the host is nobody's cause");
	tree_free(&tree);
}

/* Most bytes wait at a paused egress, a few at one that is not paused. */
static void congestion_test(struct kunit *test)
{
	struct tree tree;

	begin();
	paused(0, LOSSLESS_DIRECTION_TX);
	paused(1, LOSSLESS_DIRECTION_RX);
	waits(1, 0, 950);
	waits(2, 0, 50);
	is(tree_build(&tree, &in), 0, "built");
	is(count(&tree, root), 1, "what passes is not a root");
	tree_free(&tree);

	waits(3, 0, 200);
	is(tree_build(&tree, &in), 0, "built");
	is(count(&tree, root), 2, "what waits is");
	is(tree.edges[0].bytes + tree.edges[1].bytes, 1150, "bytes of edges");
	tree_free(&tree);
}

/* Three switches with ports 0/1, 2/3, 4/5: each waits for the next. */
static void loop_test(struct kunit *test)
{
	struct tree tree;
	unsigned int i;

	begin();
	for (i = 0; i < 6; i += 2) {
		link_ports(i + 1, (i + 2) % 6);
		paused(i + 1, LOSSLESS_DIRECTION_RX);
		paused(i, LOSSLESS_DIRECTION_TX);
		waits(i + 1, i, 100);
	}
	is(tree_build(&tree, &in), 0, "built");
	is(count(&tree, root), 0, "a loop has no root");
	is(count(&tree, loop), 6, "all are in it");
	tree_free(&tree);

	/* one port resumes */
	histories[0].since_ns = 0;
	is(tree_build(&tree, &in), 0, "built");
	is(count(&tree, loop), 0, "it is open");
	is(count(&tree, root), 1, "and has a root");
	tree_free(&tree);
}

static void receiver_test(struct kunit *test)
{
	struct tree tree;

	begin();
	paused(0, LOSSLESS_DIRECTION_TX);
	is(tree_build(&tree, &in), 0, "built");
	is(tree_root(node(&tree, 0, TREE_INGRESS)), true, "its receiver is the root");
	is(tree.num_edges, 0, "nobody else has to do with it");
	tree_free(&tree);
}

/* Ports disappear, or appear, between two answers of the kernel. */
static void strange_test(struct kunit *test)
{
	struct tree tree;

	begin();
	paused(0, LOSSLESS_DIRECTION_TX);
	histories[0].who.ifindex = 99;
	waits(1, 2, 100);
	queues[0].waiting[0].ifindex = 77;
	port(3)->peer = 3;
	is(tree_build(&tree, &in), 0, "built");
	is(count(&tree, shows), 0, "nothing is known");
	tree_free(&tree);

	in.num_ports = 0;
	is(tree_build(&tree, &in), 0, "built without ports");
	is(tree.num_nodes, 0, "empty");
	tree_free(&tree);
}

tap_suite("pause_tree",
	  KUNIT_CASE(chain_test),
	  KUNIT_CASE(congestion_test),
	  KUNIT_CASE(loop_test),
	  KUNIT_CASE(receiver_test),
	  KUNIT_CASE(strange_test));
