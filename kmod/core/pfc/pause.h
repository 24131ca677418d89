/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_CORE_PAUSE_H
#define LLE_CORE_PAUSE_H

#include "frame.h"
#include "history.h"

/**
 * struct lle_pause_rx - pauses received at one port, which stop it from sending
 * @paused: bit p: class p is paused, unless the pause has expired meanwhile; it
 *	may be compared with 0 without serialisation
 * @until_ns: when the pause of a class expires
 * @since_ns: when the last pause of a class began
 * @pauses: frames that paused a class, reloads included
 * @resumes: frames that resumed it, also if it was not paused
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
 * @refresh_ns: when the pauses in @sent have to be sent again; may be read
 *	without serialisation, so code that lowers it must wake the port
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
 * lle_pause_quanta_to_ns() - convert quanta to nanoseconds on a link
 * @quanta: number of quanta, 0..65535
 * @rate: speed of the link in bytes per second, not 0
 *
 * Return: nanoseconds, rounded down.
 */
u64 lle_pause_quanta_to_ns(u32 quanta, u64 rate);

/**
 * lle_pause_quanta_min() - compute the shortest pause that can be kept up
 * @frame_bytes: largest frame without FCS; if several are sent in one piece, of
 *	all of them, with the overhead between them
 * @overhead_bytes: bytes a frame occupies on the link beyond its own
 *
 * A refresh is due at half of the pause, and may then wait for the end of a
 * frame, or of such a piece.
 *
 * Return: quanta.
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
 * A pause of a paused class reloads its time, it does not add (802.1Q
 * 36.1.3.3).
 *
 * Context: any; the caller serialises calls on one @rx.
 * Return: bit p: class p may send again, by this frame or because its pause had
 * expired.
 */
u8 lle_pause_rx_frame(struct lle_pause_rx *rx, const struct lle_pfc *pfc,
		      u8 obey, u64 rate, u64 now_ns);

/**
 * lle_pause_rx_update() - end the pauses that have expired
 * @rx: state of the port
 * @now_ns: the time
 *
 * They end at the time of their expiry, however late the call is.
 *
 * Return: bit p: class p is paused at @now_ns.
 */
u8 lle_pause_rx_update(struct lle_pause_rx *rx, u64 now_ns);

/**
 * lle_pause_rx_next() - find when the next pause expires
 * @rx: state of the port
 * @mask: bit p: consider class p
 *
 * Return: the earliest expiry of a pause of these classes; U64_MAX: none is
 * paused.
 */
u64 lle_pause_rx_next(const struct lle_pause_rx *rx, u8 mask);

/**
 * lle_pause_rx_clear() - end pauses without the peer: the link went down, or
 *	the priority has no PFC any more
 * @rx: state of the port
 * @prios: bit p: end the pause of class p
 * @now_ns: the time
 */
void lle_pause_rx_clear(struct lle_pause_rx *rx, u8 prios, u64 now_ns);

/**
 * lle_pause_rx_duration() - compute the time for which a class was paused
 * @rx: state of the port
 * @prio: the class
 * @now_ns: the time
 *
 * Return: nanoseconds, with the current pause up to @now_ns.
 */
static inline u64 lle_pause_rx_duration(const struct lle_pause_rx *rx,
					unsigned int prio, u64 now_ns)
{
	u64 ns = rx->history[prio].total_ns;

	if (rx->paused & BIT(prio))
		ns += min(now_ns, rx->until_ns[prio]) - rx->since_ns[prio];
	return ns;
}

/**
 * lle_pause_rx_transitions() - count how often pauses of a class began
 * @rx: state of the port
 * @prio: the class
 */
static inline u64 lle_pause_rx_transitions(const struct lle_pause_rx *rx,
					   unsigned int prio)
{
	return rx->history[prio].count + !!(rx->paused & BIT(prio));
}

/**
 * lle_pause_rx_quiet_since() - find when the last pause ended, or will expire
 * @rx: state of the port
 * @prio: the class
 *
 * Return: nanoseconds; 0: there was none.
 */
u64 lle_pause_rx_quiet_since(const struct lle_pause_rx *rx, unsigned int prio);

/**
 * lle_pause_tx_due() - tell whether a frame has to be sent
 * @tx: state of the port
 * @want: bit p: class p of the peer should be paused now
 * @now_ns: the time
 */
static inline bool lle_pause_tx_due(const struct lle_pause_tx *tx, u8 want,
				    u64 now_ns)
{
	return want != READ_ONCE(tx->sent) ||
	       (want && now_ns >= READ_ONCE(tx->refresh_ns));
}

/**
 * lle_pause_tx_build() - build the frame that tells the peer its state
 * @tx: state of the port
 * @want: bit p: class p of the peer should be paused now
 * @quanta: pause time to advertise, 1..65535
 * @rate: speed of the link in bytes per second
 * @now_ns: the time
 * @pfc: result
 *
 * One frame has the whole state: it resumes all classes that were paused and
 * should not be, and reloads all others. So one refresh time serves all. It is
 * half of the pause: a refresh may be late by the other half.
 *
 * Context: any; the caller serialises calls on one @tx, and sends each frame
 * before it builds the next.
 */
void lle_pause_tx_build(struct lle_pause_tx *tx, u8 want, u16 quanta, u64 rate,
			u64 now_ns, struct lle_pfc *pfc);

#endif /* LLE_CORE_PAUSE_H */
