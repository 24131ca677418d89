// SPDX-License-Identifier: GPL-2.0
/* Algorithm dcfit: any packets, pauses and messages, in any order. */
#include "../../kmod/core/deadlock/wire.c"
#include "../../kmod/core/deadlock/map.c"
#include "../../kmod/core/deadlock/trigger.c"
#include "../../lab/dcfit/dcfit_round2.c"
#include "../../lab/dcfit/dcfit_round1.c"
#include "../../lab/dcfit/dcfit.c"
#include "deadlock.h"

static const struct lle_dl_params params = {
	.sw = 7,
	.ports = PORTS,
	.fabric = FABRIC,
};

static struct lle_dl_out out;
static struct lle_dcfit *d;

static const struct lle_dl_msg *some_msg(struct fuzz *f, u8 bits)
{
	static struct lle_dl_msg msg;

	msg = (struct lle_dl_msg) {
		.type = bits & 1 ? LLE_DL_CHECK : LLE_DL_CONSISTENCY,
		.num_ids = 1,
		.hops = fuzz_get(f, 1),
		.id = { some_id(f) },
	};
	msg.trig = bits & 2 ? msg.id[0] : some_id(f);
	msg.trig.host = !!(bits & 4);
	return received(&msg);
}

static void event(struct fuzz *f)
{
	u8 op = fuzz_get(f, 1), port = (op >> 4) % PORTS, other = op >> 6;
	const struct lle_dl_msg *msg;

	switch (op & 15) {
	case 0:
	case 1:
	case 2:
		lle_dcfit_enq(d, port, other, 1 + fuzz_get(f, 1));
		break;
	case 3:
		lle_dcfit_deq(d, port, other,
			      *lle_dl_map_pair(&d->map, port, other));
		break;
	case 4:
	case 5:
		lle_dcfit_pause_tx(d, port, fuzz_get(f, 1));
		break;
	case 6:
		lle_dcfit_resume_tx(d, port);
		break;
	case 7:
		lle_dcfit_refresh(d, port, &out);
		break;
	case 8:
		lle_dcfit_resume_rx(d, port, &out);
		break;
	case 9:
	case 10:
		msg = some_msg(f, fuzz_get(f, 1));
		lle_dcfit_pause_rx(d, port, msg, &out);
		break;
	case 11:
		lle_dcfit_run(d, &out);
		break;
	default:
		msg = some_msg(f, fuzz_get(f, 1));
		if (msg)
			lle_dcfit_message_rx(d, port, msg, &out);
	}
}

static void check_msg(const struct lle_dl_msg *m)
{
	struct lle_dl_msg msg = *m;

	check(received(&msg));
	check(msg.hops && msg.hops <= LLE_DL_HOPS);
}

/* Outputs are valid, for a switch, and of a current pause. */
static void check_out(void)
{
	struct lle_dl_msg msg;
	unsigned int n;

	check(out.num <= LLE_DL_SENDS);
	for (n = 0; n < out.num; n++) {
		check(FABRIC & BIT(out.send[n].port));
		check_msg(&out.send[n].msg);
	}
	for (n = 0; n < PORTS; n++) {
		check(!(out.declared & BIT(n)) || d->port[n].loop);
		if (d->port[n].pausing && lle_dcfit_ride(d, n, true, &msg)) {
			check(FABRIC & BIT(n));
			check_msg(&msg);
		}
	}
	out.num = 0;
	out.declared = 0;
}

static void check_ports(void)
{
	unsigned int i;

	for (i = 0; i < PORTS; i++) {
		const struct lle_dcfit_port *p = &d->port[i];

		check(p->sent <= LLE_DL_CAP);
		check(!p->loop || (p->pausing && p->fabric));
		check(d->map.paused & BIT(i) ||
		      !(p->trig.sw || p->mid.sw || p->later));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz f = { data, size };
	void *memory = malloc(lle_dcfit_size(&params));

	d = lle_dcfit_init(memory, &params);
	out.num = 0;
	out.declared = 0;
	while (f.left) {
		event(&f);
		check_ports();
		check_out();
	}
	free(memory);
	return 0;
}
