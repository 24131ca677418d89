# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Chooses the accelerator for vm/run.sh. Sourced, not run. Needs QEMU, CACHE and
# the folder TMP of the sourcing script.
#
# A /dev/kvm that can be opened proves nothing: under some hypervisors a BIOS
# runs and Linux does not. So the test boots the kernel with an init that prints
# one line, within 8 seconds; the answer is kept for 6 hours.

ACCEL_PROBE_SECONDS=8
ACCEL_KEEP_MINUTES=360

# True if the kernel $1 boots under KVM here.
accel_kvm_boots() {
	local dir=$TMP/accel marker=lle-kvm-boots

	mkdir -p "$dir/root"
	printf '%s\n' '#!/busybox sh' "/busybox echo $marker" \
		'/busybox poweroff -f' >"$dir/root/init"
	chmod +x "$dir/root/init"
	cp "$(PATH=/usr/bin:/bin type -P busybox)" "$dir/root/busybox"
	(cd "$dir/root" && find . | cpio -o -H newc -R 0:0 --quiet) >"$dir/initrd"
	timeout -k 1 "$ACCEL_PROBE_SECONDS" setpriv --pdeathsig KILL "$QEMU" \
		-M pc -nodefaults -no-user-config -display none -no-reboot \
		-accel kvm -cpu host -m 256 -kernel "$1" -initrd "$dir/initrd" \
		-append 'console=ttyS0 quiet panic=-1' -serial stdio \
		</dev/null >"$dir/log" 2>&1 || true
	grep -q "$marker" "$dir/log"
}

# Prints "kvm", or "tcg (why)". VM_ACCEL decides: tcg and kvm are used without a
# test, auto begins with cheap tests, probe boots at once and ignores earlier
# answers.
accel_choose() {
	local vmlinuz=$1 memory answer

	memory=$CACHE/accel-$(printf '%s %s' "$QEMU" "$vmlinuz" |
		cat - /proc/sys/kernel/random/boot_id | sha1sum | cut -c1-16)
	case ${VM_ACCEL:-auto} in
	tcg) echo "tcg (VM_ACCEL)"; return ;;
	kvm) echo kvm; return ;;
	probe) rm -f "$memory" ;;
	auto)
		if [ -e /sys/module/kvm_pvm ]; then
			echo "tcg (KVM here is a guest's own, which Linux does not boot under)"
			return
		elif ! grep -qwE 'svm|vmx' /proc/cpuinfo; then
			echo "tcg (the CPU has no virtualisation)"
			return
		elif [ ! -w /dev/kvm ]; then
			echo "tcg (/dev/kvm: no access)"
			return
		fi
		;;
	*) echo "VM_ACCEL is tcg, kvm, auto or probe" >&2; return 1 ;;
	esac
	if [ -z "$(find "$memory" -mmin "-$ACCEL_KEEP_MINUTES" 2>/dev/null)" ]; then
		mkdir -p "$CACHE"
		answer=kvm
		accel_kvm_boots "$vmlinuz" || answer="tcg (a probe boot under KVM failed)"
		echo "$answer" >"$memory.$$"
		mv "$memory.$$" "$memory"
	fi
	cat "$memory"
}
