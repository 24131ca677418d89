/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_DCB_H
#define LLE_DCB_H

struct lle_port;

#if IS_ENABLED(CONFIG_DCB)
void lle_dcb_add(struct lle_port *port);
void lle_dcb_del(struct lle_port *port);
void lle_dcb_changed(struct lle_port *port);
#else
static inline void lle_dcb_add(struct lle_port *port) { }
static inline void lle_dcb_del(struct lle_port *port) { }
static inline void lle_dcb_changed(struct lle_port *port) { }
#endif

#endif /* LLE_DCB_H */
