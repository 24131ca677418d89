# SPDX-License-Identifier: GPL-2.0
#
# Congested flows that CFR has identified at ports of switches, in the way of
# pauses.awk.

BEGIN { print "time_ns,port,prio,fb,ids,identified" }

/^[0-9]+: / {
	sub(/[@:].*/, "", $2)
	port["ifindex=" ($1 + 0)] = $2
}

# ... lle_congested: net=N ifindex=N switch=N prio=N fb=N ids=N identified=N
# found=N
/ lle_congested: / && $(NF - 7) == net {
	printf "%s,%s,%s,%s,%s,%s\n", substr($NF, 7), port[$(NF - 6)],
		substr($(NF - 4), 6), substr($(NF - 3), 4), substr($(NF - 2), 5),
		substr($(NF - 1), 7)
}
