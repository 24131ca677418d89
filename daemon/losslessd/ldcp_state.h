/* SPDX-License-Identifier: GPL-2.0 */
/* Changes of losslessd for LDCP, recorded in a file with the state before. */
#ifndef LLED_LDCP_STATE_H
#define LLED_LDCP_STATE_H

#include "../lib/client.h"

struct ldcp_route {
	struct lle_nl_route old;	/* no data: there was no route */
	struct lle_nl_route own;
};

/* File of /proc/sys/net/ldcp, and its value before */
struct ldcp_setting {
	char *name;
	char *old;
};

struct ldcp_wred {
	struct lle_nl_wred old;
	struct lle_nl_wred own;
	bool tried;		/* own was set or refused; not in the file */
	unsigned int reported;	/* bits of enum wrong; not in the file */
};

struct ldcp_state {
	struct ldcp_route *routes;
	unsigned int num_routes;
	struct ldcp_setting *settings;
	unsigned int num_settings;
	struct ldcp_wred *wreds;
	unsigned int num_wreds;
	bool dirty;	/* differs from the file */
};

int ldcp_state_add_route(struct ldcp_state *s, const struct lle_nl_route *old,
			 const struct lle_nl_route *own);
void ldcp_state_drop_route(struct ldcp_state *s, unsigned int i);
int ldcp_state_add_setting(struct ldcp_state *s, const char *name, const char *old);
int ldcp_state_add_wred(struct ldcp_state *s, const struct lle_nl_wred *old,
			const struct lle_nl_wred *own);
void ldcp_state_drop_wreds(struct ldcp_state *s, unsigned int ifindex);
int ldcp_state_write(struct ldcp_state *s, const char *path);
int ldcp_state_read(struct ldcp_state *s, const char *path);
void ldcp_state_free(struct ldcp_state *s);

#endif /* LLED_LDCP_STATE_H */
