/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_DROP_NAMES_H
#define LLE_DROP_NAMES_H

#include <linux/pkt_sch_lossless.h>

/* Names of the drop counters in tc's output, in sysfs and in losslessctl */
static const char * const lle_drop_names[LLE_NUM_DROP] = {
	[LLE_DROP_THRESHOLD] = "cong_discard",
	[LLE_DROP_BUFFER] = "buf_discard",
	[LLE_DROP_HEADROOM] = "headroom_discard",
	[LLE_DROP_LIMIT] = "limit_discard",
	[LLE_DROP_WRED] = "wred_discard",
	[LLE_DROP_WRED_NONECT] = "nonect_discard",
	[LLE_DROP_WRED_BUFMAX] = "bufmax_discard",
	[LLE_DROP_NOMEM] = "nomem_discard",
	[LLE_DROP_STORM] = "storm_discard",
	[LLE_DROP_DEADLOCK] = "deadlock_discard",
	[LLE_DROP_COPY] = "copy_discard",
	[LLE_DROP_PURGE] = "purge_discard",
	[LLE_DROP_STORM_RX] = "storm_rx_discard",
	[LLE_DROP_BURST] = "burst_discard",
};

#endif /* LLE_DROP_NAMES_H */
