#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The second guest of a pair: runs the commands of the first one.

# shellcheck source=selftests/pair/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=selftests/pair/testbed.sh
. "$(dirname "$0")/testbed.sh"

prepare
line_open
line_serve
