#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Checks the form of a commit message, as a hook of git.
#
# Usage: commit-msg.sh FILE
#
# The subject is "PART: Verb ..." in at most 75 columns, an empty line and the
# body follow, and a Signed-off-by line ends it. Prints each fault.
#
# Exit status: 0 none; 1 a fault.

set -euo pipefail

failed=0
fault() { echo "commit message: $*"; failed=1; }

mapfile -t lines < <(sed '/^#/d' "$1")
subject=${lines[0]-}
case $subject in
Merge\ * | Revert\ * | fixup!\ * | squash!\ *) exit 0 ;;
esac
[[ $subject =~ ^[A-Za-z0-9,_.\ -]+:\ ([a-z0-9_.,\ -]+:\ )*[A-Z] ]] ||
	fault "the subject is \"PART: Verb ...\", not \"$subject\""
[ ${#subject} -le 75 ] || fault "the subject has ${#subject} columns, at most 75 are allowed"
[ -z "${lines[1]-}" ] || fault "no empty line after the subject"
printf '%s\n' "${lines[@]:1}" | grep -qvE '^([A-Z][a-z-]+(-[a-z]+)*: .*)?$' ||
	fault "no body: say problem, consequence, remedy"
printf '%s\n' "${lines[@]}" | grep -qE '^Signed-off-by: .+ <.+@.+>$' ||
	fault "no Signed-off-by: use git commit -s"
exit $failed
