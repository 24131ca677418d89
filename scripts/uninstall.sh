#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Removes the files that an installation has put where they are, and folders that
# are empty then.
#
# Usage: uninstall.sh TREE CONF
#            TREE: the same installation, made by "make install DESTDIR=TREE".
#            DESTDIR: where the files are to be removed. CONF: a file that stays
#            if it was changed

set -euo pipefail

[ $# -eq 2 ] || { sed -n '4,/^$/s/^# \{0,1\}//p' "$0" >&2; exit 1; }
tree=$1 conf=$2 root=${DESTDIR:-}

while read -r file; do
	if [ "$file" = "$conf" ] && [ -e "$root$file" ] &&
			! cmp -s "$tree$file" "$root$file"; then
		echo "uninstall.sh: $root$file was changed, and stays" >&2
		continue
	fi
	rm -f "$root$file"
done < <(cd "$tree" && find . ! -type d -printf '/%P\n')
# only folders that this project has made
while read -r dir; do
	case $dir in
	*lossless*) rmdir --ignore-fail-on-non-empty "$root$dir" 2>/dev/null || : ;;
	esac
done < <(cd "$tree" && find . -depth -type d -printf '/%P\n')
