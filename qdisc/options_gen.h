/* SPDX-License-Identifier: GPL-2.0 */
/* Do not edit directly, made by spec/gen.py from spec/qdisc.yaml */
#ifndef LLE_OPTIONS_GEN_H
#define LLE_OPTIONS_GEN_H

#include "config.h"

/* netlink policies: what is out of range is refused before anything changes */
extern const struct nla_policy lossless_policy[TCA_LOSSLESS_MAX + 1];
extern const struct nla_policy lossless_wred_policy[TCA_LOSSLESS_WRED_MAX + 1];

/* sets defaults other than 0 */
void lossless_options_defaults(struct lossless_config *c);

/* takes the options in @tb; members of the other options stay */
void lossless_options_get(struct lossless_config *c, struct nlattr *const tb[]);
void lossless_wred_get(struct lle_wred_params *c, struct nlattr *const tb[]);

/* dump options that are members of @p. Return: 0 or -EMSGSIZE */
int lossless_options_put(struct sk_buff *skb, const struct lle_port_params *p);
int lossless_wred_put(struct sk_buff *skb, const struct lle_wred_params *p);

#endif /* LLE_OPTIONS_GEN_H */
