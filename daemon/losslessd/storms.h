/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLED_STORMS_H
#define LLED_STORMS_H

#include <systemd/sd-event.h>

#include "../lib/client.h"

void storms_open(sd_event *loop, struct lle_nl *nl);
void storms_event(const struct lle_nl_storm *storm);
void storms_resync(void);
void storms_forget(unsigned int ifindex);
void storms_close(void);

#endif /* LLED_STORMS_H */
