# SPDX-License-Identifier: GPL-2.0
"""Keys of the lab: a bad key is refused with its name, value and range, in one line, before a file
is written or removed; each set of keys has a folder of its own."""
import pathlib
import subprocess

import pytest

from lle_lab import scenario
from lle_lab.errors import Refused

LAB = pathlib.Path(__file__).resolve().parents[2] / "lab"

REFUSED = [
    ("there is no scenario 'nope'", "nope"),
    ("incast has no key 'FOO'; it has: SEED", "incast FOO=1"),
    ("incast has no key 'N'", "incast N"),
    ("N=abc: not an integer from 1 to 15", "incast N=abc"),
    ("N=0: not from 1 to 15", "incast N=0"),
    ("N=-1: not an integer from 1 to 15", "incast N=-1"),
    ("N=08: not an integer from 1 to 15", "incast N=08"),
    ("N=1e1: not an integer from 1 to 15", "incast N=1e1"),
    ("N=: not an integer from 1 to 15", "incast N="),
    ("N=99: not from 1 to 15 (hosts that send", "incast N=99"),
    ("N=16: not from 1 to 15", "incast N=16"),
    ("N=2: not from 1 to 1", "incast N=2 K=2"),
    ("N=99999999999999999999: not an integer", "incast N=99999999999999999999"),
    ("N=a[$(reboot)]: not an integer", "incast N=a[$(reboot)]"),
    ("K=5: not from 2 to 16, even", "incast K=5"),
    ("K=0: not from 2 to 16", "incast K=0"),
    ("K=18: not from 2 to 16", "incast K=18"),
    ("RATE=fast: not a rate (100gbit) from 10mbit to 400gbit", "incast RATE=fast"),
    ("RATE=100: not a rate", "incast RATE=100"),
    ("RATE=0gbit: not from 10mbit to 400gbit", "incast RATE=0gbit"),
    ("RATE=1000gbit: not from 10mbit to 400gbit", "incast RATE=1000gbit"),
    ("RATE=100GBIT: not a rate", "incast RATE=100GBIT"),
    ("DELAY=1: not a time (10us) from 0ns to 1ms", "incast DELAY=1"),
    ("DELAY=2s: not from 0ns to 1ms", "incast DELAY=2s"),
    ("BUFFER=1: not from 128k to 1g", "incast BUFFER=1"),
    ("BUFFER=lots: not a size (32m) from", "incast BUFFER=lots"),
    ("MTU=10: not from 256 to 9000", "incast MTU=10"),
    ("MTU=65536: not from 256 to 9000", "incast MTU=65536"),
    ("MS=1.5: not an integer", "incast MS=1.5"),
    ("PFC=maybe: not one of: on off", "incast PFC=maybe"),
    ("PFC=on off: has blanks", ["incast", "PFC=on off"]),
    ("CC=tahoe: not one of: none dcqcn", "incast CC=tahoe"),
    ("SEED=abc: not an integer from 1 to 2147483647", "incast SEED=abc"),
    ("SEED=0: not from 1 to 2147483647", "incast SEED=0"),
    ("SEED=2147483648: not from 1", "incast SEED=2147483648"),
    ("CAPTURE=-w: not names", "incast CAPTURE=-w"),
    ("QUEUES=s1p1/9: not names", "incast QUEUES=s1p1/9"),
    ("SIZE=0: not from 1", "permutation SIZE=0"),
    ("LOAD=2: not from 0.01 to 1", "poisson LOAD=2"),
    ("CDF=../keys: not one of: data-mining enterprise", "poisson CDF=../keys"),
    ("PMAX=200%: not from 0.01% to 100%", "dcqcn PMAX=200%"),
    ("ARMS=pfc,nope: 'nope' is not one of: pfc dcqcn rcm", "rcm-victim ARMS=pfc,nope"),
    ("ARMS=rcm,rcm: 'rcm' is there twice", "rcm-victim ARMS=rcm,rcm"),
    ("ARMS=: '' is not one of", "rcm-victim ARMS="),
    ("LOSS=101: not from 0 to 100", "rcm-victim LOSS=101"),
    ("RX=some: not a rate (100gbit) from 1mbit to 400gbit, or unlimited", "slow-receiver RX=some"),
    ("DEAD=100: not from 122 to", "storm DEAD=100"),
    ("RATES=10,,25: not an integer", "headroom RATES=10,,25"),
    ("SIZES=1,x: not a number", "ldcp-faststart SIZES=1,x"),
    ("MODE=draft: not one of: exact dcfit", "dcfit-ring MODE=draft"),
    ("RUNS=0: not from 1", "dcfit-ring RUNS=0"),
    ("TOPOLOGY=: a file is required", "import"),
    ("TOPOLOGY=/nope: no file", "import TOPOLOGY=/nope"),
    ("TOPOLOGY=/: no file", "import TOPOLOGY=/"),
    ("SCRIPT=: a file is required", "run"),
    ("SCRIPT=/nope: no file", "run SCRIPT=/nope"),
    ("PRIOS=0,8: not from 0 to 7", "run PRIOS=0,8"),
    ("MTU=100: not from 576 to 9000", "run MTU=100"),
]


