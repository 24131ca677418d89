/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_CLIENT_REQUEST_TCP_H
#define LLE_CLIENT_REQUEST_TCP_H

struct lle_nl_tcp;

void lle_nl_read_tcp_info(struct lle_nl_tcp *tcp, const void *data, unsigned int len);

#endif /* LLE_CLIENT_REQUEST_TCP_H */
