/* SPDX-License-Identifier: GPL-2.0 */
/* Netlink routes: their prefixes, and their form with LDCP. */
#ifndef LLED_ROUTE_H
#define LLED_ROUTE_H

#include <stdbool.h>
#include <stdint.h>

#include "../lib/client.h"

struct prefix {
	uint8_t family;		/* AF_INET or AF_INET6 */
	uint8_t bits;
	uint8_t address[16];	/* 0 after the prefix */
};

bool prefix_read(const char *text, struct prefix *p);
bool prefix_of(const struct lle_nl_route *route, struct prefix *p);
bool prefix_has(const struct prefix *p, const struct prefix *inner);
bool route_is_fixed(const struct lle_nl_route *route);
bool route_is_same(const struct lle_nl_route *a, const struct lle_nl_route *b);
bool route_has_ldcp(const struct lle_nl_route *route);
int route_make(struct lle_nl_route *result, const struct lle_nl_route *from,
	       const struct prefix *to, unsigned int window);

#endif /* LLED_ROUTE_H */
