// SPDX-License-Identifier: GPL-2.0
/*
 * RoCEv2 endpoints for tests: NICs that send and receive messages of reliable
 * connections, in the kernel, so that user space sleeps meanwhile.
 *
 * Packets are real (BTH, RETH, AETH, sequence numbers, ACK, NAK, CNP), with
 * go-back-N or selective repeat, and rate control. No memory is registered or
 * written: data are zeros.
 */
#include <linux/module.h>
#include <linux/rtnetlink.h>

#include "rnic.h"

static uint mtu = 1024;
module_param(mtu, uint, 0444);
MODULE_PARM_DESC(mtu, "Payload bytes of a packet, 256 to 9000 (1024)");
static uint window;
module_param(window, uint, 0444);
MODULE_PARM_DESC(window, "Packets that may be unacknowledged (0: any number)");
static uint ack_every = 1;
module_param(ack_every, uint, 0444);
MODULE_PARM_DESC(ack_every, "An ACK for every so many packets (1)");
static uint ack_prio = 7;
module_param(ack_prio, uint, 0444);
MODULE_PARM_DESC(ack_prio, "Priority of ACKs and NAKs (7)");
static uint cnp_prio = 7;
module_param(cnp_prio, uint, 0444);
MODULE_PARM_DESC(cnp_prio, "Priority of CNPs (7)");
static uint turn_bytes;
module_param(turn_bytes, uint, 0444);
MODULE_PARM_DESC(turn_bytes, "Bytes that a flow sends before the next one (0: one packet)");
static bool irn;
module_param(irn, bool, 0444);
MODULE_PARM_DESC(irn, "Repair losses by selective repeat (no: go back)");
static uint rto_low_us = 100;
module_param(rto_low_us, uint, 0444);
MODULE_PARM_DESC(rto_low_us, "The same as rto_us, of irn, with few packets under way (100)");
static uint rto_low_packets = 3;
module_param(rto_low_packets, uint, 0444);
MODULE_PARM_DESC(rto_low_packets, "So many packets are few (3)");
static uint depth = 2;
module_param(depth, uint, 0444);
MODULE_PARM_DESC(depth, "Packets of a priority in the qdisc (2)");
static uint flow_depth;
module_param(flow_depth, uint, 0444);
MODULE_PARM_DESC(flow_depth, "Packets of a flow in the qdisc (0: any number)");
static uint rto_us = 16000;
module_param(rto_us, uint, 0444);
MODULE_PARM_DESC(rto_us, "Time without progress until a sender goes back (16000)");
static uint cnp_us = 50;
module_param(cnp_us, uint, 0444);
MODULE_PARM_DESC(cnp_us, "Least time between two CNPs of a flow (50)");
static uint cnp_nic_ns;
module_param(cnp_nic_ns, uint, 0444);
MODULE_PARM_DESC(cnp_nic_ns, "Least time between two CNPs of a NIC (0)");
static uint cnp_delay_ns;
module_param(cnp_delay_ns, uint, 0444);
MODULE_PARM_DESC(cnp_delay_ns, "Time that a NIC takes to generate a CNP (0)");
static uint bin_us;
module_param(bin_us, uint, 0444);
MODULE_PARM_DESC(bin_us, "Width of the bins of throughput (0: none)");
static uint bins = 1000;
module_param(bins, uint, 0444);
MODULE_PARM_DESC(bins, "Number of bins (1000)");
static uint sample_us;
module_param(sample_us, uint, 0444);
MODULE_PARM_DESC(sample_us, "Time between two looks at queues (0: none)");
static uint samples = 1000;
module_param(samples, uint, 0444);
MODULE_PARM_DESC(samples, "Number of looks (1000)");
static uint timeline_us;
module_param(timeline_us, uint, 0444);
MODULE_PARM_DESC(timeline_us, "Time between the first two looks at all ports (0: none)");
static uint storm_us = 50;
module_param(storm_us, uint, 0444);
MODULE_PARM_DESC(storm_us, "Time between two pauses of a broken NIC (50)");
static uint pair_us;
module_param(pair_us, uint, 0444);
MODULE_PARM_DESC(pair_us, "Time after which a message has a queue pair of its own (0)");
static bool ect = true;
module_param(ect, bool, 0444);
MODULE_PARM_DESC(ect, "Packets are ECN capable (yes)");
static bool icrc;
module_param(icrc, bool, 0444);
MODULE_PARM_DESC(icrc, "Compute the ICRC (no: it is 0)");
static uint line_mbps = 100000;
module_param(line_mbps, uint, 0444);
MODULE_PARM_DESC(line_mbps, "Speed of the NICs, Mbit/s (100000)");

