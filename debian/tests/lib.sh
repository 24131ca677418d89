# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# For the tests of the packages: results are lines of TAP, and a failure goes on
# with the next test point.

N=0 FAILED=0
CONF=/etc/lossless.conf

# ok NAME COMMAND...: a test point; shows what COMMAND printed if it fails
ok()
{
	local name=$1 out

	shift
	N=$((N + 1))
	if out=$("$@" 2>&1); then
		echo "ok $N - $name"
	else
		echo "not ok $N - $name"
		printf '%s\n' "${out//$'\n'/$'\n'}" | sed 's/^/# /'
		FAILED=$((FAILED + 1))
	fi
}

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

end()
{
	echo "1..$N"
	[ $FAILED -eq 0 ]
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
