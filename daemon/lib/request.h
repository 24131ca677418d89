/* SPDX-License-Identifier: GPL-2.0 */
/* Interface between the files of the client library. */
#ifndef LLE_CLIENT_REQUEST_H
#define LLE_CLIENT_REQUEST_H

#include <linux/netlink.h>
#include <netlink/msg.h>
#include <netlink/netlink.h>

#include "client.h"

#define LLE_NL_TEXT	256

/**
 * struct lle_nl - a client
 * @sk: socket for requests
 * @events: socket for events; NULL: not subscribed
 * @lost: events were lost, and earlier ones are still to be read
 * @links: socket for rtnetlink; NULL: no request yet
 * @sockets: socket for sock_diag; NULL: no request yet
 * @family: number of the netlink family
 * @text: text for lle_nl_text()
 */
struct lle_nl {
	struct nl_sock *sk;
	struct nl_sock *events;
	bool lost;
	struct nl_sock *links;
	struct nl_sock *sockets;
	int family;
	char text[LLE_NL_TEXT];
};

/* Called for a message of an answer. Return: 0 or a negative errno. */
typedef int lle_nl_answer(struct nlmsghdr *nlh, void *arg);

struct nl_msg *lle_nl_request(struct lle_nl *nl, uint8_t cmd, int flags);
struct nl_msg *lle_nl_message(int type, int flags, const void *head, size_t bytes);
int lle_nl_talk(struct lle_nl *nl, struct nl_msg *msg, lle_nl_answer *answer,
		void *arg);
int lle_nl_talk_links(struct lle_nl *nl, struct nl_msg *msg,
		      lle_nl_answer *answer, void *arg);
int lle_nl_talk_sockets(struct lle_nl *nl, struct nl_msg *msg,
			lle_nl_answer *answer, void *arg);
int lle_nl_do(struct lle_nl *nl, struct nl_msg *msg, bool fits);
int lle_nl_fail(struct lle_nl *nl, int err, const char *why);
void lle_nl_about(struct lle_nl *nl, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void lle_nl_about_port(struct lle_nl *nl, unsigned int ifindex);

/* backup.c */
int lle_nl_back_up(struct lle_nl *nl, const struct lle_nl_path *old,
		   const struct lle_nl_path *path);

#endif /* LLE_CLIENT_REQUEST_H */
