// SPDX-License-Identifier: GPL-2.0
/*
 * struct tcp_info of a TCP socket. It has a file of its own, as headers of
 * libnl include libc's older version of the struct.
 */
#include <linux/tcp.h>
#include <string.h>

#include "client.h"
#include "request_tcp.h"

/**
 * lle_nl_read_tcp_info() - copy the fields that are shown
 * @tcp: the socket
 * @data: the kernel's struct tcp_info, which may be shorter or longer than ours
 * @len: bytes of @data
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
