/* SPDX-License-Identifier: GPL-2.0 */
/* losslessctl doctor: interface between its files. */
#ifndef LLE_CTL_DOCTOR_H
#define LLE_CTL_DOCTOR_H

#include "netns.h"

/* Buffer for a name as a word of a shell, bytes: each byte as \ooo, and quotes */
#define DOCTOR_WORD	(4 * CTL_NETNS_NAME + 16)

#define DOCTOR_DSCPS	64

/**
 * enum doctor_severity - consequence of a finding
 * @DOCTOR_WARNING: the traffic is lossless, but a fault elsewhere spreads, or is
 *	not noticed
 * @DOCTOR_ERROR: packets of lossless priorities may be lost
 */
enum doctor_severity {
	DOCTOR_WARNING,
	DOCTOR_ERROR,
};

/**
 * struct doctor_finding - something that is wrong
 * @check: name of the check
 * @severity: its consequence
 * @device: name of the device; "": it concerns the machine or a switch
 * @text: what is wrong, and the consequence
 * @mend: commands of a shell
 */
struct doctor_finding {
	const char *check;
	enum doctor_severity severity;
	char device[IFNAMSIZ];
	char *text;
	char *mend;
};

/**
 * struct doctor_view - what doctor reads in a network namespace
 * @ns: the namespace
 * @id: its number in the namespace that is examined, see lle_nl_netns_id()
 * @prefix: begin of commands that are to run there
 * @devices: its devices
 * @num_devices: entries of @devices
 * @ports: its ports
 * @num_ports: entries of @ports
 */
struct doctor_view {
	const struct ctl_netns *ns;
	int id;
	char prefix[DOCTOR_WORD + 32];
	struct lle_nl_device *devices;
	int num_devices;
	struct lle_nl_port *ports;
	int num_ports;
};

/**
 * struct doctor_end - an end of a link
 * @view: the network namespace
 * @dev: the device; NULL: not known
 * @word: name of the device, as a word of a shell
 * @qdisc: its lossless qdisc; NULL: it has none
 * @port: the port, if there is @qdisc
 * @bridge: the bridge to which @dev, or a device above it, belongs; NULL: none
 */
struct doctor_end {
	const struct doctor_view *view;
	const struct lle_nl_device *dev;
	char word[DOCTOR_WORD];
	const struct lle_nl_qdisc *qdisc;
	const struct lle_nl_port *port;
	const struct lle_nl_device *bridge;
};

/**
 * struct doctor - a run
 * @netnses: all network namespaces
 * @nl: client of the one that is examined, the first one
 * @views: namespaces in which links of the first one end; @views[0] is that one
 * @num_views: entries of @views
 * @switches: its switches
 * @num_switches: entries of @switches
 * @watchdogs: its watchdogs
 * @num_watchdogs: entries of @watchdogs
 * @settings: settings of all ports
 * @usual: those of the majority
 * @check: name of the check that runs
 * @own: the device that it is about, of @views[0]
 * @peer: the other end of its link
 * @done: how many things have been checked
 * @findings: what is wrong
 * @num_findings: entries of @findings
 */
struct doctor {
	struct ctl_netnses netnses;
	struct lle_nl *nl;
	struct doctor_view *views;
	int num_views;
	struct lle_nl_switch *switches;
	int num_switches;
	struct lle_nl_watchdog *watchdogs;
	int num_watchdogs;
	struct lle_nl_settings settings;
	struct lle_nl_usual usual;
	const char *check;
	struct doctor_end own;
	struct doctor_end peer;
	unsigned int done;
	struct doctor_finding *findings;
	int num_findings;
};

/* doctor_find.c */
void doctor_word(char *word, const char *name);
void doctor_find(struct doctor *d, enum doctor_severity severity, const char *device,
		 const char *fmt, ...) __attribute__((format(printf, 4, 5)));
void doctor_mend(struct doctor *d, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void doctor_mend_gap(struct doctor *d, const char *word, const struct lle_nl_qdisc *like,
		     uint64_t without);
void doctor_mend_switch(struct doctor *d, const struct doctor_end *end, uint32_t sw);
void doctor_mend_pfc(struct doctor *d, uint8_t prios);
void doctor_copy_dscp(struct doctor *d, const struct doctor_end *end);
void doctor_mend_dscp(struct doctor *d, const struct doctor_end *end, uint8_t lacks);
bool doctor_has_dscp_map(const struct doctor_end *end);
uint8_t doctor_dscp_prios(const struct doctor_end *end);
void doctor_free_findings(struct doctor *d);

/* doctor_state.c */
enum ctl_exit doctor_read(struct doctor *d);
void doctor_free(struct doctor *d);
const struct lle_nl_device *doctor_device(const struct doctor_view *view,
					  unsigned int ifindex);
const struct lle_nl_device *doctor_bridge(const struct doctor_view *view,
					  const struct lle_nl_device *dev);
void doctor_ends(const struct doctor *d, const struct lle_nl_device *dev,
		 struct doctor_end *own, struct doctor_end *peer);
uint64_t doctor_option(const struct doctor_end *end, int type);
uint8_t doctor_switch_prios(const struct doctor *d, uint32_t sw);
bool doctor_read_line(const char *path, char *line, int size);
const struct lle_nl_switch *doctor_switch(const struct doctor *d, uint32_t sw);

/* doctor_host.c */
bool doctor_has_module(void);
void doctor_module(struct doctor *d);
void doctor_version(struct doctor *d);
void doctor_plugin(struct doctor *d);
void doctor_backlog(struct doctor *d);
void doctor_burst(struct doctor *d);
void doctor_daemon(struct doctor *d);
void doctor_clock(struct doctor *d);
void doctor_discard(struct doctor *d);
void doctor_deadlock(struct doctor *d);

/* doctor_port.c */
void doctor_pfc(struct doctor *d);
void doctor_prios(struct doctor *d);
void doctor_headroom(struct doctor *d);
void doctor_buffer(struct doctor *d);
void doctor_xoff(struct doctor *d);
void doctor_alpha(struct doctor *d);
void doctor_classes(struct doctor *d);
void doctor_strict(struct doctor *d);
void doctor_watchdog(struct doctor *d);
void doctor_watchdog_differs(struct doctor *d);

/* doctor_nic.c */
bool doctor_drops_gro(const struct doctor_end *end);
void doctor_link_pause(struct doctor *d);
void doctor_gro(struct doctor *d);
void doctor_order(struct doctor *d);
void doctor_xdp(struct doctor *d);

/* doctor_layers.c */
void doctor_flood(struct doctor *d);
void doctor_firewall(struct doctor *d);
void doctor_role(struct doctor *d);
void doctor_bridge_port(struct doctor *d);
void doctor_member(struct doctor *d);
void doctor_bridge_mtu(struct doctor *d);
void doctor_switches(struct doctor *d);
uint8_t doctor_unmapped(uint8_t prios, const uint8_t *map);
void doctor_vlan_in(struct doctor *d);
void doctor_vlan_out(struct doctor *d);

/* doctor_peer.c */
void doctor_peer_qdisc(struct doctor *d);
void doctor_peer_pfc(struct doctor *d);
void doctor_peer_rate(struct doctor *d);
void doctor_peer_mtu(struct doctor *d);
void doctor_peer_gso(struct doctor *d);
void doctor_peer_gro(struct doctor *d);
void doctor_peer_facing(struct doctor *d);
void doctor_peer_vlan(struct doctor *d);

#endif /* LLE_CTL_DOCTOR_H */
