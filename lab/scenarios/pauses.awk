# SPDX-License-Identifier: GPL-2.0
#
# Pauses of switch ports, a line each, from the output of `ip -o link` and then
# the trace; net is "net=" and the number of the switches' namespace.

function hex(digit) { return index("0123456789abcdef", digit) - 1 }

BEGIN { print "time_us,port,direction,prio,event" }

/^[0-9]+: / {
	sub(/[@:].*/, "", $2)
	port["ifindex=" ($1 + 0)] = $2
}

# ... TIME: lle_pause_tx: net=N ifindex=N switch=N enable=0x08 quanta={0x0,...}
/ lle_pause_[rt]x: / && $(NF - 4) == net {
	split($(NF - 6), time, /[.:]/)
	split(substr($NF, 9), quanta, /[,}]/)
	enable = hex(substr($(NF - 1), 10, 1)) * 16 + hex(substr($(NF - 1), 11, 1))
	for (prio = 0; prio < 8; prio++)
		if (int(enable / 2 ^ prio) % 2)
			printf "%.0f,%s,%s,%d,%s\n", time[1] * 1e6 + time[2],
				port[$(NF - 3)], substr($(NF - 5), 11, 2), prio,
				quanta[prio + 1] == "0x0" ? "resume" : "pause"
}
