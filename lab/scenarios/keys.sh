# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Keys of scenarios, and their values. The scenario is $SCENARIO in the folder
# $LAB. A function that refuses a value prints the reason, and ends the shell
# with status 2.
#
# A scenario names its keys and their defaults in a line "# keys: KEY=VALUE..."
# of its head. Lines "# key KEY: TYPE RANGE, MEANING" there, or lines of the
# file keys, define the values; that file describes the types.

# shellcheck source=lab/scenarios/metrics.sh
. "$LAB/metrics.sh"

# Keys of every scenario
EVERY='SEED=1 CAPTURE= QUEUES= PAUSES=no CONGESTED=no PARTS=0 TRANSPORT=memory'

declare -A default=()
keys=()

refuse()
{
	echo "$SCENARIO: $1=${!1}: $2" >&2
	exit 2
}

# Sets the array keys, in the order of declaration, and their defaults.
declare_keys()
{
	local pair

	keys=() default=()
	for pair in $EVERY $(sed -n 's/^# keys: //p' "$LAB/$SCENARIO.sh"); do
		[ -n "${default[${pair%%=*}]+set}" ] || keys+=("${pair%%=*}")
		default[${pair%%=*}]=${pair#*=}
	done
}

# take KEY=VALUE...: exports all keys, with these values or their defaults
take()
{
	local key pair

	for key in "${keys[@]}"; do
		export "$key=${default[$key]}"
	done
	for pair in "$@"; do
		key=${pair%%=*}
		[[ $pair == *=* && -n ${default[$key]+set} ]] || {
			echo "$SCENARIO has no key '$key'; it has: ${keys[*]}" >&2
			exit 2
		}
		export "$key=${pair#*=}"
	done
}

# declaration KEY: sets type, range and meaning
declaration()
{
	local line

	line=$(awk -v key="$1" 'sub("^(# key )?" key ": ", "") { print; exit }' \
		"$LAB/$SCENARIO.sh" "$LAB/keys")
	meaning=${line#*, }
	line=${line%%, *}
	case $line in
	'one of '* | 'list of '* | 'file of '*)
		type=${line%% of *} range=${line#* of }
		;;
	*)
		type=${line%% *} range=${line#"$type"} range=${range# }
		;;
	esac
}

# number_of TYPE TEXT: prints bit/s, ns or bytes; nothing if it is wrong
number_of()
{
	local number='(0|[1-9][0-9]*)(\.[0-9]+)?'

	case $1 in
	integer) [[ ! $2 =~ ^(0|[1-9][0-9]{0,17})$ ]] || echo "$2" ;;
	number) [[ ! $2 =~ ^${number}$ ]] || echo "$2" ;;
	percent) [[ ! $2 =~ ^${number}%$ ]] || echo "${2%\%}" ;;
	rate) [[ ! $2 =~ ^${number}[kmg]?bit$ ]] || bits "$2" ;;
	time) [[ ! $2 =~ ^${number}(ns|us|ms|s)$ ]] || nanoseconds "$2" ;;
	size) [[ ! $2 =~ ^(0|[1-9][0-9]{0,11})[kmg]?b?$ ]] || bytes "$2" ;;
	esac
}

# within KEY VALUE MIN MAX WHY: refuses a VALUE of $type outside of this range
within()
{
	awk -v v="$(number_of "$type" "$2")" -v a="$(number_of "$type" "$3")" \
		-v b="$(number_of "$type" "$4")" 'BEGIN { exit !(a <= v && v <= b) }' ||
		refuse "$1" "not from $3 to $4 ($5)"
}

# limit KEY MIN MAX [WHY]: refuses a value outside of a range; for limits()
limit()
{
	local type range meaning

	declaration "$1"
	within "$1" "${!1}" "$2" "$3" "${4:-$meaning}"
}

# in_range KEY VALUE: refuses a VALUE that is not a number of $type in $range
in_range()
{
	local least=${range%%..*} most=${range#*..} even='' or=''

	declare -A example=([integer]='an integer' [number]='a number' [percent]='a percentage (1%)'
		[rate]='a rate (100gbit)' [time]='a time (10us)' [size]='a size (32m)')
	[[ $most != *' even' ]] || even=', even'
	if [[ $most == *' or '* ]]; then
		or=", or ${most#* or }"
		[ "$2" != "${most#* or }" ] || return 0
	fi
	most=${most%% *}
	if [ "$type" = integer ]; then
		least=$((least)) most=$((most))
	fi
	[ -n "$(number_of "$type" "$2")" ] ||
		refuse "$1" "not ${example[$type]} from $least to $most$even$or ($meaning)"
	within "$1" "$2" "$least" "$most" "$meaning"
	[ -z "$even" ] || [ $(($2 % 2)) -eq 0 ] ||
		refuse "$1" "not from $least to $most$even$or ($meaning)"
}

# some_of KEY WORDS: refuses a list with other words, or with one twice
some_of()
{
	local word seen=' '

	while read -r word; do
		[[ -n $word && " $2 " == *" $word "* ]] ||
			refuse "$1" "'$word' is not one of: $2 ($meaning)"
		[[ $seen != *" $word "* ]] || refuse "$1" "'$word' is there twice"
		seen+="$word "
	done <<<"${!1//,/$'\n'}"
}

# check_key KEY: refuses its value if the declaration does not allow it
check_key()
{
	local key=$1 value=${!1} type range meaning word

	declaration "$key"
	[[ $value != *[[:space:]]* ]] || refuse "$key" "has blanks ($meaning)"
	case $type in
	one) [[ " $range " == *" $value "* ]] || refuse "$key" "not one of: $range ($meaning)" ;;
	list) some_of "$key" "$range" ;;
	file)
		range=$(cd "$LAB/../$range" && echo *.csv)
		range=${range//.csv/}
		[[ " $range " == *" $value "* ]] || refuse "$key" "not one of: $range ($meaning)"
		;;
	path) [[ -f $value && -r $value ]] || refuse "$key" "no file ($meaning)" ;;
	names)
		[[ $value =~ ^([a-z]+[0-9]+[a-z0-9]*(/[0-7])?(,|$))*$ ]] ||
			refuse "$key" "not names with commas, such as h1,s1p1 ($meaning)"
		;;
	integers | numbers)
		type=${type%s}
		while read -r word; do
			in_range "$key" "$word"
		done <<<"${value//,/$'\n'}"
		;;
	integer | number | rate | time | size | percent) in_range "$key" "$value" ;;
	*) refuse "$key" "no declaration '# key $key: ...' in $SCENARIO.sh or in keys" ;;
	esac
}

check_keys()
{
	local key

	for key in "${keys[@]}"; do
		# a key without a default may be left out
		[ -z "${default[$key]}${!key}" ] || check_key "$key"
	done
}

# key_files: prints the files that keys name
key_files()
{
	local key type range meaning

	for key in "${keys[@]}"; do
		declaration "$key"
		[ "$type" != path ] || [ -z "${!key}" ] || readlink -f "${!key}"
	done
}

# set_name: prints the name of this set of keys: those not at defaults, and SEED
set_name()
{
	local key name=

	for key in "${keys[@]}"; do
		[ "$key" = SEED ] || [ "${!key}" = "${default[$key]}" ] || name+="$key=${!key},"
	done
	name=${name//\//_}SEED=$SEED
	# the name of a folder has at most 255 characters
	[ ${#name} -le 200 ] || name=${name:0:160},$(sha256sum <<<"$name" | cut -c1-16)
	echo "$name"
}
