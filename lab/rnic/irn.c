// SPDX-License-Identifier: GPL-2.0
/*
 * IRN, selective repeat: "Revisiting Network Support for RDMA" (SIGCOMM 2018),
 * section 3.1.
 *
 * A receiver keeps packets that arrive out of order. It answers each of them with a
 * NAK, which tells the next packet in order, and the packet that it answers. A
 * sender in recovery sends lost packets only: first the next one in order; any other
 * one if the receiver has a later one. Without a NAK, after a time-out, only the
 * first one is known to be lost. Recovery ends when all that had been sent at its
 * begin are acknowledged; until then no packet is repaired twice, but after another
 * time-out.
 *
 * Packets are numbers from 0. At most IRN_WINDOW_MAX of them are not acknowledged, so
 * that a packet's bit is its own.
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

/**
 * irn_acked() - packets are acknowledged, without a gap
 * @s: the sender
 * @from: number of packets that were before
 * @to: number of packets that are now
 */
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

/**
 * irn_nak() - a packet has arrived out of order
 * @s: the sender
 * @acked: number of packets that are acknowledged, without a gap
 * @next: next new packet
 * @packet: the packet
 */
void irn_nak(struct irn_sender *s, u32 acked, u32 next, u32 packet)
{
	if (!s->recovers)
		irn_recover(s, acked, next);
	irn_set(s->sacked, packet);
	s->lost_end = max(s->lost_end, packet);
}

/**
 * irn_timeout() - nothing was acknowledged for too long
 * @s: the sender
 * @acked: number of packets that are acknowledged, without a gap
 * @next: next new packet
 */
void irn_timeout(struct irn_sender *s, u32 acked, u32 next)
{
	irn_recover(s, acked, next);
	s->lost_end = max(s->lost_end, acked + 1);
}

/**
 * irn_lost() - find the next packet to send again
 * @s: the sender
 * Return: the packet; %IRN_NONE: none is lost.
 */
u32 irn_lost(struct irn_sender *s)
{
	while (s->repair < s->lost_end && irn_bit(s->sacked, s->repair))
		s->repair++;
	return s->repair < s->lost_end ? s->repair : IRN_NONE;
}

/**
 * irn_repaired() - a packet was sent again
 * @s: the sender
 * @packet: the packet, of irn_lost()
 */
void irn_repaired(struct irn_sender *s, u32 packet)
{
	s->repair = packet + 1;
}

/**
 * irn_arrives() - take a packet out of order
 * @r: the receiver
 * @packet: the packet
 * Return: false: it has arrived before.
 */
bool irn_arrives(struct irn_receiver *r, u32 packet)
{
	if (irn_bit(r->arrived, packet))
		return false;
	irn_set(r->arrived, packet);
	return true;
}

/**
 * irn_in_order() - take the next packet in order
 * @r: the receiver
 * @expected: the packet
 * Return: the next one that is missing.
 */
u32 irn_in_order(struct irn_receiver *r, u32 expected)
{
	while (irn_bit(r->arrived, ++expected))
		irn_clear(r->arrived, expected);
	return expected;
}
