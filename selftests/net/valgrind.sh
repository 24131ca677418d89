#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Takes the place of losslessctl or losslessd in PATH, and runs it under
# valgrind (LLE_WRAP of scripts/vm/test.sh). Each run leaves a file, which is
# empty without errors.

name=${0##*/}
exec valgrind.bin -q --leak-check=full --num-callers=30 \
	--log-file="/tmp/valgrind/$name.$$.$EPOCHREALTIME" "/wrapped/$name" "$@"
