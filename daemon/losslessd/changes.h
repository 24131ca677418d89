/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLED_CHANGES_H
#define LLED_CHANGES_H

#include "../lib/deadlock.h"

void changes_pfc(const struct lle_nl_port *port, uint8_t before);
void changes_gone(const struct lle_nl_port *port);
void changes_look(struct lle_nl *nl, const struct lle_nl_ports *ports);
void changes_free(void);

#endif /* LLED_CHANGES_H */
