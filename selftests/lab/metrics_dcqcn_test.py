# SPDX-License-Identifier: GPL-2.0
"""Shares and queues in the second half of the time, counters of queues: no guest."""
import json

from lle_lab import results, scenario


def prio(**values):
    return {"tx_packets": 0, "tx_bytes": 0, "rx_bytes": 0, "rx_packets": 0, "drop_bytes": 0,
            "backlog": 0, "tx_pause": 0, "headroom_max": 0, "backlog_max": 0,
            "drops": {"x": 0}} | values


def write(folder, flows, qdiscs, bins="", queue=""):
    (folder / "flows.csv").write_text(flows)
    (folder / "stats.json").write_text(json.dumps({"qdiscs": qdiscs}))
    (folder / "bins.csv").write_text(bins)
    if queue:
        (folder / "queue.csv").write_text(queue)
    return results.Run(folder)


def port(role="edge", **more):
    return {"dev": "s1p1", "role": role, "options": {}, "wire_bytes": 0,
            "prios": [prio() for _ in range(8)]} | more


def test_second_half(tmp_path):
    # bins of 1 ms: of four, the last three count
    run = write(tmp_path, "id,cnps_sent,cnps\n1,5,4\n2,0,0\n", [port()],
                "flow,0,1000000,2000000,3000000\n1,999,100,100,100\n2,999,0,0,100\n",
                "time_ns,port,prio,bytes\n0,s1p1,3,9\n1,s1p1,3,10\n2,s1p1,3,21\n3,s1p1,3,32\n")
    found = dict(scenario.create(["dcqcn", "RATE=10mbit"]).metrics(run))
    assert (found["share_1"], found["share_2"], found["share_off_max"]) == (1.5, 0.5, 0.5)
    assert found["goodput_share"] == round(400 * 8e9 / 3e6 / 1e7, 4)
    assert (found["queue_mean_bytes"], found["queue_max_bytes"]) == (21, 32)
    assert (found["cnps.sent"], found["cnps.under_way"]) == (5, 1)
    slow = dict(scenario.create(["cnp-delay", "SLOW=20mbit"]).metrics(run))
    assert slow["goodput_share"] == round(400 * 8e9 / 3e6 / 2e7, 4)
    assert "share_1" not in slow


def test_nothing_arrives(tmp_path):
    run = write(tmp_path, "id,cnps_sent,cnps\n1,0,0\n", [port()], "flow,0,1000\n1,0,0\n")
    found = dict(scenario.create(["dcqcn"]).metrics(run))
    assert found["share_off_max"] == found["goodput_share"] == 0
    assert "share_1" not in found


HEAD = "id,prio,last_ns,retrans,naks,ooo,marked,cnps_sent,cnps\n"


def test_queues_of_sonic(tmp_path):
    to_h4 = port(peer="h4")
    for queue, bytes in ((0, 10000), (1, 10001), (3, 39999)):
        to_h4["prios"][queue] |= {"tx_bytes": bytes, "tx_packets": 5, "tx_pause": queue,
                                  "drops": {"a": 1, "b": queue}}
    to_h4["prios"][6]["rx_packets"] = 8
    host = port("host", peer="s1")
    host["prios"][3]["tx_packets"] = 7
    run = write(tmp_path, HEAD + "1,3,50,1,0,0,4,0,2\n2,3,-1,1,2,0,0,0,0\n3,0,60,0,0,0,0,0,0\n",
                [to_h4, port(peer="h1"), host])
    found = dict(scenario.create(["sonic-roce"]).metrics(run))
    assert {name: value for name, value in found.items() if name.startswith("queue.3")} == {
        "queue.3.messages": 1, "queue.3.retransmitted": 2, "queue.3.naks": 2,
        "queue.3.out_of_order": 0, "queue.3.marked": 4, "queue.3.cnps_sent": 0,
        "queue.3.cnps_received": 2, "queue.3.dropped": 4, "queue.3.pauses": 3,
        "queue.3.under_way": 2}
    assert found["queue.0.messages"] == 1 and "queue.0.dropped" not in found
    assert (found["acks"], found["cnps"]) == (8, 0)
    assert [found.get(f"share.{queue}") for queue in range(4)] == [0.1667, 0.1667, None, 0.6667]


def expected(*keys):
    return list(scenario.create(["sonic-roce", *keys]).expectations({}))


def test_expectations_of_sonic():
    assert "queue.3.pauses > 0" in expected() and "queue.4.pauses > 0" in expected()
    assert "queue.4.pauses > 0" not in expected("LOSSLESS=3")
    assert "queue.3.pauses <= 100" in expected("CASE=dcqcn")
    # 3 and 4 have 15, 0 and 1 have 14 of 58 parts
    assert f"share.3 >= {0.95 * 15 / 58}" in expected()
    basic = expected("CASE=basic")
    assert "pauses == 0" in basic and "queue.4.marked == 0" in basic
    # other keys: what holds for any
    assert set(expected("MS=1")) == {"lost_bytes == 0", "queue.3.dropped == 0",
                                     "queue.4.dropped == 0", "queue.0.pauses == 0",
                                     "queue.1.pauses == 0"}
