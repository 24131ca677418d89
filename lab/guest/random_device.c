// SPDX-License-Identifier: GPL-2.0
/*
 * Preloaded by the scenario run: std::random_device of libstdc++ reads RDRAND,
 * which no kernel can make a function of the seed. Let it ask the kernel.
 */
#include <sys/random.h>

/* unsigned int std::random_device::_M_getval() */
unsigned int _ZNSt13random_device9_M_getvalEv(void *device);

unsigned int _ZNSt13random_device9_M_getvalEv(void *device)
{
	unsigned int value;

	(void)device;
	while (getrandom(&value, sizeof(value), 0) != sizeof(value))
		;
	return value;
}
