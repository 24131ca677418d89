// SPDX-License-Identifier: GPL-2.0
/*
 * The file, in JSON, is written before the changes are made. So after a daemon
 * was killed, all changes in it can be undone, even those not made yet.
 */
#include <errno.h>
#include <fcntl.h>
#include <json-c/json.h>
#include <linux/rtnetlink.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ldcp_state.h"

static int copy(struct lle_nl_route *to, const struct lle_nl_route *from)
{
	*to = (struct lle_nl_route){ 0 };
	if (!from->data)
		return 0;
	to->data = malloc(from->len);
	if (!to->data)
		return -ENOMEM;
	memcpy(to->data, from->data, from->len);
	to->len = from->len;
	return 0;
}

/* Copies both; @old without data: there was no route. */
int ldcp_state_add_route(struct ldcp_state *s, const struct lle_nl_route *old,
			 const struct lle_nl_route *own)
{
	struct ldcp_route *more;

	more = reallocarray(s->routes, s->num_routes + 1, sizeof(*more));
	if (!more)
		return -ENOMEM;
	s->routes = more;
	more += s->num_routes;
	if (copy(&more->old, old))
		return -ENOMEM;
	if (copy(&more->own, own)) {
		free(more->old.data);
		return -ENOMEM;
	}
	s->num_routes++;
	s->dirty = true;
	return 0;
}

void ldcp_state_drop_route(struct ldcp_state *s, unsigned int i)
{
	free(s->routes[i].old.data);
	free(s->routes[i].own.data);
	s->routes[i] = s->routes[--s->num_routes];
	s->dirty = true;
}

int ldcp_state_add_setting(struct ldcp_state *s, const char *name, const char *old)
{
	struct ldcp_setting *more;

	more = reallocarray(s->settings, s->num_settings + 1, sizeof(*more));
	if (!more)
		return -ENOMEM;
	s->settings = more;
	more += s->num_settings;
	more->name = strdup(name);
	more->old = strdup(old);
	if (!more->name || !more->old) {
		free(more->name);
		free(more->old);
		return -ENOMEM;
	}
	s->num_settings++;
	s->dirty = true;
	return 0;
}

int ldcp_state_add_wred(struct ldcp_state *s, const struct lle_nl_wred *old,
			const struct lle_nl_wred *own)
{
	struct ldcp_wred *more;

	more = reallocarray(s->wreds, s->num_wreds + 1, sizeof(*more));
	if (!more)
		return -ENOMEM;
	s->wreds = more;
	s->wreds[s->num_wreds++] = (struct ldcp_wred){ .old = *old, .own = *own };
	s->dirty = true;
	return 0;
}

void ldcp_state_drop_wreds(struct ldcp_state *s, unsigned int ifindex)
{
	unsigned int i;

	for (i = 0; i < s->num_wreds; i++) {
		if (s->wreds[i].own.ifindex != ifindex)
			continue;
		s->wreds[i--] = s->wreds[--s->num_wreds];
		s->dirty = true;
	}
}

void ldcp_state_free(struct ldcp_state *s)
{
	unsigned int i;

	for (i = 0; i < s->num_routes; i++) {
		free(s->routes[i].old.data);
		free(s->routes[i].own.data);
	}
	for (i = 0; i < s->num_settings; i++) {
		free(s->settings[i].name);
		free(s->settings[i].old);
	}
	free(s->routes);
	free(s->settings);
	free(s->wreds);
	*s = (struct ldcp_state){ 0 };
}

/* --- the file */

static struct json_object *hex(const struct lle_nl_route *route)
{
	char *text = malloc(2 * route->len + 1);
	struct json_object *result;
	unsigned int i;

	if (!text)
		return NULL;
	text[0] = '\0';
	for (i = 0; i < route->len; i++)
		sprintf(&text[2 * i], "%02x", ((unsigned char *)route->data)[i]);
	result = json_object_new_string(text);
	free(text);
	return result;
}

/* Text that is not hexadecimal or too short is refused; "" is no route. */
static int unhex(struct json_object *from, struct lle_nl_route *route)
{
	const char *text = json_object_get_string(from);
	size_t len = text ? strlen(text) : 1, i;
	unsigned int byte;

	*route = (struct lle_nl_route){ 0 };
	if (!len)
		return 0;
	if (len % 2 || len / 2 < sizeof(struct rtmsg) || len > 65536)
		return -EINVAL;
	route->data = malloc(len / 2);
	if (!route->data)
		return -ENOMEM;
	for (i = 0; i < len; i += 2) {
		if (sscanf(&text[i], "%2x", &byte) != 1) {
			free(route->data);
			route->data = NULL;
			return -EINVAL;
		}
		((unsigned char *)route->data)[i / 2] = byte;
	}
	route->len = len / 2;
	return 0;
}

/* Version 0.3 has no dequeue. */
#define WRED_NUMBERS_OLD	8
#define WRED_NUMBERS		9

static struct json_object *numbers(const struct lle_nl_wred *w)
{
	const uint32_t number[WRED_NUMBERS] = {
		w->ifindex, w->prio, w->ecn, w->kmin_bytes, w->kmax_bytes, w->pmax_q32,
		w->nonect_bytes, w->bufmax_bytes, w->dequeue,
	};
	struct json_object *array = json_object_new_array();
	unsigned int i;

	for (i = 0; i < WRED_NUMBERS; i++)
		json_object_array_add(array, json_object_new_int64(number[i]));
	return array;
}

