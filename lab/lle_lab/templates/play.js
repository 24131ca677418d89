// SPDX-License-Identifier: GPL-2.0
/*
 * Replay of a lab run, from the data of play.py. A port has rows: from a time
 * on some bytes wait; between two rows its pauses are spread evenly.
 */
"use strict";

const $ = id => document.getElementById(id);
const data = JSON.parse($("data").textContent);
const {nodes, ports, links} = data;
const EDGE = 8;			// px from the ends of the slider to its thumb
const CHART = 92;		// px
const PLAY_S = 20;		// time to play the chart, at speed 1
const ROLES = ["", "root", "edge", "inner"], LETTERS = " REI";
const STAR = document.querySelector("#legend .star").getAttribute("d");

let arm, time = 0, view = {from: 0, to: 1}, chosen = null, pinned = false, playing = 0;
let lanes = [], places = [], most = 1, tank = 1;

/* ---- decoding ---- */

async function unpack(text) {
	const bytes = Uint8Array.from(atob(text), c => c.charCodeAt(0));
	const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
	return new Uint8Array(await new Response(stream).arrayBuffer());
}

function decode(bytes) {
	let at = 0;
	const number = () => {
		let value = 0, unit = 1, byte;
		do {
			byte = bytes[at++];
			value += (byte & 127) * unit;
			unit *= 128;
		} while (byte > 127);
		return value;
	};
	const counts = Array.from({length: number()}, number);
	const column = () => counts.map(count => {
		const values = new Float64Array(count);
		for (let i = 0, before = 0; i < count; i++) {
			const step = number();
			before += step % 2 ? -(step - 1) / 2 : step / 2;
			values[i] = before;
		}
		return values;
	});
	const [us, queue, buffer, paused, role] = Array.from({length: 5}, column);
	return counts.map((_, i) => ({us: us[i], queue: queue[i], buffer: buffer[i],
		paused: paused[i], role: role[i]}));
}

/* Part of the time after row i in which the port is paused */
function share(rows, i) {
	const j = Math.min(i, rows.us.length - 2);
	if (j < 0)
		return 0;
	const ns = (rows.us[j + 1] - rows.us[j]) * 1000;
	return ns > 0 ? Math.min(1, (rows.paused[j + 1] - rows.paused[j]) / ns) : 0;
}

/* The last i with list[i] <= value; -1: none */
function lastBefore(list, value) {
	let low = 0, high = list.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		if (list[middle] <= value)
			low = middle + 1;
		else
			high = middle;
	}
	return low - 1;
}

/* State of a port at a time */
function look(port, us) {
	const rows = arm.ports[port], i = lastBefore(rows.us, us);
	if (i < 0)
		return {queue: 0, buffer: 0, share: 0, pausedNs: 0, role: 0};
	const part = share(rows, i);
	return {queue: rows.queue[i], buffer: rows.buffer[i], share: part, role: rows.role[i],
		pausedNs: rows.paused[i] + part * (us - rows.us[i]) * 1000};
}

/* Sums over the ports, at each time at which one changes */
function totals(all) {
	const steps = new Map();
	all.forEach((rows, port) => {
		let queue = 0, paused = 0;
		for (let i = 0; i < rows.us.length; i++) {
			const step = steps.get(rows.us[i]) || [0, 0];
			const nowPaused = share(rows, i);
			if (!nodes[ports[port].node].host) {
				step[0] += rows.queue[i] - queue;
				queue = rows.queue[i];
			}
			step[1] += nowPaused - paused;
			paused = nowPaused;
			steps.set(rows.us[i], step);
		}
	});
	const us = [...steps.keys()].sort((a, b) => a - b), queue = [], paused = [];
	let q = 0, p = 0;
	for (const t of us) {
		q += steps.get(t)[0];
		p += steps.get(t)[1];
		queue.push(q);
		paused.push(p);
	}
	return {us, queue, paused};
}

/* ---- numbers as text ---- */

function digits(value) {
	return value >= 100 || value === Math.round(value) ? value.toFixed(0) :
		value.toFixed(value >= 10 ? 1 : 2);
}

function scaled(value, units) {
	const [size, name] = units.find(([size]) => value >= size) || units[units.length - 1];
	return `${digits(value / size)} ${name}`;
}

