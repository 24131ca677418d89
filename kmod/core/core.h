/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Includes for the algorithms of kmod/core/: plain C without packets, locks,
 * clocks, allocation, randomness or errno. They take events and the time, and
 * return verdicts; the caller serialises the calls on one state. The modules
 * and the user space tests link the same source: only this header differs.
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
