// SPDX-License-Identifier: GPL-2.0
/*
 * A plugin of qemu (TCG, 7.2 and later) that counts what a guest executes
 * between two marks: instructions by address, and the cache lines that some of
 * them load and store.
 *
 *	-plugin plugin.so,out=PREFIX[,calls=on][,lines=FIRST-LAST]...
 *
 * lines: loads and stores are counted of instructions from the first to the last
 * address, in hexadecimal. calls: instructions are counted of the module at
 * the addresses that the guest marks, with the functions that it calls.
 *
 * The guest marks with instructions that do nothing else, see mark.c. Each
 * second mark writes PREFIX.0, PREFIX.1 and so on:
 *
 *	total INSTRUCTIONS
 *	calls INSTRUCTIONS			of that module, and what it calls
 *	block ADDRESS EXECUTED OFFSET...	one offset for each instruction
 *	line ADDRESS PAGE LOADS STORES		PAGE: number of the page that
 *						has the instructions
 *
 * qemu's header is not packaged with it, so what is used of it is declared here.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct qemu_plugin_tb;
struct qemu_plugin_insn;
struct qemu_info;

#define EXPORT		__attribute__((visibility("default")))
#define INLINE_ADD_U64	0
#define CB_NO_REGS	0
#define MEM_RW		3

size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
uint64_t qemu_plugin_tb_vaddr(const struct qemu_plugin_tb *tb);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb,
						 size_t idx);
const void *qemu_plugin_insn_data(const struct qemu_plugin_insn *insn);
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *insn);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *insn);
void qemu_plugin_register_vcpu_tb_trans_cb(uint64_t id,
					   void (*cb)(uint64_t id, struct qemu_plugin_tb *tb));
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *tb,
					  void (*cb)(unsigned int cpu, void *priv),
					  int flags, void *priv);
void qemu_plugin_register_vcpu_tb_exec_inline(struct qemu_plugin_tb *tb, int op,
					      void *ptr, uint64_t imm);
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *insn,
					    void (*cb)(unsigned int cpu, void *priv),
					    int flags, void *priv);
void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *insn,
				      void (*cb)(unsigned int cpu, uint32_t info,
						 uint64_t addr, void *priv),
				      int flags, int rw, void *priv);
bool qemu_plugin_mem_is_store(uint32_t info);

EXPORT int qemu_plugin_version = 1;

/* a translated block */
struct block {
	struct block *next;
	uint64_t addr;
	uint64_t executed;
	bool leaves;		/* ends with a return or a jump */
	size_t count;
	uint32_t offset[];
};

/* accesses to a cache line by the instructions of a page */
struct line {
	uint64_t addr;
	uint64_t page;
	uint64_t loads;
	uint64_t stores;
};

#define LINES	(1 << 20)
#define RANGES	4

static struct block *blocks;
static struct line *lines;
static struct {
	uint64_t first, last;
} ranges[RANGES];
static unsigned int num_ranges;
static struct {
	bool wanted;
	uint64_t first, last;	/* of the module */
	uint64_t executed;
	bool inside;		/* the module executes, or what it has called */
	bool leaves;		/* its last block may have returned to its caller */
} calls;
static const char *out = "profile";

static void zero(unsigned int cpu, void *priv)
{
	struct block *b;

	(void)cpu, (void)priv;
	for (b = blocks; b; b = b->next)
		b->executed = 0;
	calls.executed = 0;
	if (lines)
		memset(lines, 0, LINES * sizeof(*lines));
}

static void dump(unsigned int cpu, void *priv)
{
	static unsigned int number;
	uint64_t total = 0;
	struct block *b;
	char name[4096];
	size_t i;
	FILE *f;

	(void)cpu, (void)priv;
	snprintf(name, sizeof(name), "%s.%u", out, number++);
	f = fopen(name, "w");
	if (!f) {
		perror(name);
		exit(1);
	}
	for (b = blocks; b; b = b->next) {
		if (!b->executed)
			continue;
		total += b->executed * b->count;
		fprintf(f, "block %" PRIx64 " %" PRIu64, b->addr, b->executed);
		for (i = 0; i < b->count; i++)
			fprintf(f, " %x", b->offset[i]);
		fputc('\n', f);
	}
	for (i = 0; lines && i < LINES; i++)
		if (lines[i].addr)
			fprintf(f, "line %" PRIx64 " %" PRIx64 " %" PRIu64 " %" PRIu64 "\n",
				lines[i].addr, lines[i].page, lines[i].loads,
				lines[i].stores);
	fprintf(f, "total %" PRIu64 "\n", total);
	if (calls.wanted)
		fprintf(f, "calls %" PRIu64 "\n", calls.executed);
	fclose(f);
}

