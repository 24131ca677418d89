# SPDX-License-Identifier: GPL-2.0
#
# Makes of what losslessctl 0.2 save has printed what losslessctl 0.3 restore reads:
# sed -Ef from-0.2.sed before >after

# options that are gone
s/ (no-)?direct\b//
s/ (deadlock-mode|rcm-(wq|wremote|cam|sample|cfr|rcc)) [^ ]+//g

# lists change what they name
s/ prio-pfc ([0-7])/ prio-pfc all:off \1/
s/ dscp-prio ([0-9])/ dscp-prio all:default \1/

# alpha is 2^(N - 10)
s| to-alpha 0\b| alpha 1/1024|
s| to-alpha 1\b| alpha 1/512|
s| to-alpha 2\b| alpha 1/256|
s| to-alpha 3\b| alpha 1/128|
s| to-alpha 4\b| alpha 1/64|
s| to-alpha 5\b| alpha 1/32|
s| to-alpha 6\b| alpha 1/16|
s| to-alpha 7\b| alpha 1/8|
s| to-alpha 8\b| alpha 1/4|
s| to-alpha 9\b| alpha 1/2|
s| to-alpha 10\b| alpha 1|
s| to-alpha 11\b| alpha 2|
s| to-alpha 12\b| alpha 4|
s| to-alpha 13\b| alpha 8|
s| to-alpha 14\b| alpha 16|
s| to-alpha 15\b| alpha 32|
s| to-alpha 16\b| alpha 64|
s| to-alpha 17\b| alpha 128|
s| to-alpha 18\b| alpha 256|
s| to-alpha 19\b| alpha 512|
s| to-alpha 20\b| alpha 1024|
