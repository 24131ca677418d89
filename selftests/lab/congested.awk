# SPDX-License-Identifier: GPL-2.0
#
# What ports of switches have found congested, as pauses.awk has pauses.

BEGIN { print "time_us,port,prio,fb,ids,named" }

/^[0-9]+: / {
	sub(/[@:].*/, "", $2)
	port["ifindex=" ($1 + 0)] = $2
}

# ... TIME: lle_congested: net=N ifindex=N switch=N prio=N fb=N ids=N named=N
/ lle_congested: / && $(NF - 6) == net {
	split($(NF - 8), time, /[.:]/)
	printf "%.0f,%s,%s,%s,%s,%s\n", time[1] * 1e6 + time[2], port[$(NF - 5)],
		substr($(NF - 3), 6), substr($(NF - 2), 4), substr($(NF - 1), 5),
		substr($NF, 7)
}
