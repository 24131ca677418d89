# SPDX-License-Identifier: GPL-2.0
"""Runs a scenario, and turns what its guests leave into results.

Results go to out/lab/SCENARIO/KEYS. During a run the folder is called KEYS.unfinished. The link
out/lab/SCENARIO/latest names the newest folder. A run with the same keys gives the same results,
and replaces them; results of other modules or scripts are kept, as KEYS.1, KEYS.2 and so on.
Nothing is written or removed before all keys have been checked.
"""
import datetime
import fcntl
import hashlib
import json
import math
import operator
import os
import pathlib
import resource
import shutil
import subprocess
import sys

from . import guest, metrics, results, trace
from .errors import Failed, Refused
from .guests import LAB, MEMORY_MB, MODULES, PROGRAMS, TOP, Guests, end
from .keys import Path
from .scenario import SCENARIOS

OPERATORS = {"==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le,
             ">": operator.gt, ">=": operator.ge}
# modules that results do not depend on
SHOWS = ("cli", "compare", "figures", "page", "pages", "plots", "replay", "drawing", "names",
         "svg", "sweep", "watch")


def output(command, **options):
    """Runs a command; returns its exit status and what it prints."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, **options) as process:
        try:
            text, _ = process.communicate()
        except KeyboardInterrupt as why:
            end(process, why)
            raise
    return process.returncode, text


def build():
    """Builds all that a run needs; returns the folders of the kernel and of the modules."""
    built = os.environ.get("LLE_LAB_BUILT")
    if not built:
        status, built = output([LAB / "build.sh"])
        if status:
            raise Failed("lle-lab: the build failed", status)
    return map(pathlib.Path, built.split())


def version(scenario, kernel, mods):
    """The hash of all that a result depends on: contents of files that keys name count, but not
    the keys. The name of a kernel's folder is a hash of its inputs, but its build has a date."""
    files = [mods / f"{name}.ko" for name in MODULES]
    files += [TOP / f"build/bin/{name}" for name in [*PROGRAMS, "lle-topology", "lle_flows"]]
    files += sorted((LAB / "guest").iterdir()) + sorted((LAB / "flow-sizes").iterdir())
    files += sorted(path for path in (LAB / "lle_lab").glob("*.py") if path.stem not in SHOWS)
    files += sorted((LAB / "lle_lab/importers").glob("*.py"))
    # the scenario, and what it has imported from its folder
    homes = pathlib.Path(scenario.source).parent, SCENARIOS
    files += sorted({pathlib.Path(module.__file__) for module in list(sys.modules.values())
                     if getattr(module, "__file__", None)
                     and pathlib.Path(module.__file__).parent in homes})
    files += [getattr(scenario, name) for name, key in scenario.keys.items()
              if isinstance(key, Path) and scenario.texts[name]]
    found = hashlib.sha256(kernel.name.encode())
    for path in files:
        found.update(path.read_bytes())
    return found.hexdigest()[:16]


def tables_of(scenario):
    """Tables from traces of a scenario."""
    return ["events", *["pauses"] * bool(scenario.PAUSES),
            *["congested"] * bool(scenario.CONGESTED)]


def expected(texts, values):
    """Expectations with their outcome."""
    for text in texts:
        name, sign, bound = text.split()
        was = values.get(name)
        ok = was is not None and bool(OPERATORS[sign](was, float(bound)))
        yield {"metric": name, "operator": sign, "value": bound, "was": was, "ok": ok}


def expectations(scenario, values):
    """What has to hold. Faults cost a scenario what they will; a program judges for itself."""
    return [text for text in scenario.expectations(values)
            if not scenario.faults() or text.startswith("exit_status ")]


def nested(pairs):
    """Metrics as objects: detect_ms.min is "min" of "detect_ms"; numbers make lists."""
    tree = {}
    for name, value in pairs:
        *parents, last = name.split(".")
        node = tree
        for parent in parents:
            node = node.setdefault(parent, {})
        node[last] = value

    def lists(node):
        if not isinstance(node, dict):
            return node
        node = {name: lists(value) for name, value in node.items()}
        if not node or not all(map(str.isdigit, node)):
            return node
        found = [None] * (max(map(int, node)) + 1)
        for name, value in node.items():
            found[int(name)] = value
        return found

    return lists(tree)


def measure(scenario, out):
    """All metrics, in order."""
    values = {}
    for scenario.arm in scenario.arms or [None]:
        folder = out / (scenario.arm or "")
        if scenario.PARTS <= 1:
            trace.tables(folder, tables_of(scenario))
        prefix = f"{scenario.arm}." if scenario.arm else ""
        for name, value in scenario.metrics(results.Run(folder)):
            values[prefix + name] = metrics.plain(value)
    if scenario.arm:
        # the network is the same in all arms
        for name in "testbed.json", "stats.json":
            shutil.copy(folder / name, out)
    scenario.arm = None
    for name, value in scenario.compare(values):
        values[name] = metrics.plain(value)
    return values


