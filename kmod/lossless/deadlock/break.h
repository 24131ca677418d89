/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_DEADLOCK_BREAK_H
#define LLE_DEADLOCK_BREAK_H

#include "../types/port.h"

void lle_deadlock_break(struct lle_deadlock *dl,
			struct lle_deadlock_record *r);

#endif /* LLE_DEADLOCK_BREAK_H */
