// SPDX-License-Identifier: GPL-2.0
/* What things are called, wherever they are shown. */
#include "client.h"

/**
 * lle_nl_drop_name() - name of a reason to drop, as tc and sysfs call it
 * @reason: enum lle_drop_reason
 */
const char *lle_nl_drop_name(enum lle_drop_reason reason)
{
	static const char * const names[LLE_NUM_DROP] = {
		[LLE_DROP_THRESHOLD] = "cong_discard",
		[LLE_DROP_BUFFER] = "buf_discard",
		[LLE_DROP_HEADROOM] = "headroom_discard",
		[LLE_DROP_LIMIT] = "limit_discard",
		[LLE_DROP_WRED] = "wred_discard",
		[LLE_DROP_WRED_NONECT] = "nonect_discard",
		[LLE_DROP_WRED_BUFMAX] = "bufmax_discard",
		[LLE_DROP_NOMEM] = "nomem_discard",
		[LLE_DROP_STORM] = "storm_discard",
		[LLE_DROP_PURGE] = "purge_discard",
		[LLE_DROP_STORM_RX] = "storm_rx_discard",
	};

	return names[reason];
}
