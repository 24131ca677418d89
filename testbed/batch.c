// SPDX-License-Identifier: GPL-2.0
/* Sends many requests to the kernel in one system call, with one answer. */
#include <errno.h>
#include <signal.h>
#include <string.h>

#include <netlink/netlink.h>
#include <netlink/attr.h>
#include <netlink/msg.h>

#include "batch.h"
#include "tb.h"
#include "tc.h"

static volatile sig_atomic_t tb_interrupted;

static void tb_interrupt(int sig)
{
	(void)sig;
	tb_interrupted = 1;
}

/*
 * Makes requests fail after a signal, unless it was ignored. SIGPIPE is
 * ignored: a write to a closed pipe fails instead.
 */
void tb_batch_catch_signals(void)
{
	static const int sigs[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction action = { .sa_handler = tb_interrupt }, old;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(sigs); i++) {
		sigaction(sigs[i], &action, &old);
		if (old.sa_handler == SIG_IGN)
			signal(sigs[i], SIG_IGN);
	}
	signal(SIGPIPE, SIG_IGN);
}

/* Return: 0; -1 after an error message: a signal has arrived. */
int tb_batch_interrupted(void)
{
	return tb_interrupted ? tb_error("interrupted") : 0;
}

/* Opens a batch in the current network namespace. */
int tb_batch_open(struct tb_batch *b)
{
	static const int options[] = { NETLINK_EXT_ACK, NETLINK_CAP_ACK };
	int err, one = 1;
	unsigned int i;

	b->seq = 1;
	b->num = 0;
	b->used = 0;
	b->sk = nl_socket_alloc();
	if (!b->sk)
		return tb_error("out of memory");
	err = nl_connect(b->sk, NETLINK_ROUTE);
	if (err) {
		tb_batch_close(b);
		return tb_error("netlink: %s", nl_geterror(err));
	}
	/* errors with the kernel's message, without a copy of the request */
	for (i = 0; i < ARRAY_SIZE(options); i++)
		if (setsockopt(nl_socket_get_fd(b->sk), SOL_NETLINK, options[i],
			       &one, sizeof(one))) {
			tb_batch_close(b);
			return tb_error("netlink: %s", strerror(errno));
		}
	return 0;
}

static struct nlmsghdr *tb_batch_last(struct tb_batch *b)
{
	return (struct nlmsghdr *)(b->buf + b->used);
}

/*
 * Begins a request; @head: struct before the attributes, @doing: its object.
 * Return: the request, valid until the next one, with room for %TB_MSG_MAX
 * bytes; NULL after an error message, which may be about an earlier request.
 */
struct nlmsghdr *tb_batch_add(struct tb_batch *b, uint16_t type, uint16_t flags,
			      const void *head, size_t len,
			      const struct tb_doing *doing)
{
	struct nlmsghdr *n = tb_batch_last(b);
	size_t next = b->num ? b->used + NLMSG_ALIGN(n->nlmsg_len) : 0;

	if (b->num == TB_BATCH_NUM || next + TB_MSG_MAX > TB_BATCH_BYTES) {
		if (tb_batch_flush(b))
			return NULL;
		next = 0;
	}
	b->used = next;
	n = tb_batch_last(b);
	memset(n, 0, NLMSG_SPACE(len));
	n->nlmsg_len = NLMSG_SPACE(len);
	n->nlmsg_type = type;
	n->nlmsg_flags = NLM_F_REQUEST | flags;
	n->nlmsg_seq = b->seq + b->num;
	memcpy(NLMSG_DATA(n), head, len);
	b->doing[b->num++] = *doing;
	return n;
}

/* "cannot set up qdisc of s1p1 at s1: the kernel's message (its error)" */
static int tb_batch_failed(const struct tb_batch *b, struct nlmsghdr *answer)
{
	const struct nlmsgerr *err = nlmsg_data(answer);
	const struct tb_doing *d = &b->doing[err->msg.nlmsg_seq - b->seq];
	const struct nlattr *text = NULL;

	if (answer->nlmsg_flags & NLM_F_ACK_TLVS)
		text = nlmsg_find_attr(answer, sizeof(*err), NLMSGERR_ATTR_MSG);
	return tb_error("cannot set up %s%s%s%s%s: %s%s%s%s", d->what,
			d->of ? " of " : "", d->of ? d->of : "",
			d->at ? " at " : "", d->at ? d->at : "",
			text ? nla_get_string(text) : "", text ? " (" : "",
			strerror(-err->error), text ? ")" : "");
}

/*
 * The kernel acknowledges only the last request; others answer if they fail. So
 * the first answer decides; lost answers do not matter.
 */
static int tb_batch_answer(const struct tb_batch *b)
{
	static char buf[TB_MSG_MAX]
		__attribute__((aligned(NLMSG_ALIGNTO)));
	struct nlmsghdr *n = (struct nlmsghdr *)buf;
	const struct nlmsgerr *err;
	ssize_t len;

	do {
		if (tb_batch_interrupted())
			return -1;
		len = recv(nl_socket_get_fd(b->sk), buf, sizeof(buf), 0);
	} while (len < 0 && (errno == EINTR || errno == ENOBUFS));
	if (len < 0)
		return tb_error("netlink: %s", strerror(errno));
	err = nlmsg_data(n);
	if (!nlmsg_ok(n, len) || n->nlmsg_type != NLMSG_ERROR ||
	    n->nlmsg_len < NLMSG_LENGTH(sizeof(*err)) ||
	    err->msg.nlmsg_seq - b->seq >= b->num)
		return tb_error("netlink: an answer that was not asked for");
	return err->error ? tb_batch_failed(b, n) : 0;
}

/* Sends the requests, and waits for their results. */
int tb_batch_flush(struct tb_batch *b)
{
	struct nlmsghdr *last = tb_batch_last(b);
	int err;

	if (!b->num)
		return 0;
	last->nlmsg_flags |= NLM_F_ACK;
	err = nl_sendto(b->sk, b->buf, b->used + last->nlmsg_len);
	if (err < 0)
		return tb_error("netlink: %s", nl_geterror(err));
	err = tb_batch_answer(b);
	b->seq += b->num;
	b->num = 0;
	b->used = 0;
	return err;
}

/* Closes a batch, without sending its requests. */
void tb_batch_close(struct tb_batch *b)
{
	nl_socket_free(b->sk);
}