/* Number of paused ports; a port may be paused for a part of the time. */
const some = value => (Math.round(Math.abs(value) * 10) / 10).toString();

const bytes = value => scaled(value, [[1e9, "GB"], [1e6, "MB"], [1e3, "kB"], [1, "B"]]);

/* All times of a view have the unit of its end, and digits for its width. */
function clock(us, more = 0) {
	const [size, name] = view.to >= 1e6 ? [1e6, "s"] : view.to >= 1e3 ? [1e3, "ms"] : [1, "µs"];
	const places = Math.max(0, Math.ceil(-Math.log10((view.to - view.from) / size / 1000)));
	return `${(us / size).toFixed(Math.min(6, places + more))} ${name}`;
}

const span = us => scaled(us, [[1e6, "s"], [1e3, "ms"], [1, "µs"], [1e-3, "ns"]]);

/* ---- the drawing ---- */

function make(name, attributes, parent) {
	const element = document.createElementNS("http://www.w3.org/2000/svg", name);
	for (const [key, value] of Object.entries(attributes))
		element.setAttribute(key, value);
	if (parent)
		parent.append(element);
	return element;
}

function set(element, name, value) {
	if (element.getAttribute(name) !== String(value))
		element.setAttribute(name, value);
}

function nearest(spots) {
	let least = 160;
	spots.forEach((a, i) => spots.slice(i + 1).forEach(b => {
		least = Math.min(least, Math.hypot(a.x - b.x, a.y - b.y));
	}));
	return least;
}

/* From the centre of a node to its border in a direction. */
function border(spot, ux, uy) {
	if (spot.host)
		return spot.w / 2;
	return Math.min(spot.w / 2 / Math.max(1e-6, Math.abs(ux)),
		spot.h / 2 / Math.max(1e-6, Math.abs(uy)));
}

function place(width) {
	const xs = nodes.map(n => n.x), ys = nodes.map(n => n.y);
	const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs),
		Math.min(...ys), Math.max(...ys)];
	const rows = new Set(ys).size, square = (bottom - top) > 0.45 * (right - left);
	const height = square ? Math.min(Math.max(width * 0.62, 300), 520) :
		Math.max(200, Math.min(rows * 120, 520));
	const spread = (value, low, high, size, margin) =>
		high > low ? margin + (value - low) / (high - low) * (size - 2 * margin) : size / 2;
	const margin = Math.min(30, width / (2 * nodes.length) + 8);
	const spots = nodes.map(n => ({host: n.host,
		x: spread(n.x, left, right, width, margin), y: spread(n.y, top, bottom, height, 30)}));
	const room = nearest(spots);
	for (const spot of spots) {
		spot.w = Math.max(4, Math.min(spot.host ? 30 : 46, room * (spot.host ? 0.55 : 0.62)));
		spot.h = spot.host ? spot.w : Math.min(28, Math.max(6, spot.w * 0.62));
	}
	return {spots, height, room};
}

function drawLane(parent, spots, from, to, list, room) {
	const a = spots[from], b = spots[to], length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
	const ux = (b.x - a.x) / length, uy = (b.y - a.y) / length;
	const off = Math.max(1, Math.min(5, room * 0.06)), wide = Math.max(2, Math.min(8, off * 1.6));
	const begin = border(a, ux, uy), end = length - border(b, ux, uy);
	const at = (along, aside) => `${(a.x + ux * along - uy * aside).toFixed(1)} ` +
		`${(a.y + uy * along + ux * aside).toFixed(1)}`;
	const group = make("g", {}, parent), size = Math.max(3, Math.min(9, off * 1.9));
	const middle = begin + (end - begin) * 0.62;
	const lane = {from, to, list, group, begin, at, wide, aside: off + wide / 2 + 1,
		room: (end - begin) * 0.5, off,
		line: make("path", {class: "lane", d: `M${at(begin, off)}L${at(end, off)}`}, group),
		fill: make("path", {class: "fill", "stroke-width": wide}, group),
		head: make("path", {class: "head", d: `M${at(middle - size, off)}` +
			`L${at(middle + size, off - size)}L${at(middle + size, off + size)}z`}, group)};
	lane.fill.style.strokeWidth = wide;
	const spot = at(begin + 7, off).split(" ");
	lane.role = make("circle", {cx: spot[0], cy: spot[1], r: room > 60 ? 7 : 3}, group);
	lane.letter = make("text", {class: "letter", x: spot[0], y: spot[1]}, group);
	lane.small = room <= 60;
	lane.hit = make("path", {class: "hit", d: `M${at(begin, off + 3)}L${at(end, off + 3)}`}, group);
	lane.hit.style.strokeWidth = Math.max(4, Math.min(14, room / 6));
	choosable(lane.hit, {ports: list, group, title: ports[list[0]].name});
	return lane;
}

