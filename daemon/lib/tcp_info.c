// SPDX-License-Identifier: GPL-2.0
/*
 * struct tcp_info has a file of its own, as libnl's headers include libc's older
 * version of it.
 */
#include <linux/tcp.h>
#include <string.h>

#include "client.h"
#include "request_tcp.h"

/* Copies fields to show. @data may be longer or shorter than our struct. */
void lle_nl_read_tcp_info(struct lle_nl_tcp *tcp, const void *data, unsigned int len)
{
	struct tcp_info info = { 0 };

	memcpy(&info, data, len < sizeof(info) ? len : sizeof(info));
	tcp->rtt_us = info.tcpi_rtt;
	tcp->min_rtt_us = info.tcpi_min_rtt;
	tcp->retrans = info.tcpi_total_retrans;
	tcp->acked_bytes = info.tcpi_bytes_acked;
}
