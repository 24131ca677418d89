/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_REACTION_H
#define LLE_REACTION_H

#include "types/port.h"

u32 lle_reaction_frame(const struct lle_port *port);
struct lle_sb_headroom
lle_reaction_headroom(const struct lle_port *port,
		      const struct lle_port_params *params, u64 reaction_ns);
void lle_reaction_overshoot(struct lle_port *port, unsigned int prio, u32 len);
void lle_reaction_measure(struct lle_port *port, unsigned int prio, u64 now_ns);

#endif /* LLE_REACTION_H */