function choosable(element, choice) {
	element.addEventListener("pointerenter", () => pinned || choose(choice));
	element.addEventListener("pointerleave", () => pinned || choose(null));
	element.addEventListener("click", () => {
		pinned = !(pinned && chosen === choice);
		choose(pinned ? choice : null);
	});
	element.addEventListener("focus", () => pinned || choose(choice));
	element.addEventListener("keydown", event => {
		if (event.key === "Enter") {
			element.dispatchEvent(new Event("click"));
			event.preventDefault();
		}
	});
}

function choose(choice) {
	if (chosen)
		chosen.group.classList.remove("chosen");
	chosen = choice;
	if (chosen)
		chosen.group.classList.add("chosen");
	showPanel();
}

function drawNode(parent, spot, index) {
	const group = make("g", {class: "place", tabindex: 0, role: "button",
		"aria-label": `Numbers of ${nodes[index].name}`}, parent);
	const {x, y, w, h} = spot, own = [];
	ports.forEach((port, i) => port.node === index && own.push(i));
	const item = {own, group, spot};
	item.storm = make("circle", {class: "storm", cx: x, cy: y, r: w / 2 + 6}, group);
	if (spot.host) {
		make("circle", {class: "node", cx: x, cy: y, r: w / 2}, group);
	} else {
		make("rect", {class: "node switch", x: x - w / 2, y: y - h / 2, width: w, height: h,
			rx: Math.min(4, w / 6)}, group);
		item.tank = make("rect", {class: "tank", x: x - w / 2 + 1.5, width: Math.max(1, w - 3)},
			group);
	}
	const font = Math.min(13, w / Math.max(1.9, nodes[index].label.length * 0.62));
	if (font >= 6.5)
		make("text", {x, y, style: `font-size:${font.toFixed(1)}px`}, group)
			.textContent = nodes[index].label;
	choosable(group, {ports: own, group, title: nodes[index].name});
	return item;
}

let layers = {};

function drawNet() {
	const svg = $("net"), width = $("stage").clientWidth;
	const {spots, height, room} = place(width);
	svg.replaceChildren();
	set(svg, "viewBox", `0 0 ${width} ${height}`);
	svg.style.height = `${height}px`;
	layers = {spots, loop: make("g", {id: "loop"}, svg)};
	const lines = make("g", {}, svg), boxes = make("g", {}, svg);
	lanes = links.flatMap(link => [[link.a, link.b, link.ab], [link.b, link.a, link.ba]])
		.filter(([, , list]) => list.length)
		.map(([from, to, list]) => drawLane(lines, spots, from, to, list, room));
	places = spots.map((spot, i) => drawNode(boxes, spot, i));
	layers.stars = make("g", {id: "stars"}, svg);
	layers.shown = null;
	if (chosen)
		choose(null);
	pinned = false;
}

const active = (list, us) => list.filter(x => x.from <= us && (x.until === null || us < x.until));

