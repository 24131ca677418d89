// SPDX-License-Identifier: GPL-2.0
/*
 * The shared buffer limits bytes, as the memory of a chip does. In the kernel a
 * packet of 62 bytes occupies 768 bytes of memory, one of 1000 bytes 2304. With
 *
 *	limit = min(max(2 * size, 32 MB), half of the machine's memory)
 *	waste = 16 * max(0, memory - 7/8 limit)
 *	free  = size - carved - used - waste
 *
 * thresholds fall, and ports pause their peers or drop lossy packets, at 15/16
 * limit at the latest. The rest is for packets in headroom, which must be
 * accepted. A queue reports its memory in steps: when packets arrive, and when
 * one that takes the lock of the switch anyway leaves.
 */
#include "memory.h"

static u64 lle_sb_memory_limit(const struct lle_sb *sb)
{
	u64 limit = max_t(u64, 2 * sb->size, 32 << 20);

	return sb->memory_max ? min(limit, sb->memory_max) : limit;
}

bool lle_memory_update(struct lle_sb *sb, struct lle_sb_memory *memory)
{
	u64 limit = lle_sb_memory_limit(sb), begin = limit - limit / 8;
	bool before = sb->waste;

	sb->memory += (s32)(memory->bytes - memory->known);
	memory->known = memory->bytes;
	sb->waste = sb->memory > begin ? 16 * (sb->memory - begin) : 0;
	lle_sb_publish(sb);
	return sb->waste && !before;
}
