/* SPDX-License-Identifier: GPL-2.0 */
/* Shared by the fuzz targets: reads numbers from a string of bytes. */
#ifndef LLE_FUZZ_H
#define LLE_FUZZ_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "../../kmod/core/user.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct fuzz {
	const u8 *data;
	size_t left;
};

/* Returns the next number of up to 8 bytes, zeros beyond the end. */
static inline u64 fuzz_get(struct fuzz *f, unsigned int bytes)
{
	u64 number = 0;

	for (; bytes; bytes--) {
		number <<= 8;
		if (!f->left)
			continue;
		number |= *f->data++;
		f->left--;
	}
	return number;
}

/* An invariant: the fuzzer reports the input that violates it. */
#define check(cond) do {						\
	if (!(cond)) {							\
		fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__,	\
			#cond);						\
		abort();						\
	}								\
} while (0)

#endif /* LLE_FUZZ_H */
