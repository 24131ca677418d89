# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# For the tests of the packages.

# shellcheck source=selftests/tap.sh
. "$(dirname "$0")/../../selftests/tap.sh"

set -o pipefail
CONF=/etc/lossless.conf

# same IS SHOULD BE
same() { [ "$1" = "$2" ] || { echo "is '$1', should be '$2'"; return 1; }; }

# within SECONDS COMMAND...: waits until it succeeds; emulated CPUs are slow
within()
{
	local until=$((SECONDS + $1))

	shift
	until "$@" >/dev/null 2>&1; do
		[ $SECONDS -lt $until ] || { "$@"; return; }
		sleep 0.2
	done
}

# said UNIT WORDS: since the start of this shell
SINCE=$(date '+%F %T')
said() { journalctl -q --since "$SINCE" -u "$1" | grep -F -- "$2"; }

# configure LINE...: writes the configuration, and starts losslessd with it
configure()
{
	printf '%s\n' "$@" >$CONF
	systemctl reset-failed losslessd 2>/dev/null
	systemctl restart losslessd
}

# refused WORDS LINE...: losslessd does not start, and says WORDS
refused()
{
	local words=$1

	shift
	! configure "$@" 2>/dev/null || { echo "it starts"; return 1; }
	within 20 said losslessd "$words" || { journalctl -q -n 20 -u losslessd; return 1; }
}

# no_errors UNIT: this boot
no_errors()
{
	local errors

	errors=$(journalctl -q -b -p err -u "$1")
	same "$errors" ''
}
