/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Deadlock detection in all interleavings of a small network: exact_events.h runs
 * the code of kmod/core/deadlock/ as it is; this file chooses what happens next.
 * What makes two states equal is a digest of 128 bits.
 */
c_decl { \#include "exact_events.h" };
c_track "&net" "sizeof(net)" "UnMatched";
c_track "key" "sizeof(key)" "Matched";

#define MAY(event, l) \
	:: d_step { c_expr { l < LINKS && net.may.event[l] } -> c_code { do_##event(l); } }
#define EACH(event) \
	MAY(event, 0) MAY(event, 1) MAY(event, 2) MAY(event, 3) MAY(event, 4) MAY(event, 5)
#define MAY2(event, l, e) \
	:: d_step { c_expr { l < LINKS && e <= LINKS && net.may.event[l][e] } -> \
		    c_code { do_##event(l, e); } }
#define TO(event, l) \
	MAY2(event, l, 0) MAY2(event, l, 1) MAY2(event, l, 2) MAY2(event, l, 3) \
	MAY2(event, l, 4) MAY2(event, l, 5) MAY2(event, l, 6)
#define EACH2(event) \
	TO(event, 0) TO(event, 1) TO(event, 2) TO(event, 3) TO(event, 4) TO(event, 5)

init {
	c_code { atexit(report); net_init(); };
	do
	EACH(drain)
	EACH2(arrive)
	EACH2(send)
	EACH(inject)
	EACH(emit)
	EACH(hear)
	EACH(lose)
	EACH(refresh)
	EACH(timer)
	EACH(expire)
	EACH(relieve)
	EACH(storm)
	MAY(tick, 0)
	:: c_expr { net.may.ended } -> break
	od;
	c_code [!is_wrong()] { ; }
}
