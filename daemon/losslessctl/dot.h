/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_CTL_DOT_H
#define LLE_CTL_DOT_H

#include <stdbool.h>

/* Colours of loops and inner ports, causes, roots, edges of regions, others */
#define DOT_LOOP	"#f4a3a3"
#define DOT_CULPRIT	"#ffb347"
#define DOT_ROOT	"#ffd27f"
#define DOT_EDGE	"#b7d9b1"
#define DOT_PLAIN	"#e8eef7"

struct lle_nl_congestion;
struct lle_nl_deadlock;
struct lle_nl_ports;

/* dot.c */
void ctl_dot_begin(const char *name);
void ctl_dot_text(const char *text);

/* congestion.c */
bool ctl_is_congested(const struct lle_nl_congestion *n);

/* congestion_dot.c */
void ctl_congestion_dot(const struct lle_nl_congestion *all, int num,
			const struct lle_nl_ports *ports);

/* deadlock_dot.c */
void ctl_deadlock_dot(const struct lle_nl_deadlock *d,
		      const struct lle_nl_ports *ports);

#endif /* LLE_CTL_DOT_H */
