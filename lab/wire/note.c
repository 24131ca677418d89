// SPDX-License-Identifier: GPL-2.0
/*
 * Messages between processes of all parts: a program that runs in each part,
 * and decides by the state of the whole network, must decide the same in all.
 *
 * File lle_wire/N in debugfs has the last message of part N. A process of part
 * N writes it at once. It is in all other parts at the next barrier, at most a
 * wire's minimum delay later: a process that sleeps for longer reads it at the
 * same virtual time in each run.
 */
#include <linux/debugfs.h>
#include <linux/module.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>

#include "shared.h"
#include "wire.h"

/* Maximum bytes of a message, and of one frame */
#define WIRE_NOTE_MAX	(4U << 20)
#define WIRE_NOTE_CHUNK	(16U << 10)

/* Last message of a part; @data has room for %WIRE_NOTE_MAX */
struct wire_note {
	u32 len;
	u8 *data;
};

static struct wire_note wire_note[WIRE_PARTS];
static unsigned int wire_note_parts;
static struct dentry *wire_note_dir;

/*
 * Takes a piece of another part's message; @at: its place in the ring. f->bytes
 * is its place in the message; 0 begins one. Interrupts are off.
 */
void wire_note_receive(unsigned int from, const struct wire_ring *ring, u64 at,
		       const struct wire_frame *f)
{
	struct wire_note *note = &wire_note[from - 1];

	wire_ring_read(ring, at, note->data + f->bytes, f->len);
	note->len = f->bytes + f->len;
}

static ssize_t wire_note_read(struct file *file, char __user *data, size_t len, loff_t *pos)
{
	const struct wire_note *note = file->private_data;

	return simple_read_from_buffer(data, len, pos, note->data, note->len);
}

static ssize_t wire_note_write(struct file *file, const char __user *data, size_t len,
			       loff_t *pos)
{
	struct wire_note *note = file->private_data;
	u32 at, chunk;

	if (!wire_part_is(note - wire_note + 1))
		return -EPERM;
	if (!len || len > WIRE_NOTE_MAX)
		return -EFBIG;
	if (copy_from_user(note->data, data, len))
		return -EFAULT;
	note->len = len;
	for (at = 0; at < len; at += chunk) {
		chunk = min_t(u32, len - at, WIRE_NOTE_CHUNK);
		wire_part_tell(note->data + at, chunk, at);
	}
	return len;
}

static const struct file_operations wire_note_fops = {
	.owner = THIS_MODULE,
	.open = simple_open,
	.read = wire_note_read,
	.write = wire_note_write,
};

/* @parts: 0: one kernel. Return: 0 or -ENOMEM. */
int wire_note_init(unsigned int parts)
{
	char name[8];

	wire_note_dir = debugfs_create_dir("lle_wire", NULL);
	while (wire_note_parts < parts) {
		struct wire_note *note = &wire_note[wire_note_parts++];

		note->data = vzalloc(WIRE_NOTE_MAX);
		if (!note->data)
			return -ENOMEM;
		snprintf(name, sizeof(name), "%u", wire_note_parts);
		debugfs_create_file(name, 0600, wire_note_dir, note, &wire_note_fops);
	}
	return 0;
}

void wire_note_exit(void)
{
	debugfs_remove(wire_note_dir);
	while (wire_note_parts)
		vfree(wire_note[--wire_note_parts].data);
}
