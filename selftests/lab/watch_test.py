# SPDX-License-Identifier: GPL-2.0
"""The progress of a run, with a fake guest: guest.c. Each say of it takes 0.5 s."""
import contextlib
import math
import re
import subprocess
import time

import pytest

from lle_lab import runner
from lle_lab.watch import Watch

SECONDS = 10    # of virtual time with packets in a run


class Noting(Watch):
    """Notes each phase, and run_s at the end of each arm."""

    def __init__(self, *words):
        super().__init__(*words)
        self.phases, self.arms_s = [], []

    def enter(self, guest, phase, number, count):
        super().enter(guest, phase, number, count)
        self.phases.append(self.phase)
        if self.phase == "gather":
            self.arms_s.append(self.run_s)


class Lab:
    """Runs the guest, and a watch that reports the progress each `every` seconds."""

    def __init__(self, program, folder, monkeypatch, capsys):
        self.program, self.folder = program, folder
        self.monkeypatch, self.capsys = monkeypatch, capsys

    @contextlib.contextmanager
    def watched(self, every, command, seconds=SECONDS):
        """Yields the watch until the command, which becomes the guest, has ended. The output of
        the watch is then in self.said."""
        self.monkeypatch.setenv("LLE_PROGRESS", str(every))
        with open(self.folder / "console.log", "wb") as console:
            process = subprocess.Popen(command, stdout=console)
        (self.folder / "guest.pid").write_text(f"{process.pid}\n")
        watch = Noting(self.program, "fake", self.folder, seconds)
        watch.start()
        try:
            yield watch
            assert process.wait(120) == 0
        finally:
            process.kill()
            process.wait()
            watch.ended.set()
            watch.join()
            self.said = self.capsys.readouterr().err

    def watch(self, every, *words, seconds=SECONDS):
        """Returns the watch of a guest that has ended."""
        with self.watched(every, [self.program, *map(str, words)], seconds) as watch:
            pass
        return watch

    def says(self, text):
        assert re.search(text, self.said, re.M), self.said


@pytest.fixture(name="program", scope="module")
def a_program(tmp_path_factory):
    program = tmp_path_factory.mktemp("guest") / "linux"
    subprocess.run(["gcc", "-O1", "-no-pie", "-Wall", "-Werror", "-o", program,
                    runner.TOP / "selftests/lab/guest.c"], check=True)
    return program


@pytest.fixture(name="lab")
def a_lab(program, tmp_path, monkeypatch, capsys):
    return Lab(program, tmp_path, monkeypatch, capsys)


def test_the_cpu_time_of_a_run_is_that_of_all_its_arms(lab):
    """The time between runs does not count, and output of a run does not end it. The second arm
    has two testbeds."""
    watch = lab.watch(10, *"clock 1 wait 1500 say".split(), "lab: build", "cpu", 200,
                      "say", "lab: run 1 of 2", "cpu", 150, "say", "lab: other", "cpu", 150,
                      "say", "lab: gather", "cpu", 200, "say", "lab: build", "cpu", 100,
                      "say", "lab: run 1 of 1", "cpu", 200, "say", "lab: run 2 of 2", "cpu", 100,
                      "say", "lab: gather", "cpu", 200)
    assert watch.memory_kb > 0
    assert watch.arms_s == [pytest.approx(0.3, abs=0.1), pytest.approx(0.6, abs=0.1)]
    assert watch.run_s == watch.arms_s[-1]


def test_a_run_tells_the_time_left(lab):
    """One second of real time for a quarter of a run, with one run to follow; then the last."""
    run = ["wait", 1000, "clock"]
    lab.watch(0, "clock", 1, "wait", 1500, "say", "lab: build", "say", "lab: run 1 of 2",
              "clock", 100001, *run, 2575000, "wait", 300, "say", "lab: gather",
              "clock", 20000000, "say", "lab: build", "say", "lab: run 2 of 2",
              "clock", 20100000, *run, 22575000, "wait", 300)
    lab.says(r"^fake: run 1 of 2, \d+ s, 2\.575000 of 10\.100 s of virtual time, "
             r"about ([7-9]|1\d) s left, 0 packet-hops$")
    lab.says(r"^fake: run 2 of 2, \d+ s, 22\.575000 of 30\.100 s of virtual time, "
             r"about [2-6] s left, 0 packet-hops$")


@pytest.mark.parametrize("seconds", [None, math.inf])
def test_a_run_without_a_known_end_tells_its_time(lab, seconds):
    lab.watch(0, "clock", 1, "say", "lab: build", "say", "lab: run 1 of 1",
              "clock", 100001, "wait", 500, "clock", 2575000, "wait", 1000, seconds=seconds)
    lab.says(r"^fake: run, \d+ s, 2\.575000 s of virtual time, 0 packet-hops$")


def test_a_process_that_spins_is_named(lab):
    """2 s of CPU while time stands, but not while no process runs or a testbed is built, or if
    another process has run or time has passed meanwhile."""
    watch = lab.watch(10, "clock", 1000000, "wait", 1500, "say", "lab: run 1 of 2", "cpu", 3000,
                      "say", "lab: build", "task", "python3", "cpu", 4000,
                      "say", "lab: run 2 of 2", "cpu", 1200,
                      "task", "nginx", "cpu", 1200, "clock", 1000001, "cpu", 1200,
                      "task", "redis-server", "cpu", 5000)
    assert lab.said.count("without sleeping") == 1
    lab.says(r'^fake: process "redis-server" has used 2 s of CPU without sleeping: .* 1\.000001 s$')
    assert watch.stands.startswith('fake: process "redis-server" ')


def test_processes_may_end_while_they_are_counted(lab):
    watch = lab.watch(10, "wait", 1500, "say", "lab: run 1 of 1", "fork", 3000,
                      "say", "lab: gather")
    assert watch.phase == "gather"


def test_a_shell_becomes_the_guest(lab):
    """The file guest.pid is written before."""
    command = ["sh", "-c", 'sleep 0.5; exec "$@"', "sh", lab.program, "clock", "2575000",
               "wait", "2000"]
    with lab.watched(0, command):
        pass
    lab.says(r"^fake: boot, \d+ s, 2\.575000 s of virtual time, 0 packet-hops$")


def test_lines_of_the_console(lab):
    """They come in pieces. Output of a program without an end of line may be before them."""
    with lab.watched(10, [lab.program, "say", "lab: build", "wait", "4000"]) as watch, \
            open(lab.folder / "console.log", "ab", buffering=0) as console:
        while watch.is_alive() and not watch.phases:
            time.sleep(0.1)
        for piece in (b"lab: ru", b"n 2 of 3\r\n", b"lab: gather ", b"it\r\nlab: run\r\n",
                      b"\xfflab: gather\r\n"):
            console.write(piece)
            time.sleep(0.2)
    assert (watch.phases, watch.number, watch.count) == \
        (["build", "run", "gather"], 2, 3)
