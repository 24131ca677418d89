# SPDX-License-Identifier: GPL-2.0
"""Faults of a page in a browser, at the width of a phone and of a desktop, light and dark: small
text, low contrast, a page that is wider than the window, errors, links to other files."""
import itertools

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
