// SPDX-License-Identifier: GPL-2.0
/* State of a run that all files share: configuration, start, and whether it is running. */
#include "rnic.h"

/* Module parameters, for good. */
struct rnic_config rnic_config;
/* Written under RTNL; they do not change while flows send. */
u64 rnic_start_ns;
bool rnic_running;
