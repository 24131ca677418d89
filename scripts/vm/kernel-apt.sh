# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# apt with its own state, for kernel.sh: without root, and without changes to
# the machine's package lists. Sourced, not run. Needs CACHE and say of the
# sourcing script, which may set ARCH_TAG, the Debian architecture of the
# packages, afterwards.

HOURS=${LLE_KERNEL_HOURS:-12}	# maximum age of package lists
ARCH_TAG=amd64
KEYRING=/usr/share/keyrings/debian-archive-keyring.gpg
STATE=			# apt's private state, set by apt_open

apt_run() {
	local tool=$1
	shift
	LC_ALL=C "$tool" -o Dir::Etc::sourcelist="$STATE/sources.list" \
		-o Dir::Etc::sourceparts=/dev/null \
		-o Dir::Etc::preferences=/dev/null \
		-o Dir::Etc::preferencesparts=/dev/null \
		-o Dir::State::lists="$STATE/lists" \
		-o Dir::Cache="$STATE/cache" \
		-o Dir::Cache::pkgcache=pkgcache.bin \
		-o Dir::Cache::srcpkgcache= \
		-o APT::Architecture="$ARCH_TAG" -o APT::Architectures="$ARCH_TAG" \
		-o APT::Sandbox::User=root -o Acquire::Languages=none \
		-o Acquire::Retries=1 -o Acquire::http::Timeout=15 \
		-o Acquire::https::Timeout=15 "$@"
}

# Prints sources: the mirror is that of the machine's own sources, of which apt
# reads both the one-line and the deb822 form. Uses suites of the installed
# release only: a third party's repository must not stop us. Flavour base is the
# release as it was at its last update, unstable is Debian unstable.
sources_of() {
	local flavour=$1 codename signed='' uri suite comp main=''

	# shellcheck source=/dev/null
	codename=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
	[ ! -e "$KEYRING" ] || signed=" signed-by=$KEYRING"
	while IFS='|' read -r uri suite comp; do
		[ "$comp" = main ] || continue
		case $suite in
		"$codename") main=${main:-$uri} ;;
		"$codename"-security | "$codename"-updates) ;;
		"$codename"-backports) ;;
		*) continue ;;
		esac
		[ "$flavour" != release ] ||
			echo "deb [arch=$ARCH_TAG$signed] $uri $suite $comp"
	done < <(apt-get indextargets --no-release-info --format \
		"\$(REPO_URI)|\$(RELEASE)|\$(COMPONENT)" \
		'Created-By: Packages' | sort -u)
	if [ -z "$main" ]; then
		say "no source of the suite '$codename' in the apt configuration"
		return 1
	fi
	case $flavour in
	base) echo "deb [arch=$ARCH_TAG$signed] $main $codename main" ;;
	unstable) echo "deb [arch=$ARCH_TAG$signed] $main sid main" ;;
	esac
}

# Reads the package lists. Fails (1), with a reason, if there is no usable list.
apt_open() {
	local stamp

	STATE=$CACHE/apt-$1
	stamp=$STATE/refreshed
	mkdir -p "$STATE/lists/partial" "$STATE/cache/archives/partial"
	sources_of "$1" >"$STATE/sources.new" || return 1
	if cmp -s "$STATE/sources.new" "$STATE/sources.list" &&
	   [ -n "$(find "$stamp" -mmin "-$((HOURS * 60))" 2>/dev/null)" ]; then
		return 0
	fi
	mv "$STATE/sources.new" "$STATE/sources.list"
	say "reading the package lists ($1)"
	if apt_run apt-get -qq --error-on=any update 2>"$STATE/log" >&2; then
		touch "$stamp"
		return 0
	fi
	cat "$STATE/log" >&2
	if grep -qE 'NO_PUBKEY|KEYEXPIRED|EXPKEYSIG|BADSIG|not signed|verify' "$STATE/log"; then
		say "the archive keyring of this machine does not verify these lists (too old?)"
	fi
	return 1
}

# Prints the dependencies of packages, one a line; names as arguments or on
# stdin.
depends() {
	[ $# -gt 0 ] || set -- "$(cat)"
	apt_run apt-cache depends "$@" 2>/dev/null | awk '$1 == "Depends:" { print $2 }'
}

# Prints the current kernel image of a series, from its metapackage; without
# one, looks the series up by name.
image_of() {
	local series=$1 prefix=linux-image-$1. meta image

	[ "$series" != newest ] || prefix=linux-image-
	for meta in "linux-image-$series-$ARCH_TAG" "linux-image-$ARCH_TAG"; do
		image=$(depends "$meta" | grep -m 1 "^${prefix//./\\.}" || true)
		[ -z "$image" ] || { echo "$image"; return; }
	done
	[ "$series" != newest ] || return 0
	apt_run apt-cache pkgnames "$prefix" |
		grep -vE -- '-(rt|cloud|dbg|unsigned)' | grep -e "-$ARCH_TAG\$" |
		sort -V | tail -n 1 || true
}

# Downloads packages and unpacks them into one directory.
fetch() {
	local root=$1 deb
	shift

	mkdir -p "$root/debs"
	(cd "$root/debs" && apt_run apt-get -qq download "$@" >&2) || return 1
	for deb in "$root"/debs/*.deb; do
		dpkg -x "$deb" "$root" || return 1
	done
	rm -r "$root/debs"
}
