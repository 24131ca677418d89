// SPDX-License-Identifier: GPL-2.0
/*
 * One losslessd per network namespace: it holds an abstract socket, which belongs
 * to the namespace.
 */
#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "client.h"

#define NAME	"losslessd"

/* Return: a socket to keep open; -EADDRINUSE: there is another losslessd */
int lle_nl_daemon_claim(void)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), err;

	if (fd < 0)
		return -errno;
	memcpy(address.sun_path + 1, NAME, strlen(NAME));
	if (!bind(fd, (void *)&address,
		  offsetof(struct sockaddr_un, sun_path) + 1 + strlen(NAME)))
		return fd;
	err = -errno;
	close(fd);
	return err;
}
