// SPDX-License-Identifier: GPL-2.0
/*
 * PFC frames and deadlock messages for Wireshark, by our own encoders, and
 * their expected decoding.
 *
 * Usage: frames DIR
 *
 * Writes to DIR:
 *	valid.pcap	valid messages, in pads of PFC frames and separate
 *	valid.tsv	their values, in the order of the fields in run.sh
 *	hostile.pcap	any octets, with a right or wrong CRC
 *	hostile.tsv	verdict of a switch on each: CRC good or not, "ignored"
 *	cut.pcap	frames captured in part, 16 times each, then two in full
 *	loop.pcap	a resolve; walks of 3 hops: captured to one more octet
 *			each time, then sent with one octet less each time;
 *			walks of the maximum length, and longer
 *	foreign.pcap	a PAUSE of the whole link, and frames of others
 */
#include "../unit/prng.h"
#include "../vectors/exact.h"

#include "../../kmod/core/pfc/frame.c"
#include "../unit/exact_core.h"
#include "../../kmod/core/deadlock/exact_walk.c"
#include "pcap.h"

#define RANDOM		1000
#define ALONE_LEN	60
#define ETH_LEN		14
#define HOPS_MAX	62	/* limit of a walk, without the initiator */
#define HOPS_AT		(ETH_LEN + sizeof(struct lle_dl_pad))
#define HOP_LEN		sizeof(struct lle_dl_wire_hop)
#define HOP_COLUMNS	11	/* columns for hops in valid.tsv */

static const u8 source[6] = { 0x02, 0, 0, 0, 0, 0x01 };
static u64 seed = 1;

/* A separate message, or one in the pad of a frame that begins a pause. */
struct frame {
	u32 len;
	union {
		struct lle_pfc_frame pfc;
		u8 octet[HOPS_AT + (HOPS_MAX + 1) * HOP_LEN];
	};
};

static void add(FILE *file, const struct frame *f, u32 captured)
{
	pcap_add(file, f->octet, f->len, captured);
}

static struct frame frame_pfc(const struct lle_pfc *pfc)
{
	struct frame f = { .len = ALONE_LEN };

	lle_frame_encode(&f.pfc, source, pfc);
	return f;
}

static struct frame frame_alone(void)
{
	struct frame f = { .len = ALONE_LEN,
			   .pfc = {
				   .dst = LLE_MACC_ADDR,
				   .ethertype = cpu_to_be16(LLE_ETH_P_DEADLOCK),
			   } };

	memcpy(f.pfc.src, source, sizeof(source));
	return f;
}

/* The message of a frame. */
static struct lle_dl_pad *pad_of(struct frame *f, bool alone)
{
	return (void *)(alone ? f->octet + ETH_LEN : f->pfc.pad);
}

static struct lle_pfc any_pfc(void)
{
	struct lle_pfc pfc = { .enable = prng(&seed) };
	unsigned int p;

	for (p = 0; p < LLE_NUM_PRIO; p++)
		pfc.quanta[p] = pfc.enable & BIT(p) && prng(&seed) % 2 ?
				prng(&seed) : 0;
	return pfc;
}

static struct lle_dl_id any_id(void)
{
	return (struct lle_dl_id) {
		.sw = 1 + prng(&seed) % U16_MAX,
		.port = prng(&seed) % LLE_MAX_PORTS,
		.seq = prng(&seed),
	};
}

static struct lle_dl_msg any_msg(void)
{
	struct lle_dl_msg m = {
		.type = prng(&seed) % 8,
		.prio = prng(&seed) % LLE_NUM_PRIO,
		.waits = prng(&seed) % 2,
		.hops = prng(&seed),
		.hop_epoch = prng(&seed),
		.min = any_id(),
		.trig = any_id(),
	};
	unsigned int n;

	m.trig.host = prng(&seed) % 2;
	m.num_ids = m.type == LLE_DL_PROBE  ? 1 + prng(&seed) % 2 :
		    m.type == LLE_DL_CANCEL ? prng(&seed) % 2 :
					      m.type >= LLE_DL_CHECK &&
						      m.type <= LLE_DL_WALK;
	for (n = 0; n < m.num_ids; n++)
		m.id[n] = any_id();
	return m;
}

