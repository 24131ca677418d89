/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Loans of the shared buffer, in all interleavings of egress ports that send
 * packets of one priority group: kmod/core/buffer/credit.{h,c} and what the
 * switch's lock protects in sb.c and admit.c. A packet has one byte.
 *
 * Each line is atomic, as is each atomic operation of the kernel; the barriers
 * that credit.c lists make the order of lines the order that other CPUs see.
 *
 * BUG_*: what must not be left out or reordered.
 *
 * Checked: shared bytes and loans never exceed the buffer; no byte is lost; when
 * no packet is on its way through, the group is paused if and only if it has to
 * be; after the last packet it is not paused.
 */
#ifndef PORTS
#define PORTS	2	/* egress ports */
#endif
#define PACKETS	3	/* of each */
#define SIZE	7	/* shared bytes */
#define XOFF	4	/* shared bytes of a group that is paused */
#ifndef XON
#define XON	1	/* bytes at which it is resumed */
#endif
#define LOAN	2

int shared, headroom, used, published;
int credit[PORTS];
byte keep[PORTS];
bool careful, xoff, lock;
byte busy, ended;

inline take_lock() { atomic { !lock -> lock = true } }
inline check_used() { assert(used <= SIZE && used >= 0) }

/* Take the loan of port p back. */
inline take_back(p)
{
#ifdef BUG_LOAN_ORDER
	d_step { used = used - credit[p]; credit[p] = 0 };
	keep[p] = 0
#else
	keep[p] = 0;
	d_step { used = used - credit[p]; credit[p] = 0 }
#endif
}

inline reclaim()
{
	i = 0;
	do
	:: i < PORTS -> take_back(i); i++
	:: else -> break
	od;
	published = 0
}

inline check_xon()
{
	if
	:: xoff && shared + headroom <= XON -> xoff = false; careful = (headroom > 0)
	:: else
	fi
}

/* lle_sb_admit() and lle_port_lend() */
inline admit_locked()
{
	take_lock();
#ifndef BUG_NO_SETTLE
	if
	:: keep[me] == 0 -> take_back(me)
	:: else
	fi;
#endif
#ifdef BUG_CHECK_FIRST
	s = shared + 1;
#else
	d_step { shared++; s = shared };
#endif
	if
	:: s < XOFF && used + 1 < SIZE ->
#ifdef BUG_CHECK_FIRST
		shared++;
#endif
		used++; check_used();
		if
		:: published > 0 -> published = SIZE - used
		:: else
		fi;
		if
		:: !careful && SIZE - used >= LOAN && credit[me] < LOAN ->
			d_step {
				used = used + LOAN - credit[me];
				published = SIZE - used;
				credit[me] = LOAN
			}
			check_used();
			keep[me] = LOAN
		:: else
		fi
	:: else ->
#ifndef BUG_CHECK_FIRST
		shared--;
#endif
		s = shared;
#ifndef BUG_NO_RECLAIM
		if
		:: s + 1 < XOFF && used + 1 < SIZE
		:: else -> reclaim()
		fi;
#endif
		if
		:: s < XOFF && used < SIZE -> used++; check_used(); shared++
		:: else -> headroom++
		fi;
		if
		:: !xoff && (headroom > 0 || shared >= XOFF) ->
#ifndef BUG_NO_RECLAIM_XOFF
			reclaim();
#endif
			if
			:: headroom > 0 || shared >= XOFF -> xoff = true
			:: else
			fi
		:: else
		fi;
		careful = (xoff || headroom > 0)
	fi;
	lock = false
}

/* lle_admit() */
inline admit()
{
	if
	:: careful -> goto slow
	:: else
	fi;
	d_step { credit[me]--; c = credit[me] }
	if
	:: c < 0 -> credit[me]++; goto slow
	:: else
	fi;
	d_step { shared++; s = shared }
	if
	:: s < XOFF && published > 0 -> goto admitted
	:: else
	fi;
	shared--;
	credit[me]++;
slow:
	admit_locked();
admitted:
	skip
}

/* lle_admit_release_locked() of a packet that is still charged */
inline release_locked()
{
	take_lock();
	if
	:: headroom > 0 -> headroom--
	:: else -> shared--; used--; check_used()
	fi;
	careful = (xoff || headroom > 0);
	check_xon();
	lock = false
}

/* lle_credit_recheck() */
inline look()
{
	take_lock();
	if
	:: keep[me] == 0 -> take_back(me)
	:: keep[me] > 0 && credit[me] > keep[me] ->
		used = used - (credit[me] - keep[me]);
		credit[me] = keep[me]
	:: else
	fi;
	check_used();
	check_xon();
	lock = false
}

/* lle_admit_release() */
inline release()
{
	k = keep[me];
	if
	:: careful || k == 0 -> release_locked(); goto released
	:: else
	fi;
	shared--;
	d_step { credit[me]++; c = credit[me] }
	if
#ifndef BUG_NO_LOOK
	:: keep[me] == 0 || c > 2 * k -> look()
#endif
	:: else
	fi;
released:
	skip
}

/* Nothing is between two lines: is the group paused as it has to be? */
inline check_quiet()
{
	atomic {
		busy--;
		assert(busy > 0 || xoff || (headroom == 0 && shared < XOFF));
		assert(busy > 0 || !xoff || shared + headroom > XON)
	}
}

proctype port(byte me)
{
	byte arrived, queued, i, k;
	int c, s;

	do
	:: arrived < PACKETS -> busy++; admit(); arrived++; queued++; check_quiet()
	:: queued > 0 -> busy++; release(); queued--; check_quiet()
	:: arrived == PACKETS && queued == 0 -> break
	od;
	ended++
}

init
{
	byte p, i;

	atomic {
		do
		:: p < PORTS -> run port(p); p++
		:: else -> break
		od
	}
	ended == PORTS;
	assert(!xoff && !careful && shared == 0 && headroom == 0);
	p = 0;
	do
	:: p < PORTS -> assert(keep[p] > 0 || credit[p] == 0); p++
	:: else -> break
	od;
	reclaim();
	assert(used == 0)
}
