// SPDX-License-Identifier: GPL-2.0
/* Algorithm exact: any packets, pauses and messages; invariants after each. */
#include "../unit/exact_core.h"
#include "deadlock.h"

#define PACKETS		64
#define UNIT_NS		(1 << LLE_EXACT_TIME_SHIFT)

struct packet {
	u8 egress, ingress;
	u16 len;
};

static u64 memory[1024];
static struct lle_dl_out out;
static struct lle_exact *d;
static u64 now_ns;
static struct packet queue[PACKETS];
static unsigned int queued;

static const struct lle_dl_msg *some_msg(struct fuzz *f, u8 bits)
{
	static struct lle_dl_msg msg;

	msg = (struct lle_dl_msg) {
		.type = bits % 4,
		.num_ids = bits / 4 % 3,
		.waits = bits & 0x40,
		.hops = fuzz_get(f, 1) % 70,
		.hop_epoch = fuzz_get(f, 1) % 4,
		.id = { some_id(f), some_id(f) },
		.min = { .sw = fuzz_get(f, 1) % 10 },
	};
	return received(&msg);
}

static void enq(struct fuzz *f, unsigned int egress)
{
	struct packet *p = &queue[queued];

	if (queued == PACKETS)
		return;
	queued++;
	p->egress = egress;
	p->ingress = fuzz_get(f, 1) % PORTS;
	p->len = 1 + fuzz_get(f, 1);
	lle_exact_enq(d, egress, p->ingress, p->len);
}

static void deq(struct fuzz *f)
{
	struct packet *p;

	if (!queued)
		return;
	p = &queue[fuzz_get(f, 1) % queued];
	lle_exact_deq(d, p->egress, p->ingress, p->len);
	*p = queue[--queued];
}

static void frame(unsigned int port, bool pause)
{
	struct lle_dl_msg msg;

	if (!lle_exact_send_ride(d, port, pause, &msg))
		return;
	check(FABRIC & BIT(port));
	check(pause == !!(d->pausing & BIT(port)));
	check(pause ? msg.type <= LLE_DL_PROBE : msg.type == LLE_DL_BROKEN);
	check(msg.hop_epoch == d->port[port].epoch);
	check(received(&msg));
}

static void event(struct fuzz *f)
{
	u8 op = fuzz_get(f, 1), port = (op >> 4) % PORTS;
	const struct lle_dl_msg *msg;

	switch (op & 15) {
	case 0:
	case 1:
	case 2:
		enq(f, port);
		break;
	case 3:
		deq(f);
		break;
	case 4:
	case 5:
		if (!(d->pausing & BIT(port)))
			lle_exact_pause_tx(d, port, fuzz_get(f, 1), now_ns);
		break;
	case 6:
		lle_exact_resume_tx(d, port, op & 0x80);
		break;
	case 7:
		lle_exact_refresh(d, port, now_ns, &out);
		break;
	case 8:
		lle_exact_resume_rx(d, port, op & 0x80, now_ns, now_ns, &out);
		break;
	case 9:
	case 10:
		msg = some_msg(f, fuzz_get(f, 1));
		lle_exact_pause_rx(d, port, msg,
				   now_ns + fuzz_get(f, 1) * UNIT_NS, now_ns,
				   &out);
		break;
	case 11:
		now_ns += fuzz_get(f, 2) * UNIT_NS;
		if (!lle_exact_timer_wait(d, now_ns))
			lle_exact_timer(d, now_ns, &out);
		break;
	case 12:
		frame(port, op & 0x80);
		break;
	case 13:
		lle_exact_run(d, now_ns, &out);
		check(!lle_exact_is_due(d) || out.num > LLE_DL_SENDS / 2);
		break;
	default:
		msg = some_msg(f, fuzz_get(f, 1));
		if (msg)
			lle_exact_message_rx(d, port, msg, now_ns, &out);
	}
}

static void check_map(void)
{
	u32 want[PORTS][PORTS] = {}, held;
	unsigned int n, p, i;

	for (n = 0; n < queued; n++)
		want[queue[n].egress][queue[n].ingress] += queue[n].len;
	check(!memcmp(want, d->map.bytes, sizeof(want)));
	for (i = 0; i < PORTS; i++) {
		held = 0;
		for (p = 0; p < PORTS; p++)
			if (d->map.held & BIT(p))
				held += want[p][i];
		check(held == d->map.sums[i].held);
	}
	check(!(d->map.held & ~(d->map.paused & FABRIC)));
}

/* Entries belong to current pauses and respect their bounds. */
static void check_table(void)
{
	const struct lle_exact_entry *e, *o;
	unsigned int count[PORTS] = {};

	lle_exact_for_each_entry(d, e) {
		check(d->map.held & BIT(e->egress));
		check(++count[e->egress] <= LLE_EXACT_PER_EGRESS);
		check(!lle_exact_table_is_stale(d, e->set));
		check(!lle_dl_id_less(e->set.id[1], e->set.id[0]) ||
		      !e->set.id[1].sw);
		check(e->hops <= LLE_DL_HOPS);
		lle_exact_for_each_entry(d, o)
			check(o == e || o->egress != e->egress ||
			      !lle_dl_set_within(o->set, e->set));
	}
}

static void check_out(u64 pausing)
{
	unsigned int n;

	check(out.num <= LLE_DL_SENDS);
	for (n = 0; n < out.num; n++) {
		struct lle_dl_send *send = &out.send[n];

		check(FABRIC & (pausing | d->pausing) & BIT(send->port));
		check(received(&send->msg));
		check(send->msg.hops <= LLE_DL_HOPS);
	}
	check(!(out.declared & ~(d->declared & FABRIC)));
	lle_dl_for_each(n, out.declared) {
		struct lle_dl_report report;

		lle_exact_report(d, n, now_ns, &report);
		check(report.egresses);
	}
	out.num = 0;
	out.declared = 0;
}

static void check_ports(void)
{
	unsigned int i;

	check(!(d->initiators & ~(d->pausing & FABRIC)));
	check(!((d->declared | d->deferred) & ~d->initiators));
	check(!(d->unheld & ~d->initiators));
	check(!((d->due | d->recheck | d->withdrawing) &
		~(d->pausing & FABRIC)));
	check(!(d->refreshed & ~(d->pausing & FABRIC)));
	check(!(d->broken & d->pausing));
	check((lle_exact_timer_wait(d, now_ns) == U64_MAX) == !d->deferred);
	for (i = 0; i < PORTS; i++)
		check(d->port[i].sent <= LLE_DL_CAP);
	for (i = 0; i < LLE_EXACT_RIDES; i++)
		if (d->ride[i].msg.num_ids)
			check(d->pausing & ~d->refreshed &
			      BIT(d->ride[i].port));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz f = { data, size };
	struct lle_dl_params p = {
		.sw = 7,
		.ports = PORTS,
		.fabric = FABRIC,
		.pool = 1 + fuzz_get(&f, 1) % 16,
		.guard_ns = 4 * UNIT_NS,
		.hop_ns = 2 * UNIT_NS,
	};
	u64 pausing;

	check(lle_exact_size(&p) <= sizeof(memory));
	d = lle_exact_init(memory, &p);
	queued = 0;
	now_ns = 0;
	out.num = 0;
	out.declared = 0;
	while (f.left) {
		pausing = d->pausing;
		event(&f);
		check_map();
		check_table();
		check_ports();
		check_out(pausing);
	}
	return 0;
}
