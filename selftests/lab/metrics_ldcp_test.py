# SPDX-License-Identifier: GPL-2.0
"""Metrics of scenarios about LDCP, from files by hand: no guest."""
import json

import pytest
from fake_results import write

from lle_lab import plots, results, scenario
from lle_lab.errors import Refused
from lle_lab.scenarios import _ldcp

HEAD = "id,src,dst,prio,size,start_ns,last_ns,acked_ns,received,retrans,marked\n"
BDP = 125000        # bytes at 100 Gbit/s and 10 us
MESSAGE = 81 * 1448


def flows(*rows):
    """(size, start_ns, last_ns, acked_ns, received) of each"""
    return HEAD + "".join(
        f"{i},10.0.0.2,10.0.0.1,3,{size},{start},{last},{acked},{received},2,3\n"
        for i, (size, start, last, acked, received) in enumerate(rows))


def run(folder, **files):
    return results.Run(write(folder, **files))


def create(*words):
    return scenario.create(words)


def refusal(*words):
    with pytest.raises(Refused) as why:
        create(*words)
    return str(why.value)


def test_losses_by_reason(tmp_path):
    drops = {"nonect_discard": 5, "cong_discard": 2, "bufmax_discard": 1, "other": 4}
    prio = {"drops": drops, "tx_pause": 6, "ecn_marked": 7}
    files = run(tmp_path, flows_csv=flows((1, 0, 1, 1, 1)),
                stats_json={"qdiscs": [{"role": "edge", "prios": [prio]},
                                       {"role": "host", "prios": [prio]}]})
    assert dict(_ldcp.losses(files)) == {
        "loss.first_rtt": 10, "loss.stable": 6, "loss.other": 8, "pauses": 12,
        "marked.switch": 14, "marked.seen": 3, "retransmitted": 2}


def test_queue_without_first_third(tmp_path):
    lengths = [10**6] * 3 + [0, 0, 0, BDP, BDP, BDP]
    rows = "".join(f"{i},s1p1,3,{length}\n" for i, length in enumerate(lengths))
    files = run(tmp_path, queue_csv="time_ns,port,prio,bytes\n" + rows)
    assert dict(create("ldcp-churn").queue_lengths(files)) == {
        "queue_p50_kb": 125, "queue_p50_bdp": 1, "queue_p99_kb": 125, "queue_p99_bdp": 1}


def test_queue_without_samples(tmp_path):
    assert not list(create("ldcp-churn").queue_lengths(run(tmp_path)))


def test_roce_rates_skip_first_third_and_tcp_does_not(tmp_path):
    churn = create("ldcp-churn", "FLOWS=2", "S=0.006")
    # of 6 bins of a ms, two do not count; long flows get a half and a quarter of the payload
    full = 100e9 / 8e3 * 1440 / 1522
    bins = [[10**9] * 2 + [int(full * part)] * 4 for part in (0.5, 0.25, 0.1)]
    text = "id," + ",".join(str(n * 10**6) for n in range(6)) + "\n" + "".join(
        f"{i}," + ",".join(map(str, row)) + "\n" for i, row in enumerate(bins))
    found = dict(churn.rates(run(tmp_path / "roce", bins_csv=text)))
    assert found == {"utilisation": 0.75, "messages_load": 0.1, "kept": 0.8333, "jain": 0.9}
    taken = [int(100e9 / 8 * 0.006 * 1448 / 1538 * part) for part in (0.5, 0.25)]
    files = run(tmp_path / "tcp", tcp_csv=flows(*((10**12, 0, -1, -1, n) for n in taken)))
    assert dict(churn.rates(files)) == {"utilisation": 0.75, "jain": 0.9}


