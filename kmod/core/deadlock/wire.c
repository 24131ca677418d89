// SPDX-License-Identifier: GPL-2.0
/* Messages of deadlock detection: 26 bytes, the pad of a PFC frame. */
#include "wire.h"

static_assert(sizeof(struct lle_dl_pad) ==
	      LLE_PFC_FRAME_LEN - LLE_PFC_FRAME_MIN);

#define LLE_DL_PRIO_SHIFT 5
#define LLE_DL_NUM_SHIFT	3
#define LLE_DL_NUM_MASK		3
#define LLE_DL_WAITS		BIT(2)
#define LLE_DL_HOST		BIT(1)

/* CRC-16/IBM-3740: polynomial x^16 + x^12 + x^5 + 1, initial value all ones */
static u16 lle_dl_crc(const u8 *data)
{
	u16 crc = 0xffff;
	unsigned int i, bit;

	for (i = 0; i < offsetof(struct lle_dl_pad, crc); i++) {
		crc ^= data[i] << 8;
		for (bit = 0; bit < 8; bit++)
			crc = crc << 1 ^ (crc & 0x8000 ? 0x1021 : 0);
	}
	return crc;
}

struct lle_dl_id lle_dl_wire_parse_id(const struct lle_dl_wire_id *wire)
{
	return (struct lle_dl_id) {
		.sw = be16_to_cpu(wire->sw),
		.port = wire->port,
		.seq = be16_to_cpu(wire->seq),
	};
}

struct lle_dl_wire_id lle_dl_wire_encode_id(struct lle_dl_id id)
{
	return (struct lle_dl_wire_id) {
		.sw = cpu_to_be16(id.sw),
		.port = id.port,
		.seq = cpu_to_be16(id.seq),
	};
}

static bool lle_dl_ports_sane(const struct lle_dl_pad *pad)
{
	return (pad->id[0].port | pad->id[1].port | pad->min_port |
		pad->trig.port) < LLE_MAX_PORTS;
}

/* Initiators: probe 1 or 2; cancel 1, or 0 for all; walk, checks 1; others 0 */
static bool lle_dl_sane(const struct lle_dl_msg *msg)
{
	unsigned int i;

	switch (msg->type) {
	case LLE_DL_NONE:
	case LLE_DL_BROKEN:
		return !msg->num_ids;
	case LLE_DL_RESOLVE:
		return !msg->num_ids && msg->trig.sw;
	case LLE_DL_CANCEL:
		if (msg->num_ids > 1)
			return false;
		break;
	case LLE_DL_WALK:
	case LLE_DL_CHECK:
	case LLE_DL_CONSISTENCY:
		if (msg->num_ids != 1)
			return false;
		break;
	case LLE_DL_PROBE:
		if (!msg->num_ids || msg->num_ids > LLE_DL_IDS)
			return false;
		break;
	default:
		return false;
	}
	for (i = 0; i < msg->num_ids; i++)
		if (!msg->id[i].sw)
			return false;
	return true;
}

bool lle_dl_wire_parse(const u8 *data, struct lle_dl_msg *msg)
{
	/* bytes and packed members only, so any alignment will do */
	const struct lle_dl_pad *pad = (const void *)data;
	struct lle_dl_msg m = {
		.type = pad->version_type & 0xf,
		.prio = pad->flags >> LLE_DL_PRIO_SHIFT,
		.num_ids = pad->flags >> LLE_DL_NUM_SHIFT & LLE_DL_NUM_MASK,
		.waits = pad->flags & LLE_DL_WAITS,
		.hops = pad->hops,
		.hop_epoch = be16_to_cpu(pad->hop_epoch),
		.min.sw = be16_to_cpu(pad->min_sw),
		.min.port = pad->min_port,
		.trig = lle_dl_wire_parse_id(&pad->trig),
	};
	unsigned int i;

	if (pad->magic != LLE_DL_MAGIC ||
	    pad->version_type >> 4 != LLE_DL_VERSION ||
	    be16_to_cpu(pad->crc) != lle_dl_crc(data) ||
	    !lle_dl_ports_sane(pad))
		return false;
	for (i = 0; i < m.num_ids && i < LLE_DL_IDS; i++)
		m.id[i] = lle_dl_wire_parse_id(&pad->id[i]);
	m.trig.host = !!(pad->flags & LLE_DL_HOST);
	if (!lle_dl_sane(&m))
		return false;
	*msg = m;
	return true;
}

void lle_dl_wire_encode(struct lle_dl_pad *pad, const struct lle_dl_msg *msg)
{
	unsigned int i;

	memset(pad, 0, sizeof(*pad));
	pad->magic = LLE_DL_MAGIC;
	pad->version_type = LLE_DL_VERSION << 4 | msg->type;
	pad->flags = msg->prio << LLE_DL_PRIO_SHIFT |
		     msg->num_ids << LLE_DL_NUM_SHIFT |
		     (msg->waits ? LLE_DL_WAITS : 0) |
		     (msg->trig.host ? LLE_DL_HOST : 0);
	pad->hops = msg->hops;
	pad->hop_epoch = cpu_to_be16(msg->hop_epoch);
	for (i = 0; i < msg->num_ids; i++)
		pad->id[i] = lle_dl_wire_encode_id(msg->id[i]);
	pad->min_sw = cpu_to_be16(msg->min.sw);
	pad->min_port = msg->min.port;
	pad->trig = lle_dl_wire_encode_id(msg->trig);
	pad->crc = cpu_to_be16(lle_dl_crc((const u8 *)pad));
}
