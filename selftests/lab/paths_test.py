# SPDX-License-Identifier: GPL-2.0
"""Files of the user, by paths from the present folder."""
import pathlib
import sys

import pytest

from lle_lab import runner, scenario

MINE = """\
import {beside}
from lle_lab import scenario


class Mine(scenario.load("incast")):
    pass
"""


@pytest.mark.parametrize("name", ["mine.py", "./mine.py", "below/../mine.py", "link/mine.py"])
def test_modules_beside_a_scenario_count_for_its_version(name, tmp_path, monkeypatch):
    folder, beside = tmp_path / "mine", f"beside_{tmp_path.name}"
    (folder / "below").mkdir(parents=True)
    (folder / "link").symlink_to(folder)
    (folder / "mine.py").write_text(MINE.format(beside=beside))
    (folder / f"{beside}.py").write_text("ONE = 1\n")
    bin_, mods = tmp_path / "build/bin", tmp_path / "mods"
    bin_.mkdir(parents=True)
    mods.mkdir()
    for path in [mods / f"{name}.ko" for name in runner.MODULES] + \
            [bin_ / name for name in [*runner.PROGRAMS, "lle-topology", "lle_flows"]]:
        path.write_text("")
    monkeypatch.setattr(runner, "TOP", tmp_path)
    monkeypatch.setattr(sys, "path", sys.path[:])
    monkeypatch.chdir(folder)
    mine = scenario.create([name])
    assert mine.name == "mine"
    before = runner.version(mine, pathlib.Path("kernel"), mods)
    assert before == runner.version(mine, pathlib.Path("kernel"), mods)
    (folder / f"{beside}.py").write_text("ONE = 2\n")
    assert before != runner.version(mine, pathlib.Path("kernel"), mods)
