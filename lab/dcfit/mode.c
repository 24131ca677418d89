// SPDX-License-Identifier: GPL-2.0
/* lossless.dcfit=1: the lab compares algorithm dcfit with exact. */
#include <linux/module.h>

#include "mode.h"

bool lle_dcfit_on;
module_param_named(dcfit, lle_dcfit_on, bool, 0644);
MODULE_PARM_DESC(dcfit, "Switches whose deadlock detection begins from now on use the algorithm of the paper");
