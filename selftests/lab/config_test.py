# SPDX-License-Identifier: GPL-2.0
"""What config.txt of HPCC's ns-3 becomes, without a guest."""
import pytest

from lle_lab import guest, scenario
from lle_lab.errors import Refused

TOPOLOGY = """6 3 5
3 4 5
0 3 100Gbps 1000ns 0
1 3 100Gbps 1000ns 0
2 4 100Gbps 1000ns 0
3 5 400Gbps 1000ns 0
4 5 400Gbps 1000ns 0
"""
FLOWS = "2\n0 2 3 100 3000 2.0\n1 2 3 100 1005 2.000001\n"
CONFIG = """ENABLE_QCN 1
PACKET_PAYLOAD_SIZE 1000
CC_MODE 1
ALPHA_RESUME_INTERVAL 55
RATE_DECREASE_INTERVAL 4
RP_TIMER 300
EWMA_GAIN 0.00390625
FAST_RECOVERY_TIMES 1
RATE_AI 50Mb/s
RATE_HAI 0.1Gb/s
MIN_RATE 100Mb/s
HAS_WIN 0
VAR_WIN 0
ACK_HIGH_PRIO 1
L2_ACK_INTERVAL 1
PMAX_MAP 2 100000000000 0.2 400000000000 0.1
KMAX_MAP 2 100000000000 1600 400000000000 3200
KMIN_MAP 2 100000000000 400 400000000000 800
BUFFER_SIZE 32
FCT_OUTPUT_FILE fct.txt
"""


@pytest.fixture
def run(tmp_path):
    """Creates the scenario: run(FLOWS, NAME="VALUE"...) replaces lines of CONFIG."""
    def create(flows=FLOWS, *keys, **settings):
        lines = [line for line in CONFIG.splitlines() if line.split()[0] not in settings]
        lines += [f"{name} {value}" for name, value in settings.items() if value]
        for name, text in (("topology", TOPOLOGY), ("flows", flows),
                           ("config", "\n".join(lines) + "\n")):
            (tmp_path / name).write_text(text)
        return scenario.create(["import", f"TOPOLOGY={tmp_path}/topology",
                                f"FLOWS={tmp_path}/flows", f"CONFIG={tmp_path}/config", *keys])
    return create


def files(*args, **settings):
    return guest.files(args[0](*args[1:], **settings))


def test_switches(run):
    found = files(run)
    plan, topology = found["arms/./1/plan"], found["arms/./1/topology"]
    edge, fabric = (plan.split(f"--{role} '")[1].split("'")[0] for role in ("edge", "fabric"))
    assert edge == ("overhead 0 burst 0 reaction 0 alpha 1/8 reserved 4096 xon-delta 3072 "
                    "headroom 37500 prio-pfc 3:on wred 3 kmin 400000 kmax 1600000 pmax 20% ecn "
                    "dequeue")
    # 400 Gbit/s are four times the rate of hosts
    assert "alpha 1/2 " in fabric and "headroom 150000 " in fabric
    assert "kmin 800000 kmax 3200000 pmax 10% ecn dequeue" in fabric
    # seven more priorities than there keep 4096 bytes, at each port
    for switch, ports in ("s3", 3), ("s4", 2), ("s5", 2):
        assert f"switch {switch} buffer {(32 << 20) + 7 * 4096 * ports}\n" in topology


def test_nics(run):
    nic = dict(pair.split("=") for pair in
               files(run)["arms/./1/plan"].split("nic='")[1].split("'")[0].split())
    wanted = {"mtu": 990, "line_mbps": 100000, "ack_every": 1, "ack_prio": 7, "cc": "dcqcn",
              "dcqcn_g_shift": 8, "dcqcn_alpha_us": 55, "dcqcn_cut_us": 4, "dcqcn_timer_us": 300,
              "dcqcn_rounds": 2, "dcqcn_ai_mbps": 50, "dcqcn_hai_mbps": 100,
              "dcqcn_min_mbps": 100}
    assert {name: nic[name] for name in wanted} == {k: str(v) for k, v in wanted.items()}
    assert "window" not in nic


def test_window(run):
    # 8 us and a packet on four links, at 100 Gbit/s: 100 KB, 2 * 1000 and 2 * 250 bytes
    plan = files(run, HAS_WIN="1")["arms/./1/plan"]
    assert " window=103 " in plan


def test_sizes(run):
    """Headers are ten bytes longer, so a packet has ten bytes less of a flow; a packet of less
    has one."""
    flows = files(run)["arms/./1/flows"].splitlines()
    assert flows[1:] == ["0 2970 10.0.0.1 10.0.0.3 3 # dport 100 size 3000",
                         "1000 991 10.0.0.2 10.0.0.3 3 # dport 100 size 1005"]


def test_without_congestion_control(run):
    plan = files(run, ENABLE_QCN="0", VAR_WIN="1", HAS_WIN="1")["arms/./1/plan"]
    assert "wred" not in plan and "cc=none" in plan and " window=103 " in plan


def test_priorities_are_served_in_turn(run):
    plan = files(run, FLOWS.replace("1 2 3", "1 2 4"))["arms/./1/plan"]
    bands = f"bands 8 strict 1 quanta {' '.join(['1048'] * 7)} priomap 1 2 3 4 5 6 7 0 "
    assert plan.count(bands) == 3
    assert "prio-pfc 3:on 4:on" in plan and "strict 8" not in plan


