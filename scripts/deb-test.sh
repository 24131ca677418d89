#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Builds the modules with DKMS for each kernel; installs the Debian packages in a
# Debian 12 with systemd, in an emulated machine, and runs the tests of
# debian/tests there with autopkgtest. Needs root, to make the root file system.
#
# Usage: deb-test.sh DIR
#            gets the packages, and what the tests print
#
# Ends with "N passed, N failed, N skipped".

set -euo pipefail

HERE=$(dirname "$(readlink -f "$0")")
TOP=$(dirname "$HERE")
CACHE=${XDG_CACHE_HOME:-$HOME/.cache}/lle

# shellcheck source-path=SCRIPTDIR source=job-lib.sh
. "$HERE/job-lib.sh"

# What the packages and their tests need, so that the guest needs no network.
PACKAGES='systemd-sysv dbus udev procps kmod apt-utils python3 linux-image-amd64 linux-headers-amd64
	dkms gcc make iproute2 iputils-ping bridge-utils ethtool curl jq libconfuse2 libjson-c5
	libmicrohttpd12 libnl-genl-3-200 libnl-route-3-200 libsystemd0'

say() { echo "deb-test.sh: $*" >&2; }
die() { say "$*"; exit 1; }

[ $# -eq 1 ] || { sed -n '4,/^$/s/^# \{0,1\}//p' "$0" >&2; exit 1; }
mkdir -p "$1"
out=$(readlink -f "$1")

# The last commit of the version before, 0.2
mkdir -p "$out"
previous=$(git -C "$TOP" rev-parse -q --verify "97d2607627332d29922c2df9310031ba95554935^{commit}" 2>/dev/null || :)
rm -rf "$out/packages" "$out/previous"
mkdir -p "$out/packages/previous" "$out/packages/this"
if [ -n "$previous" ]; then
	mkdir "$out/previous"
	git -C "$TOP" archive "$previous" | tar -x -C "$out/previous"
	# it would take the files of a repository around it
	GIT_CEILING_DIRECTORIES=$out "$out/previous/scripts/deb.sh" "$out/previous-deb"
	cp "$out"/previous-deb/lossless-{dkms,tools,testbed}_*.deb "$out/packages/previous"
	rm -rf "$out/previous"
fi

# Makes the disk, kernel and initrd of the guest in $image.
make_image()
{
	local new=$image.new root=$image.new/root hooks=()

	say "making a Debian 12 with systemd; takes some minutes"
	rm -rf "$new"
	mkdir -p "$new"
	# DKMS would take ten minutes to build it in the guest
	if [ -n "$previous" ]; then
		mkdir -p "$new/previous"
		dpkg-deb -x "$out"/packages/previous/lossless-dkms_*.deb "$new/previous"
		# shellcheck disable=SC2016 # for mmdebstrap
		hooks=(--customize-hook="copy-in $new/previous /opt"
			--customize-hook='mkdir "$1/opt/dkms"; chroot "$1" dkms build --dkmstree /opt/dkms \
				--sourcetree /opt/previous/usr/src -k $(ls "$1/lib/modules") \
				$(basename "$1"/opt/previous/usr/src/lossless-* | sed "s|-|/|")')
	fi
	# shellcheck disable=SC2016,SC2086 # for mmdebstrap; a list of words
	mmdebstrap --quiet --mode=root --variant=important --include="$(echo $PACKAGES | tr ' ' ,)" \
		--customize-hook=/usr/share/autopkgtest/setup-commands/setup-testbed \
		--customize-hook='chroot "$1" systemctl -q mask apt-daily.timer apt-daily-upgrade.timer networking' \
		"${hooks[@]}" \
		bookworm "$root" "deb $mirror bookworm main" >"$new/log" 2>&1 ||
		{ tail -n 20 "$new/log" >&2; return 1; }
	cp "$root"/boot/vmlinuz-* "$new/vmlinuz"
	cp "$root"/boot/initrd.img-* "$new/initrd"
	truncate -s 4G "$new/disk"
	mke2fs -q -t ext4 -L root -d "$root" "$new/disk"
	rm -rf "$root"
	mv "$new" "$image"
}

# shellcheck disable=SC2016 # for apt-get
mirror=$(apt-get indextargets --no-release-info --format '$(REPO_URI)|$(RELEASE)|$(COMPONENT)' \
	'Created-By: Packages' | sed -n 's/|bookworm|main$//p' | head -n 1)
[ -n "$mirror" ] || die "no source of Debian 12 in the configuration of apt"
image=$CACHE/debian/$(echo "$PACKAGES" "$previous" "$(apt-cache show linux-image-amd64 systemd | grep ^Version)" |
	sha1sum | cut -c1-16)
mkdir -p "$CACHE/debian"
take_lock "$CACHE/debian/lock" "the root file system of Debian 12"
[ -e "$image" ] || make_image

"$HERE/deb.sh" "$out/deb"
cp "$out"/deb/lossless-{dkms,tools,testbed}_*.deb "$out/packages/this"
rc=0
"$TOP/selftests/dkms/run.sh" "$out"/deb/lossless-dkms_*.deb | tee "$out/dkms.log" || rc=$?

# autopkgtest would use KVM, and ask a boot loader for the kernel. One CPU: with a
# thread for each of several, QEMU 7.2 may execute the int3 for ever that the kernel
# had put at a static key while it patched that.
cat >"$out/qemu" <<END
#!/bin/bash
args=()
while [ \$# -gt 0 ]; do
	case \$1 in
	-enable-kvm) ;;
	-cpu) shift ;;
	user*) args+=("\$1,restrict=on") ;;
	*) args+=("\$1") ;;
	esac
	shift
