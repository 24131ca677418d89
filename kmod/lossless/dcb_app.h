/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_DCB_APP_H
#define LLE_DCB_APP_H

struct dcb_app;
struct lle_port;
struct lle_port_params;
struct net_device;

int lle_dcb_app_set(const struct lle_port *port, struct lle_port_params *params,
		    const struct dcb_app *app);
bool lle_dcb_app_unset(struct lle_port_params *params,
		       const struct dcb_app *app);
void lle_dcb_app_show(struct net_device *dev, const struct lle_port_params *old,
		      const struct lle_port_params *params);

#endif /* LLE_DCB_APP_H */
