# SPDX-License-Identifier: GPL-2.0
"""lle-twin as a command: exit status, formats, fix, what-if, templates, other inputs, refusals."""
import json
import pathlib
import subprocess
import sys
import xml.etree.ElementTree as xml

import pytest

from lle_twin import output

import fabric

HERE = pathlib.Path(__file__).resolve().parent
PROGRAM = HERE.parents[1] / "twin/lle-twin"


def twin(*words):
    return subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, check=False)


@pytest.fixture(name="leaf")
def fixture_leaf(tmp_path):
    """A folder of a sound leaf; write(path, value) breaks it."""
    data, _ = fabric.pair()

    def write(path="", value=None):
        if path:
            fabric.put(data, path, value)
        (tmp_path / "config_db.json").write_text(json.dumps(data, indent=1))
        (tmp_path / "pg_profile_lookup.ini").write_text(fabric.ROWS)
        return tmp_path
    write.data = data
    return write


KMIN = "WRED_PROFILE/AZURE_LOSSLESS/green_min_threshold"


def test_exit_status(leaf):
    assert twin("audit", leaf()).returncode == 0
    assert twin("audit", leaf(KMIN, "1000000")).returncode == 0
    assert twin("audit", "--strict", leaf()).returncode == 1
    assert twin("audit", leaf("PORT/Ethernet8/pfc_asym", "on")).returncode == 2
    leaf("PORT/Ethernet8/pfc_asym", "off")
    leaf("DEVICE_METADATA/localhost/platform", "nowhere")
    folder = leaf("DEVICE_METADATA/localhost/hwsku", "nobody")
    assert twin("audit", folder).returncode == 4
    assert twin("audit", "--asic", "TH", folder).returncode == 0
    assert twin("audit", "--asic", "TH99", folder).returncode == 3


def test_formats(leaf):
    leaf(KMIN, "1000000")
    folder = leaf("BUFFER_POOL/ingress_lossless_pool/size", "12875072")
    text = twin("audit", folder).stdout
    assert "error  P1" in text and "warn   E1" in text and "1 errors, " in text
    found = json.loads(twin("audit", "-j", folder).stdout)["findings"]
    assert {"id", "severity", "device", "object", "have", "need", "unit", "formula", "source",
            "numbers", "fix"} <= set(found[0])
    sarif = json.loads(twin("audit", "--format", "sarif", folder).stdout)
    assert sarif["version"] == "2.1.0"
    assert len(sarif["runs"][0]["tool"]["driver"]["rules"]) == 35
    assert {one["ruleId"] for one in sarif["runs"][0]["results"]} >= {"P1", "E1"}
    suite = xml.fromstring(twin("audit", "--format", "junit", folder).stdout)
    assert suite.get("tests") == "35" and int(suite.get("failures")) == \
        len(suite.findall(".//testcase[failure]"))


def test_explain():
    text = twin("audit", "--explain", "H1").stdout
    assert "need(speed" in text and "20422" in text
    assert twin("audit", "--explain", "H99").returncode == 3


def test_the_guide_has_the_table_of_checks():
    guide = (HERE.parents[1] / "Documentation/guide/twin.rst").read_text(encoding="utf-8")
    assert output.checks_rst() in guide


def test_fix_mends(leaf):
    leaf("MAP_PFC_PRIORITY_TO_QUEUE/AZURE/4", "6")
    leaf("PORT_QOS_MAP/Ethernet8/pfcwd_sw_enable", "3")
    folder = leaf("WRED_PROFILE/AZURE_LOSSLESS/ecn", "ecn_none")
    assert twin("audit", folder).returncode == 2
    patch = json.loads(twin("fix", folder).stdout)
    assert {"op": "add", "path": "/WRED_PROFILE/AZURE_LOSSLESS/ecn", "value": "ecn_all"} in patch
    for step in patch:
        leaf(step["path"][1:].replace("~1", "/").replace("~0", "~"), step["value"])
    assert twin("audit", "--strict", folder).returncode == 0


def test_accept(leaf, tmp_path):
    folder = leaf("PORT/Ethernet8/pfc_asym", "on")
    accepted = tmp_path / "accepted.yaml"
    accepted.write_text("- {id: M6, object: Ethernet8, reason: a test}\n- {id: H1, reason: none}\n")
    done = twin("audit", "--accept", accepted, folder)
    assert done.returncode == 0 and "1 accepted" in done.stdout and "H1" in done.stderr
    accepted.write_text("- {id: M6}\n")
    assert twin("audit", "--accept", accepted, folder).returncode == 3


