// SPDX-License-Identifier: GPL-2.0
/* State of a run that all files share */
#include "rnic.h"

/* The module parameters; constant after load. */
struct rnic_config rnic_config;
/* Written under RTNL; constant while flows send. */
u64 rnic_start_ns;
u64 rnic_end_ns = U64_MAX;
bool rnic_running;
