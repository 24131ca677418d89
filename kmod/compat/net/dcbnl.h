/* SPDX-License-Identifier: GPL-2.0 */
#include_next <net/dcbnl.h>

/* Rewriting of priorities, since 6.3: @set refuses to add and to delete. */
#ifdef LLE_HAVE_DCB_REWR
#define LLE_DCB_REWR(set) .dcbnl_setrewr = (set), .dcbnl_delrewr = (set),
#else
#define LLE_DCB_REWR(set)
#endif
