/* SPDX-License-Identifier: GPL-2.0 */
/*
 * RoCEv2 on the wire: the part of the InfiniBand transport that an endpoint of
 * tests uses.
 *
 *	Ethernet | IPv4 | UDP, port 4791 | BTH | RETH, AETH or CNP | data | ICRC
 *
 * Source: InfiniBand Architecture Specification 1.4, chapter 9 and annex 17:
 * RoCEv2, 17.9.3: CNP.
 */
#ifndef RNIC_ROCE_H
#define RNIC_ROCE_H

#include <linux/bits.h>
#include <linux/build_bug.h>
#include <linux/types.h>

#define ROCE_UDP_PORT		4791
#define ROCE_ICRC_LEN		4

/* Opcodes of reliable connections, and of the CNP, which RoCEv2 adds */
#define ROCE_OP_SEND_FIRST	0x00
#define ROCE_OP_SEND_MIDDLE	0x01
#define ROCE_OP_SEND_LAST	0x02
#define ROCE_OP_SEND_ONLY	0x04
#define ROCE_OP_WRITE_FIRST	0x06
#define ROCE_OP_WRITE_MIDDLE	0x07
#define ROCE_OP_WRITE_LAST	0x08
#define ROCE_OP_WRITE_ONLY	0x0a
#define ROCE_OP_READ_REQUEST	0x0c
#define ROCE_OP_READ_FIRST	0x0d	/* of a response */
#define ROCE_OP_READ_MIDDLE	0x0e
#define ROCE_OP_READ_LAST	0x0f
#define ROCE_OP_READ_ONLY	0x10
#define ROCE_OP_ACK		0x11
#define ROCE_OP_CNP		0x81

/* Manufacturer-specific opcodes: a request for an RTT, the answer, and IRN's NAK */
#define ROCE_OP_RTT_REQUEST	0xc0
#define ROCE_OP_RTT_RESPONSE	0xc1
#define ROCE_OP_SACK		0xc2

#define ROCE_PKEY_DEFAULT	0xffff
#define ROCE_BTH_ACK_REQ	BIT(31)		/* in @psn */
#define ROCE_24_BITS		0xffffff
#define ROCE_BTH_BECN		BIT(30)		/* in @qpn: packet was marked */

/* Syndromes: the upper three bits separate ACK and NAK; credits are unused. */
#define ROCE_AETH_ACK		0x1f
#define ROCE_AETH_NAK_SEQ	0x60

/* Base transport header */
struct roce_bth {
	u8	opcode;	/* ROCE_OP_* */
	u8	flags;	/* solicited event, migration, pad count, version: 0 */
	__be16	pkey;	/* ROCE_PKEY_DEFAULT */
	__be32	qpn;	/* destination, 24 bits; FECN and BECN above */
	__be32	psn;	/* 24 bits; ROCE_BTH_ACK_REQ above */
};

/* RDMA extended header: in the first packet of a WRITE, or a READ request */
struct roce_reth {
	__be64	addr;
	__be32	rkey;
	__be32	len;
} __packed;

/* ACK extended header: syndrome in the upper 8 bits, message sequence number */
struct roce_aeth {
	__be32	msn;
};

/*
 * Extended header of IRN's NAK. The BTH has the number of the next packet in
 * order, @psn that of the packet that has arrived
 */
struct roce_sack {
	struct roce_aeth aeth;
	__be32 psn;
};

/* Payload of an RTT request and of its answer */
struct roce_rtt {
	__be64	sent_ns;
} __packed;

/* Zeros after the BTH of a CNP, bytes */
#define ROCE_CNP_PAD		16

static_assert(sizeof(struct roce_bth) == 12);
static_assert(sizeof(struct roce_reth) == 16);

/* Return: the number nearest to @near with the lower 24 bits @psn */
static inline u32 roce_psn_expand(u32 psn, u32 near)
{
	return near + ((s32)((psn - near) << 8) >> 8);
}

#endif /* RNIC_ROCE_H */
