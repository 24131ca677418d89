// SPDX-License-Identifier: GPL-2.0
/* The code under test. */
#include "../unit/dcfit_core.h"
#include "../../kmod/core/sb.c"
#include "../../kmod/core/dcfit_paper_loop.c"
#include "../../kmod/core/dcfit_paper_check.c"
#include "../../kmod/core/dcfit_paper.c"
