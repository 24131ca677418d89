// SPDX-License-Identifier: GPL-2.0
/*
 * IRN, selective repeat: "Revisiting Network Support for RDMA" (SIGCOMM 2018),
 * section 3.1.
 *
 * A receiver keeps packets that arrive out of order, and answers each with a
 * NAK, which has the number of the next packet in order and that of the arrived
 * packet. A sender in recovery sends only lost packets: first the next one in
 * order; then each one for which a later packet has arrived. After a time-out
 * without a NAK, only the first one is known to be lost. Recovery ends when all
 * packets sent before it are acknowledged; until then a packet is repaired
 * again only after another time-out.
 *
 * Packets are numbers from 0. At most IRN_WINDOW_MAX are unacknowledged, so
 * that each has its own bit.
 */
#include "irn.h"

static bool irn_bit(const u64 *bits, u32 packet)
{
	return bits[packet / 64 % IRN_WORDS] >> packet % 64 & 1;
}

static void irn_set(u64 *bits, u32 packet)
{
	bits[packet / 64 % IRN_WORDS] |= 1ULL << packet % 64;
}

static void irn_clear(u64 *bits, u32 packet)
{
	bits[packet / 64 % IRN_WORDS] &= ~(1ULL << packet % 64);
}

/* The packets acknowledged without a gap grow from @from to @to. */
void irn_acked(struct irn_sender *s, u32 from, u32 to)
{
	for (; from < to; from++)
		irn_clear(s->sacked, from);
	s->repair = max(s->repair, to);
	s->lost_end = max(s->lost_end, to);
	if (to >= s->recover_end)
		s->recovers = false;
}

static void irn_recover(struct irn_sender *s, u32 acked, u32 next)
{
	s->recovers = true;
	s->recover_end = next;
	s->repair = acked;
}

/* @packet has arrived out of order, after @acked packets without a gap. */
void irn_nak(struct irn_sender *s, u32 acked, u32 next, u32 packet)
{
	if (!s->recovers)
		irn_recover(s, acked, next);
	irn_set(s->sacked, packet);
	s->lost_end = max(s->lost_end, packet);
}

/* No ACK came for too long. */
void irn_timeout(struct irn_sender *s, u32 acked, u32 next)
{
	irn_recover(s, acked, next);
	s->lost_end = max(s->lost_end, acked + 1);
}

/* Return: the next packet to send again; %IRN_NONE. */
u32 irn_lost(struct irn_sender *s)
{
	while (s->repair < s->lost_end && irn_bit(s->sacked, s->repair))
		s->repair++;
	return s->repair < s->lost_end ? s->repair : IRN_NONE;
}

/* @packet, of irn_lost(), was sent again. */
void irn_repaired(struct irn_sender *s, u32 packet)
{
	s->repair = packet + 1;
}

/* Takes a packet out of order. Return: false: it has arrived before. */
bool irn_arrives(struct irn_receiver *r, u32 packet)
{
	if (irn_bit(r->arrived, packet))
		return false;
	irn_set(r->arrived, packet);
	return true;
}

/* Takes packet @expected, in order. Return: the next missing one. */
u32 irn_in_order(struct irn_receiver *r, u32 expected)
{
	while (irn_bit(r->arrived, ++expected))
		irn_clear(r->arrived, expected);
	return expected;
}
