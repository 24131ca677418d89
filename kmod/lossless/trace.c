// SPDX-License-Identifier: GPL-2.0
/* The tracepoints of trace.h live here. */
#define CREATE_TRACE_POINTS
#include "trace.h"
