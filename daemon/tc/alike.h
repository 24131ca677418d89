/* SPDX-License-Identifier: GPL-2.0 */
/* "Did you mean": the known word that is nearest to a wrong one. */
#ifndef LLE_ALIKE_H
#define LLE_ALIKE_H

#include <stdbool.h>
#include <string.h>

/* Words that differ in this number of letters are not similar. */
#define LLE_ALIKE	3

/* @left: number of letters that may be inserted, removed or changed */
static inline bool lle_alike(const char *a, const char *b, unsigned int left)
{
	while (*a && *a == *b)
		a++, b++;
	if (!*a && !*b)
		return true;
	return left-- && ((*a && lle_alike(a + 1, b, left)) ||
			  (*b && lle_alike(a, b + 1, left)) ||
			  (*a && *b && lle_alike(a + 1, b + 1, left)));
}

/*
 * @letters: letters that differ in the nearest name so far; LLE_ALIKE at first.
 * Return: @name is nearer, and not all letters of @word differ
 */
static inline bool lle_nearer(const char *word, const char *name, unsigned int *letters)
{
	for (unsigned int n = 0; n < *letters && n < strlen(word); n++) {
		if (!lle_alike(word, name, n))
			continue;
		*letters = n;
		return true;
	}
	return false;
}

#endif /* LLE_ALIKE_H */
