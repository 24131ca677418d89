// SPDX-License-Identifier: GPL-2.0
/* Exports of kmod/core/, which is also built in user space and has none. */
#include <linux/export.h>

#include "../core/path/flow.h"
#include "../core/pfc/pause.h"
#include "../core/sched/sched.h"
#include "../core/buffer/wred.h"

EXPORT_SYMBOL_GPL(lle_flow_parse);
EXPORT_SYMBOL_GPL(lle_pause_rx_next);
EXPORT_SYMBOL_GPL(lle_pause_rx_update);
EXPORT_SYMBOL_GPL(lle_sched_pick);
EXPORT_SYMBOL_GPL(lle_wred_decide);
EXPORT_SYMBOL_GPL(lle_wred_marks_leaving);
EXPORT_SYMBOL_GPL(lle_wred_params_init);
