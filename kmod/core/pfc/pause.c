// SPDX-License-Identifier: GPL-2.0
/*
 * State of priority-based flow control: IEEE 802.1Q clause 36.1.3.
 *
 * Received: a frame with quanta != 0 pauses class p until one with quanta 0, or
 * for quanta * 512 bit times. Sent: pauses in the last frame to the peer, and
 * those that it should have.
 */
#include "pause.h"

u64 lle_pause_quanta_to_ns(u32 quanta, u64 rate)
{
	/* 512 bits are 64 bytes; 65535 * 64 * 10^9 is below 2^52 */
	return div64_u64((u64)quanta * (LLE_QUANTUM_BITS / 8) * NSEC_PER_SEC,
			 rate);
}

u32 lle_pause_quanta_min(u32 frame_bytes, u32 overhead_bytes)
{
	u32 wait = frame_bytes + LLE_PFC_FRAME_LEN + 2 * overhead_bytes;

	/* wait: from the due time of a refresh to its arrival */
	return DIV_ROUND_UP(2 * wait, LLE_QUANTUM_BITS / 8);
}

static void lle_pause_rx_end(struct lle_pause_rx *rx, unsigned int p, u64 at_ns)
{
	WRITE_ONCE(rx->paused, rx->paused & ~BIT(p));
	lle_history_add(&rx->history[p], rx->since_ns[p], at_ns);
}

u8 lle_pause_rx_update(struct lle_pause_rx *rx, u64 now_ns)
{
	unsigned int p;

	if (!rx->paused)
		return 0;
	for (p = 0; p < LLE_NUM_PRIO; p++)
		if ((rx->paused & BIT(p)) && now_ns >= rx->until_ns[p])
			lle_pause_rx_end(rx, p, rx->until_ns[p]);

	return rx->paused;
}

u8 lle_pause_rx_frame(struct lle_pause_rx *rx, const struct lle_pfc *pfc,
		      u8 obey, u64 rate, u64 now_ns)
{
	u8 before = rx->paused;
	unsigned int p;

	lle_pause_rx_update(rx, now_ns);

	for (p = 0; p < LLE_NUM_PRIO; p++) {
		if (!(pfc->enable & BIT(p)))
			continue;

		if (!pfc->quanta[p]) {
			rx->resumes[p]++;
			if (rx->paused & BIT(p))
				lle_pause_rx_end(rx, p, now_ns);
			continue;
		}

		rx->pauses[p]++;
		if (!(obey & BIT(p)))
			continue;
		rx->until_ns[p] = now_ns +
				  lle_pause_quanta_to_ns(pfc->quanta[p], rate);
		if (!(rx->paused & BIT(p))) {
			WRITE_ONCE(rx->paused, rx->paused | BIT(p));
			rx->since_ns[p] = now_ns;
		}
	}

	return before & ~rx->paused;
}

u64 lle_pause_rx_next(const struct lle_pause_rx *rx, u8 mask)
{
	u64 next = U64_MAX;
	unsigned int p;

	for (p = 0; p < LLE_NUM_PRIO; p++)
		if (rx->paused & mask & BIT(p))
			next = min(next, rx->until_ns[p]);

	return next;
}

void lle_pause_rx_clear(struct lle_pause_rx *rx, u8 prios, u64 now_ns)
{
	unsigned int p;

	lle_pause_rx_update(rx, now_ns);
	for (p = 0; p < LLE_NUM_PRIO; p++)
		if (rx->paused & prios & BIT(p))
			lle_pause_rx_end(rx, p, now_ns);
}

u64 lle_pause_rx_quiet_since(const struct lle_pause_rx *rx, unsigned int prio)
{
	const struct lle_episode *last;

	if (rx->paused & BIT(prio))
		return rx->until_ns[prio];
	last = lle_history_last(&rx->history[prio], 0);
	return last ? last->start_ns + last->ns : 0;
}

void lle_pause_tx_build(struct lle_pause_tx *tx, u8 want, u16 quanta, u64 rate,
			u64 now_ns, struct lle_pfc *pfc)
{
	unsigned int p;

	pfc->enable = want | tx->sent;
	for (p = 0; p < LLE_NUM_PRIO; p++) {
		pfc->quanta[p] = 0;
		if (want & BIT(p)) {
			pfc->quanta[p] = quanta;
			tx->pauses[p]++;
		} else if (tx->sent & BIT(p)) {
			tx->resumes[p]++;
		}
	}

	WRITE_ONCE(tx->sent, want);
	WRITE_ONCE(tx->refresh_ns,
		   now_ns + lle_pause_quanta_to_ns(quanta, rate) / 2);
}
