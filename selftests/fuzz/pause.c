// SPDX-License-Identifier: GPL-2.0
/* Receiver: against an oracle. Sender: the receiver follows it. */
#include "fuzz.h"

#include "../unit/pause_oracle.h"
#include "../../kmod/core/pfc/history.c"
#include "../../kmod/core/pfc/pause.c"

static void receiver(struct fuzz *f)
{
	struct pause_oracle o = {};
	struct lle_pause_rx rx = {};
	struct lle_pfc pfc;
	u8 op, obey, ended;
	unsigned int p;

	while (f->left) {
		op = fuzz_get(f, 1);
		switch (op & 7) {
		case 0:
		case 1:
			pause_oracle_wait(&o, fuzz_get(f, op & 1 ? 1 : 2) >>
					      (op & 1 ? 0 : 4));
			break;
		case 2:
			obey = fuzz_get(f, 1);
			lle_pause_rx_clear(&rx, obey, o.now_ns);
			pause_oracle_clear(&o, obey);
			break;
		default:
			pfc.enable = fuzz_get(f, 1);
			obey = op & 8 ? fuzz_get(f, 1) : 0xff;
			for (p = 0; p < LLE_NUM_PRIO; p++)
				pfc.quanta[p] = pfc.enable >> p & 1 ?
						fuzz_get(f, op & 16 ? 2 : 1) :
						op;
			ended = rx.paused;
			pause_oracle_frame(&o, &pfc, obey);
			ended &= ~pause_oracle_paused(&o);
			check(lle_pause_rx_frame(&rx, &pfc, obey, ORACLE_RATE,
						 o.now_ns) == ended);
		}
		check(pause_oracle_agrees(&o, &rx, op & 32));
	}
	check(pause_oracle_agrees(&o, &rx, true));
}

/* Sender and receiver agree if frames are sent when due. */
static void sender(struct fuzz *f)
{
	u64 rate = fuzz_get(f, 5) + 1000, now_ns = 0, span;
	u16 quanta = fuzz_get(f, 2) | 1;
	struct lle_pause_tx tx = {};
	struct lle_pause_rx rx = {};
	struct lle_pfc pfc;
	unsigned int p;
	u8 want = 0;

	/* a pause below the resolution of the clock ends as it begins */
	if (lle_pause_quanta_to_ns(quanta, rate) < 2)
		return;
	while (f->left) {
		want = fuzz_get(f, 1);
		if (lle_pause_tx_due(&tx, want, now_ns)) {
			u8 sent = tx.sent;

			lle_pause_tx_build(&tx, want, quanta, rate, now_ns,
					   &pfc);
			check(pfc.enable == (want | sent) && tx.sent == want);
			for (p = 0; p < LLE_NUM_PRIO; p++)
				check(pfc.quanta[p] ==
				      (want >> p & 1 ? quanta : 0));
			lle_pause_rx_frame(&rx, &pfc, 0xff, rate, now_ns);
			check(!lle_pause_tx_due(&tx, want, now_ns));
		}
		check(lle_pause_rx_update(&rx, now_ns) == want);
		check(tx.sent == want);
		span = fuzz_get(f, 2);
		if (want)
			span = span * (tx.refresh_ns - now_ns) / 65535;
		now_ns += span;
	}
	for (p = 0; p < LLE_NUM_PRIO; p++) {
		check(tx.pauses[p] == rx.pauses[p]);
		check(tx.resumes[p] == rx.resumes[p]);
		check(lle_pause_rx_transitions(&rx, p) <= rx.resumes[p] + 1);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz f = { data, size };

	if (fuzz_get(&f, 1) & 1)
		sender(&f);
	else
		receiver(&f);
	return 0;
}
