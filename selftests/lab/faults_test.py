# SPDX-License-Identifier: GPL-2.0
"""The key FAULT, and the faults that the scenario faults draws."""
import pytest

from lle_lab import faults, scenario
from lle_lab.errors import Refused

REFUSED = [
    ("not like one of: flap:s1p2@3ms+1ms loss:h3:1%@0s", "storm:h1@1ms"),
    ("not like one of", "h1"),
    ("not like flap:s1p2@3ms+1ms", "flap:s1p2@3ms"),
    ("not like flap", "flap:@3ms+1ms"),
    ("not like flap", "flap:s1p2@3+1"),
    ("not like flap", "flap:s1p2@-3ms+1ms"),
    ("not like flap", "flap:s1p2@3ms+1ms+1ms"),
    ("has no length", "flap:s1p2@3ms+0ms"),
    ("not like flap", "flap:s1p2;reboot@3ms+1ms"),
    ("not like loss:h3:1%@0s", "loss:h3@0s"),
    ("not like loss", "loss:h3:1@0s"),
    ("not from 0.01% to 50%", "loss:h3:51%@0s"),
    ("not from 0.01% to 50%", "loss:h3:0%@0s"),
    ("not like slow:h3:10mbit@3ms+1ms", "slow:h3:fast@0s"),
    ("not like slow", "slow:s1p1:10mbit@0s"),
    ("not like stop:h3@3ms+1ms", "stop:h3@3ms"),
    ("not like kill:h3/nginx@3ms", "kill:h3/nginx@3ms+1ms"),
    ("not like kill", "kill:h3/a$(reboot)@3ms"),
    ("not like one of", "flap:h1@1ms+1ms,"),
]


@pytest.mark.parametrize("why, text", REFUSED, ids=[text for _, text in REFUSED])
def test_a_bad_fault_is_refused(why, text):
    with pytest.raises(Refused) as refused:
        scenario.create(["incast", f"FAULT={text}"])
    assert str(refused.value).startswith(f"incast: FAULT={text}: {why}")


def test_parts_are_refused():
    with pytest.raises(Refused, match="FAULT=flap.*needs PARTS of 0 or 1"):
        scenario.create(["incast", "FAULT=flap:h1@1ms+1ms", "PARTS=2"])


def test_steps_come_in_the_order_of_their_times():
    text = "flap:h1@3ms+1.5ms,loss:s1p2:0.3%@0s,kill:h2/nginx@4ms,slow:h3:10mbit@1us+1s"
    assert faults.commands(scenario.create(["incast", f"FAULT={text}"]).faults()) == [
        "fault_at 0 loss begins s1p2 333", "fault_at 1000 slow begins h3 10mbit",
        "fault_at 3000000 flap begins h1", "fault_at 4000000 kill begins h2/nginx",
        "fault_at 4500000 flap ends h1", "fault_at 1000001000 slow ends h3 10mbit"]


def drawn(*words):
    found = scenario.create(["faults", f"SCRIPT={__file__}", *words])
    return [fault.text for fault in found.faults()]


def test_faults_follow_from_the_seed():
    assert drawn("SEED=7") == drawn("SEED=7") != drawn("SEED=8")
    assert len(drawn("FAULTS=30")) == 30


def test_drawn_faults_can_be_typed():
    texts = drawn("FAULTS=100", "KINDS=flap,loss,slow,stop,kill", "S=0.5")
    assert drawn(f"FAULT={','.join(texts)}") == texts
    assert {text.partition(":")[0] for text in texts} == set(faults.KINDS)
    begins = [faults.fault(text).begin_ns for text in texts]
    assert begins == sorted(begins) and begins[-1] <= 5 * 10**8


def test_only_these_fail():
    texts = drawn("FAULTS=100", "KINDS=flap,stop", "AT=h3,s1p3")
    assert {text.split("@")[0] for text in texts} == {"flap:h3", "flap:s1p3", "stop:h3"}
    # either end of a link, and the port to a host
    assert drawn("KINDS=flap", "AT=s9p1,s1p1")


@pytest.mark.parametrize("why, words", [
    ("AT=h99: there is no host or port h99", ["AT=h99"]),
    ("AT=s1p3: no host for", ["AT=s1p3"]),
    ("KINDS=slow: slow needs PFC=on", ["KINDS=slow", "PFC=off"]),
    ("KINDS=cut: 'cut' is not one of: flap loss", ["KINDS=cut"]),
    ("SEEDS=0: not from 1", ["SEEDS=0"]),
])
def test_keys_of_the_scenario(why, words):
    with pytest.raises(Refused) as refused:
        drawn(*words)
    assert str(refused.value).startswith(f"faults: {why}")
