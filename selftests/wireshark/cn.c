// SPDX-License-Identifier: GPL-2.0
/*
 * Congestion notifications for Wireshark, by our own encoder.
 *
 * Usage: cn DIR
 *
 * Writes to DIR:
 *	cn.pcap		valid notifications, with any reserved bits
 *	cn.tsv		their values, in the order of the fields in run.sh
 *	cn-hostile.pcap	a bit is changed, or the end is missing; then one with
 *			more IDs than allowed, all of them present
 *	cn-hostile.tsv	verdict of a switch on each; 1: ignored
 *	cn-cut.pcap	eight IDs: captured to one more octet each time,
 *			then sent with one octet less each time
 *	cn-foreign.pcap	LLE's ethertype, to another address
 */
#include "../unit/prng.h"
#include "../../kmod/core/user.h"

#include "../../kmod/core/notification/cn.c"
#include "pcap.h"

#define RANDOM		1000
#define NAMES		8	/* in most frames, so that lines stay short */
#define ETH_LEN		14
#define MIN_LEN		60

static const u8 source[6] = { 0x02, 0, 0, 0, 0, 0x01 };
static u64 seed = 1;

static struct lle_cn any_cn(void)
{
	unsigned int most = prng(&seed) % 50 ? NAMES : LLE_CN_NAMES, n;
	struct lle_cn cn = {
		.sw = prng(&seed), .ifindex = prng(&seed), .seq = prng(&seed),
		.prio = prng(&seed) % LLE_NUM_PRIO, .fb = prng(&seed) % 64,
		.class_held = prng(&seed) % 2, .count = prng(&seed) % (most + 1),
	};

	for (n = 0; n < cn.count; n++)
		cn.name[n] = prng(&seed);
	return cn;
}

/* Returns the length in octets. */
static u32 encode(struct lle_cn_frame *frame, const struct lle_cn *cn)
{
	memset(frame, 0, sizeof(*frame));
	lle_cn_encode(frame, source, cn);
	return max_t(u32, lle_cn_bytes(cn->count), MIN_LEN);
}

static void tell(FILE *row, const struct lle_cn *cn, const u16 *reserved)
{
	unsigned int n;

	fprintf(row, "%u\t%u\t%u\t%u\t%u\t%u\t%u\t%u", LLE_CN_VERSION, cn->fb, cn->sw,
		cn->ifindex, cn->prio, cn->class_held, cn->count, cn->seq);
	fprintf(row, "\t0x%04x\t0x%04x\t0x%04x\t", reserved[0], reserved[1], reserved[2]);
	for (n = 0; n < cn->count; n++)
		fprintf(row, "%s0x%08x", n ? "," : "", cn->name[n]);
	fputs("\n", row);
}

static void valid(const char *dir)
{
	FILE *pcap = pcap_open(dir, "cn.pcap"), *row = open_in(dir, "cn.tsv");
	struct lle_cn_frame frame;
	unsigned int n;

	for (n = 0; n < RANDOM; n++) {
		u16 reserved[] = { prng(&seed) % 64, prng(&seed) % 8192, prng(&seed) % 128 };
		/* run.sh expects these two first */
		struct lle_cn cn = n < 2 ? (struct lle_cn){ .prio = 5, .class_held = n } :
					   any_cn();
		u32 len = encode(&frame, &cn);

		frame.version_fb |= cpu_to_be16(reserved[0] << 6);
		frame.prio |= cpu_to_be16(reserved[1]);
		frame.flags_count |= cpu_to_be16(reserved[2] << 8);
		pcap_add(pcap, &frame, len, len);
		tell(row, &cn, reserved);
	}
	fclose(pcap);
	fclose(row);
}

static void hostile(const char *dir)
{
	FILE *pcap = pcap_open(dir, "cn-hostile.pcap"), *row = open_in(dir, "cn-hostile.tsv");
	u8 many[sizeof(struct lle_cn_frame) + 4] = {};
	struct lle_cn_frame frame;
	unsigned int n;

	for (n = 0; n < RANDOM; n++) {
		struct lle_cn cn = any_cn();
		u32 len = encode(&frame, &cn), bytes = lle_cn_bytes(cn.count);

		/* a change of addresses or type would make it another frame */
		if (prng(&seed) % 2)
			((u8 *)&frame)[ETH_LEN + prng(&seed) % (bytes - ETH_LEN)] ^=
				1 << prng(&seed) % 8;
		else
			len = bytes - prng(&seed) % (bytes - ETH_LEN);
		pcap_add(pcap, &frame, len, len);
		fprintf(row, "%s\n", lle_cn_parse((u8 *)&frame, len, &cn) ? "" : "1");
	}
	encode(&frame, &(struct lle_cn){});
	frame.flags_count = cpu_to_be16(LLE_CN_NAMES + 1);
	memcpy(many, &frame, sizeof(frame));
	pcap_add(pcap, many, sizeof(many), sizeof(many));
	fputs("1\n", row);
	fclose(pcap);
	fclose(row);
}

static void cut(const char *dir)
{
	const struct lle_cn cn = { .sw = 7, .ifindex = 2, .prio = 3, .fb = 37, .seq = 1,
		.count = NAMES, .name = { 1, 2, 3, 4, 5, 6, 7, 0xd5a1c30f } };
	FILE *pcap = pcap_open(dir, "cn-cut.pcap");
	struct lle_cn_frame frame;
	u32 len = encode(&frame, &cn), n;

	for (n = ETH_LEN; n <= len; n++)
		pcap_add(pcap, &frame, len, n);
	while (n-- > ETH_LEN + 1)
		pcap_add(pcap, &frame, n, n);
	fclose(pcap);
}

static void foreign(const char *dir)
{
	FILE *pcap = pcap_open(dir, "cn-foreign.pcap");
	const struct lle_cn cn = any_cn();
	struct lle_cn_frame frame;
	u32 len = encode(&frame, &cn);

	frame.dst[5] = 0x02;
	pcap_add(pcap, &frame, len, len);
	fclose(pcap);
}

int main(int argc, char **argv)
{
	if (argc != 2)
		return 1;
	valid(argv[1]);
	hostile(argv[1]);
	cut(argv[1]);
	foreign(argv[1]);
	return 0;
}
