/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_DCB_H
#define LLE_DCB_H

struct lle_port;
struct lle_port_params;

#if IS_ENABLED(CONFIG_DCB)
void lle_dcb_add(struct lle_port *port);
void lle_dcb_del(struct lle_port *port);
void lle_dcb_changed(struct lle_port *port);
void lle_dcb_replaced(struct lle_port *port, const struct lle_port_params *old,
		      const struct lle_port_params *params);
#else
static inline void lle_dcb_add(struct lle_port *port) { }
static inline void lle_dcb_del(struct lle_port *port) { }
static inline void lle_dcb_changed(struct lle_port *port) { }
static inline void lle_dcb_replaced(struct lle_port *port,
				    const struct lle_port_params *old,
				    const struct lle_port_params *params) { }
#endif

#endif /* LLE_DCB_H */
