# SPDX-License-Identifier: GPL-2.0
"""Opens the pages of lab runs, of a sweep and of the demo in a browser: at the
width of a phone and of a desktop, light and dark.

The pages are those that selftests/lab/run.sh and sweep_runs_test.py wrote, and one
of fake demo results. Runs small scenarios if there are no pages.
"""
import glob
import os
import subprocess

import demo
import pytest

from faults import faults

browser = pytest.importorskip("browser", reason="no selenium (scripts/deps.sh pages)")

TOP = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
OUT = f"{TOP}/out/pages-test"

BAD = """<!DOCTYPE html><html><meta name="viewport" content="width=device-width">
<body style="background: #fff"><p style="color: #999">pale</p><p style="font-size: 13px">small</p>
<div style="width: 400px; overflow: hidden">wide</div><img src="nowhere.png">
<svg viewBox="0 0 100 100" width="50"><text y="50" font-size="20">tiny</text>
<rect width="100" height="20" fill="#002"/><text y="15" x="5" font-size="40">hidden</text></svg>
<script>undefined.wrong()</script></body></html>"""


def pages_of(where):
    """Each page once, though `latest` is a link to one of them."""
    return sorted({os.path.realpath(page) for page in
                   glob.glob(f"{TOP}/out/{where}/**/index.html", recursive=True)})


def lab():
    """Pages of the lab tests, or of small runs if there are none."""
    found = pages_of("lab-test")
    if not found:
        for keys in ("N=3 SIZE=100000 QUEUES=s1p1", "N=1 SIZE=100000"):
            subprocess.run([f"{TOP}/lab/lle-lab", "run", "incast", *keys.split()],
                           env={**os.environ, "LLE_LAB_OUT": f"{OUT}/lab"},
                           stdout=subprocess.DEVNULL, check=False)
        found = pages_of("pages-test/lab")
    return found


def sweep():
    found = pages_of("sweep-test/local/grid")
    if not found:
        os.makedirs(OUT, exist_ok=True)
        with open(f"{OUT}/pair", "w", encoding="utf-8") as file:
            file.write("scenario incast\nN 1 2\nSIZE 100000\nplot fct_max_us N\n")
        subprocess.run([f"{TOP}/lab/lle-lab", "sweep", f"{OUT}/pair"],
                       env={**os.environ, "LLE_SWEEP_OUT": f"{OUT}/sweep"},
                       stdout=subprocess.DEVNULL, check=False)
        found = pages_of("pages-test/sweep")
    return found


def demo_page():
    demo.fill(f"{OUT}/demo")
    subprocess.run([f"{TOP}/selftests/demo/page.py", f"{OUT}/demo"], check=True)
    return [f"{OUT}/demo/report.html"]


@pytest.fixture(name="chromium", scope="module")
def a_browser():
    with browser.Browser() as chromium:
        yield chromium


def test_a_bad_page_is_found_bad(chromium):
    path = f"{OUT}/bad.html"
    os.makedirs(OUT, exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(BAD)
    found = "\n".join(faults(chromium, path))
    for text in ("contrast 2.85: pale", "13.0 px: small", "10.0 px: tiny", "390 px, light: the "
                 "page makes", "console: file", "nowhere.png", "Cannot read", "light and dark"):
        assert text in found, f"not found: {text}\nin {found}"
    assert "contrast 1.0" in found.split("hidden")[0], f"not found: hidden\nin {found}"


@pytest.mark.parametrize("page", lab() + sweep() + demo_page(),
                         ids=lambda page: os.path.relpath(page, f"{TOP}/out"))
def test_page(chromium, page):
    found = faults(chromium, page)
    assert not found, "\n".join(found[:20])
