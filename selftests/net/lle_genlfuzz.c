// SPDX-License-Identifier: GPL-2.0
/*
 * Hostile messages to the generic netlink family "lossless".
 *
 *	lle_genlfuzz random DEV RUNS SEED
 *	lle_genlfuzz unprivileged DEV RUNS SEED
 *	lle_genlfuzz dump COMMAND
 *
 * random: any command, do or dump, about port DEV or another one; attributes of
 * right and wrong types and lengths, nested, repeated, truncated. The kernel
 * must answer each with 0 or an error. Some dumps are not read to their end.
 * unprivileged: the kernel must also refuse each change.
 * dump: dumps all ports, and runs COMMAND after the first part. Prints the
 * number of messages, and "interrupted" for an inconsistent dump.
 */
#include <fcntl.h>
#include <linux/lossless.h>

#include "nlfuzz.h"

#define SMALL	8192		/* the least that netlink expects of a reader */
#define DEPTH	2		/* of nested attributes */

/*
 * Values of attributes; MS: a time of a watchdog; PRIO: or an action; MEMBER: DEV,
 * or the device created after it
 */
enum kind { ANY, SWITCH, BYTES, IFINDEX, MS, FLAG, PRIO, PRIOS, GROUP, MEMBER };

struct wanted {
	unsigned char type;
	enum kind kind;
};

struct command {
	unsigned char cmd;
	bool privileged; /* changes state, or takes as long as a queue is */
	unsigned int num;
	struct wanted attr[5]; /* the first is the subject */
};

#define A(set, name, kind)	{ LOSSLESS_A_##set##_##name, kind }

/* First those that can dump */
static const struct command commands[] = {
	{ LOSSLESS_CMD_SWITCH_GET, false, 1, { A(SWITCH, ID, SWITCH) } },
	{ LOSSLESS_CMD_PORT_GET, false, 1, { A(PORT, IFINDEX, IFINDEX) } },
	{ LOSSLESS_CMD_HISTORY_GET, false, 3,
	  { A(HISTORY, IFINDEX, IFINDEX), A(HISTORY, PRIO, PRIO),
	    A(HISTORY, DIRECTION, FLAG) } },
	{ LOSSLESS_CMD_WATCHDOG_GET, false, 2,
	  { A(WATCHDOG, IFINDEX, IFINDEX), A(WATCHDOG, PRIO, PRIO) } },
	{ LOSSLESS_CMD_QUEUE_GET, true, 2,
	  { A(QUEUE, IFINDEX, IFINDEX), A(QUEUE, PRIO, PRIO) } },
	{ LOSSLESS_CMD_DEADLOCK_GET, false, 1, { A(DEADLOCK, SWITCH, SWITCH) } },
	{ LOSSLESS_CMD_CONGESTION_GET, false, 2,
	  { A(CONGESTION, IFINDEX, IFINDEX), A(CONGESTION, PRIO, PRIO) } },
	{ LOSSLESS_CMD_PATH_GET, false, 1, { A(PATH_GROUP, ID, GROUP) } },
	{ LOSSLESS_CMD_SWITCH_SET, true, 3,
	  { A(SWITCH, ID, SWITCH), A(SWITCH, BUFFER, BYTES),
	    A(SWITCH, DISCARD, FLAG) } },
	{ LOSSLESS_CMD_WATCHDOG_SET, true, 5,
	  { A(WATCHDOG, IFINDEX, IFINDEX), A(WATCHDOG, PRIOS, PRIOS),
	    A(WATCHDOG, DETECTION_MS, MS), A(WATCHDOG, RESTORATION_MS, MS),
	    A(WATCHDOG, ACTION, PRIO) } },
	{ LOSSLESS_CMD_CLEAR, true, 1, { A(PORT, IFINDEX, IFINDEX) } },
	{ LOSSLESS_CMD_PATH_SET, true, 5,
	  { A(PATH_GROUP, ID, GROUP), A(PATH_GROUP, MEMBER, MEMBER),
	    A(PATH_GROUP, MEMBER, MEMBER), A(PATH_GROUP, ADAPTIVE, FLAG),
	    A(PATH_GROUP, GAP_US, ANY) } },
	{ LOSSLESS_CMD_PATH_DEL, true, 1, { A(PATH_GROUP, ID, GROUP) } },
};

#define COMMANDS	(sizeof(commands) / sizeof(commands[0]))
#define DUMPS	8

static int family;
static int ifindex;

