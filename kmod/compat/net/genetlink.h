/* SPDX-License-Identifier: GPL-2.0 */
#include_next <net/genetlink.h>

#ifndef LLE_COMPAT_NET_GENETLINK_H
#define LLE_COMPAT_NET_GENETLINK_H

/* Until 6.1.67 a group had the flag of an operation for this. */
#ifndef GENL_MCAST_CAP_NET_ADMIN
#define GENL_MCAST_CAP_NET_ADMIN GENL_UNS_ADMIN_PERM
#endif

#ifdef LLE_HAVE_GENL_SPLIT_OPS
static inline int lle_genl_register(struct genl_family *family)
{
	return genl_register_family(family);
}

static inline void lle_genl_unregister(struct genl_family *family)
{
	genl_unregister_family(family);
}
#else
#include <linux/slab.h>

/*
 * Since 6.2 do and dump of a command may be two operations, as the generator of
 * YNL writes them; an older kernel wants one. The joined operation validates
 * both by the policy of do, which knows each attribute of dump.
 */
#define genl_split_ops	genl_ops
#define split_ops	ops
#define n_split_ops	n_ops

static inline int lle_genl_register(struct genl_family *family)
{
	const struct genl_ops *split = family->ops;
	struct genl_ops *joined;
	unsigned int i, n = 0;
	int err;

	joined = kcalloc(family->n_ops, sizeof(*joined), GFP_KERNEL);
	if (!joined)
		return -ENOMEM;
	for (i = 0; i < family->n_ops; i++) {
		if (!n || joined[n - 1].cmd != split[i].cmd) {
			joined[n++] = split[i];
			continue;
		}
		joined[n - 1].start = split[i].start;
		joined[n - 1].dumpit = split[i].dumpit;
		joined[n - 1].done = split[i].done;
		joined[n - 1].flags |= split[i].flags;
	}
	family->ops = joined;
	family->n_ops = n;
	err = genl_register_family(family);
	if (err)
		kfree(joined);
	return err;
}

static inline void lle_genl_unregister(struct genl_family *family)
{
	genl_unregister_family(family);
	kfree(family->ops);
}
#endif

#endif /* LLE_COMPAT_NET_GENETLINK_H */
