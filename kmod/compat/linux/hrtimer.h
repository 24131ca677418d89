/* SPDX-License-Identifier: GPL-2.0 */
/* hrtimer_setup() came with 6.13; hrtimer_init() went with 6.15. */
#ifndef LLE_COMPAT_LINUX_HRTIMER_H
#define LLE_COMPAT_LINUX_HRTIMER_H

#include_next <linux/hrtimer.h>

#ifndef LLE_HAVE_HRTIMER_SETUP
static inline void
lle_hrtimer_setup(struct hrtimer *timer,
		  enum hrtimer_restart (*function)(struct hrtimer *),
		  clockid_t clock, enum hrtimer_mode mode)
{
	hrtimer_init(timer, clock, mode);
	timer->function = function;
}

#define hrtimer_setup lle_hrtimer_setup
#endif

#endif /* LLE_COMPAT_LINUX_HRTIMER_H */
