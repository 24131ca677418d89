# SPDX-License-Identifier: GPL-2.0
"""Metrics of scenarios about RCM, from files by hand: no guest."""
import pytest
from fake_results import write

from lle_lab import metrics, results, scenario
from lle_lab.scenarios import _rcm, rcm_microburst

HEAD = "id,src,dst,prio,size,start_ns,first_ns,last_ns,received,retrans,ooo\n"
US_50G = 5787       # bytes of payload in a us at 50 Gbit/s


@pytest.fixture(autouse=True)
def no_losses(monkeypatch):
    """Without the common metrics."""
    monkeypatch.setattr(_rcm.Rcm, "losses", lambda self, run: ())


def flows(*rows):
    """(size, start_ns, last_ns) of each"""
    return HEAD + "".join(f"{i},10.0.0.1,10.0.0.2,3,{size},{start},{start},{last},{size},0,0\n"
                          for i, (size, start, last) in enumerate(rows, 1))


def bins(width_ns, *rows):
    return "id," + ",".join(str(n * width_ns) for n in range(len(rows[0]))) + "\n" + "".join(
        f"{i}," + ",".join(map(str, row)) + "\n" for i, row in enumerate(rows, 1))


def run(folder, **files):
    return results.Run(write(folder, **files))


def burst(folder, *sizes):
    """A burst with these bytes from its first bin on; incasts get the rest of 100 Gbit/s."""
    own = [0] * 103 + list(sizes) + [0] * (297 - len(sizes))
    rest = [(2 * US_50G - size) // 4 for size in own]
    files = run(folder, flows_csv=flows(*[(1, 0, 1)] * 4, (1, 100_000, 1)),
                bins_csv=bins(1000, rest, rest, rest, rest, own))
    return rcm_microburst.Burst(scenario.create(["rcm-microburst"]), files, 0)


# the first byte reaches the last switch after 100 us, two delays and one packet
FIRST_US = 100 + 2 + 0.08848


def test_burst_is_low_after_it_was_cut(tmp_path):
    found = burst(tmp_path, *[US_50G] * 5, *[2000] * 15)
    # the first four bins without a full one, sent a delay and a packet before
    assert found.low() == pytest.approx(108 - FIRST_US - 1.08848)
    # with one full one, incasts get 74 Gbit/s
    assert found.recovered() == found.low() - 1
    assert found.after(found.burst) == pytest.approx(found.gbps(2000, 1))
    late = 5 * US_50G + 15 * 2000
    assert found.delayed() == pytest.approx(1, abs=100 / late)


def test_burst_is_never_low(tmp_path):
    found = burst(tmp_path, *[US_50G] * 20)
    assert found.low() is None and found.recovered() is None
    assert found.after(found.burst) == pytest.approx(50, abs=0.01)


def test_no_burst(tmp_path):
    found = burst(tmp_path)
    assert found.low() is None and found.delayed() == 0


def test_cut(tmp_path):
    found = burst(tmp_path, US_50G)
    full = [FIRST_US + n * 0.177 for n in range(113)]
    assert found.cut(full) is None
    # from 5 us on, less than two packets a us
    slow = [at for at in full if at < FIRST_US + 5] + [FIRST_US + 5 + n * 0.6 for n in range(25)]
    assert 4 < found.cut(slow) < 5.2
    # of other bursts
    assert found.cut([at + 400 for at in slow]) is None


def test_identified(tmp_path):
    rcm = scenario.create(["rcm-microburst", "RUNS=2"])
    first = [(1, 0, 1)] * 4 + [(1, 100_000, 1)]
    second = [(1, 400_000, 1)] * 4 + [(1, 500_000, 1)]
    files = run(tmp_path, flows_csv=flows(*first, *second), start="1000000",
                bins_csv=bins(1000, *[[0] * 800] * 10), congested_csv=(
                    "time_ns,port,prio,fb,ids,identified\n"
                    "1103588,s3p1,3,9,1,1\n1104000,s1p1,3,9,1,9\n1503588,s3p1,3,9,1,2\n"
                    "1503900,s3p1,3,9,2,3\n"))
    bursts = [rcm_microburst.Burst(rcm, files, number) for number in (0, 1)]
    decisions, others = rcm.identified(files, bursts)
    assert decisions == pytest.approx([103.588 - FIRST_US] * 2)
    assert others == 1


def test_statistics():
    assert list(rcm_microburst.statistics("x_us", [None, None])) == []
    assert list(rcm_microburst.statistics("x_us", [1, None, 2.0004])) == [
        ("x_us", 1.5), ("x_us_min", 1), ("x_us_max", 2)]


def hotspot(folder, monkeypatch):
    """Two runs of 24 bins of 100 us; of the first windows, of 3 bins, the last two count."""
    rcm = scenario.create(["rcm-hotspot", "K=4", "RUNS=2", "MS=0.3,0.6"])
    monkeypatch.setattr(type(rcm), "flows", lambda self: ["0 1 a b 3", "0 1 a b 3 # hot"] * 2)
    assert (rcm.bin_us, rcm.bins, rcm.period) == (100, 6, 48)
    rows = [[0] * 54 for _ in range(4)]
    rows[0][0:7] = [9, 9, 1000, 1000, 3000, 9, 9]       # before, in and after windows
    rows[1][2] = 500
    rows[2][48 + 5] = 4000
    timeline = "time_ns,port,queue,buffer,paused_ns,role\n" + "".join(
        f"{at * 1000},{port},0,0,{paused},1\n" for at, port, paused in (
            (10, "p1", 0), (10, "10.0.0.1", 0), (10, "p2", 0), (150, "p1", 40_000),
            (250, "p1", 100_000), (250, "10.0.0.1", 90_000), (5500, "p1", 100_000)))
    return rcm, run(folder, bins_csv=bins(100_000, *rows), timeline_csv=timeline, flows_csv=flows(
        (1, 150_000, 350_000), (1, 0, 500_000), (1, 4_950_000, 5_250_000), (1, 4_950_000, -1)))


def test_hotspot(tmp_path, monkeypatch):
    rcm, files = hotspot(tmp_path, monkeypatch)
    found = dict(rcm.metrics(files))

    def gbps(bytes, us):
        """The mean of two runs, of 16 hosts."""
        return metrics.fixed(bytes / 2 / 16 * 8 * 1106 / 1024 / us / 1e3, 3)

    assert found["of_0_3ms.background_gbps"] == gbps(9 + 1000, 200)
    assert found["of_0_3ms.hot_gbps"] == gbps(500, 200)
    assert found["of_0_6ms.background_gbps"] == found["background_gbps"] == gbps(5009 + 4000, 400)
    assert found["flows"] == 4 and found["unfinished"] == 1
    # the second message began in the first bin, the last one has not ended
    assert "latency_us.hot.mean" not in found
    assert found["latency_us.background.mean"] == 250 and found["latency_us.all.max"] == 300


def test_paused_share(tmp_path, monkeypatch):
    rcm, files = hotspot(tmp_path, monkeypatch)
    # p1 of two ports: 100 us from 100 us on, of 200 in each run
    assert rcm.paused_share(files, 1) == pytest.approx(100 / 2 / 400)


def test_sizes(tmp_path):
    rcm = scenario.create(["rcm-fct"])
    files = run(tmp_path, flows_csv=flows(
        (99_999, 0, 1000), (100_000, 0, 3000), (10**7, 0, 5000), (10**7 + 1, 500, 7500),
        (5, 0, -1)))
    found = dict(rcm.metrics(files))
    assert [found[f"fct_us.{name}.flows"] for name in (
        "below_100k", "100k_to_1m", "1m_to_10m", "mice", "elephants", "all")] == [1, 1, 0, 2, 1, 4]
    assert found["fct_us.mice.mean"] == 2 and found["fct_us.mice.p99"] == 3
    assert found["fct_us.elephants.mean"] == 7 and "fct_us.1m_to_10m.mean" not in found


def test_gains():
    rcm = scenario.create(["rcm-fct", "ARMS=dcqcn,rcm+dcqcn,rcm-nosar"])
    m = {"dcqcn.x": 200, "rcm+dcqcn.x": 150}
    assert list(rcm.gains(m, "x", "more")) == [("rcm+dcqcn.more", -25)]
    assert list(rcm.gains(m, "x", "less", -1)) == [("rcm+dcqcn.less", 25)]
    assert not list(rcm.gains({"rcm+dcqcn.x": 150}, "x", "more"))


def test_pauses_in_time(tmp_path):
    rcm = scenario.create(["rcm-victim", "MS=1"])
    files = run(tmp_path, start="5000000", stats_json={"qdiscs": [
        {"role": "fabric", "dev": "s1p1"}, {"role": "edge", "dev": "s1p2"}]}, pauses_csv=(
            "time_ns,port,direction,prio,event\n5000000,s1p1,tx,3,pause\n"
            "5999000,s1p1,tx,3,resume\n5999999,s1p1,tx,3,pause\n6000000,s1p1,tx,3,pause\n"
            "5500000,s1p1,rx,3,pause\n5500000,s1p2,tx,3,pause\n"))
    assert rcm.pauses_in_time(files) == 2


def test_arms():
    rcm = scenario.create(["rcm-fct", "ARMS=" + ",".join(_rcm.ARMS("pfc").words)])
    has = {arm: [rcm.rcm, rcm.las, rcm.sar, rcm.dcqcn] for arm, _ in rcm.each_run()}
    assert has == {
        "pfc": [0, 0, 0, 0], "dcqcn": [0, 0, 0, 1], "rcm": [1, 0, 1, 0], "rcm+dcqcn": [1, 0, 1, 1],
        "rcm+dcqcn+las": [1, 1, 1, 1], "rcm-nosar": [1, 0, 0, 1]}