def test_acks_of_one_priority(run):
    assert " ack_prio=3 " in files(run, ACK_HIGH_PRIO="0")["arms/./1/plan"]


@pytest.mark.parametrize("text, settings", [
    ("line 20: CC_MODE 3: the lab has DCQCN (1) only", {"CC_MODE": "3"}),
    ("VAR_WIN 1: a window does not follow", {"VAR_WIN": "1", "HAS_WIN": "1"}),
    ("ERROR_RATE_PER_LINK 0.1: links of the lab lose no", {"ERROR_RATE_PER_LINK": "0.1"}),
    ("LINK_DOWN 2000 0 3: links do not fail", {"LINK_DOWN": "2000 0 3"}),
    ("USE_DYNAMIC_PFC_THRESHOLD 0", {"USE_DYNAMIC_PFC_THRESHOLD": "0"}),
    ("EWMA_GAIN 0.3: not 2^-1", {"EWMA_GAIN": "0.3"}),
    ("RP_TIMER is missing", {"RP_TIMER": ""}),
    ("KMIN_MAP has no value for 400000000000", {"KMIN_MAP": "1 100000000000 400"}),
    ("KMIN_MAP: not a number of pairs", {"KMIN_MAP": "2 100000000000 400"}),
    ("KMIN_MAP: not a number", {"KMIN_MAP": "1 100000000000 many"}),
    ('RATE_AI "fast" is not a rate', {"RATE_AI": "fast"}),
    ('PACKET_PAYLOAD_SIZE "1" is not a number from 266', {"PACKET_PAYLOAD_SIZE": "1"}),
    ('BUFFER_SIZE "" is not a number', {"BUFFER_SIZE": " "})])
def test_refused(run, text, settings):
    with pytest.raises(Refused) as why:
        guest.files(run(**settings))
    assert text in str(why.value)
    assert str(why.value).startswith("import: CONFIG=")
    assert "\n" not in str(why.value)


def test_keys_that_the_file_sets(run):
    for key in "BUFFER=1m", "CC=dcqcn", "MTU=4096", "PFC=off":
        with pytest.raises(Refused, match="CONFIG sets it"):
            run(FLOWS, key)


def test_what_is_not_carried_is_said(run, capsys):
    files(run, SIMULATOR_STOP_TIME="4", FRAMES="7", FAST_REACT="1")
    said = capsys.readouterr().err
    assert "SIMULATOR_STOP_TIME is not carried: MS says" in said
    assert "FRAMES is unknown" in said
    assert "FAST_REACT" not in said and "FCT_OUTPUT_FILE" not in said


ARGS = "htsim_roce -topo t -mtu 986 -queue_type lossless_input -pfc_thresholds 80 100 -end 9\n"
MATRIX = "Nodes 3\nConnections 1\n1->0 id 1 start 0 size 1972\n"


@pytest.fixture(name="htsim")
def a_run_of_htsim(tmp_path):
    """Creates the scenario with arguments of htsim_roce."""
    def create(args):
        for name, text in ("topology", TOPOLOGY), ("flows", MATRIX), ("args", args):
            (tmp_path / name).write_text(text)
        return scenario.create(["import", f"TOPOLOGY={tmp_path}/topology",
                                f"FLOWS={tmp_path}/flows", f"CONFIG={tmp_path}/args"])
    return create


def test_arguments_of_htsim(htsim, capsys):
    found = guest.files(htsim(ARGS))
    plan = found["arms/./1/plan"]
    # packets of 986 bytes, without headers
    assert plan.count("buffer 1g reserved 0 xoff 98601 xon-delta 19722 headroom ") == 2
    assert "mtu=992 " in plan and "cc=none" in plan
    # headers have six bytes less here
    assert "0 1984 10.0.0.2 10.0.0.1 3 # size 1972" in found["arms/./1/flows"]
    assert "-end 9 is not carried: MS says" in capsys.readouterr().err


@pytest.mark.parametrize("text, args", [
    ("-queue_type lossless_input is required", ARGS.replace("_input", "")),
    ('-mtu "" is not a number', ARGS.replace("-mtu 986", "")),
    ('-pfc_thresholds: the second "80x" is not', ARGS.replace("80 100", "90 80x")),
    ('-pfc_thresholds: the first "101" is not a number from 1 to 100',
     ARGS.replace("80", "101")),
    ('"-hpcc" is no argument of htsim_roce', ARGS + "-hpcc 1\n")])
def test_arguments_that_are_refused(htsim, text, args):
    with pytest.raises(Refused) as why:
        guest.files(htsim(args))
    assert text in str(why.value)


def test_hosts_with_several_rates(run, tmp_path):
    """The first host's rate is that of the NICs; thresholds are equal without marks, headroom is the
    most, and what a slower port needs less is in the buffer."""
    scenario_ = run(ENABLE_QCN="0")
    text = (tmp_path / "topology").read_text().replace("1 3 100Gbps", "1 3 1Gbps")
    (tmp_path / "topology").write_text(text)
    found = guest.files(scenario_)
    assert "alpha 1/8 reserved 4096 xon-delta 3072 headroom 37500" in found["arms/./1/plan"]
    room = 7 * 4096 * 3 + 37500 - 375
    assert f"switch s3 buffer {(32 << 20) + room}\n" in found["arms/./1/topology"]
    with pytest.raises(Refused, match="KMIN_MAP has no value for 1000000000"):
        scenario_ = run()
        (tmp_path / "topology").write_text(text)
        guest.files(scenario_)
