# SPDX-License-Identifier: GPL-2.0
"""Folders of results: one for each set of keys, which other runs leave alone; and lab/build.sh."""
import fcntl
import json
import os
import pathlib
import shutil
import subprocess

import pytest

TOP = pathlib.Path(__file__).resolve().parents[2]
OUT = TOP / "out/folders-test"


def build():
    return subprocess.run([TOP / "lab/build.sh"], stdout=subprocess.PIPE, text=True, check=False)


class Lab:
    """Small incasts."""

    def __init__(self, built):
        self.root = OUT / "incast"
        self.env = {**os.environ, "LLE_LAB_BUILT": built, "LLE_LAB_OUT": str(OUT),
                    "LLE_LAB_PAGE": "no"}

    def command(self, *words, **env):
        return subprocess.run([TOP / "lab/lle-lab", *words], text=True, capture_output=True,
                              env={**self.env, **env}, check=False)

    def run(self, status, *keys, **env):
        """Runs an incast, which exits with the status; returns its messages."""
        done = self.command("run", "incast", *keys, **env)
        assert done.returncode == status, done.stderr
        return done.stderr

    def version(self, *words):
        return self.command("version", *words).stdout

    def latest(self):
        return os.readlink(self.root / "latest")

    def folders(self):
        return sorted(path.name for path in self.root.iterdir())


@pytest.fixture(name="lab", scope="module")
def a_lab(built):
    """With results of two sets of keys."""
    shutil.rmtree(OUT, ignore_errors=True)
    OUT.mkdir(parents=True)
    lab = Lab(built)
    lab.run(0, "N=1", "SIZE=10000")
    assert lab.latest() == "SIZE=10000,N=1,SEED=1"
    lab.run(0, "SEED=2", "N=2", "SIZE=10000")
    return lab


FOLDERS = ["SIZE=10000,N=1,SEED=1", "SIZE=10000,N=2,SEED=2", "latest"]


def test_a_folder_for_each_set_of_keys(lab):
    assert (lab.folders(), lab.latest()) == (FOLDERS, FOLDERS[1])


def test_a_refused_key_leaves_all_as_it_was(lab):
    lab.run(2, "N=abc", "SIZE=10000")
    assert (lab.folders(), lab.latest()) == (FOLDERS, FOLDERS[1])
    assert (lab.root / "latest/result.json").stat().st_size


def test_so_does_a_host_that_there_is_not(lab):
    assert "CAPTURE=h99: there is no host or port h99" in lab.run(2, "CAPTURE=h99", "SIZE=10000")
    assert (lab.folders(), lab.latest()) == (FOLDERS, FOLDERS[1])


def test_an_unfinished_run_is_marked_and_not_shared(lab):
    # minutes of the machine's time
    keys = "N=3", "SIZE=1000000000"
    folder = lab.root / f"{keys[1]},{keys[0]},SEED=1.unfinished"
    assert "time-out after 1 s" in lab.run(1, *keys, LLE_TIMEOUT="1")
    assert (folder / "console.log").exists() and lab.latest() == FOLDERS[1]
    lock = os.open(folder, os.O_RDONLY)
    fcntl.flock(lock, fcntl.LOCK_EX)
    assert "another run of incast with these keys" in lab.run(2, *keys)
    os.close(lock)
    assert (folder / "console.log").exists()
    shutil.rmtree(folder)


def test_the_same_keys_have_the_same_folder(lab):
    lab.run(0, "K=4", "N=1", "SIZE=10000")      # K=4 is the default
    assert (lab.folders(), lab.latest()) == (FOLDERS, FOLDERS[0])


def test_results_of_another_version_stay(lab):
    path = lab.root / FOLDERS[0] / "result.json"
    result = json.loads(path.read_text())
    assert result["version"] + "\n" == lab.version("incast")
    path.write_text(json.dumps({**result, "version": "other"}))
    lab.run(0, "N=1", "SIZE=10000")
    versions = [json.loads((lab.root / name / "result.json").read_text())["version"]
                for name in (f"{FOLDERS[0]}.1", FOLDERS[0])]
    assert versions == ["other", result["version"]]


def test_the_version_depends_on_files_that_keys_name(lab):
    file, flows = OUT / "topology", TOP / "selftests/lab/import/flow.txt"
    text = (TOP / "selftests/lab/import/topology.txt").read_text()
    found = []
    for more in "", "\n":
        file.write_text(text + more)
        found.append(lab.version("import", f"TOPOLOGY={file}", f"FLOWS={flows}"))
    assert all(found) and found[0] != found[1]


@pytest.mark.parametrize("path", ["Makefile", "kmod"])
def test_what_has_changed_is_built_and_once(path, lab):
    last = TOP / "build/lab.built"
    (TOP / path).touch()
    assert build().stdout == lab.env["LLE_LAB_BUILT"]
    at = last.stat().st_mtime_ns
    assert at > (TOP / path).stat().st_mtime_ns
    assert build().stdout == lab.env["LLE_LAB_BUILT"]
    assert last.stat().st_mtime_ns == at
