/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_CORE_LINK_H
#define LLE_CORE_LINK_H

/*
 * The emulated link. A frame of n bytes occupies it for
 *
 *	(max(n, 60) + overhead) / rate
 *
 * seconds; fractions of a nanosecond carry over to the next frame. Segments of
 * a GSO packet occupy it one after the other.
 */
#include "../core.h"

/* Shortest Ethernet frame without FCS */
#define LLE_LINK_FRAME_MIN	60

/**
 * struct lle_link_params - an emulated link
 * @rate: bytes per second; 0: no emulation
 * @overhead_bytes: bytes on the link per frame, beyond its own
 * @credit_ns: timer lateness that the link may catch up
 */
struct lle_link_params {
	u64 rate;
	u32 overhead_bytes;
	u64 credit_ns;
};

/**
 * struct lle_link - the transmitter at one end
 * @free_ns: end of the last frame
 * @rem: remainder of @free_ns, in 1/rate ns
 * @waiting: frames have waited for the link without interruption
 */
struct lle_link {
	u64 free_ns;
	u64 rem;
	bool waiting;
};

/* @burst_bytes: bytes that a late link may send at once */
static inline void lle_link_params_init(struct lle_link_params *p, u64 rate,
					u32 overhead_bytes, u32 burst_bytes)
{
	p->rate = rate;
	p->overhead_bytes = overhead_bytes;
	p->credit_ns = rate ? div64_u64((u64)burst_bytes * NSEC_PER_SEC, rate) :
			      0;
}

/* May a frame be sent now? Call only with one; if not, again at free_ns. */
static inline bool lle_link_ready(struct lle_link *link,
				  const struct lle_link_params *p, u64 now_ns)
{
	if (!p->rate || now_ns >= link->free_ns)
		return true;
	link->waiting = true;
	return false;
}

/* There is nothing to send. */
static inline void lle_link_idle(struct lle_link *link)
{
	link->waiting = false;
}

/*
 * Occupy the link with frames of @len bytes, without FCS, until the returned
 * time. Idle time is lost. If frames waited for the caller's late timer, the
 * link catches up by @p->credit_ns at most.
 */
static inline u64 lle_link_send(struct lle_link *link,
				const struct lle_link_params *p, u32 len,
				u32 frames, u64 now_ns)
{
	u64 bytes = max_t(u32, len, frames * LLE_LINK_FRAME_MIN) +
		    (u64)frames * p->overhead_bytes;
	u64 floor_ns = now_ns;

	if (!p->rate)
		return now_ns;

	if (link->waiting)
		floor_ns -= min(now_ns, p->credit_ns);

	if (link->free_ns < floor_ns) {
		link->free_ns = floor_ns;
		link->rem = 0;
	}
	link->free_ns += div64_u64_rem(bytes * NSEC_PER_SEC + link->rem,
				       p->rate, &link->rem);
	return link->free_ns;
}

#endif /* LLE_CORE_LINK_H */
