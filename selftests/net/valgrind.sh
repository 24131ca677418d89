#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Stands where losslessctl or losslessd is looked for, and runs it under valgrind
# (LLE_WRAP of scripts/vm/test.sh). Each run leaves a file, which is empty if nothing
# was wrong.

name=${0##*/}
exec valgrind.bin -q --leak-check=full --num-callers=30 \
	--log-file="/tmp/valgrind/$name.$$.$EPOCHREALTIME" "/wrapped/$name" "$@"
