/* SPDX-License-Identifier: GPL-2.0 */
/* Memory occupied by packets, apart from their bytes; see memory.c. */
#ifndef LLE_CORE_MEMORY_H
#define LLE_CORE_MEMORY_H

#include "sb.h"

/* Memory of a queue that need not be reported yet */
#define LLE_SB_MEMORY_SLACK	131072

/**
 * struct lle_sb_memory - memory of the packets in a queue
 * @bytes: the memory
 * @known: part that was reported to the buffer
 */
struct lle_sb_memory {
	u32 bytes;
	u32 known;
};

/* Must the caller call lle_memory_update() after a change? */
static inline bool lle_memory_has_changed(const struct lle_sb_memory *memory)
{
	return memory->bytes - memory->known + LLE_SB_MEMORY_SLACK >
	       2 * LLE_SB_MEMORY_SLACK;
}

/**
 * lle_memory_update() - report the memory of a queue to the buffer
 * @sb: the buffer
 * @memory: memory of the queue
 * Context: as lle_sb_admit().
 * Return: true: the buffer begins to shrink.
 */
bool lle_memory_update(struct lle_sb *sb, struct lle_sb_memory *memory);

#endif /* LLE_CORE_MEMORY_H */