static void find_family_id(const struct nlmsghdr *nlh)
{
	const struct nlattr *attr;

	if (nlh->nlmsg_type != GENL_ID_CTRL)
		return;
	mnl_attr_for_each(attr, nlh, sizeof(struct genlmsghdr))
		if (mnl_attr_get_type(attr) == CTRL_ATTR_FAMILY_ID)
			family = mnl_attr_get_u16(attr);
}

static struct nlmsghdr *message(char *buf, int type, int flags, int cmd)
{
	struct nlmsghdr *nlh = mnl_nlmsg_put_header(buf);
	struct genlmsghdr *genl;

	nlh->nlmsg_type = type;
	nlh->nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK | flags;
	genl = mnl_nlmsg_put_extra_header(nlh, sizeof(*genl));
	genl->cmd = cmd;
	genl->version = 1;
	return nlh;
}

static struct mnl_socket *open_family(void)
{
	struct mnl_socket *nl = connect_to(NETLINK_GENERIC);
	struct nlmsghdr *nlh;
	char buf[BUF_SIZE];

	nlh = message(buf, GENL_ID_CTRL, 0, CTRL_CMD_GETFAMILY);
	mnl_attr_put_strz(nlh, CTRL_ATTR_FAMILY_NAME, LOSSLESS_FAMILY_NAME);
	if (answer(nl, request(nl, nlh), find_family_id) || !family) {
		fprintf(stderr, "no family " LOSSLESS_FAMILY_NAME "\n");
		exit(1);
	}
	return nl;
}

static bool is_privileged(int cmd)
{
	unsigned int i;

	for (i = 0; i < COMMANDS; i++)
		if (commands[i].cmd == cmd)
			return commands[i].privileged;
	return false;
}

/* Nearly always a valid attribute */
static void put_sensible(struct nlmsghdr *nlh, const struct wanted *w)
{
	switch (w->kind) {
	case SWITCH:
		mnl_attr_put_u32(nlh, w->type, rnd(8) ? 0 : rnd_value());
		break;
	case BYTES:
		mnl_attr_put_u32(nlh, w->type, rnd(16 << 20));
		break;
	case IFINDEX:
		mnl_attr_put_u32(nlh, w->type, rnd(8) ? (unsigned int)ifindex : rnd_value());
		break;
	case MS:
		mnl_attr_put_u32(nlh, w->type, rnd(LOSSLESS_WATCHDOG_MS_MAX + 2));
		break;
	case FLAG:
		mnl_attr_put_u8(nlh, w->type, rnd(3));
		break;
	case PRIO:
		mnl_attr_put_u8(nlh, w->type, rnd(9) % 5);
		break;
	case PRIOS:
		mnl_attr_put_u8(nlh, w->type, rnd(4) ? 0x08 : rnd(256));
		break;
	case GROUP:
		mnl_attr_put_u32(nlh, w->type, rnd(3));
		break;
	case MEMBER:
		mnl_attr_put_u32(nlh, w->type, ifindex + (rnd(8) ? rnd(2) : rnd(4)));
		break;
	default:
		put_random(nlh, w->type, 64);
	}
}

/* At times too many members */
static void put_members(struct nlmsghdr *nlh, const struct wanted *w)
{
	unsigned int n;

	if (w->kind != MEMBER || rnd(16))
		return;
	for (n = rnd(LOSSLESS_PATHS_MAX + 2); n; n--)
		put_sensible(nlh, w);
}

static void put_attribute(struct nlmsghdr *nlh, const struct command *c, int depth)
{
	const struct wanted *w = &c->attr[rnd(c->num)];
	unsigned int type = w->type, n;
	struct nlattr *nest;

	switch (rnd(24)) {
	case 0:
		put_random(nlh, rnd(LOSSLESS_A_PRIO_STATS_MAX + 3), 64);
		break;
	case 1:
		put_random(nlh, type, 64);
		break;
	case 2:
		put_random(nlh, type | (rnd(2) ? NLA_F_NESTED :
						 NLA_F_NET_BYTEORDER), 64);
		break;
	case 3:
		put_random(nlh, rnd(1 << 16), depth == DEPTH ? LONG : 64);
		break;
	case 4:
		if (!depth)
			break;
		nest = mnl_attr_nest_start(nlh, type);
		for (n = rnd(4); n; n--)
			put_attribute(nlh, c, depth - 1);
		mnl_attr_nest_end(nlh, nest);
		break;
	case 5:
		put_sensible(nlh, w);
		/* fallthrough */
	default:
		put_sensible(nlh, w);
		put_members(nlh, w);
	}
}

