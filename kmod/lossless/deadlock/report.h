/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_DEADLOCK_REPORT_H
#define LLE_DEADLOCK_REPORT_H

#include "../types/port.h"

void lle_deadlock_report(struct lle_deadlock *dl);
void lle_deadlock_report_walk(struct lle_port *port,
			      const struct lle_dl_msg *msg, struct sk_buff *skb,
			      u64 now_ns);

#endif /* LLE_DEADLOCK_REPORT_H */
