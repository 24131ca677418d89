// SPDX-License-Identifier: GPL-2.0
/*
 * tab(p): the sets that egress p has received during its present pause; all
 * egresses share a pool of entries. Own probes that return are stored like
 * others: a loop may pass the switch twice.
 *
 * Without room, a new set replaces the largest one of the egress, or of the
 * fullest egresses, so that the probe of the smallest initiator gets around a
 * loop. A single own initiator counts as smallest. The new set stays until the
 * next one arrives, so each set is forwarded once.
 */
#include "exact_table.h"

/* Has a member an own pause that has ended, or an outdated own number? */
bool lle_exact_table_is_stale(const struct lle_exact *d, struct lle_dl_set set)
{
	unsigned int i;

	for (i = 0; i < lle_dl_set_num(set); i++) {
		struct lle_dl_id id = set.id[i];

		if (id.sw != d->sw)
			continue;
		if (id.port >= d->map.ports ||
		    !(d->pausing & BIT_ULL(id.port)) ||
		    id.seq != d->port[id.port].seq)
			return true;
	}
	return false;
}

/* Is set @a kept rather than @b? */
static bool lle_exact_before(const struct lle_exact *d, struct lle_dl_set a,
			     struct lle_dl_set b)
{
	bool own_a = a.id[0].sw == d->sw && !a.id[1].sw;
	bool own_b = b.id[0].sw == d->sw && !b.id[1].sw;

	return own_a != own_b ? own_a : lle_dl_set_less(a, b);
}

static unsigned int lle_exact_count(const struct lle_exact *d,
				    unsigned int egress)
{
	const struct lle_exact_entry *e;
	unsigned int n = 0;

	lle_exact_for_each_entry(d, e)
		n += e->egress == egress;
	return n;
}

static struct lle_exact_entry *lle_exact_free(const struct lle_exact *d)
{
	struct lle_exact_entry *e;

	for (e = d->entry; e < d->entry + d->pool; e++)
		if (!e->set.id[0].sw)
			return e;
	return NULL;
}

static u64 lle_exact_fullest(const struct lle_exact *d)
{
	unsigned int p, n, most = 0;
	u64 fullest = 0;

	for (p = 0; p < d->map.ports; p++) {
		n = lle_exact_count(d, p);
		if (n > most)
			fullest = 0;
		most = max(most, n);
		if (n == most)
			fullest |= BIT_ULL(p);
	}
	return fullest;
}

static struct lle_exact_entry *lle_exact_room(struct lle_exact *d,
					      unsigned int egress)
{
	bool full = lle_exact_count(d, egress) == LLE_EXACT_PER_EGRESS;
	struct lle_exact_entry *e, *largest = NULL;
	u64 from = BIT_ULL(egress);

	e = lle_exact_free(d);
	if (e && !full)
		return e;

	if (!full)
		from = lle_exact_fullest(d);
	lle_exact_for_each_entry(d, e)
		if (from & BIT_ULL(e->egress) &&
		    (!largest || lle_exact_before(d, largest->set, e->set)))
			largest = e;
	d->evicted |= BIT_ULL(largest->egress);
	d->stats->evicted++;
	return largest;
}

static void lle_exact_forget(struct lle_exact_entry *e)
{
	e->set.id[0].sw = 0;
}

/* The entry of an egress with the same ingresses, whatever their numbers */
static struct lle_exact_entry *lle_exact_find(const struct lle_exact *d,
					      unsigned int egress,
					      struct lle_dl_set set)
{
	struct lle_exact_entry *e;

	lle_exact_for_each_entry(d, e)
		if (e->egress == egress &&
		    lle_dl_set_same_ingresses(e->set, set))
			return e;
	return NULL;
}

/* Removes larger sets, about which the same is true. Returns true for one. */
static bool lle_exact_settle(struct lle_exact *d, unsigned int egress,
			     struct lle_dl_set set)
{
	struct lle_exact_entry *e;

	lle_exact_for_each_entry(d, e) {
		if (e->egress != egress || lle_dl_set_same(e->set, set))
			continue;
		if (lle_dl_set_within(e->set, set))
			return true;
		if (lle_dl_set_within(set, e->set))
			lle_exact_forget(e);
	}
	return false;
}

/* An initiator has declared: ingresses forward the set a second time. */
static void lle_exact_resend(struct lle_exact *d, unsigned int egress,
			     struct lle_dl_set set)
{
	u64 delta = lle_dl_map_causal(&d->map, egress, d->pausing);
	unsigned int i;

	lle_dl_for_each(i, delta)
		lle_exact_table_set_sent(d, set, i, false);
}

void lle_exact_table_store(struct lle_exact *d, unsigned int egress,
			   struct lle_dl_set set, const struct lle_dl_msg *msg)
{
	struct lle_exact_entry *e;
	unsigned int i;

	if (lle_exact_settle(d, egress, set))
		return;
	e = lle_exact_find(d, egress, set);
	if (e && lle_dl_set_same(e->set, set)) {
		if (!msg->min.sw && e->min_sw)
			lle_exact_resend(d, egress, set);
		if (lle_dl_id_less(msg->min, lle_exact_entry_min(e))) {
			e->min_sw = msg->min.sw;
			e->min_port = msg->min.port;
		}
		e->hops = msg->hops;
		e->waits |= msg->waits;
		return;
	}
	for (i = 0; e && i < lle_dl_set_num(set); i++)
		if (lle_dl_id_newer(e->set.id[i].seq, set.id[i].seq))
			return;
	if (!e)
		e = lle_exact_room(d, egress);
	*e = (struct lle_exact_entry) {
		.set = set,
		.min_sw = msg->min.sw,
		.min_port = msg->min.port,
		.hops = msg->hops,
		.egress = egress,
		.waits = msg->waits,
	};
}

unsigned int lle_exact_table_take(struct lle_exact *d, unsigned int egress,
				  const struct lle_dl_id *id,
				  struct lle_dl_set *gone)
{
	struct lle_exact_entry *e;
	unsigned int n = 0;

	lle_exact_for_each_entry(d, e) {
		if (e->egress != egress || (id && !lle_dl_set_has(e->set, *id)))
			continue;
		gone[n++] = e->set;
		lle_exact_forget(e);
	}
	return n;
}

u64 lle_exact_table_sent(const struct lle_exact *d, struct lle_dl_set set)
{
	const struct lle_exact_entry *e;
	u64 sent = 0;

	lle_exact_for_each_entry(d, e)
		if (lle_dl_set_same(e->set, set))
			sent |= e->sent;
	return sent;
}

void lle_exact_table_set_sent(struct lle_exact *d, struct lle_dl_set set,
			      unsigned int ingress, bool sent)
{
	struct lle_exact_entry *e;

	lle_exact_for_each_entry(d, e) {
		if (!lle_dl_set_same(e->set, set))
			continue;
		e->sent &= ~BIT_ULL(ingress);
		if (sent)
			e->sent |= BIT_ULL(ingress);
	}
}

void lle_exact_table_clear_sent(struct lle_exact *d, unsigned int ingress)
{
	struct lle_exact_entry *e;

	lle_exact_for_each_entry(d, e)
		e->sent &= ~BIT_ULL(ingress);
}

void lle_exact_table_purge(struct lle_exact *d)
{
	struct lle_exact_entry *e;

	lle_exact_for_each_entry(d, e)
		if (lle_exact_table_is_stale(d, e->set))
			lle_exact_forget(e);
}
