// SPDX-License-Identifier: GPL-2.0
/* Events. A listener that is too slow loses events, and learns that. */
#include <errno.h>
#include <poll.h>
#include <string.h>

#include <netlink/errno.h>
#include <netlink/genl/ctrl.h>
#include <netlink/genl/genl.h>

#include "decode.h"
#include "request.h"

/* Bytes of unread events: about 1000 pauses */
#define LLE_NL_BUFFER	(1 << 20)

/* Maximum bytes of an event; avoids a query of its length */
#define LLE_NL_EVENT	8192

static const struct {
	unsigned int group;
	const char *name;
} lle_nl_groups[] = {
	{ LLE_NL_PAUSE, LOSSLESS_MCGRP_PAUSE },
	{ LLE_NL_STORM, LOSSLESS_MCGRP_STORM },
	{ LLE_NL_CONFIG, LOSSLESS_MCGRP_CONFIG },
	{ LLE_NL_DEADLOCK, LOSSLESS_MCGRP_DEADLOCK },
	{ LLE_NL_CONGESTION, LOSSLESS_MCGRP_CONGESTION },
};

static int lle_nl_join(struct lle_nl *nl, const char *family, const char *name)
{
	int group, err;

	lle_nl_about(nl, "events of %s", name);
	group = genl_ctrl_resolve_grp(nl->sk, family, name);
	if (group < 0)
		return lle_nl_fail(nl, -ENOENT, nl_geterror(group));
	err = nl_socket_add_membership(nl->events, group);
	return err < 0 ? lle_nl_fail(nl, -EIO, nl_geterror(err)) : 0;
}

/*
 * Subscribes to @groups, LLE_NL_*: once per client, and before reading the state,
 * to miss no change.
 */
int lle_nl_listen(struct lle_nl *nl, unsigned int groups)
{
	unsigned int i;
	int err;

	lle_nl_about(nl, "events");
	nl->events = nl_socket_alloc();
	if (!nl->events)
		return lle_nl_fail(nl, -ENOMEM, NULL);
	nl_socket_disable_seq_check(nl->events);
	err = genl_connect(nl->events);
	if (!err)
		err = nl_socket_set_buffer_size(nl->events, LLE_NL_BUFFER, 0);
	if (!err)
		err = nl_socket_set_msg_buf_size(nl->events, LLE_NL_EVENT);
	if (err < 0)
		return lle_nl_fail(nl, -EIO, nl_geterror(err));
	for (i = 0; i < sizeof(lle_nl_groups) / sizeof(lle_nl_groups[0]); i++) {
		if (!(groups & lle_nl_groups[i].group))
			continue;
		err = lle_nl_join(nl, LOSSLESS_FAMILY_NAME, lle_nl_groups[i].name);
		if (err)
			return err;
	}
	/* reports when the module is unloaded */
	return lle_nl_join(nl, "nlctrl", "notify");
}

/* @nl: it has subscribed. Return: readable when there are events */
int lle_nl_events_fd(const struct lle_nl *nl)
{
	return nl_socket_get_fd(nl->events);
}

struct lle_nl_reader {
	void (*event)(const struct lle_nl_event *e, void *arg);
	void *arg;
	int family;
	int err; /* negative errno: an event was not understood, or the module is gone */
};

/* -ESHUTDOWN: the module was unloaded; 0: another family. */
static int lle_nl_take_notice(const struct lle_nl_reader *r, struct nlmsghdr *nlh)
{
	const struct genlmsghdr *head = nlmsg_data(nlh);
	struct nlattr *id;

	if (nlmsg_datalen(nlh) < (int)GENL_HDRLEN || head->cmd != CTRL_CMD_DELFAMILY)
		return 0;
	id = nlmsg_find_attr(nlh, GENL_HDRLEN, CTRL_ATTR_FAMILY_ID);
	return id && nla_get_u16(id) == r->family ? -ESHUTDOWN : 0;
}

static int lle_nl_on_event(struct nl_msg *msg, void *arg)
{
	struct nlmsghdr *nlh = nlmsg_hdr(msg);
	struct lle_nl_reader *r = arg;
	struct lle_nl_event e;
	int err;

	if (nlh->nlmsg_type == GENL_ID_CTRL) {
		r->err = lle_nl_take_notice(r, nlh) ?: r->err;
		return NL_OK;
	}
	err = lle_nl_decode_event(nlh, &e);
	if (!err)
		r->event(&e, r->arg);
	else if (err != -EOPNOTSUPP)
		r->err = err;
	return NL_OK;
}

static bool lle_nl_events_wait(const struct lle_nl *nl)
{
	struct pollfd fd = { .fd = lle_nl_events_fd(nl), .events = POLLIN };

	return poll(&fd, 1, 0) > 0 && fd.revents & POLLIN;
}

/*
 * Waits for the first event. A socket that lost an event loses all following ones,
 * too, until it is empty. Return: -ENOBUFS: only then; request the state again, then
 * read on; -ESHUTDOWN: the module was unloaded, and this client is useless
 */
int lle_nl_read_events(struct lle_nl *nl,
		       void (*event)(const struct lle_nl_event *e, void *arg),
		       void *arg)
{
	struct lle_nl_reader r = { .event = event, .arg = arg, .family = nl->family };
	int err;

	err = nl_socket_modify_cb(nl->events, NL_CB_VALID, NL_CB_CUSTOM,
				  lle_nl_on_event, &r);
	if (!err)
		err = nl_recvmsgs_default(nl->events);
	/* after reading, as @event may have made requests */
	lle_nl_about(nl, "events");
	/* libnl's number for ENOBUFS and ENOMEM; either loses events */
	if (err == -NLE_NOMEM)
		nl->lost = true;
	else if (err < 0)
		return lle_nl_fail(nl, -EIO, nl_geterror(err));
	if (r.err)
		return lle_nl_fail(nl, r.err, r.err == -ESHUTDOWN ? "the module has been unloaded" : NULL);
	if (!nl->lost || lle_nl_events_wait(nl))
		return 0;
	nl->lost = false;
	return lle_nl_fail(nl, -ENOBUFS, "some were lost");
}
