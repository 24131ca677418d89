/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_CORE_DEADLOCK_WIRE_H
#define LLE_CORE_DEADLOCK_WIRE_H

#include "../core.h"

/**
 * struct lle_dl_id - a pause of an ingress, or the ingress alone
 * @sw: number of the switch; 0: no ID
 * @port: ingress
 * @host: triggers only: a host at the port pauses
 * @seq: number of the pause; not used in a minimum
 */
struct lle_dl_id {
	u16 sw;
	u8 port : 7;
	u8 host : 1;
	u16 seq;
} __packed;

static inline bool lle_dl_id_same(struct lle_dl_id a, struct lle_dl_id b)
{
	return a.sw == b.sw && a.port == b.port && a.seq == b.seq;
}

/* The same ingress, with any pause */
static inline bool lle_dl_id_same_ingress(struct lle_dl_id a,
					  struct lle_dl_id b)
{
	return a.sw == b.sw && a.port == b.port;
}

static inline bool lle_dl_id_less(struct lle_dl_id a, struct lle_dl_id b)
{
	return a.sw < b.sw || (a.sw == b.sw && a.port < b.port);
}

static inline struct lle_dl_id lle_dl_id_least(struct lle_dl_id a,
					       struct lle_dl_id b)
{
	return lle_dl_id_less(b, a) ? b : a;
}

/* Is pause number @a newer? Serial numbers as in RFC 1982. */
static inline bool lle_dl_id_newer(u16 a, u16 b)
{
	return (s16)(a - b) > 0;
}

/**
 * enum lle_dl_type - contents of a message, beside pause and trigger
 * @LLE_DL_NONE: no more
 * @LLE_DL_PROBE: this pause will not end before that of an initiator
 * @LLE_DL_CANCEL: withdraws the probes of this initiator; without one, all
 * @LLE_DL_BROKEN: this resume is not the result of draining
 * @LLE_DL_CHECK: dcfit, first round: the pause that led to this one
 * @LLE_DL_CONSISTENCY: dcfit, second round: is the loop still paused?
 * @LLE_DL_WALK: collects the hops of the loop of the initiator
 * @LLE_DL_RESOLVE: to the switch of the trigger: it has led to a deadlock
 */
enum lle_dl_type {
	LLE_DL_NONE,
	LLE_DL_PROBE,
	LLE_DL_CANCEL,
	LLE_DL_BROKEN,
	LLE_DL_CHECK,
	LLE_DL_CONSISTENCY,
	LLE_DL_WALK,
	LLE_DL_RESOLVE,
};

/**
 * struct lle_dl_msg - a message, in host byte order
 * @type: enum lle_dl_type
 * @prio: the priority
 * @num_ids: number of @id
 * @waits: its single initiator also waits for others
 * @hops: hops so far
 * @hop_epoch: number of the pause of the sending port
 * @id: initiators
 * @min: smallest initiator on its way; sw 0: declared; port: number of a walk
 * @trig: initial trigger; sw 0: not known
 */
struct lle_dl_msg {
	u8 type;
	u8 prio;
	u8 num_ids;
	bool waits;
	u8 hops;
	u16 hop_epoch;
	struct lle_dl_id id[LLE_DL_IDS];
	struct lle_dl_id min;
	struct lle_dl_id trig;
};

/* Read an ID, which is untrusted; write one, without its host flag. */
struct lle_dl_id lle_dl_wire_parse_id(const struct lle_dl_wire_id *wire);
struct lle_dl_wire_id lle_dl_wire_encode_id(struct lle_dl_id id);

/**
 * lle_dl_wire_parse() - read a message
 * @data: sizeof(struct lle_dl_pad) bytes; untrusted input
 * @msg: result, written only if true is returned
 * Return: whether it is a message of a known version and type.
 */
bool lle_dl_wire_parse(const u8 *data, struct lle_dl_msg *msg);

/**
 * lle_dl_wire_encode() - write a message
 * @pad: result, written in full
 * @msg: the message
 */
void lle_dl_wire_encode(struct lle_dl_pad *pad, const struct lle_dl_msg *msg);

#endif /* LLE_CORE_DEADLOCK_WIRE_H */
