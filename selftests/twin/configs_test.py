# SPDX-License-Identifier: GPL-2.0
"""Shipped configurations: findings are those of accepted.yaml, and the facts are the originals'.

LLE_TWIN_DATA names a folder of original files, which are audited too.
"""
import glob
import json
import os
import pathlib

import pytest

from lle_twin import accept, checks, cli, headroom, model, reading, wiring

import expand
import fabric

HERE = pathlib.Path(__file__).resolve().parent
ACCEPTED = str(HERE / "accepted.yaml")
DATA = os.environ.get("LLE_TWIN_DATA")
CONFIGS = expand.configs()


def source(name):
    result = fabric.source(CONFIGS[name], "")
    result.name = result.name or name
    return result


def rest(report):
    """Errors and warnings that are not accepted."""
    accept.apply(report, accept.read(ACCEPTED))
    return [(one.device, one.id, one.objects[:3], one.text) for one in report.findings
            if one.severity != checks.INFO]


@pytest.mark.parametrize("name", CONFIGS)
def test_findings_are_accepted(name):
    report = checks.run(wiring.Fabric([model.Switch(source(name))]))
    assert sum(one.severity == checks.ERROR for one in report.findings) <= 1
    assert not rest(report)


@pytest.fixture(scope="module", name="rows")
def fixture_rows():
    return reading.read([str(HERE / "rows.tsv")])


def numbers(rows):
    return [(row, row.speed, row.cable, row.xoff) for one in rows for row in one.rows]


def test_rows_against_the_formulas(rows):
    """1462 rows; less than the wire, than the need at MTU 1500 and at 9100."""
    found = numbers(rows)
    assert len(found) == 1462
    short = [sum(xoff < need(speed, cable) for _, speed, cable, xoff in found) for need in (
        headroom.wire, headroom.need, lambda *link: headroom.need(*link, 9100))]
    assert short == [20, 45, 606]


def test_rows_below_the_wire_are_errors(rows):
    """Also the three that hold the cable, but not the frames that have begun."""
    report = checks.run(wiring.Fabric([model.Switch(one) for one in rows]))
    errors = [one for one in report.findings if one.severity == checks.ERROR]
    assert sum(len(one.objects) for one in errors if one.id == "H2") == 20
    assert sum(len(one.objects) for one in errors if one.id == "H1") == 3
    assert len({one.device for one in errors}) == 7
    assert not rest(report)


@pytest.mark.parametrize("speed, metres, mtu, need", [
    (10000, 300, 1500, 12570), (100000, 5, 1500, 30068), (100000, 5, 9100, 53204),
    (100000, 300, 9100, 90358), (400000, 40, 1500, 81515), (400000, 2000, 9100, 1092631),
    (400000, 50, 1500, 86526), (400000, 50, 9100, 110399)])
def test_need_of_the_design(speed, metres, mtu, need):
    assert headroom.need(speed, metres, mtu) == need


def test_need_of_the_guide():
    """Documentation/guide/headroom.rst."""
    assert headroom.need(1000, 0, 1500, 100000, burst=32768, delay_ns=1000) == 49437


def test_spectrum_4_follows_the_vendors_formula(rows):
    """To 1 KiB; the rows of 400G and 800G follow another rule."""
    own = next(one for one in rows if one.name.endswith("sn5600-r0/ACS-SN5600"))
    near = [row for row in own.rows if row.speed <= 100000 and abs(headroom.spectrum(
        row.speed, row.cable, 192, tile=15) - row.xoff) <= 1024]
    assert len(near) >= 12


def test_spectrum_1_follows_it_with_a_peer_of_3_8_kib(rows):
    own = next(one for one in rows if one.name.endswith("msn2700-r0/ACS-MSN2700"))
    near = [row for row in own.rows if headroom.spectrum(
        row.speed, row.cable, 96, peer=3.8 * 1024) == row.xoff]
    assert len(near) >= 5
    assert headroom.spectrum(100000, 5, 96) == 72704


if DATA:
    def test_facts_are_those_of_the_originals():
        compared = 0
        for path in glob.glob(f"{DATA}/*.json"):
            own = CONFIGS.get(os.path.basename(path).split(".")[0], {})
            for name, entries in json.loads(pathlib.Path(path).read_text("utf-8")).items():
                if name in own and name not in ("PORT", "DEVICE_METADATA"):
                    assert own[name] == entries or "c64" in path, (path, name)
                    compared += 1
        assert compared > 60

    def test_originals_are_read(capsys):
        for path in sorted(glob.glob(f"{DATA}/*.json") + glob.glob(f"{DATA}/*.ini")):
            assert cli.main(["audit", path, "-j"]) in (0, 2, 4), path
            errors = [one for one in json.loads(capsys.readouterr().out)["findings"]
                      if one["severity"] == "error"]
            assert len([one for one in errors if one["id"] != "H2"]) <= 1, path
