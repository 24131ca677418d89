// SPDX-License-Identifier: GPL-2.0
/* Results of dumps: lists that grow. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "request.h"

/* Return: a new item, zeros, that is counted already; NULL: no memory */
void *lle_nl_list_add(struct lle_nl_list *l)
{
	/* full: grow to the next power of two */
	if (!(l->num & (l->num - 1))) {
		size_t room = l->num ? 2 * (size_t)l->num : 1;
		char *items = reallocarray(l->items, room, l->size);

		if (!items)
			return NULL;
		l->items = items;
	}
	return memset(l->items + l->num++ * l->size, 0, l->size);
}

/* Drops items until @num are left. */
static void lle_nl_list_cut(struct lle_nl_list *l, int num)
{
	while (l->num > num) {
		l->num--;
		if (l->drop)
			l->drop(l->items + l->num * l->size);
	}
}

/* Return: @err, with the list freed; or the number of items, which @result gets */
int lle_nl_list_end(struct lle_nl_list *l, int err, void *result)
{
	if (err) {
		lle_nl_list_cut(l, 0);
		free(l->items);
		return err;
	}
	if (l->num && l->compare)
		qsort(l->items, l->num, l->size, l->compare);
	*(void **)result = l->items;
	return l->num;
}

/* Adds the answers to a dump of another netlink family; changes may interrupt it. */
int lle_nl_list_dump(struct lle_nl_list *l, struct lle_nl *nl, int protocol, int type,
		     const void *head, size_t bytes, lle_nl_answer *take)
{
	int err = -EINTR, before = l->num;

	for (int i = 0; i < LLE_NL_DUMPS && err == -EINTR; i++) {
		lle_nl_list_cut(l, before);
		lle_nl_about(nl, "%s", l->what);
		err = lle_nl_talk_to(nl, protocol, lle_nl_message(type, NLM_F_DUMP, head, bytes),
				     take, l);
	}
	return err;
}
