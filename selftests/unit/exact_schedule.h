/* SPDX-License-Identifier: GPL-2.0 */
/* Algorithm exact at switch 7: events, and the messages that they cause, as text. */
#ifndef LLE_EXACT_SCHEDULE_H
#define LLE_EXACT_SCHEDULE_H

#include "exact_step.h"
#include "schedule.h"

static const struct lle_dl_params params = {
	.sw = 7,
	.prio = 3,
	.ports = 4,
	.fabric = 0x7,
	.guard_ns = 10 * UNIT_NS,
	.hop_ns = 2 * UNIT_NS,
};

static u64 memory[80 * 1024 / sizeof(u64)];
static struct lle_exact *d;
static u64 now_ns;

static struct frame {
	const char *kind;
	struct lle_dl_send send;
} frame;

static inline void begin(const struct lle_dl_params *p)
{
	d = lle_exact_init(memory, p);
	memset(&out, 0, sizeof(out));
	frame.kind = NULL;
	/* the time wraps soon */
	now_ns = ((1ULL << 32) - 5) * UNIT_NS;
}

static inline void leaves(unsigned int port, bool pause)
{
	frame.send.port = port;
	frame.kind = NULL;
	if (lle_exact_send_ride(d, port, pause, &frame.send.msg))
		frame.kind = pause ? "pause" : "resume";
}

static inline const char *said(void)
{
	static char text[TEXT];
	int at = 0;

	text[0] = 0;
	if (frame.kind) {
		at = put_text(text, at, "%u:%s%s", frame.send.port,
			       frame.kind, frame.send.msg.type ? " " : "");
		at = put_msg(text, at, &frame.send.msg);
	}
	frame.kind = NULL;
	put_out(text, at);
	return text;
}

static inline void run(void)
{
	lle_exact_run(d, now_ns, &out);
}

/* Evaluates what is due before frames leave. */
static inline void happen(const struct dcfit_step *s)
{
	if (s->event == WAIT)
		now_ns += (u64)s->n * UNIT_NS;
	exact_step(d, s, now_ns, &out);
	run();
	if (s->event == PAUSE_TX || s->event == REFRESH)
		leaves(s->port, true);
	if (s->event == RESUME_TX || s->event == BREAK)
		leaves(s->port, false);
}

static inline void begin_schedule(void)
{
	begin(&params);
}

static inline void enq(unsigned int egress, unsigned int ingress, u32 bytes)
{
	happen(&(struct dcfit_step){ ENQ, egress, ingress, bytes });
}

static inline void pause_rx(unsigned int egress)
{
	happen(&(struct dcfit_step){ PAUSE_RX, egress, SAYS(1) });
}

static inline void pause_tx(unsigned int ingress, u32 xon)
{
	happen(&(struct dcfit_step){ PAUSE_TX, ingress, .n = xon });
}

static inline void probe_rx(unsigned int egress, unsigned int sw, unsigned int seq)
{
	happen(&(struct dcfit_step){
		RX, egress, PROBE(1, 1, sw, 0, ID(sw, 0, seq)) });
}

static inline void pause_because(unsigned int egress, unsigned int sw)
{
	happen(&(struct dcfit_step){ PAUSE_RX, egress, .msg = {
		.hop_epoch = 1, .trig = { .sw = sw, .port = 1, .seq = 5 } } });
}

#endif /* LLE_EXACT_SCHEDULE_H */