function drawLoops(found) {
	const key = found.map(d => d.from).join();
	if (layers.shown === key)
		return;
	layers.shown = key;
	layers.loop.replaceChildren();
	layers.stars.replaceChildren();
	const wide = Math.min(18, Math.max(5, nearest(layers.spots) * 0.2));
	for (const deadlock of found) {
		for (const port of deadlock.ports) {
			const a = layers.spots[ports[port].node], b = layers.spots[ports[port].peer];
			make("path", {class: "loop", d: `M${a.x} ${a.y}L${b.x} ${b.y}`,
				style: `stroke-width:${wide}px`}, layers.loop);
		}
		if (deadlock.trigger === null)
			continue;
		const a = layers.spots[ports[deadlock.trigger].node];
		const b = layers.spots[ports[deadlock.trigger].peer];
		const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
		const out = border(a, (b.x - a.x) / length, (b.y - a.y) / length) + 9;
		make("path", {class: "star", d: STAR, transform: "translate(" +
			`${a.x + (b.x - a.x) / length * out} ${a.y + (b.y - a.y) / length * out}) scale(1.6)`},
			layers.stars);
	}
}

function showLane(lane) {
	const seen = lane.list.map(port => look(port, time));
	const paused = seen.reduce((sum, s) => sum + s.share, 0) / seen.length;
	const queue = Math.max(...seen.map(s => s.queue));
	const role = Math.max(...seen.map(s => s.role));
	const part = Math.min(1, queue / most);
	set(lane.line, "class", paused > 0.02 ? "lane paused" : "lane");
	lane.line.style.strokeWidth = paused > 0.02 ? 1 + paused * Math.min(3.5, lane.off) : "";
	set(lane.head, "visibility", paused > 0.02 ? "visible" : "hidden");
	lane.head.style.opacity = 0.35 + 0.65 * paused;
	const shown = part * lane.room > 1;
	set(lane.fill, "visibility", shown ? "visible" : "hidden");
	if (shown)
		set(lane.fill, "d", `M${lane.at(lane.begin, lane.aside)}` +
			`L${lane.at(lane.begin + part * lane.room, lane.aside)}`);
	set(lane.role, "visibility", role ? "visible" : "hidden");
	set(lane.role, "class", `r${role}`);
	lane.letter.textContent = role && !lane.small ? LETTERS[role] : "";
	return paused;
}

function showPlace(item, stormy) {
	set(item.storm, "visibility", stormy ? "visible" : "hidden");
	if (!item.tank)
		return;
	const buffer = item.own.reduce((sum, port) => sum + look(port, time).buffer, 0);
	const room = Math.max(1, item.spot.h - 3), high = Math.min(1, buffer / tank) * room;
	set(item.tank, "y", (item.spot.y + item.spot.h / 2 - 1.5 - high).toFixed(1));
	set(item.tank, "height", high.toFixed(1));
}

/* ---- beside the drawing ---- */

function cell(row, text, kind = "td") {
	const element = document.createElement(kind);
	element.textContent = text;
	row.append(element);
	return element;
}

function busiest() {
	return ports.map((_, i) => [i, look(i, time)])
		.filter(([, s]) => s.queue || s.share > 0.02 || s.buffer)
		.sort(([, a], [, b]) => (b.share - a.share) || (b.queue - a.queue))
		.slice(0, 10).map(([i]) => i);
}

function showPanel() {
	const list = chosen ? chosen.ports : busiest(), panel = $("panel");
	const title = document.createElement("h2"), table = document.createElement("table");
	title.textContent = chosen ? `Ports of ${chosen.title}` : "Busiest ports now";
	if (chosen && list.length === 1)
		title.textContent = `Port ${ports[list[0]].name}`;
	const head = table.createTHead().insertRow();
	for (const name of ["port → peer", "queue", "buffer", "paused", "so far"])
		cell(head, name, "th");
	const body = table.createTBody();
	for (const port of list.slice(0, 40)) {
		const s = look(port, time), row = body.insertRow();
		cell(row, `${ports[port].name} → ${ports[port].faces}` +
			(s.role ? ` (${ROLES[s.role]})` : ""));
		cell(row, bytes(s.queue));
		cell(row, bytes(s.buffer));
		cell(row, s.share > 0.02 ? `${Math.round(s.share * 100)} %` : "no").className =
			s.share > 0.02 ? "paused" : "";
		cell(row, span(s.pausedNs / 1000));
	}
	const hint = document.createElement("p");
	hint.textContent = list.length ?
		"Queue: bytes queued at the egress port. Buffer: lossless bytes that arrived at it and " +
		"still wait. Paused: by its peer, now and so far." : "Nothing waits, and no port is paused.";
	panel.replaceChildren(title, ...(list.length ? [table] : []), hint);
}

