#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Tests what scripts/upstream/slicer.py leaves of a file.

Usage: slicer_test.py

Exit status: 0; 1 a line differs.
"""
import os
import sys

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path.insert(0, os.path.join(HERE, "../../scripts/upstream"))
import slicer  # noqa: E402

WHOLE = """\
#include "here.h"
#include "gone.h"

/**
 * struct box - a box
 * @kept: stays
 * @lid: goes,
 *	with its second line
 */
struct box {
	int kept;
	struct gone *lid;
};

/* unused without gone_a() */
static int helper(int a)
{
	return a + 1;
}

int run(struct box *box, int b, struct gone *gone)
{
	int c = gone_a(helper(b));

	if (box->lid && b)
		return 1;
	else if (b & gone_a(1))
		b++;
	else
		b--;
	switch (b) {
	case GONE_B:
		b = 2;
		break;
	case 3:
		b = 4;
		break;
	}
	if (!gone_a(b)) {
		gone_a(c);
		box->kept = b || box->lid;
	}
	if (b != GONE_B && b > 1)
		b = run(box, 1, gone);
	return b;
}
"""
SLICE = """\
#include "here.h"

/**
 * struct box - a box
 * @kept: stays
 */
struct box {
	int kept;
};

int run(struct box *box, int b)
{
	b--;
	switch (b) {
	case 3:
		b = 4;
		break;
	}
	box->kept = b;
	if (b > 1)
		b = run(box, 1);
	return b;
}
"""


UNSURE = """\
int unsure(int b)
{
	if (gone_a(b) < 3)
		b++;
	return gone_a(b) ? 1 : b;
}
"""
USER = "int user(void)\n{\n\treturn run(NULL, 1, NULL) + unsure(2);\n}\n"


def main():
    sliced = slicer.Slice({"a.c": WHOLE, "b.c": UNSURE, "user.c": USER}, {"gone", "gone_a", "GONE_B"},
                          lambda _, name: [] if name == "gone.h" else None, lambda path: path != "a.c")
    found = sliced.run()["a.c"]
    if found != SLICE:
        print(found)
    doubts = sorted(doubt[1:] for doubt in sliced.doubts)
    expected = [("unsure", "gone_a(b) < 3"), ("unsure", "gone_a(b) ? 1 : b")]
    if doubts != expected:
        print(doubts)
    sys.exit(found != SLICE or doubts != expected)


if __name__ == "__main__":
    main()