/* The first hop after a message. */
static struct lle_dl_wire_hop *hops_of(struct frame *f)
{
	return (void *)(f->octet + HOPS_AT);
}

static struct lle_dl_hop any_hop(void)
{
	struct lle_dl_hop hop = {
		.sw = prng(&seed),
		.ingress = prng(&seed),
		.egress = prng(&seed),
		.bytes = prng(&seed),
		.age_ns = prng(&seed),
	};

	if (prng(&seed) % 4)
		hop.trigger = any_id();
	return hop;
}

/* Appends a hop, as a switch does. */
static void add_hop(struct frame *f, unsigned int n,
		    const struct lle_dl_hop *hop)
{
	lle_exact_walk_encode_hop(&hops_of(f)[n], hop);
	f->len = max_t(u32, ALONE_LEN, HOPS_AT + (n + 1) * HOP_LEN);
}

static void add_hops(struct frame *f, unsigned int num)
{
	struct lle_dl_hop hop;
	unsigned int n;

	for (n = 0; n < num; n++) {
		hop = any_hop();
		add_hop(f, n, &hop);
		/* 1 means a host, any other value a switch */
		hops_of(f)[n].host = prng(&seed) % 3;
	}
}

/* Writes columns of a row, with a tab before each but the first. */
static void tell_pfc(FILE *row, const struct lle_pfc *pfc)
{
	unsigned int p;

	if (!pfc) {
		fputs("\t\t\t\t\t\t\t\t", row);
		return;
	}
	fprintf(row, "0x%04x", pfc->enable);
	for (p = 0; p < LLE_NUM_PRIO; p++)
		fprintf(row, "\t%u", pfc->quanta[p]);
}

static void tell_ids(FILE *row, const struct lle_dl_msg *m)
{
	unsigned int n;

	fputs("\t", row);
	for (n = 0; n < m->num_ids; n++)
		fprintf(row, "%s%u/%u#%u", n ? "," : "", m->id[n].sw, m->id[n].port,
			m->id[n].seq);
	fputs("\t", row);
	for (n = 0; n < m->num_ids; n++)
		fprintf(row, "%s%u", n ? "," : "", m->id[n].sw);
	fputs("\t", row);
	for (n = 0; n < m->num_ids; n++)
		fprintf(row, "%s%u", n ? "," : "", m->id[n].port);
	fputs("\t", row);
	for (n = 0; n < m->num_ids; n++)
		fprintf(row, "%s%u", n ? "," : "", m->id[n].seq);
}

static void tell_who(FILE *row, struct lle_dl_id id)
{
	if (id.sw)
		fprintf(row, "%s%u/%u#%u", id.host ? "host at " : "", id.sw,
			id.port, id.seq);
	else
		fputs("none", row);
}

static void tell_msg(FILE *row, const struct lle_dl_msg *m)
{
	struct lle_dl_id trig = m->trig, min = m->min;

	fprintf(row, "\t%u\t%u\t%u\t%u\t%u\t%u", m->type, m->prio, m->num_ids,
		m->waits, m->hops, m->hop_epoch);
	tell_ids(row, m);
	if (m->type == LLE_DL_WALK)
		fprintf(row, "\tnumber of the walk: %u", min.port);
	else if (m->type != LLE_DL_PROBE)
		fputs("\tnot used", row);
	else if (!min.sw)
		fputs("\tdeclared", row);
	else
		fprintf(row, "\t%u/%u", min.sw, min.port);
	fprintf(row, "\t%u\t%u", min.sw, min.port);
	fputs("\t", row);
	tell_who(row, trig);
	fprintf(row, "\t%u\t%u\t%u\t%u\t1", trig.sw, trig.port, trig.seq,
		trig.host);
}