static char *cc = "none";
module_param(cc, charp, 0444);
MODULE_PARM_DESC(cc, "Congestion control: none, dcqcn, ldcp or ldcp-rate (none)");
/* defaults of DCQCN, for 40 Gbit/s: SIGCOMM 2015, section 5.2 */
static uint dcqcn_g_shift = 8;
module_param(dcqcn_g_shift, uint, 0444);
MODULE_PARM_DESC(dcqcn_g_shift, "g = 2^-N (8)");
static uint dcqcn_alpha_us = 55;
module_param(dcqcn_alpha_us, uint, 0444);
MODULE_PARM_DESC(dcqcn_alpha_us, "Time without a CNP after which alpha decays (55)");
static uint dcqcn_cut_us = 50;
module_param(dcqcn_cut_us, uint, 0444);
MODULE_PARM_DESC(dcqcn_cut_us, "Least time between two cuts (50)");
static uint dcqcn_timer_us = 55;
module_param(dcqcn_timer_us, uint, 0444);
MODULE_PARM_DESC(dcqcn_timer_us, "Time of a round of increase (55)");
static uint dcqcn_kbytes = 10240;
module_param(dcqcn_kbytes, uint, 0444);
MODULE_PARM_DESC(dcqcn_kbytes, "KiB of a round of increase (10240)");
static uint dcqcn_rounds = 5;
module_param(dcqcn_rounds, uint, 0444);
MODULE_PARM_DESC(dcqcn_rounds, "Rounds of fast recovery (5)");
static uint dcqcn_ai_mbps = 40;
module_param(dcqcn_ai_mbps, uint, 0444);
MODULE_PARM_DESC(dcqcn_ai_mbps, "Additive increase, Mbit/s (40)");
static uint dcqcn_hai_mbps = 200;
module_param(dcqcn_hai_mbps, uint, 0444);
MODULE_PARM_DESC(dcqcn_hai_mbps, "Hyper increase, Mbit/s (200)");
static uint dcqcn_min_mbps = 40;
module_param(dcqcn_min_mbps, uint, 0444);
MODULE_PARM_DESC(dcqcn_min_mbps, "Least rate, Mbit/s (40), line_mbps if that is less");

/* defaults of LDCP, as in tcp_ldcp.ko */
static bool ldcp_draft;
module_param(ldcp_draft, bool, 0444);
MODULE_PARM_DESC(ldcp_draft, "A window grows as in the draft (no: smoothly)");
static uint ldcp_gamma = 256;
module_param(ldcp_gamma, uint, 0444);
MODULE_PARM_DESC(ldcp_gamma, "Growth below a window of one, 1/1024 packets (256)");
static uint ldcp_min = 16;
module_param(ldcp_min, uint, 0444);
MODULE_PARM_DESC(ldcp_min, "Smallest window, 1/1024 packets (16); of ldcp_draft, it is ldcp_gamma");
static uint ldcp_iw = 10;
module_param(ldcp_iw, uint, 0444);
MODULE_PARM_DESC(ldcp_iw, "Packets of an initial window (10)");
static bool ldcp_fast = true;
module_param(ldcp_fast, bool, 0444);
MODULE_PARM_DESC(ldcp_fast, "Packets of the first RTT are not ECN capable, but the last one (yes)");

static u64 rnic_rate(uint mbps)
{
	return mbps * 125000ULL;
}

/* LDCP needs ECN and an ACK of each packet; each message has its own window. */
static const char *rnic_check_ldcp(void)
{
	if (!rnic_config.cc || strncmp(rnic_config.cc->name, "ldcp", 4))
		return NULL;
	if (ack_every != 1)
		return "ack_every";
	if (irn)
		return "irn";
	if (pair_us)
		return "pair_us";
	if (!ect)
		return "ect";
	if (!ldcp_iw || ldcp_iw >= LLE_LDCP_WINDOW_END)
		return "ldcp_iw";
	if (ldcp_gamma > 1024)
		return "ldcp_gamma";
	if (ldcp_min > 1024)
		return "ldcp_min";
	if (!lle_ldcp_params_are_good(&rnic_config.ldcp.core))
		return ldcp_draft ? "ldcp_gamma" : "ldcp_min";
	return NULL;
}