function say(found, storms, broken) {
	const alarm = $("alarm"), parts = [];
	const add = (strong, text, kind) => {
		const b = document.createElement("b");
		b.textContent = strong;
		b.className = kind;
		parts.push(b, ` ${text} `);
	};
	for (const d of found.slice(0, 2)) {
		const way = d.ports.map(port => nodes[ports[port].node].name);
		const trigger = d.trigger === null ? "" : ", initial trigger " +
			(d.host ? ports[d.trigger].faces : ports[d.trigger].name);
		add("Deadlock", (way.length ? [...way, way[0]].join(" → ") : "") + trigger +
			(time < d.found ? "; not found yet" : `; found ${span(d.found - d.from)} after ` +
			"its last pause"), "");
	}
	for (const s of storms)
		add("Pause storm", `seen by ${ports[s.port].name}, from ${ports[s.port].faces}`, "stormy");
	for (const s of broken)
		add("Broken NIC", `${ports[s.port].name} pauses ${ports[s.port].faces} all the time`,
			"stormy");
	const text = parts.map(p => p.textContent || p).join("");
	if (alarm.dataset.text !== text) {
		alarm.dataset.text = text;
		alarm.replaceChildren(...parts);
	}
}

/* ---- time ---- */

function show() {
	$("time").textContent = clock(time, 1);
	const found = active(arm.deadlocks, time), storms = active(arm.storms, time);
	const broken = active(data.broken, time);
	drawLoops(found);
	lanes.forEach(showLane);
	const stormy = new Set([...storms.map(s => ports[s.port].peer),
		...broken.map(s => ports[s.port].node)]);
	places.forEach((item, i) => showPlace(item, stormy.has(i)));
	const i = Math.max(0, lastBefore(arm.sums.us, time));
	$("facts").textContent = `${some(arm.sums.paused[i])} of ${ports.length} ports ` +
		`paused, ${bytes(arm.sums.queue[i])} in switches`;
	say(found, storms, broken);
	showPanel();
	const x = chartX(time);
	set(layers.cursor, "x1", x);
	set(layers.cursor, "x2", x);
	$("slider").value = time;
	$("slider").setAttribute("aria-valuetext", `${clock(time)}, ${$("facts").textContent}`);
}

function seek(us) {
	time = Math.min(arm.end, Math.max(0, us));
	if (time < view.from || time > view.to) {
		const half = (view.to - view.from) / 2;
		setView(time - half, time + half);
	} else {
		show();
	}
}

function setView(from, to) {
	const width = Math.min(arm.end, Math.max(to - from, 2));
	from = Math.max(0, Math.min(from, arm.end - width));
	view = {from, to: from + width};
	set($("slider"), "min", view.from);
	set($("slider"), "max", view.to);
	drawChart();
	show();
}

function zoom(factor) {
	const width = (view.to - view.from) * factor, part = (time - view.from) / (view.to - view.from);
	setView(time - width * part, time + width * (1 - part));
}

const chartX = us => EDGE + (us - view.from) / (view.to - view.from) *
	($("deck").clientWidth - 2 * EDGE);

/* Maximum of each pixel */
function outline(values, high, width) {
	const {us} = arm.sums, points = [];
	let i = Math.max(0, lastBefore(us, view.from)), top = 0;
	for (let x = 0; x <= width - 2 * EDGE; x++) {
		const until = view.from + (x + 1) / (width - 2 * EDGE) * (view.to - view.from);
		top = values[i];
		while (i + 1 < us.length && us[i + 1] < until)
			top = Math.max(top, values[++i]);
		points.push(`${x + EDGE} ${(CHART - 18 - Math.max(0, top) / high * (CHART - 36)).toFixed(1)}`);
	}
	return points;
}

