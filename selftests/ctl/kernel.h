/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A fake kernel behind libnl. Of each kind it has two objects: of swp1 with a value
 * in each attribute, and of swp2 with those that are required. It prints each
 * request: type, flags, bytes.
 */
#ifndef LLE_CTL_KERNEL_H
#define LLE_CTL_KERNEL_H

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <netlink/genl/genl.h>
#include <netlink/msg.h>
#include <netlink/netlink.h>
#include <linux/ethtool.h>
#include <linux/if_link.h>
#include <linux/inet_diag.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>
#include <linux/sockios.h>

#include "../../daemon/lib/decode.c"
#include "message.h"

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

#define FAMILY	28
#define SWP1	1001	/* the value of LOSSLESS_A_..._IFINDEX in a full object */

/* The kernel refuses requests with this error; 0: accepts changes with a warning. */
static int refuses;
/* What counters have more than at first */
static int more;

/* --- devices --- */

unsigned int if_nametoindex(const char *name)
{
	return !strcmp(name, "swp1") ? SWP1 : !strcmp(name, "swp2") ? SWP1 + 1 : 0;
}

char *if_indextoname(unsigned int ifindex, char name[IFNAMSIZ])
{
	sprintf(name, "swp%u", ifindex - SWP1 + 1);
	return ifindex == SWP1 || ifindex == SWP1 + 1 ? name : NULL;
}

struct if_nameindex *if_nameindex(void)
{
	struct if_nameindex *all = calloc(3, sizeof(*all));

	all[0] = (struct if_nameindex){ SWP1, "swp1" };
	all[1] = (struct if_nameindex){ SWP1 + 1, "swp2" };
	return all;
}

void if_freenameindex(struct if_nameindex *all)
{
	free(all);
}

/* Of swp1 10 Gbit/s */
int ioctl(int fd, unsigned long request, ...)
{
	struct ethtool_cmd *ethtool;
	struct ifreq *ifr;
	va_list args;

	va_start(args, request);
	ifr = va_arg(args, struct ifreq *);
	va_end(args);
	if (request != SIOCETHTOOL || strcmp(ifr->ifr_name, "swp1"))
		return -1;
	ethtool = (void *)ifr->ifr_data;
	ethtool->speed = 10000;
	return 0;
}

/* --- messages of the kernel --- */

static struct nlmsghdr *request;

static const struct {
	uint8_t cmd;
	const struct lle_nl_table *table;
} objects[] = {
	{ LOSSLESS_CMD_SWITCH_GET, &lle_nl_switch_get_table },
	{ LOSSLESS_CMD_PORT_GET, &lle_nl_port_get_table },
	{ LOSSLESS_CMD_HISTORY_GET, &lle_nl_history_get_table },
	{ LOSSLESS_CMD_WATCHDOG_GET, &lle_nl_watchdog_get_table },
	{ LOSSLESS_CMD_QUEUE_GET, &lle_nl_queue_get_table },
	{ LOSSLESS_CMD_CONGESTION_GET, &lle_nl_congestion_get_table },
	{ LOSSLESS_CMD_PATH_GET, &lle_nl_path_get_table },
	{ LOSSLESS_CMD_DEADLOCK_GET, &lle_nl_deadlock_get_table },
	{ LOSSLESS_CMD_PAUSE_NTF, &lle_nl_pause_ntf_table },
	{ LOSSLESS_CMD_STORM_NTF, &lle_nl_storm_ntf_table },
	{ LOSSLESS_CMD_DEADLOCK_NTF, &lle_nl_deadlock_get_table },
	{ LOSSLESS_CMD_CONGESTION_NTF, &lle_nl_congestion_ntf_table },
	{ LOSSLESS_CMD_HEADROOM_NTF, &lle_nl_headroom_ntf_table },
	{ LOSSLESS_CMD_UNACCOUNTED_NTF, &lle_nl_unaccounted_ntf_table },
	{ LOSSLESS_CMD_PORT_NTF, &lle_nl_port_ntf_table },
	{ LOSSLESS_CMD_PORT_DEL_NTF, &lle_nl_port_del_ntf_table },
};

