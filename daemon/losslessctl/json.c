// SPDX-License-Identifier: GPL-2.0
/*
 * Lists, as text or JSON. Without memory JSON would be incomplete, so the program
 * exits.
 */
#include <stdlib.h>
#include <string.h>

#include "ctl.h"

static struct json_object *ctl_got(struct json_object *value)
{
	if (value)
		return value;
	exit(ctl_fail("out of memory"));
}

struct json_object *ctl_object(void)
{
	return ctl_got(json_object_new_object());
}

struct json_object *ctl_array(void)
{
	return ctl_got(json_object_new_array());
}

/* @to: object or array, which then owns @value. @key: ignored for an array */
void ctl_put(struct json_object *to, const char *key, struct json_object *value)
{
	int err = json_object_is_type(to, json_type_array) ?
			  json_object_array_add(to, value) :
			  json_object_object_add(to, key, value);

	if (err)
		exit(ctl_fail("out of memory"));
}

void ctl_put_u64(struct json_object *to, const char *key, uint64_t value)
{
	ctl_put(to, key, ctl_got(json_object_new_uint64(value)));
}

void ctl_put_bool(struct json_object *to, const char *key, bool value)
{
	ctl_put(to, key, ctl_got(json_object_new_boolean(value)));
}

void ctl_put_text(struct json_object *to, const char *key, const char *value)
{
	ctl_put(to, key, ctl_got(json_object_new_string(value)));
}

/* @prios: bit p: priority p */
void ctl_put_prios(struct json_object *to, const char *key, uint8_t prios)
{
	struct json_object *array = ctl_array();

	for (unsigned int p = 0; p < LLE_NUM_PRIO; p++)
		if (prios >> p & 1)
			ctl_put_u64(array, NULL, p);
	ctl_put(to, key, array);
}

/* @mac: zeros: not known, not added */
void ctl_put_mac(struct json_object *to, const char *key, const uint8_t *mac)
{
	char text[CTL_TEXT];

	if (strcmp(lle_nl_mac_text(text, mac), "-"))
		ctl_put_text(to, key, text);
}

/* @ifindex: device that received the last packet; 0: not known */
void ctl_put_unaccounted(struct json_object *to, uint64_t packets,
			 unsigned int ifindex)
{
	char from[IFNAMSIZ];

	ctl_put_u64(to, "unaccounted", packets);
	if (!ifindex)
		return;
	ctl_put_u64(to, "unaccounted_ifindex", ifindex);
	if (if_indextoname(ifindex, from))
		ctl_put_text(to, "unaccounted_from", from);
}

void ctl_put_who(struct json_object *to, const struct lle_nl_who *who)
{
	ctl_put_text(to, "ifname", who->ifname);
	ctl_put_u64(to, "ifindex", who->ifindex);
	ctl_put_u64(to, "switch", who->sw);
}

void ctl_put_watchdog_stats(struct json_object *to,
			    const struct lle_watchdog_stats *s)
{
	ctl_put_u64(to, "storm_detected", s->detected);
	ctl_put_u64(to, "storm_restored", s->restored);
	ctl_put_u64(to, "quarantined", s->quarantined);
	if (s->since_ns)
		ctl_put_u64(to, "detected_ns", s->since_ns);
	if (s->until_ns)
		ctl_put_u64(to, "restored_ns", s->until_ns);
	ctl_put_u64(to, "tx_packets", s->tx_packets);
	ctl_put_u64(to, "tx_dropped_packets", s->tx_dropped);
	ctl_put_u64(to, "rx_packets", s->rx_packets);
	ctl_put_u64(to, "rx_dropped_packets", s->rx_dropped);
	ctl_put_u64(to, "last_tx_packets", s->last_tx_packets);
	ctl_put_u64(to, "last_tx_dropped_packets", s->last_tx_dropped);
	ctl_put_u64(to, "last_rx_packets", s->last_rx_packets);
	ctl_put_u64(to, "last_rx_dropped_packets", s->last_rx_dropped);
}

void ctl_put_deadlock(struct json_object *to, const struct lle_nl_deadlock *d,
		      const struct lle_nl_ports *ports)
{
	if (lle_nl_deadlock_json(to, d, ports))
		exit(ctl_fail("out of memory"));
}

/* The items that are wanted */
struct json_object *ctl_list(const struct ctl_rows *rows, const void *items, int num,
			     const void *arg)
{
	struct json_object *array = ctl_array();
	const char *item = items;

	for (; num > 0; num--, item += rows->size)
		if (!rows->wanted || rows->wanted(item, arg))
			ctl_put(array, NULL, rows->json(item, arg));
	return array;
}

/*
 * Frees @items. @num: negative: the client could not get them. @empty: what it
 * means that none is wanted
 */
enum ctl_exit ctl_show(const struct ctl *c, const struct ctl_rows *rows, void *items, int num,
		       const void *arg, const char *empty)
{
	const char *item = items;
	unsigned int shown = 0;

	if (num < 0)
		return ctl_refused(c);
	if (c->json) {
		ctl_print_json(c, ctl_list(rows, items, num, arg));
	} else {
		if (rows->head)
			puts(rows->head);
		for (; num; num--, item += rows->size) {
			if (rows->wanted && !rows->wanted(item, arg))
				continue;
			rows->text(item, arg);
			shown++;
		}
		ctl_empty(c, shown, empty);
	}
	free(items);
	return CTL_OK;
}

/* Frees @document. */
void ctl_print_json(const struct ctl *c, struct json_object *document)
{
	int flags = JSON_C_TO_STRING_NOSLASHESCAPE;

	flags |= c->pretty ? JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED :
			     JSON_C_TO_STRING_PLAIN;
	puts(json_object_to_json_string_ext(document, flags));
	json_object_put(document);
}
