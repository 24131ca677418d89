#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Generates from spec/netlink/lossless.yaml, which spec/gen.py fills in, with the
# kernel's generator, ynl-gen-c.py of Linux 6.12, the header of the uapi and the
# policies and operations of the kernel. The generator validates the spec against
# the kernel's schema; so does this script the spec of the qdisc's options,
# tc-lossless.yaml, from which nothing is generated.
#
# Usage: ynl.sh [-c]
#
# -c: changes nothing, prints the differences from the files in the tree.
#
# Exit status: 0; 1 something is wrong, or differs; 4 the generator cannot be
# had here.

set -euo pipefail

TOP=$(dirname "$(dirname "$(dirname "$(readlink -f "$0")")")")
SPEC=spec/netlink/lossless.yaml
check=

case ${1:-} in
'') ;;
-c) check=1 ;;
*) sed -n '4,/^$/s/^# \{0,1\}//p' "$0" >&2; exit 1 ;;
esac

kernel=$("$TOP/scripts/vm/kernel-source.sh" 6.12 tools/net/ynl Documentation/netlink) || exit 4
python3 -c 'import jsonschema, yaml' || exit 4

out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

# the generator looks for the schema above the spec, and for the top of the tree
"$TOP/spec/gen.py" -b
mkdir -p "$out/tree/${SPEC%/*}"
cp "$kernel"/Documentation/netlink/*.yaml "$out/tree/spec/"
cp "$TOP/build/gen/lossless.yaml" "$out/tree/$SPEC"
touch "$out/tree/MAINTAINERS"

# gen FILE ARG...: generates FILE
gen()
{
	local file=$1

	shift
	mkdir -p "$out/new/${file%/*}"
	PYTHONDONTWRITEBYTECODE=1 python3 "$kernel/tools/net/ynl/ynl-gen-c.py" \
		--spec "$out/tree/$SPEC" -o "$out/new/$file" "$@"
}

PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$kernel/tools/net/ynl python3 -c \
	'import sys, lib; lib.SpecFamily(*sys.argv[1:])' \
	"$TOP/build/gen/tc-lossless.yaml" "$kernel/Documentation/netlink/netlink-raw.yaml"
gen include/uapi/linux/lossless.h --mode uapi --header
gen kmod/lossless/netlink_gen.h --mode kernel --header
gen kmod/lossless/netlink_gen.c --mode kernel --source
# a spec has no flags of groups; each pause of each port is an event, and only an
# administrator may cause that work
sed -i 's/"pause", }/"pause", GENL_MCAST_CAP_NET_ADMIN }/' "$out/new/kmod/lossless/netlink_gen.c"

if [ -z "$check" ]; then
	cp -r "$out/new/." "$TOP/"
	exit 0
fi
status=0
while read -r file; do
	diff -u --label "$file" --label "$file, generated" "$TOP/$file" "$out/new/$file" ||
		status=1
done < <(cd "$out/new" && find . -type f | sort | sed 's,^\./,,')
exit $status
