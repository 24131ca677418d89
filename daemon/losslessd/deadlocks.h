/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLED_DEADLOCKS_H
#define LLED_DEADLOCKS_H

#include "../lib/deadlock.h"

void deadlocks_event(struct lle_nl *nl, const struct lle_nl_deadlock *d);
void deadlocks_look(const struct lle_nl_deadlock *all, int num,
		    const struct lle_nl_ports *ports, uint64_t now_us);
void deadlocks_resync(struct lle_nl *nl, uint64_t now_us);
void deadlocks_free(void);

#endif /* LLED_DEADLOCKS_H */
