# SPDX-License-Identifier: GPL-2.0
#
# Congested flows that CFR has identified at ports of switches, in the way of
# pauses.awk.

function value(field) { return substr(field, index(field, "=") + 1) }

BEGIN { print "time_ns,port,prio,fb,ids,identified" }

/^[0-9]+: / {
	sub(/[@:].*/, "", $2)
	port["ifindex=" ($1 + 0)] = $2
}

# ... lle_congested: net=N ifindex=N switch=N prio=N fb=N ids=N identified=N
# found=N
/ lle_congested: / && $(NF - 7) == net {
	printf "%s,%s,%s,%s,%s,%s\n", value($NF), port[$(NF - 6)], value($(NF - 4)),
		value($(NF - 3)), value($(NF - 2)), value($(NF - 1))
}
