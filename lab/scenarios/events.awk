# SPDX-License-Identifier: GPL-2.0
#
# Storms and deadlocks that switches have found, a line each, in the way of
# pauses.awk. Of a deadlock: switch and slot of the ingress that has found it,
# since when that pauses, the length of the loop, and the initial trigger.

BEGIN { print "time_ns,event,port,prio,since_ns,hops,trigger" }

/^[0-9]+: / {
	sub(/[@:].*/, "", $2)
	port["ifindex=" ($1 + 0)] = $2
}

function value(field) { return substr(field, index(field, "=") + 1) }

# ... TIME: lle_storm: net=N ifindex=N switch=N prio=N detected|restored
/ lle_storm: / && $(NF - 4) == net {
	split($(NF - 6), time, /[.:]/)
	printf "%.0f,%s,%s,%s,,,\n", (time[1] * 1e6 + time[2]) * 1000,
		$NF == "detected" ? "storm" : "restored", port[$(NF - 3)], value($(NF - 1))
}

# ... TIME: lle_deadlock: net=N switch=N prio=N slot=N hops=N trigger=N/N
# since=N declared=N
/ lle_deadlock: / && $(NF - 7) == net {
	printf "%s,deadlock,%s/%s,%s,%s,%s,%s\n", value($NF), value($(NF - 6)),
		value($(NF - 4)), value($(NF - 5)), value($(NF - 1)), value($(NF - 3)),
		value($(NF - 2))
}
