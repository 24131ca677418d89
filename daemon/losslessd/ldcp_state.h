/* SPDX-License-Identifier: GPL-2.0 */
/* What losslessd has changed for LDCP, and how it was before: in a file. */
#ifndef LLED_LDCP_STATE_H
#define LLED_LDCP_STATE_H

#include "../lib/client.h"

/**
 * struct ldcp_route - a route that was changed, or made
 * @old: it before; no data: there was none
 * @ours: it now
 */
struct ldcp_route {
	struct lle_nl_route old;
	struct lle_nl_route ours;
};

/**
 * struct ldcp_setting - a file of /proc/sys/net/ldcp that was changed
 * @name: of the file
 * @old: what it had
 */
struct ldcp_setting {
	char *name;
	char *old;
};

/**
 * struct ldcp_wred - WRED of a priority of a port that was changed
 * @old: it before
 * @ours: it now
 * @tried: it has been set, or refused; not in the file
 * @told: bit i: what is wrong with it has been told; not in the file
 */
struct ldcp_wred {
	struct lle_nl_wred old;
	struct lle_nl_wred ours;
	bool tried;
	unsigned int told;
};

/**
 * struct ldcp_state - all of it
 * @routes: routes
 * @num_routes: how many
 * @settings: settings
 * @num_settings: how many
 * @wreds: WRED of ports
 * @num_wreds: how many
 * @dirty: the file has another one
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
			 const struct lle_nl_route *ours);
void ldcp_state_drop_route(struct ldcp_state *s, unsigned int i);
int ldcp_state_add_setting(struct ldcp_state *s, const char *name, const char *old);
int ldcp_state_add_wred(struct ldcp_state *s, const struct lle_nl_wred *old,
			const struct lle_nl_wred *ours);
void ldcp_state_drop_wreds(struct ldcp_state *s, unsigned int ifindex);
int ldcp_state_write(struct ldcp_state *s, const char *path);
int ldcp_state_read(struct ldcp_state *s, const char *path);
void ldcp_state_free(struct ldcp_state *s);

#endif /* LLED_LDCP_STATE_H */
