# SPDX-License-Identifier: GPL-2.0
"""The scenario in guide/lab.rst, as it is printed there."""
import pathlib
import textwrap

from lle_lab import guest, results, runner, scenario

TOP = pathlib.Path(__file__).resolve().parents[2]


def own_scenario(folder):
    """Saves it; returns its path."""
    page = (TOP / "Documentation/guide/lab.rst").read_text()
    block = page.split("Save this as two_to_one.py::\n\n")[1].split("\n::\n")[0]
    path = folder / "two_to_one.py"
    path.write_text(textwrap.dedent(block))
    return path


def test_own_scenario(tmp_path, monkeypatch, built):
    path = own_scenario(tmp_path)
    assert len(path.read_text().strip().splitlines()) <= 40
    mine = scenario.create([str(path), "LATE=50000"])
    assert "50000 1000000 10.0.0.3 10.0.0.1 3" in guest.files(mine)["arms/./1/flows"]
    monkeypatch.setenv("LLE_LAB_OUT", str(tmp_path))
    monkeypatch.setenv("LLE_LAB_BUILT", built)
    result, folder = runner.run(mine)
    assert runner.holds(result)
    assert "two-to-one" in (folder / "index.html").read_text()
    flows = results.load(folder).flows
    assert (flows.last_ns[1] > flows.last_ns[0] > 0).all()
