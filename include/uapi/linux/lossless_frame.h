/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * Wire formats of a lossless Ethernet port.
 *
 * Everything here is in network byte order and byte exact: what these structs
 * say is what a capture shows.
 */
#ifndef _UAPI_LINUX_LOSSLESS_FRAME_H
#define _UAPI_LINUX_LOSSLESS_FRAME_H

#include <linux/types.h>

/* Priorities of IEEE 802.1Q: the three PCP bits, one PFC class each. */
#define LLE_NUM_PRIO		8

/* MAC control, IEEE 802.3 clause 31 */
#define LLE_ETH_P_MAC_CONTROL	0x8808
#define LLE_MACC_OP_PAUSE	0x0001	/* 802.3x link pause, clause 31B */
#define LLE_MACC_OP_PFC		0x0101	/* priority flow control, 31D */

/* 01-80-C2-00-00-01: the only address PFC frames are sent to */
#define LLE_MACC_ADDR		{ 0x01, 0x80, 0xc2, 0x00, 0x00, 0x01 }

/* One quantum is the time of 512 bits at the speed of the link. */
#define LLE_QUANTUM_BITS	512
#define LLE_QUANTA_MAX		65535

/**
 * struct lle_pfc_frame - a PFC frame as it is on the wire, without FCS
 * @dst: LLE_MACC_ADDR
 * @src: address of the sending port
 * @ethertype: LLE_ETH_P_MAC_CONTROL
 * @opcode: LLE_MACC_OP_PFC
 * @class_enable: bit p set: @quanta[p] is valid. The upper octet is reserved:
 *	sent as zero, ignored when received
 * @quanta: time for which class p must not send, in quanta; 0 resumes it
 * @pad: up to the minimum frame size; sent as zero, ignored when received
 *
 * Source: IEEE 802.3 annex 31D, IEEE 802.1Q clause 36.
 */
struct lle_pfc_frame {
	__u8	dst[6];
	__u8	src[6];
	__be16	ethertype;
	__be16	opcode;
	__be16	class_enable;
	__be16	quanta[LLE_NUM_PRIO];
	__u8	pad[26];
} __attribute__((packed));

/* Bytes a receiver needs to see to act on a PFC frame: all but the pad. */
#define LLE_PFC_FRAME_MIN	34
#define LLE_PFC_FRAME_LEN	60

#endif /* _UAPI_LINUX_LOSSLESS_FRAME_H */