function drawChart() {
	const svg = $("chart"), width = $("deck").clientWidth, base = CHART - 18;
	const {sums} = arm, queue = Math.max(1, ...slices(sums.queue));
	const paused = Math.max(1, ...slices(sums.paused));
	svg.replaceChildren();
	set(svg, "viewBox", `0 0 ${width} ${CHART}`);
	svg.style.height = `${CHART}px`;
	const bar = (x, kind) => {
		const from = chartX(Math.max(x.from, view.from));
		const to = chartX(Math.min(x.until === null ? arm.end : x.until, view.to));
		if (to >= from)
			make("rect", {class: kind, x: from, width: Math.max(1.5, to - from), y: 14,
				height: base - 14}, svg);
	};
	const area = outline(sums.queue, queue, width);
	make("path", {class: "area", d: `M${EDGE} ${base}L${area.join("L")}L${width - EDGE} ${base}z`}, svg);
	make("path", {class: "count", d: `M${outline(sums.paused, paused, width).join("L")}`}, svg);
	arm.deadlocks.forEach(d => bar(d, "span deadlock"));
	const marks = arm.marks.filter(([us]) => us >= view.from && us <= view.to);
	const few = marks.length < 12;
	for (const [us, name] of marks) {
		make("line", {class: "mark", x1: chartX(us), x2: chartX(us), y1: 13,
			y2: few ? base : 22}, svg);
		if (few)
			make("text", {x: Math.min(chartX(us) + 2, width - 90), y: 24, class: "told"}, svg).textContent = name;
	}
	const text = (x, y, anchor, words, style = "") =>
		make("text", {x, y, "text-anchor": anchor, style}, svg).textContent = words;
	text(EDGE, 10, "start", `■ in switches, up to ${bytes(queue)}`, "fill:var(--accent)");
	text(width - EDGE, 10, "end", `― paused ports, up to ${some(paused)}`, "fill:var(--pause)");
	for (const part of [0, 0.5, 1])
		text(EDGE + part * (width - 2 * EDGE), CHART - 4, ["start", "middle", "end"][part * 2],
			clock(view.from + part * (view.to - view.from)));
	layers.cursor = make("line", {class: "cursor", y1: 12, y2: base}, svg);
}

/* Maximum of each part of a list that is too long for arguments of Math.max */
function slices(list) {
	const out = [];
	for (let i = 0; i < list.length; i += 1000)
		out.push(Math.max(...list.slice(i, i + 1000)));
	return out;
}

function step(by) {
	const i = lastBefore(arm.sums.us, time);
	let to = i;
	if (by > 0)
		to = i + by;
	else
		to = arm.sums.us[i] < time && by === -1 ? i : i + by;
	seek(arm.sums.us[Math.max(0, Math.min(to, arm.sums.us.length - 1))]);
}

function jump(forward) {
	const times = [...new Set(arm.events)].sort((a, b) => a - b);
	const to = forward ? times.find(us => us > time) :
		times.filter(us => us < time).pop();
	if (to !== undefined)
		seek(to);
}

function play(on) {
	cancelAnimationFrame(playing);
	playing = 0;
	$("play").textContent = on ? "Pause" : "Play";
	if (!on)
		return;
	if (time >= view.to || time >= arm.end)
		time = view.from;
	let before = performance.now();
	const frame = now => {
		const us = (now - before) / 1000 * (view.to - view.from) / PLAY_S * $("speed").value;
		before = now;
		const to = Math.min(time + Math.max(0, us), view.to);
		seek(to);
		if (to >= view.to)
			play(false);
		else
			playing = requestAnimationFrame(frame);
	};
	playing = requestAnimationFrame(frame);
}

/* ---- all together ---- */

async function load(raw) {
	if (raw.ports)
		return raw;
	raw.ports = decode(await unpack(raw.rows));
	raw.sums = totals(raw.ports);
	for (const d of raw.deadlocks)
		d.from = d.closed;
	for (const s of [...raw.storms, ...data.broken])
		s.from = s.at;
	raw.marks = [...data.broken.map(s => [s.at, "NIC breaks"]),
		...raw.storms.map(s => [s.at, "storm found"]),
		...raw.storms.filter(s => s.until !== null).map(s => [s.until, "storm over"]),
		...raw.deadlocks.map(d => [d.found, "deadlock found"])];
	raw.events = [...raw.marks.map(([us]) => us), ...raw.deadlocks.flatMap(d =>
		d.until === null ? [d.closed] : [d.closed, d.until])].filter(us => us <= raw.end);
	return raw;
}