def test_show_and_what_if(leaf):
    folder = leaf()
    rows = json.loads(twin("show", "-j", folder).stdout)[0]["profiles"]
    # S = 10875072 / 4 layers, alpha 1
    assert rows[0]["T(1)"] == 10875072 / 4 / 2 and rows[0]["T(8)"] == 10875072 / 4 / 9
    assert rows[0]["headroom"] == 177632 and rows[0]["need"] == 34421
    text = twin("what-if", "--compare", "--set",
                "BUFFER_PROFILE|pg_lossless_100000_40m_profile.dynamic_th=-6", folder).stdout
    assert "alpha 1 -> 0.01562" in text and "new warning A2" in text
    assert twin("what-if", "--set", "x", folder).returncode == 3
    assert twin("what-if", "--set", "A|b.c=1", folder).returncode == 3


def test_anonymise(leaf):
    text = twin("audit", "--anonymise", leaf("PORT/Ethernet8/pfc_asym", "on")).stdout
    assert "leaf1" not in text and "sw1" in text


def test_template(tmp_path):
    (tmp_path / "buffers.json.j2").write_text(
        '{% macro generate_buffer_pool_and_profiles() %}"BUFFER_POOL": {"ingress_lossless_pool": '
        '{"size": "{{ size }}", "type": "ingress", "mode": "dynamic"}},{% endmacro %}'
        '{%- include "buffer_ports.j2" %}')
    values = tmp_path / "values"
    values.write_text('{"size": 99999999}')
    file = tmp_path / "buffers.json.j2"
    done = twin("audit", "--asic", "TH", "--template", values, file)
    assert done.returncode == 2 and "P1" in done.stdout
    assert twin("audit", file).returncode == 3
    file.write_text("{{ 1 / 0 }}")
    done = twin("audit", "--template", values, file)
    assert done.returncode == 3 and "Traceback" not in done.stderr
    file.write_text("{% for %}")
    assert twin("audit", "--template", values, file).returncode == 3


def test_dump_of_redis(tmp_path):
    file = tmp_path / "appl.json"
    file.write_text(json.dumps({
        "BUFFER_POOL_TABLE:in": {"type": "hash", "value": {
            "type": "ingress", "mode": "dynamic", "size": "99999999"}},
        "BUFFER_PG_TABLE:Ethernet0:3-4": {"type": "hash", "value": {"profile": "x"}}}))
    assert "P1" in twin("audit", "--asic", "TH", file).stdout
    file.write_text(json.dumps([{"BUFFER_POOL_TABLE:in": {
        "type": "ingress", "mode": "dynamic", "size": "99999999"}, "OP": "SET"}]))
    assert "P1" in twin("audit", "--asic", "TH", file).stdout


def test_devlink_and_dcb(tmp_path):
    file = tmp_path / "sw1.json"
    file.write_text(json.dumps({
        "pool": {"pci/0000:03:00.0": [{"sb": 0, "pool": 0, "type": "ingress", "size": 12000000,
                                       "thtype": "dynamic", "cell_size": 96}]},
        "tc_bind": {"swp1": [{"sb": 0, "tc": 0, "type": "ingress", "pool": 0, "threshold": 10}]},
        "dcb": {"swp1": {"pfc": {"prio-pfc": {"3": True, "4": False}},
                         "buffer": {"prio-buffer": [0, 0, 0, 1], "buffer-size": [0, 90000]}}}}))
    done = twin("show", "-j", "--asic", "Spectrum-1", file)
    row = json.loads(done.stdout)[0]["profiles"][0]
    assert row["headroom"] == 90000 and row["T(1)"] == 6000000


def test_wiring_of_lldp_and_lists(leaf, tmp_path):
    leaf("DEVICE_NEIGHBOR", {})
    folder = leaf("CABLE_LENGTH/AZURE/Ethernet0", "300m")
    _, data = fabric.pair()
    data["DEVICE_NEIGHBOR"] = {}
    spine = tmp_path / "spine"
    spine.mkdir()
    (spine / "config_db.json").write_text(json.dumps(data))
    assert "H7" not in twin("audit", folder, spine).stdout
    wires = tmp_path / "wires"
    for content in (
            [["leaf1", "Ethernet0", "spine1", "eth0"]],
            {"lldp": {"interface": [{"Ethernet0": {"chassis": {"spine1": {}}, "port": {
                "id": {"type": "local", "value": "eth0"}}}}]}},
            {"leaf1": {"Ethernet0": {"name": "spine1", "port": "Ethernet0"}}}):
        wires.write_text(json.dumps(content))
        assert "H7" in twin("audit", "--wiring", wires, folder, spine).stdout
    wires.write_text("[1]")
    assert twin("audit", "--wiring", wires, folder).returncode == 3


