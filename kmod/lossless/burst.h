/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_BURST_H
#define LLE_BURST_H

int lle_burst_init(void);
void lle_burst_exit(void);

#endif /* LLE_BURST_H */
