// SPDX-License-Identifier: GPL-2.0
/*
 * RoCEv2 endpoints for tests: NICs that send and receive messages of reliable
 * connections, in the kernel, so that user space sleeps meanwhile.
 *
 * Packets are real (BTH, RETH, AETH, sequence numbers, ACK, NAK, CNP), with
 * go-back-N or selective repeat, and rate control. No memory is registered or
 * written: data and the ICRC are zeros.
 */
#include <linux/module.h>
#include <linux/rtnetlink.h>

#include "rnic.h"

/* A module parameter with its range */
struct rnic_param {
	uint value;
	uint least;
	uint most;
};

static int rnic_param_set(const char *text, const struct kernel_param *kp)
{
	const struct rnic_param *p = kp->arg;

	return param_set_uint_minmax(text, kp, p->least, p->most);
}

static const struct kernel_param_ops rnic_param_ops = {
	.set = rnic_param_set,
	.get = param_get_uint,
};

#define RNIC_PARAM(name, value, least, most, text)			\
	static struct rnic_param name = { value, least, most };		\
	module_param_cb(name, &rnic_param_ops, &name, 0444);		\
	__MODULE_PARM_TYPE(name, "uint");				\
	MODULE_PARM_DESC(name, text " (" #value ")")

#define RNIC_SWITCH(name, value, text)					\
	static bool name = value;					\
	module_param(name, bool, 0444);					\
	MODULE_PARM_DESC(name, text " (" #value ")")

RNIC_PARAM(mtu, 1024, 256, RNIC_MTU_MAX, "Payload bytes of a packet");
RNIC_PARAM(window, 0, 0, UINT_MAX, "Maximum of unacknowledged packets; 0: no limit");
RNIC_PARAM(ack_every, 1, 1, UINT_MAX, "Packets between two ACKs");
RNIC_PARAM(ack_prio, 7, 0, 7, "Priority of ACKs and NAKs");
RNIC_PARAM(cnp_prio, 7, 0, 7, "Priority of CNPs");
RNIC_PARAM(turn_bytes, 0, 0, 1 << 20, "Bytes that a flow sends in its turn; 0: one packet");
RNIC_SWITCH(irn, false, "Repair losses by selective repeat, not by going back");
RNIC_PARAM(rto_low_us, 100, 0, UINT_MAX, "rto_us of irn, with at most 3 packets in flight");
RNIC_PARAM(depth, 2, 1, UINT_MAX, "Maximum of a priority's packets in the qdisc");
RNIC_PARAM(flow_depth, 0, 0, UINT_MAX, "Maximum of a flow's packets in the qdisc; 0: no limit");
RNIC_PARAM(rto_us, 16000, 1, UINT_MAX, "Time without progress until a sender goes back");
RNIC_PARAM(cnp_us, 50, 0, UINT_MAX, "Minimum time between two CNPs of a flow");
RNIC_PARAM(cnp_nic_ns, 0, 0, UINT_MAX, "Minimum time between two CNPs of a NIC");
RNIC_PARAM(cnp_delay_ns, 0, 0, UINT_MAX, "Time that a NIC takes to generate a CNP");
RNIC_PARAM(bin_us, 0, 0, UINT_MAX, "Width of the bins of throughput; 0: no bins");
RNIC_PARAM(bins, 1000, 1, 1 << 20, "Number of bins");
RNIC_PARAM(sample_us, 0, 0, UINT_MAX, "Time between two samples of queues; 0: no samples");
RNIC_PARAM(samples, 1000, 1, 1 << 20, "Number of samples");
RNIC_PARAM(timeline_us, 0, 0, USEC_PER_SEC,
	   "Time between the first two samples of all ports; 0: no timeline");
RNIC_PARAM(storm_us, 50, 1, UINT_MAX, "Time between two pauses of a broken NIC");
RNIC_PARAM(pair_us, 0, 0, UINT_MAX, "Time after which a message gets its own queue pair");
RNIC_SWITCH(ect, true, "Packets are ECN capable");
RNIC_PARAM(line_mbps, 100000, 1, UINT_MAX, "Speed of the NICs, Mbit/s");

static char *cc = "none";
module_param(cc, charp, 0444);
MODULE_PARM_DESC(cc, "Congestion control: none, dcqcn, ldcp or ldcp-rate (none)");

/* defaults of DCQCN, for 40 Gbit/s: SIGCOMM 2015, section 5.2 */
RNIC_PARAM(dcqcn_g_shift, 8, 1, 16, "g is 2 to the power of minus this");
RNIC_PARAM(dcqcn_rounds, 5, 1, 1001, "Rounds of fast recovery");
RNIC_PARAM(dcqcn_alpha_us, 55, 1, UINT_MAX, "Time without a CNP after which alpha decays");
RNIC_PARAM(dcqcn_cut_us, 50, 0, UINT_MAX, "Minimum time between two cuts");
RNIC_PARAM(dcqcn_clamp, 1, 0, 1, "A cut sets the target, also before a round of increase has ended");
RNIC_PARAM(dcqcn_ticks, 0, 0, 1, "Change alpha and the rate at ticks, as NICs of HPCC's ns-3");
RNIC_PARAM(dcqcn_timer_us, 55, 1, UINT_MAX, "Time of a round of increase");
RNIC_PARAM(dcqcn_kbytes, 10240, 0, UINT_MAX, "KiB of a round of increase");
RNIC_PARAM(dcqcn_ai_mbps, 40, 0, UINT_MAX, "Additive increase, Mbit/s");
RNIC_PARAM(dcqcn_hai_mbps, 200, 0, UINT_MAX, "Hyper increase, Mbit/s");
RNIC_PARAM(dcqcn_min_mbps, 40, 1, UINT_MAX, "Minimum rate, Mbit/s, at most line_mbps");

/* defaults of LDCP, as in tcp_ldcp.ko */
RNIC_SWITCH(ldcp_draft, false, "A window grows as in the draft, not smoothly");
RNIC_PARAM(ldcp_gamma, 256, 0, 1024, "Growth below a window of one, 1/1024 packets");
RNIC_PARAM(ldcp_min, 16, 0, 1024, "Minimum window, 1/1024 packets; with ldcp_draft ldcp_gamma");
RNIC_PARAM(ldcp_iw, 10, 1, LLE_LDCP_WINDOW_END - 1, "Packets of an initial window");
RNIC_SWITCH(ldcp_fast, true, "Of the first RTT, only the last packet is ECN capable");

static u64 rnic_rate(uint mbps)
{
	return mbps * 125000ULL;
}

/*
 * Return: the parameter that does not fit the others; NULL. LDCP needs ECN and
 * an ACK of each packet; each message has its own window.
 */
static const char *rnic_check(void)
{
	const struct lle_ldcp_params *core = &rnic_config.ldcp.core;
	bool ldcp = !strncmp(cc, "ldcp", 4);
	const struct {
		const char *name;
		bool wrong;
	} checks[] = {
		{ "ack_every", window.value && ack_every.value > window.value },
		{ "window", irn && (!window.value || window.value > IRN_WINDOW_MAX) },
		{ "ack_every", (irn || ldcp) && ack_every.value != 1 },
		{ "rto_low_us", irn && (!rto_low_us.value || rto_low_us.value > rto_us.value) },
		{ "cc", strcmp(cc, "none") && !rnic_config.cc },
		{ "irn", ldcp && irn },
		{ "pair_us", ldcp && pair_us.value },
		{ "ect", ldcp && !ect },
		{ ldcp_draft ? "ldcp_gamma" : "ldcp_min", ldcp && !lle_ldcp_params_are_good(core) },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(checks); i++)
		if (checks[i].wrong)
			return checks[i].name;
	return NULL;
}

static struct rnic_ldcp_params rnic_ldcp_params(void)
{
	const u32 unit = LLE_LDCP_ONE / 1024;

	return (struct rnic_ldcp_params){
		.core = {
			.alpha = LLE_LDCP_ONE,
			.beta = LLE_LDCP_ONE / 2,
			.gamma = ldcp_gamma.value * unit,
			.eta = LLE_LDCP_ONE / 2,
			.min = (ldcp_draft ? ldcp_gamma.value : ldcp_min.value) * unit,
			.max = (LLE_LDCP_WINDOW_END - 1) << LLE_LDCP_SHIFT,
			.mode = ldcp_draft ? LLE_LDCP_DRAFT : LLE_LDCP_SMOOTH,
			.tail = 1,
		},
		.iw = ldcp_iw.value,
		.fast = ldcp_fast,
	};
}

static void rnic_configure(void)
{
	rnic_config = (struct rnic_config) {
		.mtu = mtu.value,
		.window = window.value,
		.ack_every = ack_every.value,
		.ack_prio = ack_prio.value,
		.cnp_prio = cnp_prio.value,
		.turn_bytes = turn_bytes.value,
		.irn = irn,
		.depth = depth.value,
		.flow_depth = flow_depth.value,
		.rto_ns = rto_us.value * 1000ULL,
		.rto_low_ns = rto_low_us.value * 1000ULL,
		.rto_low_packets = 3,
		.cnp_ns = cnp_us.value * 1000ULL,
		.cnp_nic_ns = cnp_nic_ns.value,
		.cnp_delay_ns = cnp_delay_ns.value,
		.bin_ns = bin_us.value * 1000ULL,
		.bins = bins.value,
		.sample_ns = sample_us.value * 1000ULL,
		.samples = samples.value,
		.timeline_us = timeline_us.value,
		.storm_ns = storm_us.value * 1000ULL,
		.pair_ns = pair_us.value * 1000ULL,
		.ect = ect,
		.cc = rnic_cc_find(cc),
		.dcqcn = {
			.line = rnic_rate(line_mbps.value),
			.min = rnic_rate(min(dcqcn_min_mbps.value, line_mbps.value)),
			.ai = rnic_rate(dcqcn_ai_mbps.value),
			.hai = rnic_rate(dcqcn_hai_mbps.value),
			.g_shift = dcqcn_g_shift.value,
			.rounds = dcqcn_rounds.value,
			.alpha_ns = dcqcn_alpha_us.value * 1000ULL,
			.cut_ns = dcqcn_cut_us.value * 1000ULL,
			.clamp = dcqcn_clamp.value,
			.ticks = dcqcn_ticks.value,
			.timer_ns = dcqcn_timer_us.value * 1000ULL,
			.bytes = dcqcn_kbytes.value * 1024ULL,
		},
		.ldcp = rnic_ldcp_params(),
	};
}

static int __init rnic_init(void)
{
	const char *wrong;
	int err;

	rnic_configure();
	wrong = rnic_check();
	if (wrong) {
		pr_err("lle_rnic: module parameter %s: not with the others\n", wrong);
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
