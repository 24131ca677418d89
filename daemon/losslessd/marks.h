/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLED_MARKS_H
#define LLED_MARKS_H

#include "conf.h"
#include "ldcp_state.h"

struct marks {
	struct lle_nl_port *ports;
	int num_ports;
	struct lle_nl_wred *wreds;	/* of priorities that have it */
	int num_wreds;
};

int marks_read(struct lle_nl *nl, struct marks *now);
void marks_free(struct marks *now);
int marks_want(struct ldcp_state *s, const struct marks *now,
	       const struct conf_ldcp *conf);
void marks_set(struct lle_nl *nl, struct ldcp_state *s, const struct marks *now,
	       const struct conf_ldcp *conf);
void marks_put_back(struct lle_nl *nl, const struct ldcp_state *s,
		    const struct marks *now);

#endif /* LLED_MARKS_H */