def write_result(scenario, out, found, values, cpu_s, costs):
    """Writes result.json and metrics.csv; returns the contents of result.json."""
    from . import bounds
    folders = [out / arm for arm in scenario.arms] or [out]
    hops = sum(prio["tx_packets"] for folder in folders for stats in results.Run(folder).testbeds()
               for q in stats["qdiscs"] for prio in q["prios"])
    # a run may be over before it is watched
    run_s = sum(cost.run_s for cost in costs) or cpu_s
    memory_kb = sum(cost.memory_kb for cost in costs) or \
        resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    keys = {name: text for name, text in scenario.texts.items()
            if name not in ("PARTS", "TRANSPORT")}
    result = {
        "scenario": scenario.name, "lle": (TOP / "VERSION").read_text().strip(),
        "date": datetime.date.today().isoformat(),
        "kernel": (out / "release").read_text().strip(), "version": found,
        "seed": int(scenario.SEED), "keys": keys,
        "virtual_s": metrics.plain(float((out / "uptime").read_text())),
        "cpu_s": round(cpu_s, 3), "run_cpu_s": round(run_s, 3),
        "memory_mb": math.ceil(memory_kb / 1024),
        "packet_hops": hops, "hops_per_cpu_s": int(hops / max(run_s, 0.01)),
        "metrics": nested(values.items()),
        "expected": list(expected(expectations(scenario, values), values)),
        "broken_bounds": list(bounds.broken(scenario, out, values))}
    if SCENARIOS not in pathlib.Path(scenario.source).parents:
        result["file"] = scenario.source    # of the user
    (out / "result.json").write_text(json.dumps(result, indent=2) + "\n")
    results.write_metrics([result], out / "metrics.csv")
    return result


def holds(result):
    """Do all expectations and bounds hold?"""
    return all(e["ok"] for e in result["expected"]) and not result["broken_bounds"]


def show(result):
    """Prints a result."""
    print("{virtual_s} s of virtual time, {cpu_s} s of CPU, {memory_mb} MB, {packet_hops} "
          "packet-hops, {hops_per_cpu_s} of them a CPU second".format(**result))
    for name, value in results.flat(result["metrics"]):
        print(f"    {name} {value}")
    print("expected:")
    for e in result["expected"]:
        was = "no such metric" if e["was"] is None else e["was"]
        print(f"{'    ' if e['ok'] else 'NOT '}{e['metric']} {e['operator']} {e['value']}: {was}")
    for line in result["broken_bounds"]:
        print(f"BROKEN BOUND {line}")


def keep(out, root, name, found):
    """Gives the folder of this run its final name, and links it as the latest."""
    final = root / name
    if final.is_dir():
        if json.loads((final / "result.json").read_text())["version"] == found:
            shutil.rmtree(final)
        else:
            number = next(n for n in range(1, 10**6) if not (root / f"{name}.{n}").exists())
            final.rename(root / f"{name}.{number}")
            print(f"results of an earlier version are in {root / name}.{number}")
    out.rename(final)
    link = root / "latest.new"
    link.unlink(missing_ok=True)
    link.symlink_to(name)
    link.rename(root / "latest")
    return final


def take_folder(out, scenario):
    """Takes the lock of the folder of a run, and empties it."""
    out.mkdir(parents=True, exist_ok=True)
    lock = os.open(out, os.O_RDONLY)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise Refused(f"another run of {scenario.name} with these keys writes to {out}: "
                      "wait for it") from None
    for path in out.iterdir():
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()
    return lock


def children_s():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run(scenario):
    """Runs a scenario; returns the contents of result.json, and the folder."""
    kernel, mods = build()
    os.environ["PATH"] = f"{TOP}/build/bin:{os.environ['PATH']}"
    found = version(scenario, kernel, mods)
    files = guest.files(scenario)   # all that may refuse a key has been done
    root = pathlib.Path(os.environ.get("LLE_LAB_OUT", TOP / "out/lab")).resolve() / scenario.name
    name = scenario.folder()
    out = root / f"{name}.unfinished"
    lock = take_folder(out, scenario)
    for path, text in files.items():
        (out / "plan" / path).parent.mkdir(parents=True, exist_ok=True)
        (out / "plan" / path).write_text(text)
    print(f"{scenario.name}: {' '.join(f'{k}={v}' for k, v in scenario.texts.items())}", flush=True)
    if scenario.faults():
        print("faults:", ",".join(fault.text for fault in scenario.faults()), flush=True)
    most = max(text.count("\n") for path, text in files.items() if path.endswith("flows"))
    memory_mb = MEMORY_MB * (2 if most > guest.FLOWS_MAX // 4 else 1)
    before_s = children_s()
    guests = Guests(scenario, out, kernel, mods, memory_mb)
    status, costs = guests.run()
    if status:
        failed(scenario, out, status, costs)
    cpu_s = children_s() - before_s if scenario.TRANSPORT == "memory" else guests.cpu_s()
    if scenario.PARTS > 1:
        from . import merge
        for part in range(1, scenario.PARTS + 1):
            for arm in scenario.arms or [""]:
                trace.tables(out / f"parts/{part}" / arm, tables_of(scenario))
        merge.merge(out)
    result = write_result(scenario, out, found, measure(scenario, out), cpu_s, costs)
    if (out / "output.txt").exists():
        print((out / "output.txt").read_text(), end="")
    show(result)
    if os.environ.get("LLE_LAB_PAGE") != "no":
        from . import page
        page.write(scenario, results.load(out))
    final = keep(out, root, name, found)
    os.close(lock)
    shown = final / "index.html"
    print(f"page: {shown}" if shown.exists() else f"result: {final}/result.json")
    return result, final


def failed(scenario, out, status, costs):
    """Reports a guest that has failed. It refuses keys that only the testbed can check."""
    logs = [path for name in ("console.log", "run.log") for path in sorted(out.rglob(name))]
    texts = [path.read_text(errors="replace") for path in logs]
    for line in "\n".join(texts).splitlines():
        if line.startswith("lab: refused: "):
            shutil.rmtree(out)
            raise Refused(line.removeprefix("lab: refused: "))
    sys.stderr.write("".join(texts))
    for cost in costs:
        if cost.stands:
            print(cost.stands, file=sys.stderr)
    raise Failed(f"lle-lab: {scenario.name} ended with status {status}; what it left is in {out}")