static int from_numbers(struct json_object *array, struct lle_nl_wred *w)
{
	int64_t number[WRED_NUMBERS] = {};
	unsigned int i, count;

	if (!json_object_is_type(array, json_type_array))
		return -EINVAL;
	count = json_object_array_length(array);
	if (count != WRED_NUMBERS_OLD && count != WRED_NUMBERS)
		return -EINVAL;
	for (i = 0; i < count; i++) {
		number[i] = json_object_get_int64(json_object_array_get_idx(array, i));
		if (number[i] < 0 || number[i] > UINT32_MAX)
			return -EINVAL;
	}
	if (number[1] >= LLE_NUM_PRIO || number[2] > 1 || number[8] > 1)
		return -EINVAL;
	*w = (struct lle_nl_wred){
		.ifindex = number[0], .prio = number[1], .ecn = number[2],
		.kmin_bytes = number[3], .kmax_bytes = number[4], .pmax_q32 = number[5],
		.nonect_bytes = number[6], .bufmax_bytes = number[7],
		.dequeue = number[8],
	};
	return 0;
}

static struct json_object *to_json(const struct ldcp_state *s)
{
	struct json_object *wreds = json_object_new_array();
	struct json_object *all = json_object_new_object();
	struct json_object *routes = json_object_new_array();
	struct json_object *settings = json_object_new_object();
	unsigned int i;

	for (i = 0; i < s->num_routes; i++) {
		struct json_object *route = json_object_new_object();

		json_object_object_add(route, "old", hex(&s->routes[i].old));
		json_object_object_add(route, "ours", hex(&s->routes[i].own));
		json_object_array_add(routes, route);
	}
	for (i = 0; i < s->num_settings; i++)
		json_object_object_add(settings, s->settings[i].name,
				       json_object_new_string(s->settings[i].old));
	for (i = 0; i < s->num_wreds; i++) {
		struct json_object *wred = json_object_new_object();

		json_object_object_add(wred, "old", numbers(&s->wreds[i].old));
		json_object_object_add(wred, "ours", numbers(&s->wreds[i].own));
		json_object_array_add(wreds, wred);
	}
	json_object_object_add(all, "wreds", wreds);
	json_object_object_add(all, "routes", routes);
	json_object_object_add(all, "settings", settings);
	return all;
}

/* Replace the file, if the state has changed. */
int ldcp_state_write(struct ldcp_state *s, const char *path)
{
	struct json_object *json;
	char tmp[4096];
	int fd, err = 0;

	if (!s->dirty)
		return 0;
	json = to_json(s);
	if (snprintf(tmp, sizeof(tmp), "%s.new", path) >= (int)sizeof(tmp))
		err = -ENAMETOOLONG;
	fd = err ? -1 : open(tmp, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (!err && fd < 0)
		err = -errno;
	if (!err && (json_object_to_fd(fd, json, JSON_C_TO_STRING_PLAIN) || fsync(fd)))
		err = -errno;
	if (fd >= 0)
		close(fd);
	if (!err && rename(tmp, path))
		err = -errno;
	s->dirty = err;
	json_object_put(json);
	return err;
}

static int routes_from_json(struct ldcp_state *s, struct json_object *routes)
{
	struct json_object *route, *old, *own;
	struct ldcp_route r = { 0 };
	size_t i;
	int err = 0;

	for (i = 0; i < json_object_array_length(routes) && !err; i++) {
		route = json_object_array_get_idx(routes, i);
		if (!json_object_object_get_ex(route, "old", &old) ||
		    !json_object_object_get_ex(route, "ours", &own))
			return -EINVAL;
		err = unhex(old, &r.old);
		if (err)
			return err;
		err = unhex(own, &r.own);
		if (!err && !r.own.data)
			err = -EINVAL;
		if (!err)
			err = ldcp_state_add_route(s, &r.old, &r.own);
		free(r.old.data);
		free(r.own.data);
	}
	return err;
}

static int wreds_from_json(struct ldcp_state *s, struct json_object *wreds)
{
	struct json_object *wred, *old, *own;
	struct ldcp_wred w;
	size_t i;
	int err = 0;

	for (i = 0; i < json_object_array_length(wreds) && !err; i++) {
		wred = json_object_array_get_idx(wreds, i);
		if (!json_object_object_get_ex(wred, "old", &old) ||
		    !json_object_object_get_ex(wred, "ours", &own) ||
		    from_numbers(old, &w.old) || from_numbers(own, &w.own))
			return -EINVAL;
		err = ldcp_state_add_wred(s, &w.old, &w.own);
	}
	return err;
}

/* @s is empty before, and after a failure; -ENOENT: no file */
int ldcp_state_read(struct ldcp_state *s, const char *path)
{
	struct json_object *json, *routes, *settings, *wreds;
	int err = 0;

	if (access(path, F_OK))
		return -errno;
	json = json_object_from_file(path);
	if (!json_object_object_get_ex(json, "routes", &routes) ||
	    !json_object_object_get_ex(json, "settings", &settings) ||
	    !json_object_object_get_ex(json, "wreds", &wreds) ||
	    !json_object_is_type(routes, json_type_array) ||
	    !json_object_is_type(wreds, json_type_array) ||
	    !json_object_is_type(settings, json_type_object))
		err = -EINVAL;
	if (!err)
		err = routes_from_json(s, routes);
	if (!err)
		err = wreds_from_json(s, wreds);
	if (!err) {
		json_object_object_foreach(settings, name, value) {
			if (!json_object_is_type(value, json_type_string))
				err = -EINVAL;
			if (!err)
				err = ldcp_state_add_setting(s, name,
						json_object_get_string(value));
		}
	}
	json_object_put(json);
	if (err)
		ldcp_state_free(s);
	return err;
}
