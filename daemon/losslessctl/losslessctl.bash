# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Completion of losslessctl's command line, for bash. Needs no other file.

# Ports of this network namespace, or nothing.
_losslessctl_ports()
{
	losslessctl port 2>/dev/null | awk 'NR > 1 && /^[^ ]/ { print $1 }'
}

_losslessctl_switches()
{
	losslessctl switch 2>/dev/null | awk 'NR > 1 { print $1 }'
}

_losslessctl_deadlocks()
{
	losslessctl deadlock history 2>/dev/null | awk '{ print $2 }'
}

_losslessctl_groups()
{
	losslessctl path 2>/dev/null | awk 'NR > 1 { print $1 }'
}

# Words that may come after those in $@, which are no options.
_losslessctl_next()
{
	case "$*" in
	'') echo port switch prio pfc buffer watchdog history tree explain deadlock congestion path \
		ldcp state save restore reload doctor monitor top ;;
	port | prio | buffer | ldcp) echo show ;;
	switch) echo show set discard ;;
	watchdog) echo start stop show clear ;;
	deadlock) echo show history graph ;;
	congestion) echo show graph ;;
	path) echo show set del ;;
	'path set' | 'path del') _losslessctl_groups ;;
	'path set '*) _losslessctl_ports ;;
	'port show' | 'prio show' | 'watchdog clear' | 'congestion show' | history | tree | explain | pfc)
		_losslessctl_ports ;;
	'switch show' | 'switch set' | 'switch discard') _losslessctl_switches ;;
	'switch set '*) [ $# -ne 3 ] || echo buffer ;;
	'switch discard '*) [ $# -ne 3 ] || echo on off ;;
	'watchdog show') echo config stats ;;
	'watchdog stop' | 'watchdog start') echo all; _losslessctl_ports ;;
	'watchdog start '*' prio'*) ;;
	'watchdog start '*)
		# a number is the detection time
		if [[ $# -gt 3 && ${!#} =~ ^[0-9]+$ ]]; then
			echo prio
		elif [ "$3" != all ]; then
			_losslessctl_ports
		fi ;;
	'watchdog stop '*) [ "$3" = all ] || _losslessctl_ports ;;
	'deadlock graph') _losslessctl_deadlocks ;;
	monitor*) echo pause storm deadlock congestion config ;;
	top*) _losslessctl_ports ;;
	esac
}

_losslessctl_options()
{
	echo --json --pretty --help
	case "$*" in
	'') echo --version ;;
	prio* | congestion | 'congestion show'*) echo --all ;;
	tree*) echo --graph ;;
	state*) echo --queues ;;
	'path set'*) echo --adaptive --gap ;;
	'watchdog start'*) echo --action --restoration --fabric ;;
	'watchdog show stats'*) echo --empty --check-storm ;;
	restore*) echo --follow ;;
	top*) echo --batch --delay --rounds ;;
	esac
}

_losslessctl()
{
	local at=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
	local words=() offer word i

	for ((i = 1; i < COMP_CWORD; i++)); do
		word=${COMP_WORDS[i]}
		case ${words[0]-}:$word in
		watchdog:-a | watchdog:--action | watchdog:-r | watchdog:--restoration | \
		path:-g | path:--gap | top:-d | top:--delay | top:-n | top:--rounds)
			i=$((i + 1)) ;;
		*:-*) ;;
		*) words+=("$word") ;;
		esac
	done
	case ${words[0]-}:$before in
	watchdog:-a | watchdog:--action) offer='drop forward alert' ;;
	watchdog:-r | watchdog:--restoration) offer= ;;
	path:-g | path:--gap | top:-d | top:--delay | top:-n | top:--rounds) offer= ;;
	*)
		if [[ $at == -* ]]; then
			offer=$(_losslessctl_options "${words[@]}")
		else
			offer=$(_losslessctl_next "${words[@]}")
		fi ;;
	esac
	mapfile -t COMPREPLY < <(compgen -W "$offer" -- "$at")
}

complete -F _losslessctl losslessctl
