/* SPDX-License-Identifier: GPL-2.0 */
/* "Did you mean": the known word that is nearest to a wrong one. */
#ifndef LLE_ALIKE_H
#define LLE_ALIKE_H

#include <stdbool.h>
#include <string.h>

/* Words that differ in this number of letters are not similar. */
#define LLE_ALIKE	3

/* Does a word become another one if at most @left letters come, go or change? */
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

/**
 * lle_nearer() - is a known word nearer to a wrong one than those before?
 * @word: the wrong word
 * @name: the known word
 * @letters: number of letters that differ in the nearest so far; LLE_ALIKE at first
 *
 * A word of which all letters differ is not similar.
 *
 * Return: true: @name is the nearest so far.
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
