# SPDX-License-Identifier: GPL-2.0
"""Tables from the trace of a guest."""
from lle_lab import trace

TRACE = """5: s1p1@if4: <BROADCAST> mtu 1500
6: s1p2@if4: <BROADCAST> mtu 1500
  <idle>-0  [000] d.s1. 0.100002: lle_pause_tx: net=7 ifindex=5 switch=0 enable=0x08 quanta={0x0,0x0,0x0,0xffff,0x0,0x0,0x0,0x0} at=100001678
  <idle>-0  [000] d.s1. 0.100009: lle_pause_tx: net=7 ifindex=5 switch=0 enable=0x08 quanta={0x0,0x0,0x0,0x0,0x0,0x0,0x0,0x0} at=100008901
  <idle>-0  [000] d.s1. 0.100009: lle_pause_rx: net=8 ifindex=6 switch=0 enable=0x08 quanta={0x0,0x0,0x0,0x0,0x0,0x0,0x0,0x0} at=100008902
  <idle>-0  [000] d.s1. 0.200000: lle_deadlock: net=7 switch=0 prio=3 slot=2 hops=4 trigger=1/2 since=5 declared=199999999
  <idle>-0  [000] d.s1. 0.300000: lle_pause_tx: net=7 ifindex=5 switch=0 enable=0x08 quanta={0x0,0x0,0x0,0xffff,0x0,0x0,0x0,0x0} at=200000001
net=7 end=200000000
"""


def test_tables(tmp_path):
    (tmp_path / "trace").write_text(TRACE)
    trace.tables(tmp_path, ["events", "pauses"])
    assert (tmp_path / "pauses.csv").read_text() == \
        "time_ns,port,direction,prio,event\n100001678,s1p1,tx,3,pause\n" \
        "100008901,s1p1,tx,3,resume\n"
    assert (tmp_path / "events.csv").read_text() == \
        "time_ns,event,port,prio,since_ns,hops,trigger\n199999999,deadlock,0/2,3,5,4,1/2\n"
    assert not (tmp_path / "trace").exists()
