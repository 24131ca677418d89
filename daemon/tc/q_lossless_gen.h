/* SPDX-License-Identifier: GPL-2.0 */
/* Do not edit directly, made by spec/gen.py from spec/qdisc.yaml */
extern const char *const lossless_names_switch[];
extern const char *const lossless_names_trust[];
extern const char *const lossless_names_facing[];
extern const char *const lossless_names_gso_mode[];
extern const char *const lossless_names_role[];
extern const char *const lossless_names_deadlock_action[];
extern const char *const lossless_names_deadlock_trigger[];

extern const struct lossless_word lossless_words[];
extern const struct lossless_word lossless_wred_words[];
extern const char lossless_usage[];

extern const struct lossless_show lossless_line_link[];
extern const struct lossless_show lossless_line_rx[];
extern const struct lossless_show lossless_line_buffer[];
extern const struct lossless_show lossless_line_rcm[];
extern const struct lossless_show lossless_line_wred[];
extern const struct lossless_row lossless_port_rows[];
extern const struct lossless_row lossless_prio_rows[];

/* by hand */
void lossless_show_gso(const struct rtattr *tb[]);
void lossless_show_quanta(const struct rtattr *tb[]);
void lossless_show_priomap(const struct rtattr *tb[]);
void lossless_show_pfc_en(const struct rtattr *tb[]);
void lossless_show_to_alpha(const struct rtattr *tb[]);
void lossless_show_dscp_prio(const struct rtattr *tb[]);
void lossless_show_role(const struct rtattr *tb[]);
