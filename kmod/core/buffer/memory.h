/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Memory that packets occupy, beside their bytes. The rule is in memory.c.
 */
#ifndef LLE_CORE_MEMORY_H
#define LLE_CORE_MEMORY_H

#include "sb.h"

/* Memory of a queue that the buffer need not know yet */
#define LLE_SB_MEMORY_SLACK	131072

/**
 * struct lle_sb_memory - memory of the packets in a queue
 * @bytes: the memory
 * @known: part of it that the buffer knows
 */
struct lle_sb_memory {
	u32 bytes;
	u32 known;
};

/**
 * lle_sb_memory_is_news() - test whether the buffer has to know a change
 * @memory: memory of a queue, which has changed
 *
 * Return: true: the caller has to use lle_sb_memory_know().
 */
static inline bool lle_sb_memory_is_news(const struct lle_sb_memory *memory)
{
	return memory->bytes - memory->known + LLE_SB_MEMORY_SLACK >
	       2 * LLE_SB_MEMORY_SLACK;
}

/**
 * lle_sb_memory_know() - let the buffer know the memory of a queue
 * @sb: the buffer
 * @memory: memory of the queue
 *
 * Context: serialised, as lle_sb_admit().
 * Return: true: from now on, the buffer shrinks.
 */
bool lle_sb_memory_know(struct lle_sb *sb, struct lle_sb_memory *memory);

#endif /* LLE_CORE_MEMORY_H */
