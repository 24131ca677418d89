#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The first guest of a pair: run.sh MODEL... runs all scenarios with NICs of
# each MODEL.
#
# LLE_PAIR_TESTS: scenarios to run instead of all.

cd "$(dirname "$0")" || exit 1
# shellcheck source=selftests/pair/lib.sh
. ./lib.sh
# shellcheck source=selftests/pair/testbed.sh
. ./testbed.sh

prepare
line_open
line_meet || { echo "not ok - pair: the peer does not answer"; exit 1; }

failed=0
for MODEL; do
	export MODEL
	for name in ${LLE_PAIR_TESTS:-frames overrun host fabric ring gso}; do
		bash "./$name.sh" | sed -u "s/^\(not \)\?ok [0-9]* - /&$MODEL: /" |
			tee "$OUT/$MODEL-$name.tap"
		[ "${PIPESTATUS[0]}" = 0 ] || failed=1
	done
done
echo leave >&3
exit $failed