static void tell_hop(FILE *row, const struct lle_dl_hop *hop,
		     unsigned int column)
{
	const struct lle_dl_id trig = hop->trigger;
	const u64 number[] = {
		hop->sw, hop->ingress, hop->egress, hop->bytes, hop->age_ns,
		trig.sw, trig.port, trig.seq, trig.host,
	};

	if (column == 0)
		fprintf(row, "%u: %u -> %u", hop->sw, hop->ingress, hop->egress);
	else if (column == 1)
		tell_who(row, trig);
	else
		fprintf(row, "%llu", (unsigned long long)number[column - 2]);
}

/* A message in a pad has no resolve target and no hops. */
static void tell_loop(FILE *row, struct frame *f, const struct lle_dl_msg *m,
		      unsigned int hops, bool alone)
{
	const struct lle_dl_wire_hop *wire = hops_of(f);
	struct lle_dl_hop hop;
	unsigned int column, n;

	fputs("\t", row);
	if (alone && m->type == LLE_DL_RESOLVE)
		fprintf(row, "%u", m->trig.sw);
	for (column = 0; column < HOP_COLUMNS; column++) {
		fputs("\t", row);
		for (n = 0; n < hops; n++) {
			lle_exact_walk_parse_hop(&wire[n], &hop);
			fputs(n ? "," : "", row);
			tell_hop(row, &hop, column);
		}
	}
	fputs("\n", row);
}

static void tell(FILE *pcap, FILE *row, const struct lle_dl_msg *m, bool alone)
{
	const struct lle_pfc pfc = any_pfc();
	struct frame f = alone ? frame_alone() : frame_pfc(&pfc);
	unsigned int hops = alone && m->type == LLE_DL_WALK ? m->hops : 0;

	lle_dl_wire_encode(pad_of(&f, alone), m);
	add_hops(&f, hops);
	add(pcap, &f, f.len);
	tell_pfc(row, alone ? NULL : &pfc);
	tell_msg(row, m);
	tell_loop(row, &f, m, hops, alone);
}

/* The messages of all schedules in their order, then random ones. */
static void valid(const char *dir)
{
	FILE *pcap = pcap_open(dir, "valid.pcap"), *row = open_in(dir, "valid.tsv");
	const struct dcfit_step *s;
	struct lle_dl_msg m;
	unsigned int n;

	for (n = 0; n < ARRAY_SIZE(dcfit_vectors); n++)
		for (s = dcfit_vectors[n].step; s->event != END; s++) {
			if (s->event != PAUSE_RX && s->event != RX)
				continue;
			m = s->msg;
			m.num_ids = !!m.id[0].sw + !!m.id[1].sw;
			tell(pcap, row, &m, s->event == RX);
		}
	for (n = 0; n < RANDOM; n++) {
		m = any_msg();
		if (m.type == LLE_DL_WALK)
			m.hops %= HOPS_MAX + 1;
		/* switches ignore a resolve without a host */
		if (m.type == LLE_DL_RESOLVE)
			m.trig.host = 1;
		tell(pcap, row, &m, n % 2);
	}
	fclose(pcap);
	fclose(row);
}

/* Messages that report.c and trigger_resolve.c in kmod/lossless ignore. */
static bool undone(const struct lle_dl_msg *m, const struct frame *f)
{
	if (m->type == LLE_DL_WALK)
		return m->hops > HOPS_MAX || f->len < HOPS_AT + m->hops * HOP_LEN;
	return m->type == LLE_DL_RESOLVE && !m->trig.host;
}

static void hostile(const char *dir)
{
	FILE *pcap = pcap_open(dir, "hostile.pcap");
	FILE *row = open_in(dir, "hostile.tsv");
	struct lle_dl_msg m;
	unsigned int n;

	for (n = 0; n < RANDOM; n++) {
		bool alone = n % 2, good, heard;
		const struct lle_pfc pfc = any_pfc();
		struct frame f = alone ? frame_alone() : frame_pfc(&pfc);
		struct lle_dl_pad *pad = pad_of(&f, alone);
		u8 *octet = (u8 *)pad;

		m = any_msg();
		if (prng(&seed) % 4 == 0)
			m.trig.sw = 0;
		lle_dl_wire_encode(pad, &m);
		if (alone)
			add_hops(&f, prng(&seed) % HOPS_MAX);
		/* without the magic there would be no message */
		octet[1 + prng(&seed) % (sizeof(*pad) - 1)] ^= 1 << prng(&seed) % 8;
		if (prng(&seed) % 4)
			pad->crc = cpu_to_be16(lle_dl_crc(octet));
		good = be16_to_cpu(pad->crc) == lle_dl_crc(octet);
		add(pcap, &f, f.len);
		heard = lle_dl_wire_parse(octet, &m) &&
			!(alone && undone(&m, &f));
		fprintf(row, "%u\t%s\n", good, good && !heard ? "ignored" : "");
	}
	fclose(pcap);
	fclose(row);
}

