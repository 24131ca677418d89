# SPDX-License-Identifier: GPL-2.0
"""What the guest gets: files for /lab. guest.sh there runs them."""
import math
import shlex

from . import faults
from .errors import Refused
from .network import Topology

FLOWS_MAX = 2000000     # each takes 1 KB of the guest's memory, and of its results


def array(name, words):
    return f"{name}=({shlex.join(map(str, words))})\n"


def function(name, commands):
    body = "".join(f"\t{command}\n" for command in commands) or "\t:\n"
    return f"{name}()\n{{\n{body}}}\n"


def options(values):
    """Parameters of a module."""
    return " ".join(f"{name}={value}" for name, value in values.items())


def samples(scenario, flows):
    """Bins of throughput and samples of queues for the whole time, if it is known; fewer if many
    flows need memory."""
    if scenario.seconds() == math.inf:
        return {}
    number = 100 if flows > 1000 else 1000
    us = -(-round(scenario.seconds() * 10**9) // (number * 1000))
    return {"bin_us": us, "bins": number, "sample_us": us, "samples": number, "timeline_us": 1}


def plan(scenario):
    """The file of the whole run."""
    traces = "lle_deadlock lle_storm" + " lle_pause_tx lle_pause_rx" * bool(scenario.PAUSES) + \
        " lle_congested" * bool(scenario.CONGESTED)
    values = {"scenario": scenario.name, "seed": scenario.SEED, "transport": scenario.TRANSPORT,
              "PARTS": scenario.PARTS, "captures": ",".join(scenario.CAPTURE),
              "queues": ",".join(scenario.QUEUES), "traces": traces,
              "lossless": options({"seed": scenario.SEED} | scenario.modules()),
              "runs": scenario.repeats(),
              "faults": " ".join(f"{fault.kind}:{fault.name}" for fault in scenario.faults())}
    return "".join(f"{name}={shlex.quote(str(value))}\n" for name, value in values.items()) + \
        array("arms", scenario.arms or ["."]) + \
        function("let_fail", faults.commands(scenario.faults()))


def up(scenario, network, topology):
    """Arguments of `lle-testbed up`. Ports split GSO packets, and serve priorities strictly, unless
    the scenario says otherwise."""
    words = [*topology, *network.words()]
    common = getattr(scenario, "GSO", "split-gso")
    if not any(" bands " in f" {word} " for word in words):
        common += " strict 8"
    return words + [word for role in ("edge", "fabric", "host") for word in (f"--{role}", common)]


def run_files(scenario, folder):
    """The files of a run of an arm, for /lab/FOLDER: {name: text}."""
    scenario.begin()
    network, flows = scenario.network(), []
    for line in scenario.flows():
        flows.append(f"{line}\n")
        if len(flows) > FLOWS_MAX:
            raise Refused(f"more than {FLOWS_MAX} flows for these keys")
    files = {"flows": "".join(flows)}
    topology = network.topology
    if isinstance(topology, Topology):
        files["topology"] = str(topology)
        topology = "file", f"/lab/{folder}/topology"
    nic = samples(scenario, len(flows)) | scenario.nic()
    files["plan"] = (
        array("up", up(scenario, network, topology)) + f"nic={shlex.quote(options(nic))}\n"
        + function("built", network.after) + function("prepare", scenario.prepare())
        + function("traffic", scenario.traffic()))
    return files


def files(scenario):
    """All files: {path: text}. Raises Refused."""
    found = {"plan": plan(scenario)}
    try:
        for arm, run in scenario.each_run():
            folder = f"arms/{arm or '.'}/{run}"
            for name, text in run_files(scenario, folder).items():
                found[f"{folder}/{name}"] = text
    except Refused as why:
        raise Refused(f"{scenario.name}: {why}") from None
    return found
