/* SPDX-License-Identifier: GPL-2.0 */
/* Changes of losslessd for LDCP, recorded in a file with the state before. */
#ifndef LLED_LDCP_STATE_H
#define LLED_LDCP_STATE_H

#include "../lib/client.h"

/**
 * struct ldcp_route - a route that was changed or added
 * @old: the route before; no data: there was none
 * @own: the route with LDCP
 */
struct ldcp_route {
	struct lle_nl_route old;
	struct lle_nl_route own;
};

/**
 * struct ldcp_setting - a file of /proc/sys/net/ldcp that was changed
 * @name: name of the file
 * @old: its value before
 */
struct ldcp_setting {
	char *name;
	char *old;
};

/**
 * struct ldcp_wred - WRED of a priority of a port that was changed
 * @old: WRED before
 * @own: WRED for LDCP
 * @tried: @own was set or refused; not in the file
 * @reported: bit i: fault i (enum wrong) was reported; not in the file
 */
struct ldcp_wred {
	struct lle_nl_wred old;
	struct lle_nl_wred own;
	bool tried;
	unsigned int reported;
};

/**
 * struct ldcp_state - all changes
 * @routes: changed routes
 * @num_routes: entries of @routes
 * @settings: changed settings
 * @num_settings: entries of @settings
 * @wreds: changed WRED
 * @num_wreds: entries of @wreds
 * @dirty: the state differs from the file
 */
struct ldcp_state {
	struct ldcp_route *routes;
	unsigned int num_routes;
	struct ldcp_setting *settings;
	unsigned int num_settings;
	struct ldcp_wred *wreds;
	unsigned int num_wreds;
	bool dirty;
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
