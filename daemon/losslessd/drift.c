// SPDX-License-Identifier: GPL-2.0
/*
 * Ports with other settings than most ports that face the same kind of device
 * (hosts or switches), or with less headroom than the link needs
 */
#include <stdio.h>
#include <string.h>
#include <syslog.h>

#include "drift.h"
#include "log.h"

static const char * const names[LLE_NL_NUM_SETTING] = {
	[LLE_NL_ALPHA] = "alpha",
	[LLE_NL_WATCHDOG] = "watchdog",
};

static void words(char *text, enum lle_nl_setting setting, uint64_t value)
{
	const struct lle_nl_watchdog w = lle_nl_watchdog_of(value);

	if (setting == LLE_NL_ALPHA)
		lle_nl_alpha_text(text, value);
	else if (value == LLE_NL_WATCHDOG_OFF)
		strcpy(text, "off");
	else
		snprintf(text, LLE_NL_WORD, "%s %u %u ms",
			 lle_nl_action_name(w.action), w.detection_ms,
			 w.restoration_ms);
}

static void tell_different(const struct lle_nl_port *port,
			   enum lle_nl_setting setting, uint8_t prio,
			   uint64_t value, uint64_t usual)
{
	struct json_object *f = log_fields("drift", &port->who);
	char is[LLE_NL_WORD], others[LLE_NL_WORD];

	words(is, setting, value);
	words(others, setting, usual);
	log_add_text(f, "what", names[setting]);
	log_add(f, "prio", prio);
	log_add_text(f, "is", is);
	log_add_text(f, "usual", others);
	log_event(LOG_WARNING, f, "port %s, priority %u: %s is %s, that of its peers %s",
		  port->who.ifname, prio, names[setting], is, others);
}

static void tell_thin(const struct lle_nl_port *port)
{
	struct json_object *f = log_fields("drift", &port->who);

	log_add_text(f, "what", "headroom");
	log_add(f, "headroom_bytes", port->headroom_bytes);
	log_add(f, "headroom_need_bytes", port->headroom_need_bytes);
	log_event(LOG_WARNING, f,
		  "port %s: headroom of %u bytes, it needs %u: packets will be lost; raise the switch's buffer, lower the port's MTU, delay or number of lossless priorities, or set its headroom",
		  port->who.ifname, port->headroom_bytes,
		  port->headroom_need_bytes);
}

static void tell_mended(const struct lle_nl_port *port, const char *what)
{
	struct json_object *f = log_fields("drift_mended", &port->who);

	log_add_text(f, "what", what);
	log_event(LOG_NOTICE, f, "port %s: %s is as it should be",
		  port->who.ifname, what);
}

void drift_check(const struct lle_nl_settings *s, const struct lle_nl_port *port,
		 const struct lle_nl_usual *usual, struct drift *reported)
{
	bool thin = lle_nl_headroom_low(port);
	unsigned int setting;
	int prio;

	for (setting = 0; setting < LLE_NL_NUM_SETTING; setting++) {
		prio = lle_nl_unusual(s, port, setting, usual);
		if (prio >= 0 && !reported->differs[setting])
			tell_different(port, setting, prio,
				       lle_nl_setting(s, port, prio, setting),
				       usual->value[port->facing][setting]);
		if (prio < 0 && reported->differs[setting])
			tell_mended(port, names[setting]);
		reported->differs[setting] = prio >= 0;
	}
	if (thin && !reported->thin)
		tell_thin(port);
	if (!thin && reported->thin)
		tell_mended(port, "headroom");
	reported->thin = thin;
}
