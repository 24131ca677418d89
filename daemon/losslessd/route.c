// SPDX-License-Identifier: GPL-2.0
/* Unchanged attributes are copied, known or not: routes can be restored. */
#include <arpa/inet.h>
#include <errno.h>
#include <linux/rtnetlink.h>
#include <stdlib.h>
#include <string.h>

#include "route.h"

#define LDCP	"ldcp"

/* --- prefixes */

static unsigned int bits_of(uint8_t family) { return family == AF_INET ? 32 : 128; }

static void cut(struct prefix *p)
{
	unsigned int i;

	for (i = p->bits; i < 8 * sizeof(p->address); i++)
		p->address[i / 8] &= ~(0x80 >> i % 8);
}

/* @text: ADDRESS/BITS, or ADDRESS */
bool prefix_read(const char *text, struct prefix *p)
{
	size_t len = strcspn(text, "/");
	char address[INET6_ADDRSTRLEN];
	unsigned long bits;
	char *end;

	if (len >= sizeof(address))
		return false;
	*p = (struct prefix){ .family = memchr(text, ':', len) ? AF_INET6 : AF_INET };
	memcpy(address, text, len);
	address[len] = '\0';
	if (inet_pton(p->family, address, p->address) != 1)
		return false;
	bits = bits_of(p->family);
	if (text[len]) {
		/* strtoul() would accept blanks and signs, too */
		if (text[len + 1] < '0' || text[len + 1] > '9')
			return false;
		bits = strtoul(&text[len + 1], &end, 10);
		if (*end || bits > bits_of(p->family))
			return false;
	}
	p->bits = bits;
	cut(p);
	return true;
}

/* Is @inner within @p? */
bool prefix_has(const struct prefix *p, const struct prefix *inner)
{
	struct prefix outer = *inner;

	if (p->family != inner->family || p->bits > inner->bits)
		return false;
	outer.bits = p->bits;
	cut(&outer);
	return !memcmp(outer.address, p->address, sizeof(p->address));
}

/* --- attributes */

static struct rtattr *first(const struct lle_nl_route *route, int *left)
{
	struct rtmsg *rtm = route->data;

	*left = route->len - NLMSG_ALIGN(sizeof(*rtm));
	return RTM_RTA(rtm);
}

/* @bytes: minimum of the payload; NULL: no such attribute */
static const void *find(const struct rtattr *attr, int left, int type,
			unsigned int bytes)
{
	for (; RTA_OK(attr, left); attr = RTA_NEXT(attr, left))
		if ((attr->rta_type & NLA_TYPE_MASK) == type)
			return RTA_PAYLOAD(attr) >= bytes ? attr : NULL;
	return NULL;
}

static const struct rtattr *attribute(const struct lle_nl_route *route, int type,
				      unsigned int bytes)
{
	int left;
	const struct rtattr *attr = first(route, &left);

	return find(attr, left, type, bytes);
}

static uint32_t number(const struct lle_nl_route *route, int type)
{
	const struct rtattr *attr = attribute(route, type, sizeof(uint32_t));

	return attr ? *(const uint32_t *)RTA_DATA(attr) : 0;
}

/* False: the route is damaged. */
bool prefix_of(const struct lle_nl_route *route, struct prefix *p)
{
	const struct rtmsg *rtm = route->data;
	unsigned int bytes = bits_of(rtm->rtm_family) / 8;
	const struct rtattr *dst = attribute(route, RTA_DST, bytes);

	*p = (struct prefix){ .family = rtm->rtm_family, .bits = rtm->rtm_dst_len };
	if (p->bits > bits_of(p->family) || (p->bits && !dst))
		return false;
	if (dst)
		memcpy(p->address, RTA_DATA(dst), bytes);
	return true;
}

/* A route of a router advertisement expires, and must stay as it is. */
bool route_is_fixed(const struct lle_nl_route *route)
{
	const struct rtmsg *rtm = route->data;

	return rtm->rtm_protocol == RTPROT_RA;
}

/* Would one replace the other? */
bool route_is_same(const struct lle_nl_route *a, const struct lle_nl_route *b)
{
	const struct rtmsg *one = a->data, *two = b->data;
	struct prefix p, q;

	return prefix_of(a, &p) && prefix_of(b, &q) && !memcmp(&p, &q, sizeof(p)) &&
	       one->rtm_tos == two->rtm_tos &&
	       number(a, RTA_PRIORITY) == number(b, RTA_PRIORITY);
}

bool route_has_ldcp(const struct lle_nl_route *route)
{
	const struct rtattr *metrics = attribute(route, RTA_METRICS, 0), *cc;

	if (!metrics)
		return false;
	cc = find(RTA_DATA(metrics), RTA_PAYLOAD(metrics), RTAX_CC_ALGO, sizeof(LDCP));
	return cc && !memcmp(RTA_DATA(cc), LDCP, sizeof(LDCP));
}

