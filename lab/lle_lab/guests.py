# SPDX-License-Identifier: GPL-2.0
"""Boots the guest of a run, or one for each part of its network, and watches them.

Parts on this machine share memory; with TRANSPORT=mpi they are tasks of a Slurm job, each the
command `lle-lab part FILE`.
"""
import contextlib
import dataclasses
import json
import os
import pathlib
import shlex
import signal
import subprocess
import tempfile

from .watch import Watch

LAB = pathlib.Path(__file__).resolve().parent.parent
TOP = LAB.parent
MODULES = "lossless sch_lossless lle_rnic lle_oracle lle_wire tcp_ldcp".split()
PROGRAMS = "lle-testbed losslessctl lle_tcp lle_until lle_random".split()
MEMORY_MB = 3072
PATIENCE_S = 10     # after ctrl-C
# for a test; the size of the guest's files, which it logs, is the same
DISTURB = f"DISTURB={int('LLE_LAB_DISTURB' in os.environ)}"


@dataclasses.dataclass
class Cost:
    """CPU seconds of runs, the peak of memory, and a message if virtual time stood still."""
    run_s: float = 0
    memory_kb: int = 0
    stands: str = None


def bound(command):
    """A command that gets SIGTERM when the thread that has started it ends, even by SIGKILL; it
    does not begin if that was before."""
    return ["setpriv", "--pdeathsig", "TERM", "--",
            "sh", "-c", '[ "$PPID" = "$0" ] && exec "$@"', str(os.getpid()), *map(str, command)]


def end(process, why):
    """Ends a command because of a KeyboardInterrupt, and waits until it has cleaned up. Ctrl-C has
    reached the command, too; a second signal might come in the midst of that."""
    if why.args == (signal.SIGINT,):
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(PATIENCE_S)
    process.terminate()
    process.wait()


class Guest:
    """A guest that runs. Has to be waited for, and ends with this process."""

    def __init__(self, job):
        """job: a dictionary, see Guests.job()"""
        folder = pathlib.Path(job["folder"])
        with open(folder / "run.log", "w") as log:
            self.process = subprocess.Popen(bound(job["command"]), stderr=log,
                                            stdin=subprocess.DEVNULL)
        self.watch = Watch(job["linux"], job["title"], folder, job["seconds"], job["quiet"])
        self.watch.start()

    def wait(self, seconds=None):
        """Returns the status; None: it still runs."""
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None

    def end(self):
        if self.process.poll() is None:
            self.process.terminate()
        self.process.wait()
        self.watch.ended.set()
        self.watch.join()
        return Cost(self.watch.run_s, self.watch.memory_kb, self.watch.stands)


class Guests:
    """All guests of a run, with results in a folder."""

    def __init__(self, scenario, out, kernel, mods, memory_mb=MEMORY_MB):
        self.scenario, self.out, self.kernel = scenario, out, kernel
        seconds = os.environ.get("LLE_TIMEOUT", 540 + 60 * getattr(scenario, "RUNS", 1))
        self.command = [LAB / "uml-run.sh", "-q", "-k", kernel, "-t", seconds, "-M", memory_mb,
                        "-S", int(scenario.SEED)]
        for name in MODULES:
            self.command += ["-f", f"{mods}/{name}.ko:/mods/{name}.ko"]
        self.command += ["-f", f"{TOP}/build/tc/q_lossless.so:"
                               "/usr/lib/x86_64-linux-gnu/tc/q_lossless.so"]
        for name in PROGRAMS:
            self.command += ["-b", TOP / f"build/bin/{name}"]
        self.command += scenario.guest_options()
        self.command += ["-f", f"{LAB}/guest/:/lab", "-f", f"{out}/plan/:/lab"]

    def job(self, part, folder, *options):
        """What a Guest needs, as JSON has it."""
        folder.mkdir(parents=True, exist_ok=True)
        command = [*self.command, "-o", folder, "-p", folder / "guest.pid", *options,
                   "--", "env", f"PART={part}", DISTURB, "bash", "/lab/guest.sh"]
        return {"command": [str(word) for word in command], "folder": str(folder),
                "linux": str(self.kernel / "linux"), "title": self.scenario.name,
                "seconds": self.scenario.busy(), "quiet": part > 1}

    def run(self):
        """Returns the first status that is not 0, and the Cost of each guest."""
        parts = self.scenario.PARTS
        if parts <= 1:
            return together([Guest(self.job(0, self.out))])
        if self.scenario.TRANSPORT == "mpi":
            return self.run_mpi()
        with tempfile.NamedTemporaryFile(dir="/dev/shm", prefix="lle-wire.") as memory:
            memory.truncate((parts * parts * 9 + 1) * 2**20)
            return together([Guest(self.job(i, self.out / f"parts/{i}", "-w", memory.name))
                             for i in range(1, parts + 1)])

    def run_mpi(self):
        memory = tempfile.mktemp(dir="/dev/shm", prefix="lle-wire.")    # on each machine
        folders = [self.out / f"parts/{i}" for i in range(1, self.scenario.PARTS + 1)]
        for i, folder in enumerate(folders, 1):
            (folder / "part.json").write_text(
                json.dumps(self.job(i, folder, "-w", f"{memory}.{i}")))
            part = shlex.join([str(LAB / "lle-lab"), "part", str(folder / "part.json")])
            (folder / "command").write_text(f"exec {part}\n")
        subprocess.run(["make", "-s", "-C", TOP, "build/bin/lle_wire_mpi"], check=True)
        with subprocess.Popen(
                ["srun", "--quiet", f"--job-name=lle-{self.scenario.name}",
                 f"--ntasks={self.scenario.PARTS}", "--mpi=pmix", "--kill-on-bad-exit=1",
                 "--wait=0", TOP / "build/bin/lle_wire_mpi", memory, self.out / "parts"],
                stdin=subprocess.DEVNULL) as job:
            try:
                status = job.wait()
            except KeyboardInterrupt as why:
                end(job, why)
                raise
        found = [folder / "cost.json" for folder in folders]
        return status, [Cost(**json.loads(path.read_text())) for path in found if path.exists()]

    def cpu_s(self):
        """CPU seconds of parts on other machines."""
        return sum(float(path.read_text().split()[0]) for path in self.out.glob("parts/*/cpu"))


def together(guests):
    """Waits for guests; the first failure ends all."""
    status = 0
    try:
        while status == 0 and (running := [g for g in guests if g.process.poll() is None]):
            running[0].wait(0.05)
            status = next((g.process.returncode for g in guests if g.process.returncode), 0)
        status = status or next((g.process.returncode for g in guests if g.process.returncode), 0)
    except KeyboardInterrupt as why:
        for guest in guests:
            end(guest.process, why)
        raise
    finally:
        costs = [guest.end() for guest in guests]
    return status, costs


def part(path):
    """Runs the guest of a part, as a task of a Slurm job. Returns its status."""
    job = json.loads(pathlib.Path(path).read_text())
    status, costs = together([Guest(job)])
    (pathlib.Path(job["folder"]) / "cost.json").write_text(
        json.dumps(dataclasses.asdict(costs[0])))
    return status
