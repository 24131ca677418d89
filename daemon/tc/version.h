/* SPDX-License-Identifier: GPL-2.0 */
/* Compares the version of the loaded modules with that of a program. */
#ifndef LLE_VERSION_H
#define LLE_VERSION_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define LLE_VERSION_LEN	32

/* Puts the version of the loaded modules into @version. False: they report none. */
static inline bool lle_version_loaded(char version[static LLE_VERSION_LEN])
{
	FILE *f = fopen("/sys/module/lossless/version", "re");
	bool read = f && fscanf(f, "%31s", version) == 1;

	if (f)
		fclose(f);
	return read;
}

/* Since 0.3, numbers of netlink attributes stay. Return: why not to talk, or NULL */
static inline const char *lle_version_refused(void)
{
	unsigned int major, minor;
	static char text[192];
	char version[LLE_VERSION_LEN];

	if (!lle_version_loaded(version) ||
	    sscanf(version, "%u.%u", &major, &minor) != 2 || major || minor >= 3)
		return NULL;
	snprintf(text, sizeof(text),
		 "the module lossless has version %s, with other netlink attributes than "
		 LLE_VERSION ": restart the machine, or see guide/upgrade.rst", version);
	return text;
}

/* Return: a warning; NULL: same version, or the modules report none */
static inline const char *lle_version_differs(void)
{
	static char text[192];
	char version[LLE_VERSION_LEN];

	if (!lle_version_loaded(version) || !strcmp(version, LLE_VERSION))
		return NULL;
	snprintf(text, sizeof(text), "the module lossless has version %s, this program "
		 LLE_VERSION ": install one version of both, then run losslessctl reload or restart the machine",
		 version);
	return text;
}

#endif /* LLE_VERSION_H */
