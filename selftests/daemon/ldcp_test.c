// SPDX-License-Identifier: GPL-2.0
/*
 * daemon/losslessd/route.c and ldcp_state.c: prefixes, routes with LDCP, and
 * the file of changes, also with damaged input. Prints failures only.
 */
#include <errno.h>
#include <linux/rtnetlink.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../daemon/losslessd/ldcp_state.h"
#include "../../daemon/losslessd/route.h"

#define CHECK(condition) \
	do { \
		if (!(condition)) \
			printf("line %d: not " #condition "\n", __LINE__); \
	} while (0)

static char buffer[1024];
static struct lle_nl_route route = { .data = buffer };

static void put(int type, const void *data, unsigned int len)
{
	struct rtattr *attr = (void *)(buffer + route.len);

	attr->rta_type = type;
	attr->rta_len = RTA_LENGTH(len);
	memcpy(RTA_DATA(attr), data, len);
	route.len += RTA_SPACE(len);
}

/* 192.0.2.0/24, with an MTU, an initial window and a feature. */
static void make(void)
{
	struct { struct rtattr a; uint32_t value; } metrics[] = {
		{ { 8, RTAX_MTU }, 1400 }, { { 8, RTAX_INITCWND }, 5 },
		{ { 8, RTAX_FEATURES }, RTAX_FEATURE_SACK },
	};
	struct rtmsg *rtm = (void *)buffer;
	struct rta_cacheinfo cache = { 0 };
	uint32_t oif = 7;

	memset(buffer, 0, sizeof(buffer));
	*rtm = (struct rtmsg){
		.rtm_family = AF_INET, .rtm_dst_len = 24, .rtm_table = RT_TABLE_MAIN,
		.rtm_type = RTN_UNICAST, .rtm_flags = RTNH_F_LINKDOWN | RTNH_F_ONLINK,
	};
	route.len = NLMSG_ALIGN(sizeof(*rtm));
	put(RTA_DST, "\xc0\x00\x02\x00", 4);
	put(RTA_METRICS, metrics, sizeof(metrics));
	put(RTA_OIF, &oif, sizeof(oif));
	put(RTA_CACHEINFO, &cache, sizeof(cache));
}

static bool reads(const char *text)
{
	struct prefix p;

	return prefix_read(text, &p);
}

static bool has(const char *outer, const char *inner)
{
	struct prefix p, q;

	return prefix_read(outer, &p) && prefix_read(inner, &q) && prefix_has(&p, &q);
}

static void prefixes(void)
{
	static const char *const bad[] = {
		"", "/", "1.2.3", "1.2.3.4/", "1.2.3.4/33", "1.2.3.4/-1", "1.2.3.4/ 1",
		"1.2.3.4/8x", "::/129", ":::/1", "1.2.3.4/99999999999999999999",
		"2001:db8:1111:2222:3333:4444:5555:6666:7777:8888:9999:aaaa/64",
	};
	unsigned int i;

	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		if (reads(bad[i]))
			printf("'%s' is a prefix\n", bad[i]);
	CHECK(reads("1.2.3.4") && reads("::1") && reads("0.0.0.0/0") && reads("::/0"));
	CHECK(has("0.0.0.0/0", "1.2.3.4") && has("10.1.0.0/16", "10.1.255.0/24"));
	CHECK(has("10.1.2.3/16", "10.1.0.0/16"));
	CHECK(!has("10.1.0.0/16", "10.0.0.0/8") && !has("10.1.0.0/16", "10.2.0.0/24"));
	CHECK(!has("::/0", "1.2.3.4") && has("2001:db8::/32", "2001:db8:ffff::1"));
	CHECK(!has("2001:db8:8000::/33", "2001:db8::/64"));
}

static void with_ldcp(void)
{
	static const char want[] = "ldcp";
	struct lle_nl_route with, again, other;
	struct prefix p, to;

	make();
	CHECK(prefix_of(&route, &p) && p.bits == 24 && p.address[2] == 2);
	CHECK(!route_has_ldcp(&route));
	CHECK(!route_make(&with, &route, NULL, 33));
	CHECK(route_has_ldcp(&with) && route_is_same(&with, &route));
	CHECK(((struct rtmsg *)with.data)->rtm_flags == RTNH_F_ONLINK);
	CHECK(memmem(with.data, with.len, want, sizeof(want)));
	/* keeps the MTU, replaces the window, drops the cache info */
	CHECK(memmem(with.data, with.len, "\x08\x00\x02\x00\x78\x05\x00\x00", 8));
	CHECK(!memmem(with.data, with.len, "\x08\x00\x0b\x00\x05\x00\x00\x00", 8));
	CHECK(memmem(with.data, with.len, "\x08\x00\x0b\x00\x21\x00\x00\x00", 8));
	CHECK(memmem(with.data, with.len, "\x08\x00\x0c\x00\x03\x00\x00\x00", 8));
	/* a route with LDCP stays the same */
	CHECK(!route_make(&again, &with, NULL, 33) && again.len == with.len);

	prefix_read("192.0.2.64/26", &to);
	CHECK(!route_make(&other, &route, &to, 33) && prefix_of(&other, &p));
	CHECK(p.bits == 26 && p.address[3] == 64 && !route_is_same(&other, &route));
	free(with.data);
	free(again.data);
	free(other.data);

	CHECK(!route_make(&again, &route, NULL, 0) && !route_has_ldcp(&again));
	CHECK(again.len == route.len - RTA_SPACE(sizeof(struct rta_cacheinfo)));
	free(again.data);
}

/* Random bytes and lengths: nothing reads or writes beyond the end. */
static void damaged(void)
{
	struct lle_nl_route cut = { 0 }, with;
	unsigned int i, at;
	struct prefix p;

	srandom(1);
	for (i = 0; i < 200000; i++) {
		make();
		at = random() % route.len;
		buffer[at] = random();
		buffer[random() % route.len] ^= 1 << random() % 8;
		cut.len = sizeof(struct rtmsg) + random() % (route.len - sizeof(struct rtmsg) + 1);
		cut.data = malloc(cut.len);
		memcpy(cut.data, buffer, cut.len);
		prefix_of(&cut, &p);
		route_has_ldcp(&cut);
		if (!route_make(&with, &cut, NULL, 10))
			free(with.data);
		free(cut.data);
	}
}

static void state(const char *path)
{
	const struct lle_nl_route none = { 0 };
	const struct lle_nl_wred wred = { 7, 3, 1, 1, 3000, 100000, 4294967295, 50000, 8 };
	struct ldcp_state s = { 0 }, t = { 0 };

	make();
	CHECK(ldcp_state_read(&t, path) == -ENOENT);
	CHECK(!ldcp_state_add_route(&s, &route, &route));
	CHECK(!ldcp_state_add_route(&s, &none, &route));
	CHECK(!ldcp_state_add_setting(&s, "mode", "0"));
	CHECK(!ldcp_state_add_wred(&s, &(struct lle_nl_wred){ .ifindex = 7 }, &wred));
	CHECK(ldcp_state_write(&s, "/nowhere/ldcp.json") == -ENOENT);
	CHECK(!ldcp_state_write(&s, path));
	/* an unchanged state is not written */
	CHECK(!ldcp_state_write(&s, "/nowhere/ldcp.json"));
	CHECK(!ldcp_state_read(&t, path));
	CHECK(t.num_routes == 2 && t.num_settings == 1 && t.num_wreds == 1);
	CHECK(t.wreds[0].own.ifindex == 7 && t.wreds[0].own.prio == 3);
	CHECK(t.wreds[0].own.ecn == 1 && t.wreds[0].own.dequeue == 1);
	CHECK(t.wreds[0].own.kmin_bytes == 3000);
	CHECK(t.wreds[0].own.kmax_bytes == 100000 && t.wreds[0].own.pmax_q32 == UINT32_MAX);
	CHECK(t.wreds[0].own.nonect_bytes == 50000 && t.wreds[0].own.bufmax_bytes == 8);
	CHECK(t.wreds[0].old.ifindex == 7 && !t.wreds[0].old.pmax_q32);
	CHECK(t.routes[0].old.len == route.len &&
	      !memcmp(t.routes[0].old.data, buffer, route.len));
	CHECK(!t.routes[1].old.data && t.routes[1].own.len == route.len);
	CHECK(!strcmp(t.settings[0].name, "mode") && !strcmp(t.settings[0].old, "0"));
	ldcp_state_drop_route(&t, 0);
	CHECK(t.num_routes == 1 && !t.routes[0].old.data);
	ldcp_state_drop_wreds(&t, 8);
	CHECK(t.num_wreds == 1);
	ldcp_state_drop_wreds(&t, 7);
	CHECK(!t.num_wreds);
	ldcp_state_free(&t);
	ldcp_state_free(&s);
}

static void bad_states(const char *path)
{
	static const char *const bad[] = {
		"", "{", "[]", "3", "{\"routes\": []}", "{\"routes\": {}, \"settings\": {}, \"wreds\": []}",
		"{\"routes\": [{}], \"settings\": {}, \"wreds\": []}", "{\"routes\": [7], \"settings\": {}, \"wreds\": []}",
		"{\"routes\": [{\"old\": \"\", \"ours\": \"\"}], \"settings\": {}, \"wreds\": []}",
		"{\"routes\": [{\"old\": \"0\", \"ours\": \"\"}], \"settings\": {}, \"wreds\": []}",
		"{\"routes\": [{\"old\": \"\", \"ours\": \"zz00000000000000000000000000\"}], \"settings\": {}, \"wreds\": []}",
		"{\"routes\": [{\"old\": null, \"ours\": null}], \"settings\": {}, \"wreds\": []}",
		"{\"routes\": [], \"settings\": {\"mode\": null}, \"wreds\": []}",
		"{\"routes\": [], \"settings\": {}, \"wreds\": {}}",
		"{\"routes\": [], \"settings\": {}, \"wreds\": [{}]}",
		"{\"routes\": [], \"settings\": {}, \"wreds\": [{\"old\": [], \"ours\": []}]}",
		"{\"routes\": [], \"settings\": {}, \"wreds\": [{\"old\": [1,8,1,1,1,1,1,1], \"ours\": [1,3,1,1,1,1,1,1]}]}",
		"{\"routes\": [], \"settings\": {}, \"wreds\": [{\"old\": [1,3,1,1,1,1,1,1], \"ours\": [1,3,1,1,1,1,1,4294967296]}]}",
		"{\"routes\": [], \"settings\": {}, \"wreds\": [{\"old\": [1,3,1,1,1,1,1,1], \"ours\": [1,3,1,1,1,1,1,-1]}]}",
	};
	struct ldcp_state s = { 0 };
	unsigned int i;
	FILE *file;

	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		file = fopen(path, "w");
		if (!file || fputs(bad[i], file) < 0 || fclose(file))
			printf("%s: cannot be written\n", path);
		if (ldcp_state_read(&s, path) != -EINVAL || s.num_routes || s.num_settings || s.num_wreds)
			printf("'%s' is taken\n", bad[i]);
	}
}

int main(void)
{
	char dir[] = "/tmp/ldcp-XXXXXX", path[64];

	snprintf(path, sizeof(path), "%s/ldcp.json", mkdtemp(dir));
	prefixes();
	with_ldcp();
	damaged();
	state(path);
	bad_states(path);
	unlink(path);
	rmdir(dir);
	return 0;
}
