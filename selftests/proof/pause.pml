/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A paused link in all orders of events: pause_link.h runs the code of kmod/core/
 * as it is; this file chooses what happens next.
 *
 * Checked: no packet is dropped with the computed headroom; the sender is paused
 * in time, and without a gap; a pause ends in time; the watchdog declares a storm,
 * and its end, on time.
 */
c_decl { \#include "pause_link.h" };
c_track "&link_" "sizeof(link_)" "UnMatched";
c_track "key" "sizeof(key)" "Matched";

#define MAY(event, if, how) \
	:: d_step { c_expr { link_.if } -> c_code { do_##event(how); } }

init {
	c_code { atexit(report); link_init(); };
	do
	MAY(send, send[0], 0)
	MAY(send, send[1], 1)
	MAY(reply, reply[0], 0)
	MAY(reply, reply[1], 1)
	MAY(drain, drain, 0)
	MAY(take, take, 0)
	MAY(lose, lose, 0)
	:: d_step { c_expr { !link_.halted } -> c_code { do_tick(0); } }
	:: c_expr { link_.halted } -> break
	od;
	c_code [!is_wrong()] { ; }
}
