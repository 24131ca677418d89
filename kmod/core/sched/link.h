/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_CORE_LINK_H
#define LLE_CORE_LINK_H

/*
 * The emulated link: a frame of n bytes occupies it for
 *
 *	(max(n, 60) + overhead) / rate
 *
 * seconds, exactly: fractions of a nanosecond are carried to the next frame. The
 * segments of a GSO packet that is sent whole occupy it one after the other.
 */
#include "../core.h"

/* Shortest Ethernet frame without FCS; the MAC pads shorter ones. */
#define LLE_LINK_FRAME_MIN	60

/**
 * struct lle_link_params - an emulated link
 * @rate: bytes per second; 0: no emulation, always ready
 * @overhead_bytes: bytes each frame occupies beyond its own
 * @credit_ns: lateness of its own timer that the link may catch up
 */
struct lle_link_params {
	u64 rate;
	u32 overhead_bytes;
	u64 credit_ns;
};

/**
 * struct lle_link - the transmitter at one end of an emulated link
 * @free_ns: when the last bit of the last frame is out
 * @rem: time beyond @free_ns, in 1/rate nanoseconds, so that nothing is ever
 *	rounded away
 * @waiting: frames have waited for the link without interruption
 */
struct lle_link {
	u64 free_ns;
	u64 rem;
	bool waiting;
};

/**
 * lle_link_params_init() - compute the parameters of an emulated link
 * @p: result
 * @rate: bytes per second; 0: none
 * @overhead_bytes: bytes each frame occupies beyond its own
 * @burst_bytes: bytes that a late link may send at once to catch up
 */
void lle_link_params_init(struct lle_link_params *p, u64 rate,
			  u32 overhead_bytes, u32 burst_bytes);

/**
 * lle_link_ready() - tell whether a frame may be sent now
 * @link: state
 * @p: parameters
 * @now_ns: the time
 *
 * Called only if there is a frame to send: if the link is not ready, it waits.
 *
 * Return: false: call again at @link->free_ns.
 */
static inline bool lle_link_ready(struct lle_link *link,
				  const struct lle_link_params *p, u64 now_ns)
{
	if (!p->rate || now_ns >= link->free_ns)
		return true;
	link->waiting = true;
	return false;
}

/**
 * lle_link_idle() - note that there is nothing to send
 * @link: state
 */
static inline void lle_link_idle(struct lle_link *link)
{
	link->waiting = false;
}

/**
 * lle_link_send() - occupy the link with a frame, or with several
 * @link: state, lle_link_ready()
 * @p: parameters
 * @len: bytes of the frames without FCS
 * @frames: number of frames
 * @now_ns: the time
 *
 * Idle time of the link is lost. Time for which frames have waited because the
 * caller's timer was late is caught up, up to @p->credit_ns: a perfect timer
 * never causes a burst.
 *
 * Return: when the last bit is out.
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
