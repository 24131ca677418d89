// SPDX-License-Identifier: GPL-2.0
/*
 * What the kernel knows of a TCP socket. A file of its own, as headers of libnl have libc's
 * older struct tcp_info.
 */
#include <linux/tcp.h>
#include <string.h>

#include "client.h"
#include "request_tcp.h"

/**
 * lle_nl_read_tcp_info() - take over what is of interest
 * @tcp: the socket
 * @data: struct tcp_info of the kernel, which may have less of it, or more
 * @len: bytes of that
 */
void lle_nl_read_tcp_info(struct lle_nl_tcp *tcp, const void *data, unsigned int len)
{
	struct tcp_info info = { 0 };

	memcpy(&info, data, len < sizeof(info) ? len : sizeof(info));
	tcp->rtt_us = info.tcpi_rtt;
	tcp->min_rtt_us = info.tcpi_min_rtt;
	tcp->retrans = info.tcpi_total_retrans;
	tcp->acked_bytes = info.tcpi_bytes_acked;
}
