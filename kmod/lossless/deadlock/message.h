/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_DEADLOCK_MESSAGE_H
#define LLE_DEADLOCK_MESSAGE_H

#include "../types/port.h"

bool lle_deadlock_message_admit(struct lle_deadlock *dl, struct lle_port *port,
				u64 now_ns);
void lle_deadlock_message_append(struct lle_deadlock *dl, unsigned int slot,
				 const struct lle_dl_msg *msg);

#endif /* LLE_DEADLOCK_MESSAGE_H */