done
exec setpriv --pdeathsig KILL qemu-system-x86_64 -accel tcg -cpu max \\
	-kernel "$image/vmlinuz" -initrd "$image/initrd" \\
	-append "root=LABEL=root rw console=ttyS0 quiet" "\${args[@]}"
END
chmod +x "$out/qemu"

# Its fixed times are those of a guest with KVM; but one of 1 s is for a shell that this
# guest does not have. And it looks for a prompt at the start of a line, but has set one
# of its own: it finds that only if the prompt comes later than the line before it.
sed -E '/^import VirtSubproc$/a \
VirtSubproc.timeout_start = (lambda start: lambda s: start(s if s == 1 else s * 90))(VirtSubproc.timeout_start)
s/if b.\\n# . not in out:/if b"# " not in out.rpartition(b"\/python")[2]:/' \
	/usr/bin/autopkgtest-virt-qemu >"$out/virt-qemu"
chmod +x "$out/virt-qemu"

# autopkgtest copies its tree to the guest
rm -rf "$out/result" "$out/tree"
mkdir -p "$out/tree/selftests"
cp -r "$TOP/debian" "$out/tree"
cp "$TOP/selftests/tap.sh" "$out/tree/selftests"
cp -r "$out/packages" "$out/tree"
# exit status: 0; 4: a test failed
timeout -k 10 7200 autopkgtest --output-dir "$out/result" --no-built-binaries \
	--timeout-factor=20 "$out"/deb/lossless-{dkms,tools,testbed}_*.deb "$out/tree" -- \
	"$out/virt-qemu" --qemu-command="$out/qemu" --timeout-reboot=600 --cpus=1 --ram-size=2048 \
	"$image/disk" >"$out/autopkgtest.log" 2>&1 || rc=$?
cat "$out"/result/*-stdout 2>/dev/null || :
case $rc in
0 | 4) ;;
*) tail -n 30 "$out/autopkgtest.log" >&2 ;;
esac
# count WORDS of the lines of all tests
count() { cat "$out/dkms.log" "$out"/result/*-stdout 2>/dev/null | grep -cE "$1" || :; }
skipped=$(count '^ok .*# SKIP')
passed=$(($(count '^ok ') - skipped))
failed=$(count '^not ok ')
# what failed without a test point
[ $rc -eq 0 ] || [ "$failed" -ne 0 ] || failed=1
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