/* @second: only what is required, of swp2 */
static void put_table(const struct lle_nl_table *t, bool second)
{
	for (unsigned int attr = 1; attr < t->num; attr++) {
		const struct lle_nl_field *f = &t->fields[attr];
		uint64_t value = f->size == 1 ? !second : 1000 + attr + second;
		struct nlattr *a;

		if (f->type == LLE_NL_UNUSED || (second && !(t->required >> attr & 1)))
			continue;
		if (f->type == LLE_NL_COUNTER)
			value += more;
		if (t == &lle_nl_port_get_table && attr == LOSSLESS_A_PORT_SWITCH)
			value = 1001 + second;
		if (t == &lle_nl_path_get_table && attr == LOSSLESS_A_PATH_GROUP_MEMBER) {
			put_u32(attr, SWP1);
			put_u32(attr, SWP1 + 1);
			continue;
		}
		switch (f->type) {
		case LLE_NL_COUNTER:
		case LLE_NL_NUMBER:
			put(attr, &value, f->type == LLE_NL_COUNTER ? sizeof(value) : f->size);
			break;
		case LLE_NL_BYTES:
			put(attr, "\2\0\0\0\0\1", f->size);
			break;
		case LLE_NL_NAME:
			put(attr, second ? "swp2" : "swp1", 5);
			break;
		default:
			a = nest(attr);
			put_table(f->nested, second);
			nest_end(a, 0);
		}
	}
}

static struct nl_msg *object(uint8_t cmd, bool second)
{
	struct nlmsghdr *nlh = begin();

	nlh->nlmsg_type = FAMILY;
	((struct genlmsghdr *)NLMSG_DATA(nlh))->cmd = cmd;
	for (unsigned int i = 0; i < ARRAY_SIZE(objects); i++)
		if (objects[i].cmd == cmd)
			put_table(objects[i].table, second);
	return nlmsg_convert(nlh);
}

/* Fields of struct tcp_info are their own places. */
static uint32_t tcp_info[64];

/* The first two objects of rtnetlink, and of sock_diag */
static struct nl_msg *device(int type, bool second)
{
	uint8_t family = *(uint8_t *)NLMSG_DATA(request);
	struct nlmsghdr *nlh = begin();
	struct nlattr *a, *b;

	nlh->nlmsg_type = type - 2;	/* RTM_NEW... */
	nlh->nlmsg_len = NLMSG_HDRLEN;
	if (type == RTM_GETLINK) {
		struct ifinfomsg *m = NLMSG_DATA(nlh);

		nlh->nlmsg_len += NLMSG_ALIGN(sizeof(*m));
		*m = (struct ifinfomsg){ .ifi_index = SWP1 + second,
					 .ifi_flags = IFF_UP | (second ? 0 : 1 << 16) };
		put(IFLA_IFNAME, second ? "swp2" : "swp1", 5);
		put_u32(IFLA_MASTER, 7);
		a = nest(IFLA_LINKINFO);
		put(IFLA_INFO_SLAVE_KIND, "bridge", 7);
		b = nest(IFLA_INFO_SLAVE_DATA);
		if (second)
			put_u32(IFLA_BRPORT_BACKUP_PORT, SWP1);
		nest_end(b, 0);
		nest_end(a, 0);
	} else if (type == RTM_GETQDISC) {
		struct tcmsg *m = NLMSG_DATA(nlh);

		nlh->nlmsg_len += NLMSG_ALIGN(sizeof(*m));
		*m = (struct tcmsg){ .tcm_ifindex = SWP1 + second, .tcm_parent = TC_H_ROOT,
				     .tcm_handle = 0x10000 };
		put(TCA_KIND, "lossless", 9);
		a = nest(TCA_OPTIONS);
		put_u64(TCA_LOSSLESS_RATE64, second ? 0 : 125000000);
		put_u32(TCA_LOSSLESS_HEADROOM, second ? 40000 : 1014);
		put_u32(TCA_LOSSLESS_XON_DELTA_NOW, 3028);
		put_u8(TCA_LOSSLESS_GSO_NOW, 1);
		nest_end(a, 0);
	} else if (type == RTM_GETROUTE) {
		struct rtmsg *m = NLMSG_DATA(nlh);

		nlh->nlmsg_len += NLMSG_ALIGN(sizeof(*m));
		*m = (struct rtmsg){ .rtm_family = family, .rtm_dst_len = second ? 0 : 16,
				     .rtm_table = RT_TABLE_MAIN, .rtm_type = RTN_UNICAST };
		if (!second)
			put(RTA_DST, family == AF_INET ? "\12\1\0\0" : "\40\1\15\270\0\0\0\0\0\0\0\0\0\0\0",
			    family == AF_INET ? 4 : 16);
		put_u32(RTA_OIF, SWP1);
	} else if (type == RTM_GETSTATS) {
		struct if_stats_msg *m = NLMSG_DATA(nlh);
		struct rtnl_link_stats64 stats = { .rx_missed_errors = second + more };

		nlh->nlmsg_len += NLMSG_ALIGN(sizeof(*m));
		*m = (struct if_stats_msg){ .ifindex = SWP1 + second };
		put(IFLA_STATS_LINK_64, &stats, sizeof(stats));
	} else if (type == SOCK_DIAG_BY_FAMILY) {
		const char *cc = second ? "cubic" : family == AF_INET ? "ldcp" : "ldcp-reno";
		struct inet_diag_msg *m = NLMSG_DATA(nlh);

		nlh->nlmsg_type = type;
		nlh->nlmsg_len += NLMSG_ALIGN(sizeof(*m));
		*m = (struct inet_diag_msg){ .idiag_family = family,
			.id = { .idiag_sport = htons(80), .idiag_dport = htons(8080),
				.idiag_src = { htonl(0x0a000001) }, .idiag_dst = { htonl(0x0a000002) } } };
		put(INET_DIAG_CONG, cc, strlen(cc) + 1);
		if (family == AF_INET)
			put(INET_DIAG_DCTCPINFO, "\4\0\7\0\0\14\0\0\5\0\0\0\11\0\0", 16);
		put(INET_DIAG_INFO, tcp_info, sizeof(tcp_info));
	} else {
		struct dcbmsg { uint8_t family, cmd; uint16_t pad; } *m = NLMSG_DATA(nlh);
		struct { uint8_t selector, prio; uint16_t protocol; } app[] = {
			{ 1, 5, 0x8915 }, { 1, 3, 0x8906 }, { 1, 2, 0x5ff }, { 2, 1, 0x8000 },
		};

		nlh->nlmsg_type = 78;	/* RTM_GETDCB */
		nlh->nlmsg_len += sizeof(*m);
		put(1, second ? "swp2" : "swp1", 5);
		a = nest(13);	/* DCB_ATTR_IEEE */
		b = nest(3);	/* DCB_ATTR_IEEE_APP_TABLE */
		for (unsigned int i = 0; i < ARRAY_SIZE(app); i++)
			put(1, &app[i], sizeof(app[i]));
		nest_end(b, 0);
		nest_end(a, 0);
	}
	return nlmsg_convert(nlh);
}

