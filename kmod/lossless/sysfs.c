// SPDX-License-Identifier: GPL-2.0
/*
 * /sys/class/net/DEV/lossless/ and prioN/ in it: one read-only counter per
 * file, see build/gen/sysfs-class-net-lossless.
 *
 * The directories live as long as the port, under RTNL. Removal waits for
 * readers, so show() must not take RTNL.
 */
#include <linux/kobject.h>
#include <linux/slab.h>
#include <linux/sysfs.h>

#include "congestion.h"
#include "counters_gen.h"
#include "deadlock/deadlock.h"
#include "headroom.h"
#include "stats.h"

/**
 * struct lle_sysfs - directories of a port
 * @port: the port; valid while a file is being read
 * @root: "lossless"; its release frees the memory
 * @prio: "prioN"; each holds a reference to @root
 */
struct lle_sysfs {
	struct lle_port *port;
	struct lle_sysfs_dir {
		struct kobject kobj;
		struct lle_sysfs *sysfs;
		unsigned int prio;
	} root, prio[LLE_NUM_PRIO];
};

/**
 * struct lle_sysfs_attr - a file
 * @attr: its name
 * @offset: of its u64 or u8 in struct lle_prio_stats, unless @read
 * @size: of that number
 * @read: returns the number; NULL: it is at @offset
 */
struct lle_sysfs_attr {
	struct attribute attr;
	size_t offset;
	size_t size;
	u64 (*read)(struct lle_port *port, unsigned int prio);
};

