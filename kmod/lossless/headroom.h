/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_HEADROOM_H
#define LLE_HEADROOM_H

#include "types/port.h"

/**
 * struct lle_headroom_plan - headroom of a switch with a new configuration
 * @ask: demand of the configured port
 * @demand: demand of all ports
 * @size: bytes of the buffer
 * @sb: effective parameters of the port's priority groups
 * @others: shares of other ports may change
 */
struct lle_headroom_plan {
	struct lle_headroom_ask ask;
	struct lle_headroom_demand demand;
	u64 size;
	struct lle_sb_params sb;
	bool others;
};

u64 lle_headroom_link_speed(struct net_device *dev);
u32 lle_headroom_missing(const struct lle_port *port);
void lle_headroom_plan(const struct lle_port *port,
		       const struct lle_port_params *params,
		       struct lle_headroom_plan *plan);
bool lle_headroom_fits(const struct lle_port *port,
		       const struct lle_headroom_plan *plan);
bool lle_headroom_suffices(const struct lle_headroom_plan *plan);
void lle_headroom_begin(struct lle_port *port,
			const struct lle_headroom_plan *plan);
void lle_headroom_commit(struct lle_port *port,
			 const struct lle_headroom_plan *plan, u8 pfc_en);
void lle_headroom_end(struct lle_port *port,
		      const struct lle_headroom_plan *plan);
void lle_headroom_leave(struct lle_port *port);
void lle_headroom_report(struct lle_port *port);
void lle_headroom_work(struct work_struct *work);
void lle_headroom_recompute(struct lle_port *port);

/* reaction.c */
u32 lle_reaction_frame(const struct lle_port *port);
struct lle_sb_headroom
lle_reaction_headroom(const struct lle_port *port,
		      const struct lle_port_params *params, u64 reaction_ns);
void lle_reaction_overshoot(struct lle_port *port, unsigned int prio, u32 len);
void lle_reaction_measure(struct lle_port *port, unsigned int prio, u64 now_ns);

#endif /* LLE_HEADROOM_H */