/* --- a new one */

static void add(struct lle_nl_route *r, int type, const void *data, unsigned int len)
{
	struct rtattr *attr = (void *)((char *)r->data + r->len);

	attr->rta_type = type;
	attr->rta_len = RTA_LENGTH(len);
	if (len)
		memcpy(RTA_DATA(attr), data, len);
	r->len += RTA_SPACE(len);
}

static void add_number(struct lle_nl_route *r, int type, uint32_t value)
{
	add(r, type, &value, sizeof(value));
}

/* Metrics of @from, with those that LDCP sets replaced */
static void add_metrics(struct lle_nl_route *r, const struct lle_nl_route *from,
			unsigned int window)
{
	const struct rtattr *old = attribute(from, RTA_METRICS, 0), *attr, *features;
	unsigned int begin = r->len;
	int left = old ? RTA_PAYLOAD(old) : 0;
	uint32_t feature = RTAX_FEATURE_ECN;

	add(r, RTA_METRICS | NLA_F_NESTED, NULL, 0);
	features = old ? find(RTA_DATA(old), left, RTAX_FEATURES, sizeof(feature)) : NULL;
	if (features)
		feature |= *(const uint32_t *)RTA_DATA(features);
	for (attr = old ? RTA_DATA(old) : NULL; RTA_OK(attr, left);
	     attr = RTA_NEXT(attr, left)) {
		switch (attr->rta_type & NLA_TYPE_MASK) {
		case RTAX_CC_ALGO:
		case RTAX_INITCWND:
		case RTAX_INITRWND:
		case RTAX_QUICKACK:
		case RTAX_FEATURES:
			break;
		default:
			add(r, attr->rta_type, RTA_DATA(attr), RTA_PAYLOAD(attr));
		}
	}
	add(r, RTAX_CC_ALGO, LDCP, sizeof(LDCP));
	add_number(r, RTAX_INITCWND, window);
	add_number(r, RTAX_INITRWND, window);
	add_number(r, RTAX_QUICKACK, 1);
	add_number(r, RTAX_FEATURES, feature);
	((struct rtattr *)((char *)r->data + begin))->rta_len = r->len - begin;
}

/* Clear the flags of the link state: the kernel does not accept them. */
static void clean_nexthops(struct rtattr *attr)
{
	struct rtnexthop *hop = RTA_DATA(attr);
	int left = RTA_PAYLOAD(attr);

	for (; left >= (int)sizeof(*hop) && RTNH_OK(hop, left);
	     left -= RTNH_ALIGN(hop->rtnh_len), hop = RTNH_NEXT(hop))
		hop->rtnh_flags &= RTNH_F_ONLINK;
}

/* @to: NULL: as @from; @window: packets, 0: as @from. Free result->data. */
int route_make(struct lle_nl_route *result, const struct lle_nl_route *from,
	       const struct prefix *to, unsigned int window)
{
	/* added: at most a destination, and a nest of five metrics */
	const unsigned int room = from->len + 256;
	struct rtattr *attr;
	struct rtmsg *rtm;
	int left;

	result->data = calloc(1, room);
	if (!result->data)
		return -ENOMEM;
	memcpy(result->data, from->data, sizeof(*rtm));
	result->len = NLMSG_ALIGN(sizeof(*rtm));
	rtm = result->data;
	rtm->rtm_flags &= RTNH_F_ONLINK;
	if (to) {
		rtm->rtm_dst_len = to->bits;
		rtm->rtm_protocol = RTPROT_STATIC;
		add(result, RTA_DST, to->address, bits_of(to->family) / 8);
	}
	for (attr = first(from, &left); RTA_OK(attr, left); attr = RTA_NEXT(attr, left)) {
		switch (attr->rta_type & NLA_TYPE_MASK) {
		case RTA_CACHEINFO:
			continue;
		case RTA_DST:
			if (to)
				continue;
			break;
		case RTA_METRICS:
			if (window)
				continue;
			break;
		case RTA_OIF:
		case RTA_GATEWAY:
		case RTA_VIA:
		case RTA_MULTIPATH:
			/* a nexthop object has the same information */
			if (attribute(from, RTA_NH_ID, sizeof(uint32_t)))
				continue;
			break;
		}
		add(result, attr->rta_type, RTA_DATA(attr), RTA_PAYLOAD(attr));
		if ((attr->rta_type & NLA_TYPE_MASK) == RTA_MULTIPATH)
			clean_nexthops((void *)((char *)result->data + result->len -
						RTA_SPACE(RTA_PAYLOAD(attr))));
	}
	if (window)
		add_metrics(result, from, window);
	else if (attribute(from, RTA_NH_ID, sizeof(uint32_t)) &&
		 !attribute(from, RTA_METRICS, 0))
		/* without it the kernel takes the metrics of a similar route */
		add(result, RTA_METRICS | NLA_F_NESTED, NULL, 0);
	return 0;
}
