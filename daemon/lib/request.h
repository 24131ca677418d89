/* SPDX-License-Identifier: GPL-2.0 */
/* Interface between the files of the library. */
#ifndef LLE_CLIENT_REQUEST_H
#define LLE_CLIENT_REQUEST_H

#include <linux/netlink.h>
#include <netlink/msg.h>
#include <netlink/netlink.h>

#include "client.h"

#define LLE_NL_TEXT	256

struct lle_nl {
	struct nl_sock *sk; /* requests */
	struct nl_sock *events; /* NULL: not subscribed */
	bool lost; /* events were lost, but earlier ones are unread */
	struct nl_sock *links; /* rtnetlink; NULL: no request yet */
	struct nl_sock *sockets; /* sock_diag; NULL: no request yet */
	int family; /* netlink family */
	char text[LLE_NL_TEXT]; /* for lle_nl_text() */
};

/* Called for a message of an answer. Return: 0 or a negative errno. */
typedef int lle_nl_answer(struct nlmsghdr *nlh, void *arg);

/* Attempts at a dump; changes interrupt it */
#define LLE_NL_DUMPS	10

struct lle_nl_list {
	const char *what; /* for messages */
	size_t size; /* of an item */
	int (*compare)(const void *a, const void *b); /* order; NULL: as they come */
	void (*drop)(void *item); /* frees what an item owns; NULL: nothing */
	char *items;
	int num;
};

struct nl_msg *lle_nl_request(struct lle_nl *nl, uint8_t cmd, int flags);
struct nl_msg *lle_nl_message(int type, int flags, const void *head, size_t bytes);
int lle_nl_talk(struct lle_nl *nl, struct nl_msg *msg, lle_nl_answer *answer,
		void *arg);
int lle_nl_talk_to(struct lle_nl *nl, int protocol, struct nl_msg *msg,
		   lle_nl_answer *answer, void *arg);
int lle_nl_talk_links(struct lle_nl *nl, struct nl_msg *msg,
		      lle_nl_answer *answer, void *arg);
struct nl_msg *lle_nl_fit(struct nl_msg *msg, bool fits);
int lle_nl_do(struct lle_nl *nl, struct nl_msg *msg, bool fits);
int lle_nl_fail(struct lle_nl *nl, int err, const char *why);
void lle_nl_about(struct lle_nl *nl, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void lle_nl_about_port(struct lle_nl *nl, unsigned int ifindex);

/* list.c */
void *lle_nl_list_add(struct lle_nl_list *l);
int lle_nl_list_end(struct lle_nl_list *l, int err, void *result);
int lle_nl_list_dump(struct lle_nl_list *l, struct lle_nl *nl, int protocol, int type,
		     const void *head, size_t bytes, lle_nl_answer *take);

/* backup.c */
int lle_nl_back_up(struct lle_nl *nl, const struct lle_nl_path *old,
		   const struct lle_nl_path *path);

#endif /* LLE_CLIENT_REQUEST_H */
