// SPDX-License-Identifier: GPL-2.0
/*
 * lle_planted.ko bug=NAME: planted bugs that a kernel must detect
 *
 *	race	two CPUs increment a plain variable
 *	grace	memory that RCU readers may still use is freed at once
 *	locks	two locks are taken in both orders
 *	freed	memory is read after it was freed
 *	bounds	a byte is written beyond the end
 *	leak	a pointer to memory is lost
 */
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/spinlock.h>

/* Least rounds of each thread, and the interval of its checks */
#define PLANTED_ROUNDS	10000
#define PLANTED_MS	2000

struct planted_box {
	unsigned int value;
};

static char *bug = "";
module_param(bug, charp, 0444);
MODULE_PARM_DESC(bug, "race, grace, locks, freed, bounds or leak");

/* Both threads run at once, for rounds, as a busy CPU is slow. */
static int planted_together(int (*one)(void *), int (*other)(void *))
{
	struct task_struct *a, *b;
	atomic_t rounds_a = ATOMIC_INIT(0);
	atomic_t rounds_b = ATOMIC_INIT(0);

	a = kthread_create(one, &rounds_a, "planted_a");
	if (IS_ERR(a))
		return PTR_ERR(a);
	b = kthread_create(other, &rounds_b, "planted_b");
	if (IS_ERR(b)) {
		kthread_stop(a);
		return PTR_ERR(b);
	}
	kthread_bind(a, cpumask_first(cpu_online_mask));
	kthread_bind(b, cpumask_last(cpu_online_mask));
	wake_up_process(a);
	wake_up_process(b);
	do {
		msleep(PLANTED_MS);
	} while (atomic_read(&rounds_a) < PLANTED_ROUNDS ||
		 atomic_read(&rounds_b) < PLANTED_ROUNDS);
	kthread_stop(a);
	kthread_stop(b);
	return 0;
}

static unsigned int planted_counter;

static int planted_count(void *rounds)
{
	while (!kthread_should_stop()) {
		planted_counter++;
		atomic_inc(rounds);
		cond_resched();
	}
	return 0;
}

static int planted_race(void)
{
	return planted_together(planted_count, planted_count);
}

static struct planted_box __rcu *planted_shared;

static int planted_read(void *rounds)
{
	struct planted_box *box;
	unsigned int i;

	while (!kthread_should_stop()) {
		rcu_read_lock();
		box = rcu_dereference(planted_shared);
		for (i = 0; box && i < 100; i++)
			READ_ONCE(box->value);
		rcu_read_unlock();
		atomic_inc(rounds);
		cond_resched();
	}
	return 0;
}

static int planted_replace(void *rounds)
{
	struct planted_box *box;

	while (!kthread_should_stop()) {
		box = kzalloc(sizeof(*box), GFP_KERNEL);
		kfree(rcu_replace_pointer(planted_shared, box, true));
		atomic_inc(rounds);
		cond_resched();
	}
	return 0;
}

static int planted_grace(void)
{
	int err = planted_together(planted_read, planted_replace);

	kfree(rcu_replace_pointer(planted_shared, NULL, true));
	return err;
}

static DEFINE_SPINLOCK(planted_lock_a);
static DEFINE_SPINLOCK(planted_lock_b);

static noinline int planted_locks(void)
{
	spin_lock(&planted_lock_a);
	spin_lock(&planted_lock_b);
	spin_unlock(&planted_lock_b);
	spin_unlock(&planted_lock_a);

	spin_lock(&planted_lock_b);
	spin_lock(&planted_lock_a);
	spin_unlock(&planted_lock_a);
	spin_unlock(&planted_lock_b);
	return 0;
}

static noinline int planted_freed(void)
{
	struct planted_box *box = kzalloc(sizeof(*box), GFP_KERNEL);
	struct planted_box *alias = box;

	/* hides the bug from the compiler */
	OPTIMIZER_HIDE_VAR(alias);
	kfree(box);
	if (alias)
		READ_ONCE(alias->value);
	return 0;
}

static noinline int planted_bounds(void)
{
	size_t size = 13;
	u8 *bytes = kmalloc(size, GFP_KERNEL);

	OPTIMIZER_HIDE_VAR(size);
	if (bytes)
		bytes[size] = 1;
	kfree(bytes);
	return 0;
}

static noinline int planted_leak(void)
{
	struct planted_box *box = kzalloc(sizeof(*box), GFP_KERNEL);

	OPTIMIZER_HIDE_VAR(box);
	return 0;
}

static int __init planted_init(void)
{
	if (!strcmp(bug, "race"))
		return planted_race();
	if (!strcmp(bug, "grace"))
		return planted_grace();
	if (!strcmp(bug, "locks"))
		return planted_locks();
	if (!strcmp(bug, "freed"))
		return planted_freed();
	if (!strcmp(bug, "bounds"))
		return planted_bounds();
	if (!strcmp(bug, "leak"))
		return planted_leak();
	return -EINVAL;
}

static void __exit planted_exit(void)
{
}

module_init(planted_init);
module_exit(planted_exit);

MODULE_DESCRIPTION("Linux Lossless Ethernet: bugs made on purpose, for tests");
MODULE_LICENSE("GPL");
