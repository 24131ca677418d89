/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * Wire formats of a lossless Ethernet port.
 *
 * All fields are in network byte order. The structs are byte exact: a capture
 * shows frames as they are declared here.
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

/* 01-80-C2-00-00-01: the only destination address of PFC frames */
#define LLE_MACC_ADDR		{ 0x01, 0x80, 0xc2, 0x00, 0x00, 0x01 }

/* One quantum is the time of 512 bits at the link speed. */
#define LLE_QUANTUM_BITS	512
#define LLE_QUANTA_MAX		65535

/**
 * struct lle_pfc_frame - PFC frame on the wire, without FCS
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

/* Bytes of a PFC frame that a receiver needs: all but the pad */
#define LLE_PFC_FRAME_MIN	34
#define LLE_PFC_FRAME_LEN	60

/*
 * DCFIT messages travel in the pad of a PFC frame, or in a frame of their own
 * to LLE_MACC_ADDR with this ethertype (IEEE 802, local experimental). To a
 * receiver without DCFIT they are padding.
 */
#define LLE_ETH_P_DEADLOCK	0x88b5
#define LLE_DL_MAGIC		0xdc
#define LLE_DL_VERSION		1
#define LLE_DL_IDS		2
#define LLE_MAX_PORTS		64

/**
 * struct lle_dl_wire_id - one pause of an ingress port
 * @sw: number of the switch; 0: none
 * @port: slot of the ingress, below LLE_MAX_PORTS
 * @seq: number of the pause
 */
struct lle_dl_wire_id {
	__be16	sw;
	__u8	port;
	__be16	seq;
} __attribute__((packed));

/**
 * struct lle_dl_pad - a DCFIT message
 * @magic: LLE_DL_MAGIC
 * @version_type: LLE_DL_VERSION in the upper four bits, enum lle_dl_type in the
 *	lower
 * @flags: from the highest bit on: priority (3), number of @id (2), waits
 *	(1), @trig is a host (1), reserved (1): sent as 0, ignored when received
 * @hops: hops that the message has travelled
 * @hop_epoch: number of the sending port's pause that the message belongs to
 * @id: set of initiators; unused entries are 0
 * @min_sw: switch of the smallest initiator on the way; 0: one has declared
 * @min_port: port of the smallest initiator; of a walk: its number
 * @trig: initial trigger of the pause; 0: not known
 * @crc: CRC-16/IBM-3740 of all preceding bytes
 */
struct lle_dl_pad {
	__u8	magic;
	__u8	version_type;
	__u8	flags;
	__u8	hops;
	__be16	hop_epoch;
	struct lle_dl_wire_id id[LLE_DL_IDS];
	__be16	min_sw;
	__u8	min_port;
	struct lle_dl_wire_id trig;
	__be16	crc;
} __attribute__((packed));

/**
 * struct lle_dl_wire_hop - a switch that a walk along a loop has passed
 * @sw: number of the switch
 * @ingress: slot of the port that pauses its upstream neighbour
 * @egress: slot of the port at which packets from @ingress wait
 * @bytes: bytes that wait
 * @age_ns: duration of the pause, ns
 * @trig: initial trigger of the pause
 * @host: 1: @trig is a host
 */
struct lle_dl_wire_hop {
	__be16	sw;
	__u8	ingress;
	__u8	egress;
	__be32	bytes;
	__be64	age_ns;
	struct lle_dl_wire_id trig;
	__u8	host;
} __attribute__((packed));

/**
 * struct lle_dl_frame - a message in a frame of its own, without FCS
 * @dst: LLE_MACC_ADDR
 * @src: address of the sending port
 * @ethertype: LLE_ETH_P_DEADLOCK
 * @msg: the message
 * @rest: zeros up to the minimum frame size; in a walk, @msg.hops times struct
 *	lle_dl_wire_hop, which may exceed that size
 */
struct lle_dl_frame {
	__u8	dst[6];
	__u8	src[6];
	__be16	ethertype;
	struct lle_dl_pad msg;
	__u8	rest[20];
} __attribute__((packed));

/*
 * RCM congestion notifications: frames to LLE_MACC_ADDR with this ethertype
 * (IEEE 802, local experimental). Fields that 802.1Q's congestion notification
 * message (clause 33.4) has, too, have its format and order.
 */
#define LLE_ETH_P_CN		0x88b6
#define LLE_CN_VERSION		1
#define LLE_CN_NAMES		128

/**
 * struct lle_cn_frame - congestion notification on the wire, without FCS and
 *	pad
 * @dst: LLE_MACC_ADDR
 * @src: address of the sending port
 * @ethertype: LLE_ETH_P_CN
 * @version_fb: LLE_CN_VERSION in the upper four bits, quantized F_b' in the
 *	lower six; other bits are reserved: sent as 0, ignored when received
 * @sw: congestion point: number of the sending switch
 * @ifindex: congestion point: ifindex of the sending port
 * @prio: priority in the upper three bits; other bits are reserved
 * @flags_count: LLE_CN_CLASS_HELD, and number of names in the lower byte; other
 *	bits are reserved
 * @seq: sequence number, greater than that of the previous notification
 * @name: IDs of the destinations to hold
 */
struct lle_cn_frame {
	__u8	dst[6];
	__u8	src[6];
	__be16	ethertype;
	__be16	version_fb;
	__be32	sw;
	__be32	ifindex;
	__be16	prio;
	__be16	flags_count;
	__be32	seq;
	__be32	name[LLE_CN_NAMES];
} __attribute__((packed));

/* hold all destinations that recent notifications listed */
#define LLE_CN_CLASS_HELD	0x8000

#endif /* _UAPI_LINUX_LOSSLESS_FRAME_H */