static void access(unsigned int cpu, uint32_t info, uint64_t addr, void *priv)
{
	uint64_t page = (uintptr_t)priv, line = addr & ~63ull;
	size_t i = (line ^ page << 20) * 0x9e3779b97f4a7c15ull >> 44;

	(void)cpu;
	while (lines[i].addr && (lines[i].addr != line || lines[i].page != page))
		i = (i + 1) % LINES;
	lines[i].addr = line;
	lines[i].page = page;
	if (qemu_plugin_mem_is_store(info))
		lines[i].stores++;
	else
		lines[i].loads++;
}

/*
 * A block executes. Outside of the module it is one that the module has called,
 * unless the block before was in the module and has left it.
 */
static void block_begins(unsigned int cpu, void *priv)
{
	const struct block *b = priv;
	bool in = b->addr >= calls.first && b->addr <= calls.last;

	(void)cpu;
	calls.inside = in || (calls.inside && !calls.leaves);
	calls.leaves = in && b->leaves;
	if (calls.inside)
		calls.executed += b->count;
}

/* Is it a return, or a jump without a condition? */
static bool insn_leaves(const struct qemu_plugin_insn *insn)
{
	const uint8_t *data = qemu_plugin_insn_data(insn);

	return data[0] == 0xc3 || data[0] == 0xe9 || data[0] == 0xeb ||
	       (data[0] == 0xff && (data[1] & 0x38) == 0x20);
}

/* The addresses of modules have these upper halves. */
static uint64_t module_address(const uint8_t *lower)
{
	uint32_t low;

	memcpy(&low, lower, sizeof(low));
	return 0xffffffff00000000ull | low;
}

/* Is it a mark? Its fourth and fifth bytes say which. */
static void look_for_mark(struct qemu_plugin_insn *insn)
{
	static const uint8_t mark[] = { 0x0f, 0x1f, 0x84, 0, 0, 0xbe, 0xad, 0xde };
	const uint8_t *data = qemu_plugin_insn_data(insn);

	if (qemu_plugin_insn_size(insn) == sizeof(mark) && !memcmp(data, mark, 3)) {
		if (data[3] == 0x60)
			calls.first = module_address(data + 4);
		else if (data[3] == 0xa0)
			calls.last = module_address(data + 4);
	}

	if (qemu_plugin_insn_size(insn) != sizeof(mark) ||
	    memcmp(data, mark, 4) || memcmp(data + 5, mark + 5, 3))
		return;
	if (data[4] == 0xef)
		qemu_plugin_register_vcpu_insn_exec_cb(insn, zero, CB_NO_REGS, NULL);
	else if (data[4] == 0xee)
		qemu_plugin_register_vcpu_insn_exec_cb(insn, dump, CB_NO_REGS, NULL);
}

static bool is_counted(uint64_t addr)
{
	unsigned int i;

	for (i = 0; i < num_ranges; i++)
		if (addr >= ranges[i].first && addr <= ranges[i].last)
			return true;
	return false;
}

static void translated(uint64_t id, struct qemu_plugin_tb *tb)
{
	size_t n = qemu_plugin_tb_n_insns(tb), i;
	struct block *b = calloc(1, sizeof(*b) + n * sizeof(b->offset[0]));
	uint64_t addr;

	(void)id;
	if (!b)
		exit(1);
	b->addr = qemu_plugin_tb_vaddr(tb);
	b->count = n;
	b->leaves = insn_leaves(qemu_plugin_tb_get_insn(tb, n - 1));
	b->next = blocks;
	blocks = b;
	for (i = 0; i < n; i++) {
		struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);

		addr = qemu_plugin_insn_vaddr(insn);
		b->offset[i] = addr - b->addr;
		look_for_mark(insn);
		if (is_counted(addr))
			qemu_plugin_register_vcpu_mem_cb(insn, access, CB_NO_REGS, MEM_RW,
							 (void *)(uintptr_t)(addr >> 12));
	}
	qemu_plugin_register_vcpu_tb_exec_inline(tb, INLINE_ADD_U64, &b->executed, 1);
	if (calls.wanted)
		qemu_plugin_register_vcpu_tb_exec_cb(tb, block_begins, CB_NO_REGS, b);
}

EXPORT int qemu_plugin_install(uint64_t id, const struct qemu_info *info, int argc,
			       char **argv)
{
	int i;

	(void)info;
	for (i = 0; i < argc; i++) {
		if (!strncmp(argv[i], "out=", 4)) {
			out = strdup(argv[i] + 4);
		} else if (!strcmp(argv[i], "calls=on")) {
			calls.wanted = true;
		} else if (num_ranges < RANGES &&
			   sscanf(argv[i], "lines=%" SCNx64 "-%" SCNx64,
				  &ranges[num_ranges].first, &ranges[num_ranges].last) == 2) {
			num_ranges++;
			if (!lines)
				lines = calloc(LINES, sizeof(*lines));
		} else {
			fprintf(stderr, "plugin: %s?\n", argv[i]);
			return 1;
		}
	}
	qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
	return 0;
}