REFUSED = {
    "truncated": (b'{"PORT": {"Ethernet0": {', "1"),
    "a number": (b"1", "tables"),
    "a table that is a list": (b'{\n"PORT": []}', "2:PORT"),
    "an entry that is a list": (b'{"PORT": {},\n\n"BUFFER_PG": {"a": {}, "Ethernet0|3": [1]}}',
                                "3:BUFFER_PG|Ethernet0|3"),
    "a field that is an object": (b'{"QUEUE":\n{"a|3": {"scheduler": {"b": 1}}}}',
                                  "2:QUEUE|a|3|scheduler"),
    "nested": (b'{"a":' * 100000, "deep"),
    "nested lists": (b"[" * 100000, "deep"),
    "a huge number": (b'{"PORT": {"a": {"speed": ' + b"9" * 5000 + b"}}}", "digit"),
    "NaN": (b'{"PORT": {"a": {"speed": NaN}}}', "NaN"),
    "a huge text": (b'{"QUEUE": {"a|3": {"scheduler": "' + b"x" * 9999 + b'"}}}', "QUEUE|a|3"),
    "not UTF-8": (b'{"\xff": 1}', "UTF-8"),
    "a template": (b'{% if x %}\n{"PORT": {}}{% endif %}', "--template"),
    "empty": (b"", "1"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name, tmp_path):
    file = tmp_path / "config_db.json"
    content, place = REFUSED[name]
    file.write_bytes(content)
    done = twin("audit", file)
    assert done.returncode == 3 and "Traceback" not in done.stderr
    assert str(file) in done.stderr and place in done.stderr
    assert done.stderr.count("\n") == 1


def test_refused_rows(tmp_path):
    file = tmp_path / "pg_profile_lookup.ini"
    for text, line in ("# x\n1 2 3\n", ":2:"), ("100000 5m 1 2 x 0\n", ":1:"), \
            ("1 5m 1 2 " + "9" * 5000 + " 0", ":1:"), ("-1 5m 1 2 3 0", ":1:"):
        file.write_text(text)
        done = twin("audit", file)
        assert done.returncode == 3 and line in done.stderr and "Traceback" not in done.stderr
    assert twin("audit", tmp_path / "absent.json").returncode == 3
    assert twin("audit", "/dev/null").returncode == 3


def test_names_do_not_reach_the_terminal(leaf):
    leaf.data["PORT"]["Ether\x1b[31m\n"] = leaf.data["PORT"].pop("Ethernet8")
    text = twin("audit", leaf()).stdout
    assert "\x1b" not in text


def test_mutations():
    done = subprocess.run([HERE / "fuzz.py", "2000", "7"], capture_output=True, text=True,
                          check=False)
    assert done.returncode == 0, done.stderr[-2000:]


def test_32_switches_of_128_ports(tmp_path):
    """Under 5 s of CPU time, and 300 MB."""
    fabric_ports = [f"Ethernet{4 * number}" for number in range(128)]
    paths = []
    saved, fabric.PORTS[:] = list(fabric.PORTS), fabric_ports
    try:
        for number in range(32):
            links = {fabric_ports[other]: (f"sw{other}", fabric_ports[number])
                     for other in range(32) if other != number}
            data = fabric.tables(f"sw{number}", "LeafRouter" if number < 24 else "SpineRouter",
                                 links)
            paths.append(tmp_path / f"sw{number}.json")
            paths[-1].write_text(json.dumps(data))
    finally:
        fabric.PORTS[:] = saved
    code = ("import resource, subprocess, sys; subprocess.run(sys.argv[1:], stdout=-3); "
            "u = resource.getrusage(resource.RUSAGE_CHILDREN); "
            "print(u.ru_utime + u.ru_stime, u.ru_maxrss)")
    done = subprocess.run([sys.executable, "-c", code, PROGRAM, "audit", *paths],
                          capture_output=True, text=True, check=True)
    seconds, kilobytes = (float(word) for word in done.stdout.split())
    print(seconds, kilobytes)
    assert seconds < 5 and kilobytes < 300000
