/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_BURST_H
#define LLE_BURST_H

#ifdef LLE_HAVE_QDISC_BURST
int lle_burst_init(void);
void lle_burst_exit(void);
#else
static inline int lle_burst_init(void) { return 0; }
static inline void lle_burst_exit(void) {}
#endif

#endif /* LLE_BURST_H */
