/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_DEADLOCK_TRIGGER_RESOLVE_H
#define LLE_DEADLOCK_TRIGGER_RESOLVE_H

#include "../types/port.h"

bool lle_trigger_resolve(struct lle_switch *sw, const struct lle_dl_msg *msg);
void lle_trigger_resolve_asked(struct lle_port *port,
			       const struct lle_dl_msg *msg, u64 now_ns);

#endif /* LLE_DEADLOCK_TRIGGER_RESOLVE_H */
