/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * Netlink interface of the "lossless" qdisc: options (TCA_OPTIONS) and
 * statistics (TCA_STATS_APP).
 */
#ifndef _UAPI_LINUX_PKT_SCH_LOSSLESS_H
#define _UAPI_LINUX_PKT_SCH_LOSSLESS_H

#include <linux/types.h>
#include <linux/lossless_frame.h>
#include <linux/pkt_sch_lossless_generated.h>

/* Bands of the scheduler, as many as there are priorities. */
#define LLE_NUM_BAND		LLE_NUM_PRIO

/* alpha = 2^(to_alpha - 10), as in devlink-sb; 6 is 1/16 */
#define LLE_TO_ALPHA_ONE	10

#define LLE_WIRE_MAX		(64U << 20)	/* bytes in flight on a wire */
#define LLE_QUANTUM_MIN		64U
#define LLE_QUANTUM_MAX		(1U << 24)
#define LLE_RX_UNLIMITED	(~0ULL)
#define LLE_DSCP_KEEP		0xff	/* in TCA_LOSSLESS_DSCP_PRIO */

/*
 * Kind of netdevs that delay packets themselves: they get a packet as it takes the
 * link, and skb->tstamp is the time when it arrives at the other end.
 */
#define LLE_WIRE_KIND		"lle_wire"
#define LLE_WIRE_ENDS		0x200000U	/* numbers of ends are less */

/**
 * enum lle_wire_attr - attributes of such a netdev, in IFLA_INFO_DATA
 * @LLE_WIRE_UNSPEC: unused
 * @LLE_WIRE_END: its number, u32: 2 * N and 2 * N + 1 are the ends of a link
 * @LLE_WIRE_DELAY_NS: time that a packet takes at least, u64, not 0
 * @__LLE_WIRE_ATTR_MAX: internal use
 */
enum lle_wire_attr {
	LLE_WIRE_UNSPEC,
	LLE_WIRE_END,
	LLE_WIRE_DELAY_NS,
	__LLE_WIRE_ATTR_MAX
};

#define LLE_WIRE_ATTR_MAX (__LLE_WIRE_ATTR_MAX - 1)

/**
 * enum - statistics of a port, nested in TCA_STATS_APP of the qdisc
 * @TCA_LOSSLESS_STATS_UNSPEC: not used
 * @TCA_LOSSLESS_STATS_PORT: binary, struct lle_port_stats
 * @TCA_LOSSLESS_STATS_PRIO: binary, struct lle_prio_stats; once per priority
 *	with a counter that is not 0. TCA_STATS_APP of a class has only this and
 *	the next
 * @TCA_LOSSLESS_STATS_RCM: binary, struct lle_prio_rcm; once per priority with
 *	RCM
 * @__TCA_LOSSLESS_STATS_MAX: internal use
 */
enum {
	TCA_LOSSLESS_STATS_UNSPEC,
	TCA_LOSSLESS_STATS_PORT,
	TCA_LOSSLESS_STATS_PRIO,
	TCA_LOSSLESS_STATS_RCM,
	__TCA_LOSSLESS_STATS_MAX
};

#define TCA_LOSSLESS_STATS_MAX (__TCA_LOSSLESS_STATS_MAX - 1)

/**
 * struct lle_prio_rcm - RCM of one priority of a port
 * @identified: flows or destinations that CFR identified here so far
 * @isolated_bytes: isolated bytes that wait
 * @w_bytes: W, bytes of the window by which isolated and other packets share
 *	the port; 0: none
 * @wc_bytes: W_c, its part for isolated packets, bytes
 * @ids: isolated flows or destinations
 * @prio: the priority
 * @role: enum lossless_crd_role, see lossless.h
 *
 * Part of the same message, so counters have 32 bits, as in struct
 * gnet_stats_queue. Those of struct lle_congestion have 64.
 */
struct lle_prio_rcm {
	__u32 identified;
	__u32 isolated_bytes;
	__u32 w_bytes;
	__u32 wc_bytes;
	__u16 ids;
	__u8 prio;
	__u8 role;
};

#endif /* _UAPI_LINUX_PKT_SCH_LOSSLESS_H */