static const char *rnic_check(void)
{
	if (mtu < 256 || mtu > RNIC_MTU_MAX)
		return "mtu";
	if (!ack_every || (window && ack_every > window))
		return "ack_every";
	if (ack_prio >= LLE_NUM_PRIO)
		return "ack_prio";
	if (cnp_prio >= LLE_NUM_PRIO)
		return "cnp_prio";
	if (turn_bytes > 1 << 20)
		return "turn_bytes";
	if (irn && (!window || window > IRN_WINDOW_MAX))
		return "window";
	if (irn && ack_every != 1)
		return "ack_every";
	if (irn && (!rto_low_us || rto_low_us > rto_us))
		return "rto_low_us";
	if (!depth)
		return "depth";
	if (!rto_us)
		return "rto_us";
	if (!bins || bins > 1 << 20)
		return "bins";
	if (!samples || samples > 1 << 20)
		return "samples";
	if (timeline_us > USEC_PER_SEC)
		return "timeline_us";
	if (!storm_us)
		return "storm_us";
	if (!line_mbps)
		return "line_mbps";
	if (strcmp(cc, "none") && !rnic_cc_find(cc))
		return "cc";
	if (!dcqcn_g_shift || dcqcn_g_shift > 20)
		return "dcqcn_g_shift";
	if (!dcqcn_alpha_us)
		return "dcqcn_alpha_us";
	if (!dcqcn_timer_us)
		return "dcqcn_timer_us";
	if (!dcqcn_min_mbps)
		return "dcqcn_min_mbps";
	return NULL;
}

static struct rnic_ldcp_params rnic_ldcp_params(void)
{
	const u32 unit = LLE_LDCP_ONE / 1024;

	return (struct rnic_ldcp_params){
		.core = {
			.alpha = LLE_LDCP_ONE,
			.beta = LLE_LDCP_ONE / 2,
			.gamma = ldcp_gamma * unit,
			.eta = LLE_LDCP_ONE / 2,
			.min = (ldcp_draft ? ldcp_gamma : ldcp_min) * unit,
			.max = (LLE_LDCP_WINDOW_END - 1) << LLE_LDCP_SHIFT,
			.mode = ldcp_draft ? LLE_LDCP_DRAFT : LLE_LDCP_SMOOTH,
			.tail = 1,
		},
		.iw = ldcp_iw,
		.fast = ldcp_fast,
	};
}

static void rnic_configure(void)
{
	rnic_config = (struct rnic_config) {
		.mtu = mtu,
		.window = window,
		.ack_every = ack_every,
		.ack_prio = ack_prio,
		.cnp_prio = cnp_prio,
		.turn_bytes = turn_bytes,
		.irn = irn,
		.depth = depth,
		.flow_depth = flow_depth,
		.rto_ns = rto_us * 1000ULL,
		.rto_low_ns = rto_low_us * 1000ULL,
		.rto_low_packets = rto_low_packets,
		.cnp_ns = cnp_us * 1000ULL,
		.cnp_nic_ns = cnp_nic_ns,
		.cnp_delay_ns = cnp_delay_ns,
		.bin_ns = bin_us * 1000ULL,
		.bins = bins,
		.sample_ns = sample_us * 1000ULL,
		.samples = samples,
		.timeline_us = timeline_us,
		.storm_ns = storm_us * 1000ULL,
		.pair_ns = pair_us * 1000ULL,
		.ect = ect,
		.icrc = icrc,
		.cc = rnic_cc_find(cc),
		.dcqcn = {
			.line = rnic_rate(line_mbps),
			.min = rnic_rate(min(dcqcn_min_mbps, line_mbps)),
			.ai = rnic_rate(dcqcn_ai_mbps),
			.hai = rnic_rate(dcqcn_hai_mbps),
			.g_shift = dcqcn_g_shift,
			.rounds = dcqcn_rounds,
			.alpha_ns = dcqcn_alpha_us * 1000ULL,
			.cut_ns = dcqcn_cut_us * 1000ULL,
			.timer_ns = dcqcn_timer_us * 1000ULL,
			.bytes = dcqcn_kbytes * 1024ULL,
		},
		.ldcp = rnic_ldcp_params(),
	};
}

static int __init rnic_init(void)
{
	const char *wrong = rnic_check();
	int err;

	if (wrong) {
		pr_err("lle_rnic: module parameter %s: out of range\n", wrong);
		return -EINVAL;
	}
	rnic_configure();
	wrong = rnic_check_ldcp();
	if (wrong) {
		pr_err("lle_rnic: module parameter %s: not with LDCP\n", wrong);
		return -EINVAL;
	}

	err = rnic_packet_init();
	if (err)
		return err;
	err = rnic_hosts_init();
	if (err)
		goto err_packet;
	rnic_queues_init();
	rnic_timeline_init();
	err = rnic_control_init();
	if (err)
		goto err_hosts;
	return 0;

err_hosts:
	rnic_hosts_exit();
err_packet:
	rnic_packet_exit();
	return err;
}

static void __exit rnic_exit(void)
{
	rnic_control_exit();
	rtnl_lock();
	rnic_flows_clear();
	rnic_timeline_clear();
	rtnl_unlock();
	rnic_hosts_exit();
	rcu_barrier();
	rnic_packet_exit();
}

module_init(rnic_init);
module_exit(rnic_exit);

MODULE_DESCRIPTION("RoCEv2 endpoints for tests of Linux Lossless Ethernet");
MODULE_LICENSE("GPL");
