// SPDX-License-Identifier: GPL-2.0
/* What the other modules use of kmod/core/, which itself knows no kernel. */
#include <linux/export.h>

#include "../core/sched/link.h"
#include "../core/pfc/pause.h"
#include "../core/sched/sched.h"
#include "../core/buffer/wred.h"

EXPORT_SYMBOL_GPL(lle_link_params_init);
EXPORT_SYMBOL_GPL(lle_pause_rx_next);
EXPORT_SYMBOL_GPL(lle_pause_rx_update);
EXPORT_SYMBOL_GPL(lle_sched_pick);
EXPORT_SYMBOL_GPL(lle_wred_decide);
EXPORT_SYMBOL_GPL(lle_wred_params_init);
