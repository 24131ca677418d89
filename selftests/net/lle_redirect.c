// SPDX-License-Identifier: GPL-2.0
/*
 * Pins a BPF program that redirects all packets: lle_redirect PATH IFINDEX [xdp],
 * for "tc filter ... bpf da object-pinned" or "ip link ... xdp pinned".
 */
#include <errno.h>
#include <linux/bpf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static long bpf(int cmd, union bpf_attr *attr)
{
	return syscall(__NR_bpf, cmd, attr, sizeof(*attr));
}

int main(int argc, char **argv)
{
	/* return bpf_redirect(IFINDEX, 0); */
	struct bpf_insn insns[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_1 },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_2 },
		{ .code = BPF_JMP | BPF_CALL, .imm = BPF_FUNC_redirect },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	union bpf_attr load = {
		.prog_type = argc == 4 ? BPF_PROG_TYPE_XDP : BPF_PROG_TYPE_SCHED_CLS,
		.insns = (uintptr_t)insns,
		.insn_cnt = sizeof(insns) / sizeof(insns[0]),
		.license = (uintptr_t)"GPL",
	};
	union bpf_attr pin = {};
	long fd;

	if (argc < 3)
		return 1;
	insns[0].imm = atoi(argv[2]);
	fd = bpf(BPF_PROG_LOAD, &load);
	pin.pathname = (uintptr_t)argv[1];
	pin.bpf_fd = fd;
	if (fd < 0 || bpf(BPF_OBJ_PIN, &pin)) {
		fprintf(stderr, "lle_redirect: %s\n", strerror(errno));
		return 1;
	}
	return 0;
}
