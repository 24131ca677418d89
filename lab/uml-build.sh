#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Builds one User Mode Linux; uml.sh calls it.
#
# Usage: uml-build.sh SOURCE.tar.xz DIR PATCH... CONFIG...
#
# Leaves in DIR what uml.sh promises, and build.log. PATCH and CONFIG are names
# of files in lab/uml, ending in .patch and .config.
#
# Exit status: 0; 1 the build failed; 4 this source is not one that the patches
# and options were made for.

set -euo pipefail

HERE=$(dirname "$(readlink -f "$0")")
tar=$1 dir=$2
shift 2
SRC=$dir/build
# two thirds of the source that UML has no use for; kconfig and make read all of
# their own files
SKIP=('*/arch/[!ux]*/*.[chS]' '*.dts' '*.dtsi' '*/Documentation/*.'{rst,yaml,txt} '*/tools/'{perf,testing}'/*' '*/sound/*.[ch]'
	'*/drivers/'{accel,clk,gpu,iio,infiniband,media,net/ethernet,net/wireless}'/*.[ch]'
	'*/drivers/'{pinctrl,scsi,staging,usb,video}'/*.[ch]')
LOG=$dir/build.log
job=

say() { echo "uml.sh: $*" >&2; }
die() { local rc=$1; shift; say "$*"; exit "$rc"; }
trap '[ -z "$job" ] || kill "$job" 2>/dev/null || :' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# step WHAT COMMAND...: says how long it takes, and has taken
step()
{
	local what=$1 start=$SECONDS rc=0

	shift
	"$@" >>"$LOG" 2>&1 &
	job=$!
	while kill -0 "$job" 2>/dev/null; do
		sleep 1
		if [ $(((SECONDS - start) % 30)) -eq 29 ]; then
			say "$what: $((SECONDS - start)) s"
			sleep 1
		fi
	done
	wait "$job" || rc=$?
	job=
	if [ "$rc" -ne 0 ]; then
		tail -n 20 "$LOG" >&2
		return "$rc"
	fi
	say "$what: done in $((SECONDS - start)) s"
}

# The same inputs make the same kernel to the byte: what it does with a seed is
# then the same, too.
umake()
{
	make -C "$SRC" ARCH=um CC=gcc KBUILD_BUILD_USER=lle KBUILD_BUILD_HOST=lle \
		KBUILD_BUILD_TIMESTAMP='Thu Jan  1 00:00:00 UTC 2026' \
		KBUILD_BUILD_VERSION=1 "$@"
}

configure()
{
	local wanted=$dir/wanted lost

	cat "$@" >"$wanted"
	umake KCONFIG_ALLCONFIG="$wanted" allnoconfig >>"$LOG" 2>&1 || return 1
	lost=$(grep '^CONFIG_' "$wanted" | grep -vxFf "$SRC/.config" || :)
	lost+=$(sed -n 's/^# \(CONFIG_.*\) is not set$/^\1=/p' "$wanted" |
		grep -f - "$SRC/.config" || :)
	rm "$wanted"
	[ -z "$lost" ] || die 4 "this kernel does not take ${lost//$'\n'/ }"
}

# What modules are built with stays: headers, host programs, makefiles.
prune()
{
	cd "$SRC"
	find . -mindepth 1 -maxdepth 1 -type d ! -name arch ! -name include \
		! -name scripts -exec rm -rf {} +
	find arch -mindepth 1 -maxdepth 1 ! -name um ! -name x86 -exec rm -rf {} +
	find . -type f ! -path './include/*' ! -path './scripts/*' \
		! -path './arch/*/include/*' ! -path './arch/x86/um/*.h' \
		! -name 'Makefile*' ! -name 'Kconfig*' ! -name 'Kbuild*' \
		! -name .config ! -name Module.symvers ! -name module.lds -delete
	find . -name '*.cmd' ! -path './scripts/*' -delete
	find . -type d -empty -delete
	ln -sfn ../../../build "$dir/lib/modules/$release/build"
	rm -f "$dir/lib/modules/$release/source"
}

mkdir -p "$SRC"
step "unpacking ${tar##*/}" tar -xf "$tar" -C "$SRC" \
	--strip-components=1 "${SKIP[@]/#/--exclude=}"
chmod 755 "$SRC"
configs=()
for file; do
	case $file in
	*.patch)
		patch -d "$SRC" -p1 -F0 -s <"$HERE/uml/$file" >>"$LOG" 2>&1 || {
			tail -n 20 "$LOG" >&2
			die 4 "$file does not apply to ${tar##*/}"
		} ;;
	*) configs+=("$HERE/uml/$file") ;;
	esac
done
configure "${configs[@]}" || { tail -n 20 "$LOG" >&2; exit 1; }
step "building the kernel" umake -j"$(nproc)" linux modules || die 1 "the build failed"
release=$(<"$SRC/include/config/kernel.release")
step "installing modules" umake INSTALL_MOD_PATH="$dir" modules_install ||
	die 1 "cannot install the modules"
strip -g -o "$dir/linux" "$SRC/linux"
(prune)
echo 'ARCH=um CC=gcc' >"$dir/make.args"
echo "$release" >"$dir/release"
