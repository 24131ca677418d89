// SPDX-License-Identifier: GPL-2.0
#include "../unit/exact_core.h"
#include "../../kmod/core/buffer/sb.c"
#include "../../kmod/core/buffer/credit.c"
#include "../../lab/dcfit/dcfit_round2.c"
#include "../../lab/dcfit/dcfit_round1.c"
#include "../../lab/dcfit/dcfit.c"
