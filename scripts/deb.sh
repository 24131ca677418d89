#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Builds the Debian packages from the files of the tree, and checks them with
# lintian.
#
# Usage: deb.sh DIR [VERSION]      into DIR; VERSION: instead of the tree's
#
# Exit status: 0; 1 a package does not build, or lintian finds an error.

set -euo pipefail

HERE=$(dirname "$(readlink -f "$0")")
TOP=$(dirname "$HERE")

[ $# -ge 1 ] || { sed -n '4,/^$/s/^# \{0,1\}//p' "$0" >&2; exit 1; }
mkdir -p "$1"
dir=$(readlink -f "$1") version=${2:-}

cd "$TOP"
rm -rf "${dir:?}"/*
mkdir "$dir/lossless"
# without git, the tree is a source package
if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
	git ls-files -co --exclude-standard -z
else
	find . -path ./build -prune -o -path ./out -prune -o -type f -printf '%P\0'
fi | tar -C "$TOP" --null -T - --ignore-failed-read -cf - 2>/dev/null | tar -C "$dir/lossless" -xf -
cd "$dir/lossless"
if [ -n "$version" ]; then
	echo "$version" >VERSION
	sed -i "1s/(.*)/($version)/" debian/changelog
fi
dpkg-buildpackage -us -uc -b >"$dir/build.log" 2>&1 || { tail -n 40 "$dir/build.log" >&2; exit 1; }
cd "$dir" && rm -r lossless
# a native package that no archive has: no bug to close, no watch file
lintian --fail-on error --suppress-tags initial-upload-closes-no-bugs,no-manual-page "$dir"/*.changes
ls "$dir"/*.deb
