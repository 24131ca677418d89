/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_DEADLOCK_WORK_H
#define LLE_DEADLOCK_WORK_H

#include "../types/port.h"

void lle_deadlock_work_init(struct lle_deadlock *dl);
void lle_deadlock_work_exit(struct lle_deadlock *dl);

#endif /* LLE_DEADLOCK_WORK_H */
