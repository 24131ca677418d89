#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# What Prometheus and its node_exporter say to what losslessd writes, and to our rules.
#
# Usage: run.sh DIR
#
# DIR is what the scenario losslessd has left: a scrape, metrics.prom, and a file for the
# textfile collector, lossless.prom. Both programs are Debian's; they are fetched, not
# installed, and listen in a network namespace of their own.
#
# Exit status: 0; 1 something failed.

# shellcheck disable=SC2317 # passes() calls what is said to be unreachable

set -uo pipefail

here=$(dirname "$(readlink -f "$0")")
root=$(dirname "$(dirname "$here")")
[ $# -eq 1 ] || { sed -n '4,/^$/s/^# \{0,1\}//p' "$0" >&2; exit 1; }
dir=$(readlink -f "$1")
n=0
failed=0
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# passes NAME COMMAND...
passes()
{
	local name=$1 said

	shift
	n=$((n + 1))
	if said=$("$@" 2>&1); then
		echo "ok $n - prometheus: $name"
	else
		echo "not ok $n - prometheus: $name"
		printf '%s\n' "${said:-exit status not 0}" | sed 's/^/# /'
		failed=1
	fi
}

# program PACKAGE PATH: of a program in a package
program()
{
	local package

	package=$("$root/scripts/vm/package.sh" "$1") && echo "$package/$2"
}

skip()
{
	n=$((n + 1))
	echo "ok $n - prometheus: $1 # SKIP $2"
}

# As a name of a file in a rule file is relative to that.
test_rules()
{
	cp "$root/daemon/prometheus/lossless.rules.yml" "$here/rules_test.yml" "$tmp" &&
		"$promtool" test rules "$tmp/rules_test.yml"
}

check_metrics() { "$promtool" check metrics <"$dir/metrics.prom"; }

# node_exporter with no collector but that, in a network namespace
# shellcheck disable=SC2016 # for the inner shell
export_textfile()
{
	mkdir "$tmp/textfiles"
	cp "$dir/lossless.prom" "$tmp/textfiles"
	unshare -rn bash -c '
		ip link set lo up
		"$0" --collector.disable-defaults --collector.textfile \
			--collector.textfile.directory="$1" \
			--web.listen-address=127.0.0.1:9100 &
		trap "kill $!" EXIT
		for ((i = 0; i < 100; i++)); do
			curl -sf http://127.0.0.1:9100/metrics >"$2" && exit 0
			sleep 0.1
		done
		exit 1' "$exporter" "$tmp/textfiles" "$tmp/exported" || return
	grep -q '^node_textfile_scrape_error 0$' "$tmp/exported" || {
		echo "the file is refused"
		return 1
	}
	# all that is in the file, with the same values
	diff <(samples "$dir/lossless.prom") <(samples "$tmp/exported")
}

# Each writes numbers in its own way.
samples()
{
	awk '/^(lossless|pfc)_/ { printf "%s %.12g\n", $1, $2 }' "$1" | sort
}

echo "TAP version 13"
if promtool=$(program prometheus usr/bin/promtool); then
	passes "rules are rules" "$promtool" check rules "$root/daemon/prometheus/lossless.rules.yml"
	passes "rules do what they say" test_rules
	passes "a scrape is without fault" check_metrics
else
	skip "promtool" "cannot be fetched"
fi
if exporter=$(program prometheus-node-exporter usr/bin/prometheus-node-exporter); then
	passes "node_exporter takes the textfile" export_textfile
else
	skip "node_exporter" "cannot be fetched"
fi
echo "1..$n"
exit $failed