#define LLE_SYSFS_NAMED(file, member) \
	(&((struct lle_sysfs_attr) { \
		.attr = { .name = #file, .mode = 0444 }, \
		.offset = offsetof(struct lle_prio_stats, member), \
		.size = sizeof_field(struct lle_prio_stats, member), \
	}).attr)
#define LLE_SYSFS_READ(file, function) \
	(&((struct lle_sysfs_attr) { \
		.attr = { .name = #file, .mode = 0444 }, \
		.read = (function), \
	}).attr)

#define LLE_SYSFS_FUNCTION(member, value) \
static u64 lle_sysfs_##member(struct lle_port *port, unsigned int prio) \
{ \
	struct lle_congestion c; \
\
	lle_congestion_report(port, prio, &c); \
	return value; \
}

LLE_SYSFS_FUNCTION(identified, c.identified)
LLE_SYSFS_FUNCTION(regions, c.regions)
LLE_SYSFS_FUNCTION(root_us, div_u64(c.root_ns, NSEC_PER_USEC))
LLE_SYSFS_FUNCTION(ids, c.ids)
LLE_SYSFS_FUNCTION(isolated, c.isolated_bytes)
LLE_SYSFS_FUNCTION(cn_sent, c.cn_sent)
LLE_SYSFS_FUNCTION(cn_received, c.cn_received)
LLE_SYSFS_FUNCTION(cn_ignored, c.cn_ignored)

static u64 lle_sysfs_deadlock_state(struct lle_port *port, unsigned int prio)
{
	return lle_deadlock_state_bytes(port);
}

static u64 lle_sysfs_deadlock_counter(struct lle_port *port, unsigned int prio)
{
	return lle_deadlock_counter_bytes(port);
}

static u64 lle_sysfs_headroom_short(struct lle_port *port, unsigned int prio)
{
	u32 missing;

	spin_lock_bh(&port->sw->lock);
	missing = lle_headroom_missing(port);
	spin_unlock_bh(&port->sw->lock);
	return missing;
}

static u64 lle_sysfs_unaccounted(struct lle_port *port, unsigned int prio)
{
	return lle_stats_peek(port->unaccounted.packets);
}

static u64 lle_sysfs_unaccounted_ifindex(struct lle_port *port,
					 unsigned int prio)
{
	return lle_stats_unaccounted_at(port);
}

#define LLE_SYSFS_COUNTER(file, member, attr) LLE_SYSFS_NAMED(file, member),
#define LLE_SYSFS_FILE(file, function) LLE_SYSFS_READ(file, function),

static struct attribute *lle_sysfs_attrs[] = {
	LLE_PRIO_COUNTERS(LLE_SYSFS_COUNTER)
	LLE_PRIO_FILES(LLE_SYSFS_FILE)
	NULL
};
ATTRIBUTE_GROUPS(lle_sysfs);

static struct attribute *lle_sysfs_root_attrs[] = {
	LLE_PORT_FILES(LLE_SYSFS_FILE)
	NULL
};
ATTRIBUTE_GROUPS(lle_sysfs_root);

static ssize_t lle_sysfs_show(struct kobject *kobj, struct attribute *attr,
			      char *buf)
{
	struct lle_sysfs_dir *p = container_of(kobj, struct lle_sysfs_dir, kobj);
	struct lle_sysfs_attr *a =
		container_of(attr, struct lle_sysfs_attr, attr);
	struct lle_prio_stats s;
	void *number = (void *)&s + a->offset;

	if (a->read)
		return sysfs_emit(buf, "%llu\n",
				  a->read(p->sysfs->port, p->prio));
	lle_stats_read(p->sysfs->port, p->prio, &s);
	return sysfs_emit(buf, "%llu\n",
			  a->size == sizeof(u8) ? *(u8 *)number : *(u64 *)number);
}

static const struct sysfs_ops lle_sysfs_ops = {
	.show = lle_sysfs_show,
};

static void lle_sysfs_release_root(struct kobject *kobj)
{
	kfree(container_of(kobj, struct lle_sysfs, root.kobj));
}

static const struct kobj_type lle_sysfs_root_type = {
	.sysfs_ops = &lle_sysfs_ops,
	.default_groups = lle_sysfs_root_groups,
	.release = lle_sysfs_release_root,
};

/* Drops the reference to @root, which holds the memory. */
static void lle_sysfs_release_prio(struct kobject *kobj)
{
	struct lle_sysfs_dir *p = container_of(kobj, struct lle_sysfs_dir, kobj);

	kobject_put(&p->sysfs->root.kobj);
}

static const struct kobj_type lle_sysfs_prio_type = {
	.sysfs_ops = &lle_sysfs_ops,
	.default_groups = lle_sysfs_groups,
	.release = lle_sysfs_release_prio,
};

static void lle_sysfs_put(struct lle_sysfs *sysfs, unsigned int prios)
{
	while (prios--) {
		kobject_del(&sysfs->prio[prios].kobj);
		kobject_put(&sysfs->prio[prios].kobj);
	}
	kobject_del(&sysfs->root.kobj);
	kobject_put(&sysfs->root.kobj);
}

/* Makes the directories of a port. RTNL. Return: 0 or an error of sysfs. */
int lle_sysfs_add(struct lle_port *port)
{
	struct lle_sysfs *sysfs;
	unsigned int i;
	int err;

	sysfs = kzalloc(sizeof(*sysfs), GFP_KERNEL);
	if (!sysfs)
		return -ENOMEM;
	sysfs->port = port;
	sysfs->root.sysfs = sysfs;

	err = kobject_init_and_add(&sysfs->root.kobj, &lle_sysfs_root_type,
				   &port->dev->dev.kobj, "lossless");
	if (err) {
		kobject_put(&sysfs->root.kobj);
		return err;
	}

	for (i = 0; i < LLE_NUM_PRIO; i++) {
		struct lle_sysfs_dir *p = &sysfs->prio[i];

		p->sysfs = sysfs;
		p->prio = i;
		kobject_get(&sysfs->root.kobj);
		err = kobject_init_and_add(&p->kobj, &lle_sysfs_prio_type,
					   &sysfs->root.kobj, "prio%u", i);
		if (err) {
			kobject_put(&p->kobj);
			lle_sysfs_put(sysfs, i);
			return err;
		}
	}

	port->sysfs = sysfs;
	return 0;
}

/* Removes the directories of a port. RTNL; waits for readers. */
void lle_sysfs_del(struct lle_port *port)
{
	lle_sysfs_put(port->sysfs, LLE_NUM_PRIO);
	port->sysfs = NULL;
}
