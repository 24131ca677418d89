#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Runs options.tsv and cases.tsv, the tests of what tc accepts, refuses and
# shows, with the kernel's own tdc.py. Prints TAP. Needs root and the modules:
# made for a virtual machine (scripts/vm/run.sh).
#
# Usage: run.sh [TDC-ARGUMENT...]	such as -e ID to run one test
# Environment:
#   TDC_DIR     tools/testing/selftests/tc-testing of a kernel tree (6.1 on)
#   TC_LIB_DIR  directory of q_lossless.so; default: build/tc of this tree
#   TC          tc to test; default: the one in PATH
#   OUT         folder for lossless.json, the cases as tdc.py takes them
#
# Exit status: 0 all tests passed; 1 a test failed or was skipped; 2 cannot run.

set -u

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
TC_LIB_DIR=${TC_LIB_DIR:-$here/../../build/tc}
TC=${TC:-$(PATH=$PATH:/usr/sbin:/sbin type -P tc)}
ip=$(PATH=$PATH:/usr/sbin:/sbin type -P ip)

die() { echo "Bail out! $*"; exit 2; }

[ -r "${TDC_DIR:-}/tdc.py" ] || die "TDC_DIR: no tdc.py in '${TDC_DIR:-}'"
[ -r "$TC_LIB_DIR/q_lossless.so" ] || die "TC_LIB_DIR: no q_lossless.so in '$TC_LIB_DIR'"
[ -x "$TC" ] || die "no tc"
[ "$(id -u)" -eq 0 ] || die "needs root"
TC_LIB_DIR=$(cd "$TC_LIB_DIR" && pwd)

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# tdc passes only this environment to commands. Its tdc_config.py reads these
# values from the search path of Python.
cat >"$tmp/tdc_config_local.py" <<CONFIG
ENVIR = {'TC_LIB_DIR': '$TC_LIB_DIR', 'PATH': '/usr/sbin:/usr/bin:/sbin:/bin'}
EXTRA_NAMES = {'TC': '$TC', 'IP': '$ip', 'TIMEOUT': 60}
CONFIG

json=${OUT:-$tmp}/lossless.json
"$here/cases.py" >"$json" || die "the tables have a fault"

cd "$TDC_DIR" || die "cannot go to $TDC_DIR"
PYTHONPATH=$tmp PYTHONDONTWRITEBYTECODE=1 python3 tdc.py \
	-f "$json" --format tap --outfile "$tmp/tap" "$@" \
	>"$tmp/log" 2>&1
rc=$?

# tdc skips a test with a failed set-up, and all later tests, and reports
# success.
[ -s "$tmp/tap" ] || { sed 's/^/# /' "$tmp/log"; die "tdc.py failed ($rc)"; }
cat "$tmp/tap"
if [ "$rc" -ne 0 ] || grep -qE '^not ok|^ok .* # skip' "$tmp/tap"; then
	sed 's/^/# /' "$tmp/log"
	exit 1
fi
