// SPDX-License-Identifier: GPL-2.0
/*
 * LDCP of this host: routes, parameters of the module, marks of ports. Changes
 * are undone when the daemon ends; if it was killed, the next daemon undoes them.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <syslog.h>
#include <unistd.h>

#include "ldcp.h"
#include "ldcp_state.h"
#include "log.h"
#include "marks.h"
#include "route.h"

#define SETTINGS	"/proc/sys/net/ldcp"

static struct ldcp_state state;

/* Write the changes to the file, before they are made. */
static int record(const struct conf_ldcp *conf)
{
	bool is_new = state.dirty;
	int err = ldcp_state_write(&state, conf->state);

	if (is_new && !err)
		log_debug(TOPIC_LDCP, "ldcp: %s: %u routes, %u parameters, %u priorities of ports",
			  conf->state, state.num_routes, state.num_settings, state.num_wreds);
	return err;
}

/* --- settings */

static FILE *open_setting(const char *name, const char *mode)
{
	char path[128];

	snprintf(path, sizeof(path), SETTINGS "/%s", name);
	return fopen(path, mode);
}

static int read_setting(const char *name, char *value, size_t room)
{
	FILE *file = open_setting(name, "re");

	if (!file)
		return -errno;
	if (!fgets(value, room, file))
		*value = '\0';
	fclose(file);
	value[strcspn(value, "\n")] = '\0';
	return 0;
}

static int write_setting(const char *name, const char *value)
{
	FILE *file = open_setting(name, "we");
	int err = 0;

	if (!file)
		return -errno;
	if (fputs(value, file) < 0)
		err = -errno;
	/* the kernel reports a refusal when the data is flushed */
	if (fclose(file) && !err)
		err = -errno;
	return err;
}

static int want_settings(const struct conf_ldcp *conf)
{
	unsigned int i;
	char value[32];
	int err = 0;

	for (i = 0; i < CONF_LDCP_SETTINGS && !err; i++) {
		if (!*conf->setting[i])
			continue;
		err = read_setting(conf_ldcp_names[i], value, sizeof(value));
		if (!err)
			err = ldcp_state_add_setting(&state, conf_ldcp_names[i], value);
	}
	return err;
}

static void set_settings(const struct conf_ldcp *conf)
{
	unsigned int i;
	int err;

	for (i = 0; i < CONF_LDCP_SETTINGS; i++) {
		if (!*conf->setting[i])
			continue;
		err = write_setting(conf_ldcp_names[i], conf->setting[i]);
		if (err)
			log_say(LOG_WARNING, "ldcp: %s: %s is refused: %s",
				conf_ldcp_names[i], conf->setting[i], strerror(-err));
	}
}

/* --- routes */

/* A route that was deleted and made again is forgotten. */
static bool is_own(const struct lle_nl_route *route)
{
	unsigned int i;

	for (i = 0; i < state.num_routes; i++) {
		if (!route_is_same(&state.routes[i].own, route))
			continue;
		if (route_has_ldcp(route))
			return true;
		ldcp_state_drop_route(&state, i);
		return false;
	}
	return false;
}

static int want(const struct lle_nl_route *old, const struct lle_nl_route *from,
		const struct prefix *to, const struct conf_ldcp *conf)
{
	struct lle_nl_route new;
	int err = route_make(&new, from, to, conf->window);

	if (!err) {
		err = ldcp_state_add_route(&state, old, &new);
		free(new.data);
	}
	return err;
}

/* Change routes within a prefix. If none has its width, copy a wider one. */
static int want_prefix(const struct prefix *p, const struct lle_nl_route *routes, int num,
		       const struct conf_ldcp *conf)
{
	const struct lle_nl_route none = { 0 }, *wider = NULL;
	struct prefix of, best;
	bool whole = false;
	int i, err = 0;

	for (i = 0; i < num && !err; i++) {
		if (!prefix_of(&routes[i], &of))
			continue;
		if (prefix_has(p, &of)) {
			whole = whole || of.bits == p->bits;
			if (!route_is_fixed(&routes[i]) && !is_own(&routes[i]))
				err = want(&routes[i], &routes[i], NULL, conf);
		} else if (prefix_has(&of, p) && (!wider || of.bits > best.bits)) {
			wider = &routes[i];
			best = of;
		}
	}
	if (!err && !whole && wider)
		err = want(&none, wider, p, conf);
	return err;
}

static bool is_set(const struct ldcp_route *r, const struct lle_nl_route *routes, int num)
{
	int i;

	for (i = 0; i < num; i++)
		if (route_is_same(&routes[i], &r->own))
			return route_has_ldcp(&routes[i]);
	return false;
}