/* --- libnl --- */

static nl_recvmsg_msg_cb_t calls[NL_CB_TYPE_MAX + 1];
static nl_recvmsg_err_cb_t call_error;
static void *call_arg;

int genl_connect(struct nl_sock *sk)
{
	return 0;
}

int nl_connect(struct nl_sock *sk, int protocol)
{
	return 0;
}

int genl_ctrl_resolve(struct nl_sock *sk, const char *name)
{
	return strcmp(name, "lossless") ? -1 : FAMILY;
}

int nl_cb_set(struct nl_cb *cb, enum nl_cb_type type, enum nl_cb_kind kind,
	      nl_recvmsg_msg_cb_t call, void *arg)
{
	calls[type] = call;
	call_arg = arg;
	return 0;
}

int nl_cb_err(struct nl_cb *cb, enum nl_cb_kind kind, nl_recvmsg_err_cb_t call, void *arg)
{
	call_error = call;
	return 0;
}

/* Prints the type, flags, and bytes of a request; " -" for zeros at the end of a header */
int nl_send_auto(struct nl_sock *sk, struct nl_msg *msg)
{
	const unsigned char *at;
	unsigned int len;

	request = nlmsg_hdr(msg);
	at = NLMSG_DATA(request);
	printf("<%u %x:", request->nlmsg_type, request->nlmsg_flags & ~NLM_F_REQUEST);
	for (len = request->nlmsg_len - NLMSG_HDRLEN; len; len--)
		printf("%02x", *at++);
	printf(">\n");
	return 0;
}

static void deliver(enum nl_cb_type type, struct nl_msg *msg)
{
	calls[type](msg, call_arg);
	nlmsg_free(msg);
}

/* An acknowledgement, or an error, with text */
static void end(int err, const char *why)
{
	struct nlmsghdr *nlh = begin();

	nlh->nlmsg_type = NLMSG_ERROR;
	nlh->nlmsg_flags = NLM_F_CAPPED | NLM_F_ACK_TLVS;
	nlh->nlmsg_len = NLMSG_HDRLEN + sizeof(struct nlmsgerr);
	((struct nlmsgerr *)NLMSG_DATA(nlh))->error = err;
	put(NLMSGERR_ATTR_MSG, why, strlen(why) + 1);
	if (err)
		call_error(NULL, NLMSG_DATA(nlh), call_arg);
	else
		deliver(NL_CB_ACK, nlmsg_convert(nlh));
}

