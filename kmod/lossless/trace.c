// SPDX-License-Identifier: GPL-2.0
/* Instantiates the tracepoints of trace.h; the qdisc calls one. */
#define CREATE_TRACE_POINTS
#include "trace.h"

EXPORT_TRACEPOINT_SYMBOL_GPL(lle_congested);
