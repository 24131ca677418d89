# SPDX-License-Identifier: GPL-2.0
"""Opens the pages of lab runs, of a sweep and of the demo in a browser: at the
width of a phone and of a desktop, light and dark.

The pages are those that selftests/lab/run.sh and sweep_test.sh wrote, and one of
fake demo results. Runs small scenarios if there are no pages.
"""
import glob
import itertools
import os
import subprocess

import demo
import pytest

browser = pytest.importorskip("browser", reason="no selenium (scripts/deps.sh pages)")

TOP = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
OUT = f"{TOP}/out/pages-test"
WIDTHS = (390, 1280)

# Returns faults of the displayed page, with all folded parts open, as a reader
# may open them. The background of a text in a picture is the last shape drawn
# below its middle; else it is that of the element around the text.
FAULTS = r"""
const faults = [];
document.querySelectorAll("details").forEach(details => details.open = true);

function rgb(colour) {
	const found = colour.match(/[\d.]+/g);
	return colour.startsWith("rgb") && (found.length < 4 || +found[3] > 0.5) ?
		found.slice(0, 3).map(Number) : null;
}

function luminance(colour) {
	const [r, g, b] = colour.map(n => n / 255).map(
		n => n <= 0.03928 ? n / 12.92 : ((n + 0.055) / 1.055) ** 2.4);
	return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one, other) {
	const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
	return (high + 0.05) / (low + 0.05);
}

function shape_below(text) {
	const box = text.getBoundingClientRect();
	const middle = new DOMPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2);
	let found = null;
	for (const shape of text.ownerSVGElement.querySelectorAll(
			"rect, path, polygon, ellipse, circle, text")) {
		if (shape === text)
			break;
		const style = getComputedStyle(shape), fill = rgb(style.fill);
		if (shape.localName === "text" || !fill || +style.fillOpacity <= 0.5 ||
				shape.closest("defs"))
			continue;
		if (shape.isPointInFill(middle.matrixTransform(shape.getScreenCTM().inverse())))
			found = fill;
	}
	return found;
}

function background(element) {
	const below = element.ownerSVGElement ? shape_below(element) : null;
	if (below)
		return below;
	for (let e = element; e; e = e.parentElement) {
		const found = rgb(getComputedStyle(e).backgroundColor);
		if (found)
			return found;
	}
	return [255, 255, 255];
}

const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
const said = new Set();
while (walker.nextNode()) {
	const words = walker.currentNode.data.trim(), element = walker.currentNode.parentElement;
	const style = getComputedStyle(element), box = element.getBoundingClientRect();
	if (!words || !box.width || ["STYLE", "SCRIPT"].includes(element.tagName) ||
			/^[■▬\s]*$/.test(words))
		continue;
	let size = parseFloat(style.fontSize);
	if (element.ownerSVGElement) {
		const matrix = element.getScreenCTM();
		size *= Math.hypot(matrix.a, matrix.b);
	}
	if (size < 13.95)
		said.add(`${size.toFixed(1)} px: ${words.slice(0, 40)}`);
	const colour = rgb(element.ownerSVGElement ? style.fill : style.color);
	const found = colour ? contrast(colour, background(element)) : 0;
	if (found < 4.5)
		said.add(`contrast ${found.toFixed(2)}: ${words.slice(0, 40)}`);
}
faults.push(...said);
if (innerWidth !== arguments[0])
	faults.push(`the page makes the window ${innerWidth} px wide`);
if (document.documentElement.scrollWidth > innerWidth)
	faults.push(`the page is ${document.documentElement.scrollWidth} px wide`);
for (const entry of performance.getEntriesByType("resource"))
	if (!entry.name.startsWith("data:"))
		faults.push(`needs ${entry.name}`);
return faults;
"""


def faults(chromium, page):
    """Faults of a page, one per line."""
    found, backs = [], {}
    for width, dark in itertools.product(WIDTHS, (False, True)):
        chromium.size(width)
        chromium.dark(dark)
        chromium.open(page)
        backs[dark] = chromium.run("return getComputedStyle(document.body).backgroundColor")
        lines = chromium.run(FAULTS, width) + [
            f"console: {text}" for _, text in chromium.console()]
        found += [f"{width} px, {'dark' if dark else 'light'}: {line}" for line in lines]
    if backs[False] == backs[True]:
        found.append(f"light and dark are both {backs[True]}")
    return found


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
            subprocess.run([f"{TOP}/lab/lab.sh", "incast", *keys.split()],
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
        subprocess.run([f"{TOP}/lab/sweep.sh", f"{OUT}/pair"],
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