int nl_recvmsgs(struct nl_sock *sk, struct nl_cb *cb)
{
	bool ours = request->nlmsg_type == FAMILY;
	uint8_t cmd = ((struct genlmsghdr *)NLMSG_DATA(request))->cmd;
	int num = request->nlmsg_flags & NLM_F_DUMP ? 2 : 1;
	bool get = false, last = false;

	/* the object that a request names in its first attribute or header */
	if (request->nlmsg_type == RTM_GETLINK)
		last = ((struct ifinfomsg *)NLMSG_DATA(request))->ifi_index == SWP1 + 1;
	else if (ours && num == 1)
		last = nlmsg_find_attr(request, GENL_HDRLEN, 1) &&
		       nla_get_u32(nlmsg_find_attr(request, GENL_HDRLEN, 1)) == SWP1 + 1;
	for (unsigned int i = 0; i < ARRAY_SIZE(objects); i++)
		get |= ours && objects[i].cmd == cmd;
	/* RTM_GET... of rtnetlink */
	get |= !ours && (request->nlmsg_type % 4 == 2 ||
			 request->nlmsg_type == SOCK_DIAG_BY_FAMILY);
	for (int i = 0; get && i < num && !refuses; i++)
		deliver(NL_CB_VALID, ours ? object(cmd, i || last) : device(request->nlmsg_type, i || last));
	if (refuses)
		end(refuses, refuses == -EPERM ? "" : "words of the kernel");
	else if (num == 2)
		deliver(NL_CB_FINISH, nlmsg_alloc_simple(NLMSG_DONE, 0));
	else
		end(0, get ? "" : "a warning");
	return 0;
}

/* --- what is printed --- */

/* Removes microseconds of the log, and double spaces. */
static size_t tidy(char *text, size_t len)
{
	size_t to = 0;

	for (size_t i = 0; i < len; i++) {
		if (text[i] == 'Z' && to > 7 && text[to - 7] == '.')
			to -= 7;
		if (text[i] != ' ' || !to || text[to - 1] != ' ')
			text[to++] = text[i];
	}
	text[to] = '\0';
	return to;
}

/* Runs a function in a process. Return: its output and exit status */
static const char *output_of(void (*function)(const char *arg), const char *arg)
{
	static char text[1 << 17];
	size_t len = 0;
	int ends[2], status;
	ssize_t n;

	for (unsigned int i = 0; i < ARRAY_SIZE(tcp_info); i++)
		tcp_info[i] = 4 * i;
	fflush(stdout);
	if (pipe(ends))
		return "no pipe";
	if (!fork()) {
		/* one that does not end outlives the test otherwise */
		alarm(30);
		dup2(ends[1], 1);
		dup2(ends[1], 2);
		setvbuf(stdout, NULL, _IOLBF, 0);
		function(arg);
		exit(0);
	}
	close(ends[1]);
	while ((n = read(ends[0], text + len, sizeof(text) - 20 - len)) > 0)
		len += n;
	close(ends[0]);
	wait(&status);
	text[len] = '\0';
	len = tidy(text, len);
	if (status)
		sprintf(text + len, "status %x", status >> 8 ?: status);
	return text;
}

/* The text of a transcript until the next line with "$ "; moves *rest there */
static char *next_text(char **rest)
{
	char *text = *rest, *end = strstr(text, "\n$ ");

	*rest = end ? end + 3 : text + strlen(text);
	text[(end ?: *rest) - text] = '\0';
	return text;
}

/* Replaces @VERSION@, and removes the last line feed. */
static const char *expanded(char *text)
{
	static char out[1 << 17];
	char *at, *to = out;

	for (; (at = strstr(text, "@VERSION@")); text = at + 9)
		to += sprintf(to, "%.*s%s", (int)(at - text), text, LLE_VERSION);
	to += sprintf(to, "%s", text);
	if (to > out && to[-1] == '\n')
		to[-1] = '\0';
	return out;
}

/*
 * Runs a function with the words of each line "$ WORDS" of the transcript of @source,
 * NAME.txt of NAME.c: it prints what follows there. @print: prints the transcript
 */
static int run_transcript(const char *source, void (*function)(const char *words),
			  bool print)
{
	static char text[1 << 18];
	char path[256], *rest = text, *words;
	int failed = 0;
	FILE *f;

	snprintf(path, sizeof(path), "%.*s.txt", (int)strlen(source) - 2, source);
	f = fopen(path, "r");
	if (!f || !fread(text, 1, sizeof(text) - 1, f))
		return !!printf("%s cannot be read\n", path);
	fclose(f);
	words = next_text(&rest);
	if (print)
		printf("%s\n", words);
	while (*rest) {
		char *says, *shown;

		words = next_text(&rest);
		says = strchr(words, '\n');
		if (says)
			*says++ = '\0';
		shown = strdup(output_of(function, words));
		if (*shown && shown[strlen(shown) - 1] == '\n')
			shown[strlen(shown) - 1] = '\0';
		if (print)
			printf("$ %s\n%s%s", words, shown, *shown ? "\n" : "");
		else if (strcmp(shown, expanded(says ?: (char[]){ "" })))
			failed = printf("$ %s\n%s\n", words, shown);
		free(shown);
	}
	return !!failed;
}

#endif /* LLE_CTL_KERNEL_H */