/* Bars have one scale in all arms. */
function scales(all) {
	const switches = i => !nodes[ports[i].node].host;
	most = 1;
	all.forEach(a => a.ports.forEach((rows, i) => {
		if (switches(i))
			rows.queue.forEach(bytes => most = Math.max(most, bytes));
	}));
	tank = 1;
	all.forEach(a => nodes.forEach((node, n) => {
		const steps = new Map();
		ports.forEach((port, i) => {
			if (port.node !== n || node.host)
				return;
			let before = 0;
			a.ports[i].us.forEach((us, k) => {
				steps.set(us, (steps.get(us) || 0) + a.ports[i].buffer[k] - before);
				before = a.ports[i].buffer[k];
			});
		});
		let sum = 0;
		[...steps.keys()].sort((x, y) => x - y).forEach(us => {
			sum += steps.get(us);
			tank = Math.max(tank, sum);
		});
	}));
}

/* Time of most events, if all end early */
function activity() {
	let last = 0;
	for (const rows of arm.ports)
		for (let i = 0; i < rows.us.length - 1; i++)
			last = Math.max(last, rows.us[i]);
	last = Math.max(last, ...arm.events.slice(-1)) * 1.1;
	return last < 0.6 * arm.end ? last : arm.end;
}

async function start() {
	const all = await Promise.all(data.arms.map(load));
	scales(all);
	all.forEach((a, i) => $("arm").append(new Option(a.name, i)));
	$("arms").hidden = all.length < 2;
	for (const speed of [0.1, 0.25, 0.5, 1, 2, 5])
		$("speed").append(new Option(`${speed} ×`, speed, speed === 1, speed === 1));
	$("full").textContent = `queue of a port; a full bar is ${bytes(most)}`;
	const hide = (kind, on) => document.querySelectorAll(kind).forEach(e => e.hidden = !on);
	hide(".for-deadlock", all.some(a => a.deadlocks.length));
	hide(".for-storm", data.broken.length || all.some(a => a.storms.length));
	hide(".for-rcm", all.some(a => a.ports.some(p => p.role.some(r => r))));

	const use = a => {
		arm = a;
		drawNet();
		setView(0, activity());
		seek(Math.min(time, arm.end));
	};
	$("arm").addEventListener("change", () => use(all[$("arm").value]));
	$("slider").addEventListener("input", () => { play(false); seek(+$("slider").value); });
	$("play").addEventListener("click", () => play(!playing));
	for (const [id, act] of [["back", () => step(-1)], ["next", () => step(1)],
		["before", () => jump(false)], ["after", () => jump(true)],
		["in", () => zoom(0.5)], ["out", () => zoom(2)], ["whole", () => setView(0, arm.end)]])
		$(id).addEventListener("click", () => { play(false); act(); });
	const keys = {" ": () => play(!playing), ArrowLeft: () => step(-1), ArrowRight: () => step(1),
		PageUp: () => step(10), PageDown: () => step(-10), Home: () => seek(view.from),
		End: () => seek(view.to), n: () => jump(true), p: () => jump(false),
		"+": () => zoom(0.5), "-": () => zoom(2), 0: () => setView(0, arm.end),
		Escape: () => { pinned = false; choose(null); }};
	document.addEventListener("keydown", event => {
		const {tagName} = event.target;
		if (!keys[event.key] || event.ctrlKey || event.metaKey || event.altKey ||
		    tagName === "SELECT" || (event.key === " " && ["BUTTON", "SUMMARY"].includes(tagName)))
			return;
		event.preventDefault();
		if (event.key !== " ")
			play(false);
		keys[event.key]();
	});
	$("chart").addEventListener("pointerdown", event => {
		const width = $("deck").clientWidth - 2 * EDGE;
		const part = (event.offsetX - EDGE) / width;
		play(false);
		seek(view.from + Math.max(0, Math.min(1, part)) * (view.to - view.from));
	});
	let width = 0;
	new ResizeObserver(() => {
		if (width === $("stage").clientWidth)
			return;
		width = $("stage").clientWidth;
		drawNet();
		setView(view.from, view.to);
	}).observe($("stage"));
	use(all[0]);
	document.body.dataset.ready = "yes";
}

start();
