// SPDX-License-Identifier: GPL-2.0
/*
 * Marks the beginning or the end of what plugin.c counts.
 *
 * Usage: mark begin|end
 *        mark range FIRST LAST		addresses of a module, in hexadecimal
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Executes nopl with the lower halves of two addresses as displacements. */
static int range(uint32_t first, uint32_t last)
{
	uint8_t code[] = { 0x0f, 0x1f, 0x84, 0x60, 0, 0, 0, 0,
			   0x0f, 0x1f, 0x84, 0xa0, 0, 0, 0, 0, 0xc3 };
	void *page = mmap(NULL, sizeof(code), PROT_READ | PROT_WRITE | PROT_EXEC,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (page == MAP_FAILED)
		return perror("mark"), 1;
	memcpy(code + 4, &first, sizeof(first));
	memcpy(code + 12, &last, sizeof(last));
	memcpy(page, code, sizeof(code));
	((void (*)(void))page)();
	return 0;
}

int main(int argc, char **argv)
{
	/* nopl with a displacement that compilers do not emit */
	if (argc == 2 && !strcmp(argv[1], "begin"))
		asm volatile(".byte 0x0f, 0x1f, 0x84, 0x00, 0xef, 0xbe, 0xad, 0xde");
	else if (argc == 2 && !strcmp(argv[1], "end"))
		asm volatile(".byte 0x0f, 0x1f, 0x84, 0x00, 0xee, 0xbe, 0xad, 0xde");
	else if (argc == 4 && !strcmp(argv[1], "range"))
		return range(strtoull(argv[2], NULL, 16), strtoull(argv[3], NULL, 16));
	else
		return fprintf(stderr, "usage: mark begin|end|range FIRST LAST\n"), 2;
	return 0;
}
