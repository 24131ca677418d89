// SPDX-License-Identifier: GPL-2.0
/* What all of a run share: how it was configured, when it began, and whether it goes on. */
#include "rnic.h"

/* Module parameters, for good. */
struct rnic_config rnic_config;
/* Under RTNL; what is at work during a run does not see them change. */
u64 rnic_start_ns;
bool rnic_running;
