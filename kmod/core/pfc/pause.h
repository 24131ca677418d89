/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_CORE_PAUSE_H
#define LLE_CORE_PAUSE_H

#include "frame.h"
#include "history.h"

/**
 * struct lle_pause_rx - pauses received at one port: what it must not send
 * @paused: bit p: class p is paused; it may have expired since. Zero may be looked
 *	for without serialisation
 * @until_ns: when the pause of a class ends by itself
 * @since_ns: when a paused class was last seen to go from sending to paused
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
 * struct lle_pause_tx - pauses sent by one port: what its peer must not send
 * @sent: bit p: the last frame that named class p paused it; may be looked at
 *	without serialisation
 * @refresh_ns: when the pauses in @sent have to be sent again; may be looked at without
 *	serialisation, so who makes it earlier has the port look again
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
 * lle_pause_quanta_to_ns() - time that quanta take on a link
 * @quanta: number of quanta, 0..65535
 * @rate: speed of the link in bytes per second, not 0
 *
 * Return: nanoseconds, rounded down.
 */
u64 lle_pause_quanta_to_ns(u32 quanta, u64 rate);

/**
 * lle_pause_quanta_min() - shortest pause that can be kept up
 * @frame_bytes: largest frame without FCS
 * @overhead_bytes: bytes a frame occupies on the link beyond its own
 *
 * A refresh is due at half of the pause, and may then wait for the end of a
 * frame.
 *
 * Return: quanta.
 */
u32 lle_pause_quanta_min(u32 frame_bytes, u32 overhead_bytes);

/**
 * lle_pause_rx_frame() - a PFC frame has arrived
 * @rx: state of the port
 * @pfc: the frame
 * @obey: bit p: class p has PFC here; frames for another are only counted
 * @rate: speed of the link in bytes per second
 * @now_ns: time of arrival
 *
 * A pause of a paused class reloads its time, it does not add (802.1Q 36.1.3.3).
 *
 * Context: any; the caller serialises calls on one @rx.
 * Return: bit p: class p may send again, by this frame or because its time was
 * over.
 */
u8 lle_pause_rx_frame(struct lle_pause_rx *rx, const struct lle_pfc *pfc,
		      u8 obey, u64 rate, u64 now_ns);

/**
 * lle_pause_rx_update() - end the pauses whose time is over
 * @rx: state of the port
 * @now_ns: the time
 *
 * A pause ends at its own time, however late this is called.
 *
 * Return: bit p: class p is paused at @now_ns.
 */
u8 lle_pause_rx_update(struct lle_pause_rx *rx, u64 now_ns);

/**
 * lle_pause_rx_next() - when the next pause expires
 * @rx: state of the port
 * @mask: the classes to look at
 *
 * Return: the earliest end of a pause of these classes, U64_MAX if none is
 * paused.
 */
u64 lle_pause_rx_next(const struct lle_pause_rx *rx, u8 mask);

/**
 * lle_pause_rx_clear() - pauses end without the peer: the link went down, or
 *	the priority has no PFC any more
 * @rx: state of the port
 * @prios: bit p: the pause of class p ends
 * @now_ns: the time
 */
void lle_pause_rx_clear(struct lle_pause_rx *rx, u8 prios, u64 now_ns);

/**
 * lle_pause_rx_duration() - time a class has been paused
 * @rx: state of the port
 * @prio: the class
 * @now_ns: up to when
 *
 * Return: nanoseconds, the pause that lasts at @now_ns included.
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
 * lle_pause_rx_transitions() - times a class went from sending to paused
 * @rx: state of the port
 * @prio: the class
 */
static inline u64 lle_pause_rx_transitions(const struct lle_pause_rx *rx,
					   unsigned int prio)
{
	return rx->history[prio].count + !!(rx->paused & BIT(prio));
}

/**
 * lle_pause_rx_quiet_since() - when the last pause ended, or will end by itself
 * @rx: state of the port
 * @prio: the class
 *
 * Return: nanoseconds; 0: there was none.
 */
u64 lle_pause_rx_quiet_since(const struct lle_pause_rx *rx, unsigned int prio);

/**
 * lle_pause_tx_due() - does a frame have to be sent?
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
 * lle_pause_tx_build() - say what the peer should do now
 * @tx: state of the port
 * @want: bit p: class p of the peer should be paused now
 * @quanta: pause time to advertise, 1..65535
 * @rate: speed of the link in bytes per second
 * @now_ns: the time
 * @pfc: result
 *
 * One frame states the whole truth: it resumes what is to be resumed and
 * reloads every class that is to stay paused, so one refresh time serves all.
 * A pause is refreshed at half its time, so that a frame that is late by as much
 * does no harm.
 *
 * Context: any; the caller serialises calls on one @tx, and sends what was
 * built before it builds again.
 */
void lle_pause_tx_build(struct lle_pause_tx *tx, u8 want, u16 quanta, u64 rate,
			u64 now_ns, struct lle_pfc *pfc);

#endif /* LLE_CORE_PAUSE_H */