def ideal_ns(tcp):
    """Of MESSAGE, over two links: by hand."""
    payload, wire = (1448, 1538) if tcp else (1440, 1522)
    delay = round((10000 - 2 * 1628 * 0.08) / 4)
    packets = -(-MESSAGE // payload)
    bytes = MESSAGE + packets * (wire - payload)
    return 2 * delay + (1538 + bytes) * 0.08 + (0 if tcp else 2 * (delay + 90 * 0.08))


@pytest.mark.parametrize("tcp", [True, False])
def test_messages(tmp_path, tcp):
    start = 1_000_000
    # RDMA counts until the ACK, TCP until the last byte
    done = [start + round(ideal_ns(tcp) * over) for over in (1, 1.5)]
    rows = [(MESSAGE, start, ns if tcp else 1, 1 if tcp else ns, MESSAGE) for ns in done]
    # overdue, and not yet overdue at the end
    rows += [(MESSAGE, start, -1, -1, 0), (MESSAGE, 99_900_000, -1, -1, 0)]
    files = run(tmp_path, **{"tcp_csv" if tcp else "flows_csv": flows(*rows)})
    found = dict(create("ldcp-faststart").message_times(files, "0.5,1,2"))
    assert [found[name] for name in ("messages", "unfinished", "overdue")] == [2, 2, 1]
    assert found["fct_over_ideal.least"] == 1
    assert found["fct_over_ideal.bdp_1.p50"] == 1.5
    assert found["fct_us.bdp_1.p99"] == pytest.approx(1.5 * ideal_ns(tcp) / 1e3, abs=1e-3)
    assert not any("bdp_0_5" in name or "bdp_2" in name for name in found)


def test_network_of_arms():
    steady = create("ldcp-steady", "ARMS=ldcp,dctcp,dcqcn+pfc", "PROFILE=lowq")
    edges = {arm: steady.network().edge for arm, _ in steady.each_run()}
    assert edges["ldcp"].endswith("wred 3 kmin 3076 kmax 53076 pmax 100% nonect 53076 ecn")
    assert edges["dctcp"].endswith("wred 3 kmin 8500 kmax 8500 pmax 100% ecn")
    assert "prio-pfc 3:on" in edges["dcqcn+pfc"] and "prio-pfc all:off" in edges["ldcp"]


def test_refused():
    assert "RTT=5us: not from" in refusal("ldcp-fct", "RTT=5us", "RATE=10gbit")
    assert "more than 4095 packets" in refusal("ldcp-steady", "RATE=400gbit", "RTT=1ms")
    assert "half of it is headroom" in refusal("ldcp-steady", "ARMS=dcqcn+pfc", "BUFFER=128k")


def expected(*words):
    """Expectations of LDCP over TCP."""
    m = {"ldcp.marked.switch": 10, "ldcp.retransmitted": 0, "ldcp.messages": 1}
    return list(create(*words, "ARMS=ldcp").expectations(m))


def test_findings_hold_for_measured_keys_only():
    def used(*words):
        return "ldcp.utilisation >= 0.99" in expected("ldcp-steady", *words)
    assert used() and used("RATE=100gbit", "RTT=10us", "S=0.05", "FLOWS=256", "BUFFER=256m")
    assert used("S=0.05", "IW=2")
    # more flows than were measured, another rate, another rule, a short run
    assert not any(used(word) for word in ("FLOWS=256", "RATE=5gbit", "MODE=draft", "S=0.01"))


def test_laws_hold_for_all_keys():
    for words in ("ldcp-steady", "FLOWS=256"), ("ldcp-churn", "LOAD=1"), ("ldcp-incast", "N=1"):
        found = expected(*words)
        assert "ldcp.loss.other == 0" in found and "ldcp.marked.seen <= 10" in found


@pytest.mark.parametrize("words", ["ldcp-fct ARMS=ldcp,dcqcn", "ldcp-faststart ARMS=ldcp,dcqcn"])
def test_times_of_messages_are_drawn(tmp_path, words):
    rows = flows(*((MESSAGE // 2, 1000, 10**6 + n, 10**6 + n, MESSAGE // 2) for n in range(20)))
    for arm, name in ("ldcp", "tcp.csv"), ("dcqcn", "flows.csv"):
        (tmp_path / arm).mkdir()
        (tmp_path / arm / name).write_text(rows)
    (tmp_path / "result.json").write_text(json.dumps(
        {"metrics": {}, "keys": {"ARMS": "ldcp,dcqcn"}}))
    found = create(*words.split())
    for method in plots.pictures(found).values():
        figure, _ = plots.figure_of(method, results.load(tmp_path), plots.COLUMN)
        assert [len(line.get_xdata()) for line in figure.axes[0].lines]
