/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_CORE_EXACT_TABLE_H
#define LLE_CORE_EXACT_TABLE_H

#include "exact.h"
#include "set.h"

/**
 * struct lle_exact_entry - a probe that an egress has received
 * @sent: ingresses that have sent it on during their present pause
 * @set: its initiators; empty: the entry is free
 * @min_sw: the smallest initiator on its way; 0: one has declared
 * @min_port: port of that initiator
 * @hops: hops that it has made
 * @egress: the port
 * @waits: its single initiator waits for others, too
 */
struct lle_exact_entry {
	u64 sent;
	struct lle_dl_set set;
	u16 min_sw;
	u8 min_port;
	u8 hops;
	u8 egress;
	bool waits;
};

/* The first entry in use from @e on. */
static inline struct lle_exact_entry *
lle_exact_entry_from(const struct lle_exact *d, const struct lle_exact_entry *e)
{
	unsigned int n;

	for (n = e - d->entry; n < d->pool; n++)
		if (d->entry[n].set.id[0].sw)
			return &d->entry[n];
	return NULL;
}

#define lle_exact_for_each_entry(d, e)	\
	for ((e) = lle_exact_entry_from(d, (d)->entry); (e); \
	     (e) = lle_exact_entry_from(d, (e) + 1))

/* me(i): the pause that ingress i is in, as an initiator. */
static inline struct lle_dl_id lle_exact_me(const struct lle_exact *d,
					    unsigned int ingress)
{
	return (struct lle_dl_id) {
		.sw = d->sw,
		.port = ingress,
		.seq = d->port[ingress].seq,
	};
}

static inline struct lle_dl_id
lle_exact_entry_min(const struct lle_exact_entry *e)
{
	return (struct lle_dl_id) { .sw = e->min_sw, .port = e->min_port };
}

/**
 * lle_exact_set_stale() - test whether a set has an earlier own pause or probe
 * @d: the instance
 * @set: the set
 */
bool lle_exact_set_stale(const struct lle_exact *d, struct lle_dl_set set);

/**
 * lle_exact_store() - store a probe that an egress has received (section 3.2)
 * @d: the instance
 * @egress: the port
 * @set: its initiators
 * @msg: the probe
 *
 * Ignores a probe that is older than a stored one, or says less.
 */
void lle_exact_store(struct lle_exact *d, unsigned int egress,
		     struct lle_dl_set set, const struct lle_dl_msg *msg);

/**
 * lle_exact_take() - remove probes of an egress (paper section 3.2)
 * @d: the instance
 * @egress: the port
 * @id: those with this initiator; NULL: all
 * @gone: the removed sets, LLE_EXACT_PER_EGRESS at most
 *
 * Return: number of @gone.
 */
unsigned int lle_exact_take(struct lle_exact *d, unsigned int egress,
			    const struct lle_dl_id *id,
			    struct lle_dl_set *gone);

/**
 * lle_exact_sent() - get the ingresses that have sent a set on
 * @d: the instance
 * @set: the set
 *
 * Return: bit i: an entry says so of ingress i.
 */
u64 lle_exact_sent(const struct lle_exact *d, struct lle_dl_set set);

/**
 * lle_exact_sent_set() - record that an ingress has sent a set on, or has not
 * @d: the instance
 * @set: the set
 * @ingress: the port
 * @sent: false: it has taken the set back, or is to repeat it
 */
void lle_exact_sent_set(struct lle_exact *d, struct lle_dl_set set,
			unsigned int ingress, bool sent);

/**
 * lle_exact_unsend() - record that an ingress has sent no set on
 * @d: the instance
 * @ingress: the port
 */
void lle_exact_unsend(struct lle_exact *d, unsigned int ingress);

/**
 * lle_exact_purge() - remove entries that lle_exact_set_stale()
 * @d: the instance
 */
void lle_exact_purge(struct lle_exact *d);

#endif /* LLE_CORE_EXACT_TABLE_H */