static void set_routes(struct lle_nl *nl, const struct lle_nl_route *routes, int num)
{
	const struct ldcp_route *r;
	unsigned int i;

	for (i = 0; i < state.num_routes; i++) {
		r = &state.routes[i];
		if (is_set(r, routes, num))
			continue;
		if (lle_nl_set_route(nl, &r->own, r->old.data) < 0)
			log_say(LOG_WARNING, "ldcp: %s", lle_nl_text(nl));
	}
}

static void look_at_routes(struct lle_nl *nl, const struct conf_ldcp *conf)
{
	struct lle_nl_route *routes;
	unsigned int i;
	int num, err = 0;

	num = lle_nl_get_routes(nl, &routes);
	if (num < 0) {
		log_say(LOG_ERR, "ldcp: %s", lle_nl_text(nl));
		return;
	}
	for (i = 0; i < conf->num_prefixes && !err; i++)
		err = want_prefix(&conf->prefixes[i], routes, num, conf);
	if (!err)
		err = record(conf);
	if (err)
		log_say(LOG_ERR, "ldcp: %s: %s: no route is changed", conf->state,
			strerror(-err));
	else
		set_routes(nl, routes, num);
	lle_nl_free_routes(routes, num);
}

static void look_at_ports(struct lle_nl *nl, const struct conf_ldcp *conf)
{
	struct marks now;
	int err;

	if (marks_read(nl, &now)) {
		log_say(LOG_ERR, "ldcp: %s", lle_nl_text(nl));
		marks_free(&now);
		return;
	}
	err = marks_want(&state, &now, conf);
	if (!err)
		err = record(conf);
	if (err)
		log_say(LOG_ERR, "ldcp: %s: %s: no port is changed", conf->state,
			strerror(-err));
	else
		marks_set(nl, &state, &now, conf);
	marks_free(&now);
}

/* Apply the configuration to new routes and ports. */
void ldcp_look(struct lle_nl *nl, const struct conf_ldcp *conf)
{
	if (conf->num_prefixes)
		look_at_routes(nl, conf);
	if (conf->prio != CONF_OFF)
		look_at_ports(nl, conf);
}

void ldcp_forget(unsigned int ifindex)
{
	ldcp_state_drop_wreds(&state, ifindex);
}

/* Only when no changes are in force */
void ldcp_apply(struct lle_nl *nl, const struct conf_ldcp *conf)
{
	int err;

	if (!conf->num_prefixes && conf->prio == CONF_OFF)
		return;
	err = want_settings(conf);
	if (!err)
		err = record(conf);
	if (err == -ENOENT) {
		log_say(LOG_ERR, "ldcp: the module tcp_ldcp is not loaded: modprobe tcp_ldcp");
	} else if (err) {
		log_say(LOG_ERR, "ldcp: %s: %s: nothing is changed", conf->state,
			strerror(-err));
	} else {
		set_settings(conf);
		ldcp_look(nl, conf);
		return;
	}
	ldcp_state_free(&state);
}

/* Unless another program has changed the route since */
static void put_back_route(struct lle_nl *nl, const struct ldcp_route *r,
			   const struct lle_nl_route *routes, int num)
{
	struct lle_nl_route old;
	int err;

	if (!is_set(r, routes, num))
		return;
	if (!r->old.data) {
		err = lle_nl_del_route(nl, &r->own);
	} else {
		err = route_make(&old, &r->old, NULL, 0);
		if (!err)
			err = lle_nl_set_route(nl, &old, true);
		free(old.data);
	}
	if (err < 0)
		log_say(LOG_WARNING, "ldcp: not restored: %s", lle_nl_text(nl));
}

/* @path: file in which a daemon that was killed may have left its changes */
void ldcp_put_back(struct lle_nl *nl, const char *path)
{
	struct lle_nl_route *routes;
	struct marks now;
	unsigned int i;
	int num, err;

	if (!state.num_routes && !state.num_settings && !state.num_wreds) {
		err = ldcp_state_read(&state, path);
		if (err == -ENOENT)
			return;
		if (err) {
			log_say(LOG_ERR, "%s: %s: nothing is put back", path,
				strerror(-err));
			return;
		}
	}
	num = lle_nl_get_routes(nl, &routes);
	if (num < 0) {
		log_say(LOG_ERR, "ldcp: %s: no route is put back", lle_nl_text(nl));
		return;
	}
	for (i = state.num_routes; i > 0; i--)
		put_back_route(nl, &state.routes[i - 1], routes, num);
	lle_nl_free_routes(routes, num);
	if (marks_read(nl, &now))
		log_say(LOG_ERR, "ldcp: %s: no port is put back", lle_nl_text(nl));
	else
		marks_put_back(nl, &state, &now);
	marks_free(&now);
	for (i = 0; i < state.num_settings; i++)
		write_setting(state.settings[i].name, state.settings[i].old);
	ldcp_state_free(&state);
	unlink(path);
}
