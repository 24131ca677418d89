/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Includes for the algorithms of kmod/core/.
 *
 * Files in this directory are plain C: no packets, locks, clocks, allocation,
 * randomness or errno. They take events and the time, and return verdicts. The
 * caller serialises the calls on one state. So the same source is linked into
 * the modules and into the user space tests. Only this header depends on which
 * of the two it is.
 */
#ifndef LLE_CORE_H
#define LLE_CORE_H

#ifdef __KERNEL__
#include <linux/atomic.h>
#include <linux/bitops.h>
#include <linux/bits.h>
#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include <linux/time64.h>
#include <linux/types.h>
#include <asm/byteorder.h>
#else
#include "user.h"
#endif

#include <linux/lossless_frame.h>

#endif /* LLE_CORE_H */
