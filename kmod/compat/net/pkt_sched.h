/* SPDX-License-Identifier: GPL-2.0 */
#include_next <net/pkt_sched.h>

/*
 * Before MODULE_ALIAS_NET_SCH a qdisc was loaded by the name of its file,
 * sch_KIND.ko.
 */
#ifndef MODULE_ALIAS_NET_SCH
#define MODULE_ALIAS_NET_SCH(kind)
#endif
