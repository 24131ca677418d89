// SPDX-License-Identifier: GPL-2.0
/*
 * Marks the beginning or the end of what plugin.c counts.
 *
 * Usage: mark begin|end
 */
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
	/* nopl with a displacement that compilers do not emit */
	if (argc == 2 && !strcmp(argv[1], "begin"))
		asm volatile(".byte 0x0f, 0x1f, 0x84, 0x00, 0xef, 0xbe, 0xad, 0xde");
	else if (argc == 2 && !strcmp(argv[1], "end"))
		asm volatile(".byte 0x0f, 0x1f, 0x84, 0x00, 0xee, 0xbe, 0xad, 0xde");
	else
		return fprintf(stderr, "usage: mark begin|end\n"), 2;
	return 0;
}