def refusal(words):
    """The line that refuses a run."""
    with pytest.raises(Refused) as why:
        scenario.create(words.split(" ") if isinstance(words, str) else words)
    return str(why.value)


@pytest.mark.parametrize("text, words", REFUSED)
def test_refused(text, words):
    line = refusal(words)
    assert text in line
    assert "\n" not in line


def test_near_names_are_named():
    assert "did you mean incast?" in refusal("incats")
    assert "did you mean RATE?" in refusal("incast RAET=1gbit")


@pytest.mark.parametrize("name", scenario.names())
def test_defaults_are_allowed(name):
    """Defaults of each scenario, but for files that the user has to name."""
    try:
        scenario.load(name)()
    except Refused as why:
        assert "a file is required" in str(why)


@pytest.mark.parametrize("name", scenario.names())
def test_a_scenario_says_what_it_is(name):
    module = scenario.module_of(name)
    assert len(module.__doc__.splitlines()[0]) <= 97
    for key in scenario.load(name).keys.values():
        assert key.help


def test_folder():
    def folder(*pairs):
        return scenario.create(["incast", *pairs]).folder()
    assert folder() == "SEED=1"
    assert folder("SEED=2", "N=2", "K=4") == "N=2,SEED=2"
    assert folder("SIZE=10000", "CAPTURE=h1,s1p1") == "CAPTURE=h1,s1p1,SIZE=10000,SEED=1"
    long = ",".join(f"s{i}p1" for i in range(200))
    assert len(folder(f"CAPTURE={long}")) <= 200
    assert folder(f"CAPTURE={long}") != folder(f"CAPTURE={long},s1p2")


def test_a_command_changes_nothing_if_it_is_refused(tmp_path):
    (tmp_path / "incast/N=abc,SEED=1.unfinished").mkdir(parents=True)
    before = sorted(tmp_path.rglob("*"))
    done = subprocess.run([LAB / "lle-lab", "run", "incast", "N=abc"], text=True,
                          capture_output=True, env={"LLE_LAB_OUT": str(tmp_path),
                                                    "PATH": "/usr/bin:/bin"})
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert sorted(tmp_path.rglob("*")) == before


OWN = """
from lle_lab import FatTree, Integer, flow

class Mine(FatTree):
    LATE = Integer(0, 0, 100, "ms")
"""


@pytest.mark.parametrize("text, line", [
    ("", "mine.py: no class of Scenario"),
    ("from lle_lab import Scenario\nclass Mine(Scenario): pass\n",
     "mine.py: Mine needs flows, network, seconds()"),
    ("class Mine(:", "invalid syntax"),
    ("import nothing_of_that_name", "No module named"),
    (OWN, "needs flows()")])
def test_own_scenario_that_is_wrong(tmp_path, text, line):
    path = tmp_path / "mine.py"
    path.write_text(text)
    assert line in refusal([str(path)])


def test_own_scenario(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(OWN + "    def flows(self):\n        yield flow(1, 2, 1000, self.LATE)\n")
    mine = scenario.create([str(path), "LATE=5"])
    assert mine.name == "mine"
    assert list(mine.flows()) == ["5 1000 10.0.0.1 10.0.0.2 3"]
    assert "no file" in refusal([str(tmp_path / "other.py")])