/* Truncates the message, or lengthens its last attribute. */
static void spoil(struct nlmsghdr *nlh)
{
	struct nlattr *attr, *last = NULL;

	mnl_attr_for_each(attr, nlh, sizeof(struct genlmsghdr))
		last = attr;
	if (last && rnd(2))
		last->nla_len = rnd(2) ? rnd(4) : last->nla_len + 1 + rnd(2000);
	else
		nlh->nlmsg_len -= rnd(nlh->nlmsg_len - sizeof(*nlh));
}

static void one(struct mnl_socket *nl, bool unprivileged)
{
	const struct command *c = &commands[rnd(COMMANDS)];
	int cmd = rnd(4) ? c->cmd : rnd(LOSSLESS_CMD_MAX + 3);
	int flags = rnd(3) ? 0 : NLM_F_DUMP;
	bool spoilt = !rnd(8);
	struct nlmsghdr *nlh;
	char buf[BUF_SIZE];
	unsigned int n;
	int err;

	nlh = message(buf, family, flags, cmd);
	if (rnd(8))
		put_sensible(nlh, &c->attr[0]);
	for (n = rnd(5); n; n--)
		put_attribute(nlh, c, DEPTH);
	if (spoilt)
		spoil(nlh);
	err = ask(nl, nlh);
	if (unprivileged && is_privileged(cmd) && err != EPERM &&
	    (!err || (!flags && !spoilt))) {
		fprintf(stderr, "command %d: error %d, not EPERM\n", cmd, err);
		exit(1);
	}
	count(err);
}

/* Sends a message shorter than its length, which gets no answer. */
static void cut_short(struct mnl_socket *nl)
{
	struct nlmsghdr *nlh;
	char buf[BUF_SIZE];

	nlh = message(buf, family, 0, LOSSLESS_CMD_PORT_GET);
	mnl_attr_put_u32(nlh, LOSSLESS_A_PORT_IFINDEX, ifindex);
	mnl_socket_sendto(nl, nlh, rnd(nlh->nlmsg_len));
}

/* Starts a dump without reading all; a second one meanwhile is refused. */
static void half_a_dump(void)
{
	struct mnl_socket *nl = connect_to(NETLINK_GENERIC);
	char buf[BUF_SIZE];
	unsigned int n;

	fcntl(mnl_socket_get_fd(nl), F_SETFL, O_NONBLOCK);
	request(nl, message(buf, family, NLM_F_DUMP, commands[rnd(DUMPS)].cmd));
	for (n = rnd(4); n; n--)
		mnl_socket_recvfrom(nl, buf, rnd(4) ? SMALL : rnd(SMALL));
	if (rnd(2))
		request(nl, message(buf, family, NLM_F_DUMP,
				    commands[rnd(DUMPS)].cmd));
	mnl_socket_close(nl);
}

static int fuzz(struct mnl_socket *nl, bool unprivileged, unsigned int runs)
{
	unsigned int i;

	for (i = 0; i < runs; i++) {
		one(nl, unprivileged);
		if (i % 16 == 0)
			half_a_dump();
		if (i % 16 == 8)
			cut_short(nl);
	}
	return verdict();
}

static unsigned int messages;
static bool interrupted;

static void count_message(const struct nlmsghdr *nlh)
{
	messages += nlh->nlmsg_type == family;
	interrupted |= nlh->nlmsg_flags & NLM_F_DUMP_INTR;
}

/* Reading creates the next part, as large as the largest read so far. */
static int dump(const char *command)
{
	struct mnl_socket *nl = connect_to(NETLINK_GENERIC);
	const struct nlmsghdr *nlh;
	unsigned int seq;
	char buf[SMALL];
	int len;

	seq = request(nl, message(buf, family, NLM_F_DUMP, LOSSLESS_CMD_PORT_GET));
	len = mnl_socket_recvfrom(nl, buf, sizeof(buf));
	for (nlh = (void *)buf; mnl_nlmsg_ok(nlh, len);
	     nlh = mnl_nlmsg_next(nlh, &len))
		count_message(nlh);
	if (system(command) || answer(nl, seq, count_message)) {
		fprintf(stderr, "%s, or the dump, failed\n", command);
		return 1;
	}
	printf("%u%s\n", messages, interrupted ? " interrupted" : "");
	return 0;
}

int main(int argc, char **argv)
{
	struct mnl_socket *nl = open_family();

	if (argc == 3 && !strcmp(argv[1], "dump"))
		return dump(argv[2]);
	if (argc != 5) {
		fprintf(stderr, "usage: lle_genlfuzz random|unprivileged DEV RUNS SEED\n"
				"       lle_genlfuzz dump COMMAND\n");
		return 1;
	}
	ifindex = if_nametoindex(argv[2]);
	seed = atoi(argv[4]);
	return fuzz(nl, !strcmp(argv[1], "unprivileged"), atoi(argv[3]));
}
