#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Tests make install and make uninstall with two values of PREFIX, the client
# library with pkg-config, and --help and --version of each program.
#
# Usage: run.sh
# Environment: CC
#
# Exit status: 0; 1 something failed; 4 the kernel headers cannot be had.

# shellcheck disable=SC2317 # passes calls them
set -uo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
kernel=$("$root/scripts/vm/kernel.sh" get 6.1) || exit
release=$(<"$kernel/release")
KDIR=$kernel/usr/src/linux-headers-$release
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
version=$(<"$root/VERSION")

suite=install
# shellcheck source=selftests/tap.sh
. "$root/selftests/tap.sh"

# mk TARGET PREFIX
mk()
{
	make -s -C "$root" "$1" KDIR="$KDIR" PREFIX="$2" DESTDIR="$tmp/root" BIN="$root/build/install"
}

there()
{
	local file

	for file; do
		[ -e "$tmp/root$file" ] || { echo "there is no $file"; return 1; }
	done
}

# left: prints what is installed
left() { find "$tmp/root" ! -type d; }
nothing_left() { [ -z "$(left)" ] || { left; return 1; }; }

# starts PREFIX UNIT COMMAND: the unit starts this program of PREFIX
starts()
{
	local unit="$tmp/root$1/lib/systemd/system/$2.service"

	grep -x "ExecStart=$1/sbin/$3" "$unit" || { grep ExecStart "$unit"; return 1; }
	! grep '@[A-Z]' "$unit"
}

# A program that is built with the installed library and headers asks the kernel.
builds_client()
{
	local dir=$tmp/root$1

	cat >"$tmp/client.c" <<-END
	#include <lossless/client.h>

	int main(void)
	{
		struct lle_nl *nl;
		int err = lle_nl_open(&nl);

		lle_nl_close(nl);
		return err != 0 && err != -2;
	}
	END
	# shellcheck disable=SC2046 # a list of flags
	PKG_CONFIG_PATH=$(dirname "$(find "$dir" -name lossless.pc)") "${CC:-gcc}" -std=gnu11 \
		-o "$tmp/client" "$tmp/client.c" $(PKG_CONFIG_PATH=$(dirname "$(find "$dir" -name lossless.pc)") \
			pkg-config --define-variable=prefix="$dir" \
			--define-variable=libdir="$(dirname "$(find "$dir" -name liblossless.a)")" \
			--static --cflags --libs lossless) && "$tmp/client"
}

# The installed lab has all it needs outside the tree.
lab() { (cd "$tmp" && XDG_CACHE_HOME=$tmp/cache "$tmp/lab/bin/lossless-lab" "$@"); }

lists_scenarios() { lab list | grep '^dcfit-ring  '; }

# A scenario of the user, in the folder where the command is called, and a module beside it
takes_file()
{
	printf '%s\n' 'from mine_keys import N' 'from lle_lab import scenario' '' '' \
		'class Mine(scenario.load("incast")):' '    N = N' >"$tmp/mine.py"
	printf '%s\n' 'from lle_lab import keys' '' 'N = keys.N(7)' >"$tmp/mine_keys.py"
	lab keys ./mine.py | grep '^N=7 '
}

# Python looks for modules where PREFIX puts that for Mininet. Mininet itself need
# not be installed.
finds_module()
{
	local dir

	dir=$(dirname "$(find "$tmp/root$1" -path '*-packages/lossless_mininet.py')") || return
	/usr/bin/python3 -c 'import site, sys; sys.exit(None if sys.argv[1] in site.getsitepackages() else f"{sys.argv[1]} is not in {site.getsitepackages()}")' "${dir#"$tmp/root"}"
}

echo "TAP version 13"
passes "make install" mk install /usr
passes "its modules" there "/lib/modules/$release/updates/"{lossless,sch_lossless,tcp_ldcp}.ko
passes "its programs" there /usr/sbin/{losslessctl,losslessd,lle-testbed,lle-topology,lle-storm} /usr/bin/{lossless-lab,lle-twin}
passes "its commands in Python" there /usr/lib/lossless/{losslessctl-doctor,common.py}
passes "its man pages" there /usr/share/man/man{1/lossless-lab.1,1/lle-twin.1,5/lossless.conf.5,7/tcp-ldcp.7} \
	/usr/share/man/man8/{tc-lossless,losslessctl,losslessd,lle-testbed,lle-topology,lle-storm}.8
passes "its settings" there /etc/lossless.conf /usr/lib/modules-load.d/lossless.conf \
	/usr/lib/sysctl.d/60-lossless.conf
passes "its unit" starts /usr losslessd "losslessd -c /etc/lossless.conf"
for at in : @:%i.; do
	passes "its unit lossless-settings${at%:*}" starts /usr "lossless-settings${at%:*}" \
		"losslessctl restore --follow /etc/lossless/${at#*:}settings"
done
passes "its folder for settings" there /etc/lossless
passes "pkg-config lossless" builds_client /usr
passes "its examples" there /usr/share/doc/lossless-tools/watchdog.conf /usr/share/doc/lossless-testbed/examples/{incast.{py,clab.yml},leaf-spine.graphml}
passes "its module for Mininet" there /usr/lib/python3/dist-packages/lossless_mininet.py
for program in "$tmp"/root/usr/{sbin/{losslessctl,losslessd,lle-testbed,lle-topology,lle-storm},bin/lossless-lab}; do
	name=${program##*/}
	exits_with "$name --help" 0 "$name" "$program" --help
	exits_with "$name --version" 0 "$name $version" "$program" --version
done
passes "version of debian/" grep -q "^lossless ($version)" "$root/debian/changelog"
passes "make uninstall" mk uninstall /usr
passes "it leaves nothing" nothing_left

passes "PREFIX=/usr/local: make install" mk install /usr/local
passes "PREFIX=/usr/local: the unit" starts /usr/local losslessd "losslessd -c /usr/local/etc/lossless.conf"
passes "PREFIX=/usr/local: the default of losslessd" grep -q /usr/local/etc/lossless.conf \
	"$tmp/root/usr/local/sbin/losslessd"
passes "PREFIX=/usr/local: nothing in /usr" test -z \
	"$(find "$tmp/root/usr" -path '*/local' -prune -o ! -type d -print)"
passes "PREFIX=/usr/local: pkg-config lossless" builds_client /usr/local
passes "PREFIX=/usr/local: the module for Mininet" finds_module /usr/local
passes "make install-lab" make -s -C "$root" install-lab PREFIX="$tmp/lab"
passes "lossless-lab list" lists_scenarios
passes "lossless-lab keys ./FILE" takes_file
exits_with "lossless-lab run incst" 2 "did you mean incast?" lab run incst
passes "its programs can be built" make -s -C "$tmp/lab/share/lossless-lab" tc generated
echo changed >"$tmp/root/usr/local/etc/lossless.conf"
passes "PREFIX=/usr/local: make uninstall" mk uninstall /usr/local
passes "a configuration that was changed stays" test "$(left)" = "$tmp/root/usr/local/etc/lossless.conf"
end
