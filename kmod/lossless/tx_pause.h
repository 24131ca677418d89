/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_TX_PAUSE_H
#define LLE_TX_PAUSE_H

#include "types/port.h"

struct sk_buff *lle_tx_pause_frame(struct lle_port *port, u64 now_ns);
void lle_tx_pause_end(struct lle_port *port);

#endif /* LLE_TX_PAUSE_H */
