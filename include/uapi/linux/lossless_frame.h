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

/*
 * DCFIT: in the pad of a PFC frame, or in a frame of its own to LLE_MACC_ADDR with this
 * ethertype (IEEE 802, local experimental). Who does not know it takes it for a pad.
 */
#define LLE_ETH_P_DEADLOCK	0x88b5
#define LLE_DL_MAGIC		0xdc
#define LLE_DL_VERSION		1
#define LLE_DL_IDS		2
#define LLE_MAX_PORTS		64

/**
 * struct lle_dl_wire_id - a pause of an ingress
 * @sw: number of the switch; 0: none
 * @port: the ingress, below LLE_MAX_PORTS
 * @seq: which of its pauses
 */
struct lle_dl_wire_id {
	__be16	sw;
	__u8	port;
	__be16	seq;
} __attribute__((packed));

/**
 * struct lle_dl_pad - a DCFIT message
 * @magic: LLE_DL_MAGIC
 * @version_type: LLE_DL_VERSION in the upper four bits, enum lle_dl_type
 * @flags: from the highest bit on: priority (3), number of @id (2), verified (1),
 *	@trig is a host (1), reserved (1): sent as 0, ignored when received
 * @hops: that it has come
 * @hop_epoch: which pause of the sending port it belongs to
 * @id: the set of initiators; unused ones are 0
 * @min_sw: the smallest initiator on the way; 0: one has declared
 * @min_port: its port
 * @trig: the initial trigger of the pause; 0: none is known
 * @crc: CRC-16/IBM-3740 of all before
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
 * @sw: its number
 * @ingress: the port whose peer it pauses
 * @egress: the port at which packets from there wait
 * @bytes: that wait
 * @age_ns: for how long it has paused its peer
 * @trig: the initial trigger of that pause
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
 * @rest: up to the minimum frame size, 0; of a walk, @msg.hops times struct
 *	lle_dl_wire_hop, beyond the minimum if need be
 */
struct lle_dl_frame {
	__u8	dst[6];
	__u8	src[6];
	__be16	ethertype;
	struct lle_dl_pad msg;
	__u8	rest[20];
} __attribute__((packed));

/*
 * RCM: congestion notifications, in a frame to LLE_MACC_ADDR with this ethertype (IEEE 802,
 * local experimental). Where there is a field in 802.1Q's congestion notification message
 * (clause 33.4) that says the same, it is as there, and in that order.
 */
#define LLE_ETH_P_CN		0x88b6
#define LLE_CN_VERSION		1
#define LLE_CN_NAMES		128

/**
 * struct lle_cn_frame - what a port holds, as it is on the wire, without FCS and pad
 * @dst: LLE_MACC_ADDR
 * @src: address of the sending port
 * @ethertype: LLE_ETH_P_CN
 * @version_fb: LLE_CN_VERSION in the upper four bits, quantized F_b' in the lower six; the
 *	others are reserved: sent as 0, ignored when received
 * @sw: congestion point: number of the switch that sends
 * @ifindex: and of its port
 * @prio: priority in the upper three bits; the others are reserved
 * @flags_count: LLE_CN_CLASS_HELD, and number of names in the lower byte; others as in @prio
 * @seq: each is greater than the one before
 * @name: destinations that are not to be sent
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

/* hold all that was lately asked to be held */
#define LLE_CN_CLASS_HELD	0x8000

#endif /* _UAPI_LINUX_LOSSLESS_FRAME_H */
