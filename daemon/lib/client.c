// SPDX-License-Identifier: GPL-2.0
/* A client: open, close, send a request and receive its answer. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include <netlink/errno.h>
#include <netlink/genl/ctrl.h>
#include <netlink/genl/genl.h>

#include "../tc/version.h"
#include "request.h"

/*
 * Bytes of a message. The kernel seeks its position in a dump at each message,
 * so more ports per message are faster.
 */
#define LLE_NL_MESSAGE	32768

/* Return: why the last call failed; or the kernel's warning; or "" */
const char *lle_nl_text(const struct lle_nl *nl)
{
	return nl->text;
}

/* Sets the subject of the following request, for messages. */
void lle_nl_about(struct lle_nl *nl, const char *fmt, ...)
{
	va_list list;

	va_start(list, fmt);
	vsnprintf(nl->text, sizeof(nl->text), fmt, list);
	va_end(list);
}

void lle_nl_about_port(struct lle_nl *nl, unsigned int ifindex)
{
	char name[IFNAMSIZ];

	if (if_indextoname(ifindex, name))
		lle_nl_about(nl, "%s", name);
	else
		lle_nl_about(nl, "device %u", ifindex);
}

/* Appends the reason @why; NULL or "": the text for @err. Return: @err. */
int lle_nl_fail(struct lle_nl *nl, int err, const char *why)
{
	size_t len = strlen(nl->text);

	if (!why || !*why)
		why = err == -EPERM ? "Operation not permitted: it takes CAP_NET_ADMIN, as root has" :
				      strerror(-err);
	snprintf(nl->text + len, sizeof(nl->text) - len, ": %s", why);
	return err;
}

struct lle_nl_talk {
	bool done;
	int err;
	char why[LLE_NL_TEXT]; /* the kernel's text */
	lle_nl_answer *answer;
	void *arg;
};

/* The kernel's text is an attribute that follows a header of @hdrlen bytes. */
static void lle_nl_take_why(struct lle_nl_talk *t, struct nlmsghdr *nlh,
			    int hdrlen)
{
	struct nlattr *why;

	if (!(nlh->nlmsg_flags & NLM_F_ACK_TLVS) || hdrlen < 0 ||
	    nlmsg_datalen(nlh) < hdrlen)
		return;
	why = nla_find(nlmsg_attrdata(nlh, hdrlen), nlmsg_attrlen(nlh, hdrlen),
		       NLMSGERR_ATTR_MSG);
	if (why)
		snprintf(t->why, sizeof(t->why), "%.*s", nla_len(why),
			 (const char *)nla_data(why));
}

/* Error 0 acknowledges a request. */
static void lle_nl_take_error(struct lle_nl_talk *t, struct nlmsghdr *nlh)
{
	const struct nlmsgerr *e = nlmsg_data(nlh);
	int hdrlen = sizeof(*e);

	t->done = true;
	if (!t->err)
		t->err = e->error;
	if (!(nlh->nlmsg_flags & NLM_F_CAPPED))
		hdrlen += e->msg.nlmsg_len - sizeof(e->msg);
	lle_nl_take_why(t, nlh, hdrlen);
}

static int lle_nl_on_error(struct sockaddr_nl *from, struct nlmsgerr *e,
			   void *arg)
{
	(void)from;
	/* libnl has checked that @e is the payload of a message */
	lle_nl_take_error(arg, (struct nlmsghdr *)e - 1);
	return NL_STOP;
}

static int lle_nl_on_ack(struct nl_msg *msg, void *arg)
{
	lle_nl_take_error(arg, nlmsg_hdr(msg));
	return NL_OK;
}

/* The end of a dump carries an error of the dump. */
static int lle_nl_on_finish(struct nl_msg *msg, void *arg)
{
	struct nlmsghdr *nlh = nlmsg_hdr(msg);
	struct lle_nl_talk *t = arg;
	int err;

	t->done = true;
	if (nlmsg_datalen(nlh) < (int)sizeof(err))
		return NL_OK;
	memcpy(&err, nlmsg_data(nlh), sizeof(err));
	if (err < 0 && !t->err)
		t->err = err;
	lle_nl_take_why(t, nlh, sizeof(err));
	return NL_OK;
}

/* After a failure, reads the rest of the answer without using it. */
static int lle_nl_on_valid(struct nl_msg *msg, void *arg)
{
	struct lle_nl_talk *t = arg;

	if (!t->err && t->answer)
		t->err = t->answer(nlmsg_hdr(msg), t->arg);
	return NL_OK;
}

/* Begins a request with more netlink @flags. NULL: no memory. */
struct nl_msg *lle_nl_request(struct lle_nl *nl, uint8_t cmd, int flags)
{
	struct nl_msg *msg = nlmsg_alloc();

	return lle_nl_fit(msg, msg && genlmsg_put(msg, NL_AUTO_PORT, NL_AUTO_SEQ, nl->family, 0,
						  flags, cmd, LOSSLESS_FAMILY_VERSION));
}

static int lle_nl_not_loaded(struct lle_nl *nl)
{
	lle_nl_about(nl, "the module lossless is not loaded: modprobe sch_lossless");
	return -ENOENT;
}

static int lle_nl_receive(struct lle_nl *nl, struct nl_sock *sk,
			  struct nl_cb *cb, struct lle_nl_talk *t)
{
	int err;

