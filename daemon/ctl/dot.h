/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_CTL_DOT_H
#define LLE_CTL_DOT_H

/* What is in a loop, who is to blame, a root that is a port, everything else */
#define DOT_LOOP	"#f4a3a3"
#define DOT_CULPRIT	"#ffb347"
#define DOT_ROOT	"#ffd27f"
#define DOT_PLAIN	"#e8eef7"

struct lle_nl_deadlock;
struct lle_nl_ports;

/* dot.c */
void ctl_dot_begin(const char *name);
void ctl_dot_text(const char *text);

/* deadlock_dot.c */
void ctl_deadlock_dot(const struct lle_nl_deadlock *d,
		      const struct lle_nl_ports *ports);

#endif /* LLE_CTL_DOT_H */
