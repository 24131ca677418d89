/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_CORE_PAUSE_H
#define LLE_CORE_PAUSE_H

#include "frame.h"
#include "history.h"

/**
 * struct lle_pause_rx - pauses received by one port, which stop its priorities
 * @paused: bit p: class p is paused, unless its pause has expired meanwhile;
 *	comparing it with 0 needs no serialisation
 * @until_ns: when the pause of a class expires
 * @since_ns: when the last pause of a class began
 * @pauses: frames that paused a class, reloads included
 * @resumes: frames that resumed it, paused or not
 * @history: pauses that have ended
 */
struct lle_pause_rx {
	u8 paused;
	u64 until_ns[LLE_NUM_PRIO];
	u64 since_ns[LLE_NUM_PRIO];
	u64 pauses[LLE_NUM_PRIO];
	u64 resumes[LLE_NUM_PRIO];
	struct lle_history history[LLE_NUM_PRIO];
};

/**
 * struct lle_pause_tx - pauses sent by one port, which stop its peer
 * @sent: bit p: the last frame with class p paused it; may be read without
 *	serialisation
 * @refresh_ns: when the pauses in @sent must be repeated; may be read without
 *	serialisation, so code that lowers it must wake the port
 * @pauses: frames sent that pause a class, refreshes included
 * @resumes: frames sent that resume it
 */
struct lle_pause_tx {
	u8 sent;
	u64 refresh_ns;
	u64 pauses[LLE_NUM_PRIO];
	u64 resumes[LLE_NUM_PRIO];
};

/**
 * lle_pause_quanta_to_ns() - convert quanta to nanoseconds
 * @quanta: number of quanta, 0..65535
 * @rate: speed of the link in bytes per second, not 0
 * Return: nanoseconds, rounded down.
 */
u64 lle_pause_quanta_to_ns(u32 quanta, u64 rate);

/**
 * lle_pause_quanta_min() - compute the shortest pause that can be kept up
 * @frame_bytes: largest frame without FCS, or all frames sent in one piece with
 *	the overhead between them
 * @overhead_bytes: bytes on the link per frame, beyond its own
 * Return: quanta: a refresh is due at half of the pause, and may wait for the
 * end of a frame or piece.
 */
u32 lle_pause_quanta_min(u32 frame_bytes, u32 overhead_bytes);

/**
 * lle_pause_rx_frame() - apply a received PFC frame
 * @rx: state of the port
 * @pfc: the frame
 * @obey: bit p: class p has PFC; pauses of other classes are only counted
 * @rate: speed of the link in bytes per second
 * @now_ns: time of arrival
 *
 * A further pause reloads the time, it does not add (802.1Q 36.1.3.3).
 * Context: any; the caller serialises calls on one @rx.
 * Return: bit p: class p may send again, by this frame or an earlier expiry.
 */
u8 lle_pause_rx_frame(struct lle_pause_rx *rx, const struct lle_pfc *pfc,
		      u8 obey, u64 rate, u64 now_ns);

/**
 * lle_pause_rx_update() - end expired pauses, however late, at their expiry
 * @rx: state of the port
 * @now_ns: the time
 * Return: bit p: class p is paused at @now_ns.
 */
u8 lle_pause_rx_update(struct lle_pause_rx *rx, u64 now_ns);

/**
 * lle_pause_rx_next() - find when the next pause expires
 * @rx: state of the port
 * @mask: bit p: consider class p
 * Return: the earliest expiry; U64_MAX: none of them is paused.
 */
u64 lle_pause_rx_next(const struct lle_pause_rx *rx, u8 mask);

/**
 * lle_pause_rx_clear() - end pauses after a loss of link or PFC
 * @rx: state of the port
 * @prios: bit p: end the pause of class p
 * @now_ns: the time
 */
void lle_pause_rx_clear(struct lle_pause_rx *rx, u8 prios, u64 now_ns);

/* Nanoseconds for which a class was paused, up to @now_ns */
static inline u64 lle_pause_rx_duration(const struct lle_pause_rx *rx,
					unsigned int prio, u64 now_ns)
{
	u64 ns = rx->history[prio].total_ns;

	if (rx->paused & BIT(prio))
		ns += min(now_ns, rx->until_ns[prio]) - rx->since_ns[prio];
	return ns;
}

/* Number of pauses of a class */
static inline u64 lle_pause_rx_transitions(const struct lle_pause_rx *rx,
					   unsigned int prio)
{
	return rx->history[prio].count + !!(rx->paused & BIT(prio));
}

/**
 * lle_pause_rx_quiet_since() - find when the last pause ended, or will expire
 * @rx: state of the port
 * @prio: the class
 * Return: nanoseconds; 0: never paused.
 */
u64 lle_pause_rx_quiet_since(const struct lle_pause_rx *rx, unsigned int prio);

/* Must a frame be sent? @want: bit p: class p of the peer should be paused */
static inline bool lle_pause_tx_due(const struct lle_pause_tx *tx, u8 want,
				    u64 now_ns)
{
	return want != READ_ONCE(tx->sent) ||
	       (want && now_ns >= READ_ONCE(tx->refresh_ns));
}

/**
 * lle_pause_tx_build() - build the frame that pauses and resumes the peer
 * @tx: state of the port
 * @want: bit p: class p of the peer should be paused now
 * @quanta: pause time to advertise, 1..65535
 * @rate: speed of the link in bytes per second
 * @now_ns: the time
 * @pfc: result, with the state of all classes
 *
 * All pauses share one refresh time, half of the pause: a refresh may be late
 * by the other half.
 * Context: any; the caller serialises calls on one @tx, and sends each frame
 * before it builds the next.
 */
void lle_pause_tx_build(struct lle_pause_tx *tx, u8 want, u16 quanta, u64 rate,
			u64 now_ns, struct lle_pfc *pfc);

#endif /* LLE_CORE_PAUSE_H */
