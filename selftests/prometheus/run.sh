#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Tests that Prometheus and its node_exporter accept the output of losslessd and
# our rules.
#
# Usage: run.sh DIR
#
# DIR is the output of the scenario losslessd: a scrape, metrics.prom, and a
# file for the textfile collector, lossless.prom. Fetches both programs from
# Debian without installing them; they listen in a network namespace of their
# own.
#
# Exit status: 0; 1 a test failed.

# shellcheck disable=SC2317 # passes calls functions that look unreachable

set -uo pipefail

here=$(dirname "$(readlink -f "$0")")
root=$(dirname "$(dirname "$here")")
[ $# -eq 1 ] || { sed -n '4,/^$/s/^# \{0,1\}//p' "$0" >&2; exit 1; }
dir=$(readlink -f "$1")
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

suite=prometheus
# shellcheck source=selftests/tap.sh
. "$root/selftests/tap.sh"

# program PACKAGE PATH: fetches PACKAGE, prints the path of its program
program()
{
	local package

	package=$("$root/scripts/vm/package.sh" "$1") && echo "$package/$2"
}

# File names in a rule file are relative to that file.
test_rules()
{
	cp "$root/daemon/prometheus/lossless.rules.yml" "$here/rules_test.yml" "$tmp" &&
		"$promtool" test rules "$tmp/rules_test.yml"
}

check_metrics() { "$promtool" check metrics <"$dir/metrics.prom"; }

# Runs node_exporter with the textfile collector only, in a network namespace
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
	# all samples of the file must be there, with the same values
	diff <(samples "$dir/lossless.prom") <(samples "$tmp/exported")
}

# The tables of the page have all metrics of a scrape, and all alerts.
documented()
{
	local page=$root/Documentation/guide/monitoring.rst

	{
		awk '$2 == "TYPE" { print "   * - ``" $3 "``" }' "$dir/metrics.prom"
		sed -n 's/^ *- alert: /   * - /p' "$root/daemon/prometheus/lossless.rules.yml"
	} | sort -u >"$tmp/have"
	! comm -23 "$tmp/have" <(sort -u "$page") | grep . || return
	! comm -13 "$tmp/have" <(grep -E '^   \* - (``|Pfc|Lossless)' "$page" |
		grep -v ldcp | sort -u) | grep .
}

# Samples in one format: the programs print numbers differently.
samples()
{
	awk '/^(lossless|pfc)_/ { printf "%s %.12g\n", $1, $2 }' "$1" | sort
}

echo "TAP version 13"
passes "the page has each metric and alert" documented
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
end