static void cut(const char *dir)
{
	FILE *pcap = pcap_open(dir, "cut.pcap");
	const struct lle_pfc pfc = { .enable = BIT(3), .quanta[3] = 1 };
	struct frame f[2] = { frame_pfc(&pfc), frame_alone() };
	struct lle_dl_msg m = any_msg();
	unsigned int n, len;

	for (n = 0; n < 2; n++)
		lle_dl_wire_encode(pad_of(&f[n], n), &m);
	for (n = 0; n < 16 * 2; n++)
		for (len = ETH_LEN; len < ALONE_LEN; len++)
			add(pcap, &f[n % 2], len);
	for (n = 0; n < 2; n++)
		add(pcap, &f[n], ALONE_LEN);
	fclose(pcap);
}

/* A loop of four switches: initiator 7 sends, a host at 8 is the trigger. */
static void loop(const char *dir)
{
	FILE *pcap = pcap_open(dir, "loop.pcap");
	const struct lle_dl_id host = { .sw = 8,
					.port = 3,
					.host = 1,
					.seq = 1 };
	struct lle_dl_msg m = { .type = LLE_DL_RESOLVE,
				.prio = 3,
				.trig = host };
	struct frame f = frame_alone();
	u32 len, n;

	lle_dl_wire_encode(pad_of(&f, true), &m);
	add(pcap, &f, f.len);

	m.type = LLE_DL_WALK;
	m.num_ids = 1;
	m.id[0] = (struct lle_dl_id) { .sw = 7, .seq = 1 };
	m.hops = 3;
	lle_dl_wire_encode(pad_of(&f, true), &m);
	for (n = 0; n < m.hops; n++) {
		const struct lle_dl_hop hop = {
			.sw = 6 - n,
			.egress = 1,
			.bytes = 52000 + n,
			.age_ns = 25000 - n,
			.trigger = host,
		};

		add_hop(&f, n, &hop);
	}
	for (len = HOPS_AT; len <= f.len; len++)
		add(pcap, &f, len);
	while (f.len > HOPS_AT) {
		f.len--;
		add(pcap, &f, f.len);
	}

	for (m.hops = HOPS_MAX; m.hops <= HOPS_MAX + 1; m.hops++) {
		lle_dl_wire_encode(pad_of(&f, true), &m);
		add_hops(&f, m.hops);
		add(pcap, &f, f.len);
	}
	fclose(pcap);
}

static void foreign(const char *dir)
{
	FILE *pcap = pcap_open(dir, "foreign.pcap");
	const struct lle_pfc pfc = { .enable = BIT(3), .quanta[3] = U16_MAX };
	struct lle_dl_msg m = any_msg();
	struct frame f;

	f = frame_pfc(&pfc);
	f.pfc.opcode = cpu_to_be16(LLE_MACC_OP_PAUSE);
	f.pfc.class_enable = cpu_to_be16(U16_MAX);	/* here: its time */
	add(pcap, &f, f.len);

	/* LLE's ethertype, to another address */
	f = frame_alone();
	lle_dl_wire_encode(pad_of(&f, true), &m);
	f.pfc.dst[5] = 0x02;
	add(pcap, &f, f.len);

	/* LLE's ethertype without a message */
	f = frame_alone();
	add(pcap, &f, f.len);
	fclose(pcap);
}

int main(int argc, char **argv)
{
	if (argc != 2)
		return 1;
	valid(argv[1]);
	hostile(argv[1]);
	cut(argv[1]);
	loop(argv[1]);
	foreign(argv[1]);
	return 0;
}