	nl_cb_set(cb, NL_CB_VALID, NL_CB_CUSTOM, lle_nl_on_valid, t);
	nl_cb_set(cb, NL_CB_FINISH, NL_CB_CUSTOM, lle_nl_on_finish, t);
	nl_cb_set(cb, NL_CB_ACK, NL_CB_CUSTOM, lle_nl_on_ack, t);
	nl_cb_err(cb, NL_CB_CUSTOM, lle_nl_on_error, t);
	while (!t->done) {
		err = nl_recvmsgs(sk, cb);
		if (err == -NLE_DUMP_INTR)
			return lle_nl_fail(nl, -EINTR, "changed during each attempt to read it; try again");
		if (err < 0 && !t->done)
			return lle_nl_fail(nl, -EIO, nl_geterror(err));
	}
	/* the kernel begins no dump of a module that it unloads */
	if (t->err == -EPROTONOSUPPORT && sk == nl->sk)
		return lle_nl_not_loaded(nl);
	if (t->err)
		return lle_nl_fail(nl, t->err, t->why);
	if (*t->why)
		return lle_nl_fail(nl, 0, t->why);
	*nl->text = '\0';
	return 0;
}

static int lle_nl_talk_on(struct lle_nl *nl, struct nl_sock *sk,
			  struct nl_msg *msg, lle_nl_answer *answer, void *arg)
{
	struct lle_nl_talk t = { .answer = answer, .arg = arg };
	struct nl_cb *cb = nl_cb_alloc(NL_CB_DEFAULT);
	int err;

	if (!msg || !cb) {
		err = lle_nl_fail(nl, -ENOMEM, NULL);
	} else {
		err = nl_send_auto(sk, msg);
		err = err < 0 ? lle_nl_fail(nl, -EIO, nl_geterror(err)) :
				lle_nl_receive(nl, sk, cb, &t);
	}
	nlmsg_free(msg);
	nl_cb_put(cb);
	return err;
}

/*
 * Sends a request and waits for the end of its answer. Frees @msg; NULL: no
 * memory was left for it. @answer may be NULL. Return: 0 or a negative errno;
 * -EINTR: a dump may be incomplete.
 */
int lle_nl_talk(struct lle_nl *nl, struct nl_msg *msg, lle_nl_answer *answer,
		void *arg)
{
	return lle_nl_talk_on(nl, nl->sk, msg, answer, arg);
}

/* Ask for errors with text; old kernels refuse, which does no harm. */
static void lle_nl_want_words(struct nl_sock *sk)
{
	int on = 1, fd = nl_socket_get_fd(sk);

	setsockopt(fd, SOL_NETLINK, NETLINK_EXT_ACK, &on, sizeof(on));
	setsockopt(fd, SOL_NETLINK, NETLINK_CAP_ACK, &on, sizeof(on));
}

/* lle_nl_talk() on another netlink family; the first call opens its socket. */
int lle_nl_talk_to(struct lle_nl *nl, int protocol, struct nl_msg *msg,
		   lle_nl_answer *answer, void *arg)
{
	struct nl_sock **sk = protocol == NETLINK_ROUTE ? &nl->links : &nl->sockets;
	int err = 0;

	if (!*sk) {
		*sk = nl_socket_alloc();
		err = *sk ? nl_connect(*sk, protocol) : -NLE_NOMEM;
		if (!err)
			lle_nl_want_words(*sk);
	}
	if (err) {
		nlmsg_free(msg);
		return lle_nl_fail(nl, -EIO, nl_geterror(err));
	}
	return lle_nl_talk_on(nl, *sk, msg, answer, arg);
}

/* Begins a request of another family with its header. NULL: no memory. */
struct nl_msg *lle_nl_message(int type, int flags, const void *head, size_t bytes)
{
	struct nl_msg *msg = nlmsg_alloc_simple(type, flags);

	return lle_nl_fit(msg, msg && !nlmsg_append(msg, (void *)head, bytes, NLMSG_ALIGNTO));
}

int lle_nl_talk_links(struct lle_nl *nl, struct nl_msg *msg,
		      lle_nl_answer *answer, void *arg)
{
	return lle_nl_talk_to(nl, NETLINK_ROUTE, msg, answer, arg);
}

/* @msg: NULL: no memory. @fits: all attributes fitted in. Return: @msg; or NULL, it is freed */
struct nl_msg *lle_nl_fit(struct nl_msg *msg, bool fits)
{
	if (msg && fits)
		return msg;
	nlmsg_free(msg);
	return NULL;
}

static int lle_nl_connect(struct lle_nl *nl)
{
	const char *refused = lle_version_refused();
	int err = genl_connect(nl->sk);

	lle_nl_about(nl, "netlink");
	if (refused)
		return lle_nl_fail(nl, -EPROTONOSUPPORT, refused);
	if (!err)
		err = nl_socket_set_msg_buf_size(nl->sk, LLE_NL_MESSAGE);
	if (err < 0)
		return lle_nl_fail(nl, -EIO, nl_geterror(err));
	lle_nl_want_words(nl->sk);
	nl->family = genl_ctrl_resolve(nl->sk, LOSSLESS_FAMILY_NAME);
	if (nl->family >= 0)
		return 0;
	if (nl->family != -NLE_OBJ_NOTFOUND)
		return lle_nl_fail(nl, -EIO, nl_geterror(nl->family));
	return lle_nl_not_loaded(nl);
}

/*
 * @result: closed by the caller, also after a failure; NULL: no memory. Return: -ENOENT:
 * the module is not loaded
 */
int lle_nl_open(struct lle_nl **result)
{
	struct lle_nl *nl = calloc(1, sizeof(*nl));

	*result = nl;
	if (!nl)
		return -ENOMEM;
	nl->sk = nl_socket_alloc();
	return nl->sk ? lle_nl_connect(nl) : lle_nl_fail(nl, -ENOMEM, NULL);
}

/* @nl: NULL: nothing to do */
void lle_nl_close(struct lle_nl *nl)
{
	if (!nl)
		return;
	nl_socket_free(nl->sk);
	nl_socket_free(nl->events);
	nl_socket_free(nl->links);
	nl_socket_free(nl->sockets);
	free(nl);
}
