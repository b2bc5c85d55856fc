// What the prints of Slack Water show. See draw.mjs for what a shape, a tint and a print are.

// --- Shapes -------------------------------------------------------------------------------------------------------

const { abs, cos, hypot, max, min, sin, sqrt, PI } = Math;
const clamp = (t) => max(0, min(1, t));

const everywhere = () => -1;
const disc = (cx, cy, r) => (x, y) => hypot(x - cx, y - cy) - r;
const ring = (cx, cy, r, w) => (x, y) => abs(hypot(x - cx, y - cy) - r) - w / 2;
const oval = (cx, cy, rx, ry, turn = 0) => {
	const [c, s] = [cos(turn), sin(turn)];
	return (x, y) => {
		const [u, v] = [(x - cx) * c + (y - cy) * s, (y - cy) * c - (x - cx) * s];
		return (hypot(u / rx, v / ry) - 1) * min(rx, ry);
	};
};
const box = (cx, cy, w, h, turn = 0) => {
	const [c, s] = [cos(turn), sin(turn)];
	return (x, y) =>
		max(abs((x - cx) * c + (y - cy) * s) - w / 2, abs((y - cy) * c - (x - cx) * s) - h / 2);
};
// A line through these points; its width may go from one to another.
const line = (points, from, to = from) => {
	const parts = points.slice(1).map(([x, y], i) => [...points[i], x - points[i][0], y - points[i][1]]);
	const n = parts.length;
	return (x, y) => {
		let best = Infinity;
		for (let i = 0; i < n; i++) {
			const [ax, ay, dx, dy] = parts[i];
			const t = clamp(((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy));
			const w = from + ((to - from) * (i + t)) / n;
			best = min(best, hypot(x - ax - dx * t, y - ay - dy * t) - w / 2);
		}
		return best;
	};
};
const polygon = (...points) => (x, y) => {
	let inside = false, near = Infinity;
	for (let i = 0, j = points.length - 1; i < points.length; j = i++) {
		const [ax, ay] = points[i], [bx, by] = points[j], dx = bx - ax, dy = by - ay;
		if (ay > y !== by > y && x < (dx * (y - ay)) / dy + ax) inside = !inside;
		const t = clamp(((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy));
		near = min(near, hypot(x - ax - dx * t, y - ay - dy * t));
	}
	return inside ? -near : near;
};
// Below a line, which says its height at x; y grows downwards.
const below = (f) => (x, y) => f(x) - y;
const any = (...shapes) => (x, y) => {
	let best = Infinity;
	for (const shape of shapes) best = min(best, shape(x, y));
	return best;
};
const both = (...shapes) => (x, y) => {
	let worst = -Infinity;
	for (const shape of shapes) worst = max(worst, shape(x, y));
	return worst;
};
const not = (shape) => (x, y) => -shape(x, y);
const less = (shape, ...others) => both(shape, ...others.map(not));
const moved = (shape, dx, dy) => (x, y) => shape(x - dx, y - dy);
const mirrored = (shape, at) => (x, y) => shape(x, 2 * at - y);
const grown = (shape, by) => (x, y) => shape(x, y) - by;
const outline = (shape, w) => (x, y) => abs(shape(x, y)) - w / 2;
// The same n times around a point.
const around = (cx, cy, n, shape) => (x, y) => {
	const step = (2 * PI) / n, r = hypot(x - cx, y - cy);
	const a = Math.atan2(y - cy, x - cx);
	const t = a - step * Math.round(a / step);
	return shape(r * cos(t), r * sin(t));
};
const times = (n, f) => Array.from({ length: n }, (_, i) => f(i));
const curve = (n, f) => times(n + 1, (i) => f(i / n));
const wave = (y0, height, length, shift = 0) => (x) => y0 + height * sin((x / length + shift) * 2 * PI);
// Lines beside each other, `every` units from one to the next, across the direction of `turn`.
const stripes = (every, w, turn = 0, bend = () => 0) => {
	const [c, s] = [cos(turn), sin(turn)];
	return (x, y) => {
		const v = y * c - x * s + bend(x, y);
		return abs(v - every * Math.round(v / every)) - w / 2;
	};
};
const down = (y0, t0, y1, t1) => (x, y) => t0 + (t1 - t0) * clamp((y - y0) / (y1 - y0));
const across = (x0, t0, x1, t1) => (x) => t0 + (t1 - t0) * clamp((x - x0) / (x1 - x0));
const glow = (cx, cy, r0, t0, r1, t1) => (x, y) => t0 + (t1 - t0) * clamp((hypot(x - cx, y - cy) - r0) / (r1 - r0));
// Two whole numbers that look like chance, for stars, drops and the like.
const scattered = (n, f) => times(n, (i) => f(((i * 7919 + 13) % 997) / 997, ((i * 6151 + 401) % 991) / 991, i));

// --- Covers ---------------------------------------------------------------------------------------------------------

function slack_water() {
	const sea = 1.28;
	const hull = polygon([0.62, 1.02], [2.02, 1.02], [1.88, 1.26], [0.78, 1.26]);
	const house = any(box(1.3, 0.93, 0.78, 0.2), box(1.28, 0.78, 0.42, 0.14), line([[1.62, 0.84], [1.62, 0.5]], 0.03));
	const funnel = box(1.14, 0.62, 0.14, 0.24);
	const ferry = any(hull, house, funnel);
	const windows = any(...times(5, (i) => box(1.02 + i * 0.14, 0.92, 0.08, 0.08)));
	const posts = any(...times(3, (i) => line([[0.12 + i * 0.16, 1.02 - i * 0.03], [0.12 + i * 0.16, 1.55]], 0.055)));
	const sun = disc(2.2, 0.86, 0.52);
	const ripples = stripes(0.094, 0.042, 0, (x, y) => 0.012 * sin(x * 9 + y * 20));
	const water = below(() => sea);
	return [
		[
			[everywhere, down(0, 0.62, 1.1, 0.06)],
			[sun, 0.04],
			[water, down(sea, 0.3, 2, 0.75)],
			[both(mirrored(sun, sea), water), 0.12],
			[both(water, ripples), down(sea, 0.55, 2, 1)],
			[both(mirrored(ferry, sea), water), 0.86],
			[both(mirrored(ferry, sea), water, stripes(0.11, 0.03)), 0.2],
			[posts, 1],
			[ferry, 1],
			[windows, 0],
		],
		[
			[everywhere, down(0.4, 0, 1.26, 0.3)],
			[sun, 1],
			[water, 0],
			[both(mirrored(sun, sea), water, stripes(0.094, 0.056, 0, (x, y) => 0.012 * sin(x * 9 + y * 20))), 0.9],
			[any(hull, house), 0],
			[box(1.14, 0.6, 0.14, 0.08), 1],
			[both(hull, box(1.3, 1.2, 2, 0.08)), 1],
		],
	];
}

function redshank() {
	const body = any(oval(1.5, 0.92, 0.5, 0.27, -0.32), polygon([1.1, 0.95], [0.72, 1.26], [1.3, 1.12]));
	const neck = line([[1.86, 0.78], [1.98, 0.56], [2.0, 0.46]], 0.24, 0.17);
	const head = oval(2.04, 0.42, 0.15, 0.12, 0.2);
	const bill = line([[2.14, 0.44], [2.6, 0.56]], 0.06, 0.02);
	const bird = any(body, neck, head);
	const legs = any(
		line([[1.44, 1.14], [1.4, 1.42], [1.52, 1.72]], 0.045),
		line([[1.6, 1.12], [1.72, 1.38], [1.68, 1.74]], 0.045),
		line([[1.44, 1.73], [1.62, 1.72]], 0.035),
		line([[1.6, 1.75], [1.8, 1.74]], 0.035),
	);
	const water = below(wave(1.7, 0.012, 0.7));
	const reeds = any(
		...scattered(34, (a, b) => {
			const x = a < 0.5 ? a * 1.3 : 2.35 + (a - 0.5) * 1.4, top = 0.55 + b * 0.9;
			return line(curve(5, (t) => [x + (b - 0.5) * 0.5 * t * t, 1.95 - (1.95 - top) * t]), 0.04, 0.008);
		}),
	);
	const wing = any(
		...times(5, (i) => line([[1.86 - i * 0.06, 0.84 + i * 0.04], [1.2 - i * 0.05, 1.02 + i * 0.035]], 0.016)),
	);
	return [
		[
			[everywhere, down(0.2, 0, 1.7, 0.22)],
			[reeds, 1],
			[water, 0.4],
			[both(water, stripes(0.07, 0.022, 0, (x) => 0.01 * sin(x * 12))), 1],
			[grown(bird, 0.03), 0],
			[bird, glow(1.55, 0.75, 0.1, 0.5, 0.7, 1)],
			[both(bird, below((x) => 1.02 + (1.5 - x) * 0.1)), 0.3],
			[both(wing, body), 0],
			[line([[2.34, 0.49], [2.6, 0.56]], 0.04, 0.02), 1],
			[disc(2.07, 0.4, 0.035), 0],
			[disc(2.075, 0.4, 0.02), 1],
		],
		[
			[both(disc(0.66, 0.5, 0.34), everywhere), 0.85],
			[reeds, 0],
			[grown(bird, 0.02), 0],
			[both(bird, below((x) => 0.98 + (1.5 - x) * 0.1)), 0.28],
			[bill, 1],
			[legs, 1],
			[both(mirrored(legs, 1.74), water, stripes(0.05, 0.03)), 1],
		],
	];
}

function forty_lines() {
	const parts = [[0.2, 1.5, 0], [0.1, 1.31, 0.2], [0.15, 0.74, 0.4], [0.07, 0.49, 0.1], [0.05, 2.6, 0.6], [0.12, 0.92, 0.75]];
	const waves = parts.map(([h, l, s]) => wave(1.1, h, l, s));
	const sum = (x) => 1.1 + waves.reduce((all, f) => all + (f(x) - 1.1), 0);
	const along = (f, w) => line(curve(90, (t) => [t * 3.2 - 0.1, f(t * 3.2 - 0.1)]), w);
	const moons = times(7, (i) => 0.36 + i * 0.38);
	return [
		[
			[below(sum), down(0.6, 0.15, 2, 0.6)],
			...waves.map((f) => [along(f, 0.014), 1]),
			[any(...moons.map((x) => ring(x, 0.24, 0.115, 0.016))), 1],
			[any(...moons.map((x, i) => less(disc(x, 0.24, 0.11), disc(x + (i - 3) * 0.075, 0.24, 0.115)))), 1],
			[disc(moons[3], 0.24, 0.11), 0.12],
			[any(...times(15, (i) => line([[i * 0.2 + 0.1, 1.86], [i * 0.2 + 0.1, i % 5 ? 1.92 : 1.8]], 0.016))), 1],
			[line([[0, 1.92], [3, 1.92]], 0.016), 1],
		],
		[
			[along(sum, 0.06), 1],
			[any(...times(14, (i) => disc(0.2 + i * 0.2, sum(0.2 + i * 0.2), 0.05))), 1],
			[disc(moons[3], 0.24, 0.11), 0.9],
		],
	];
}

function scarf() {
	const grain = (seed) => (x, y) =>
		0.05 * sin(x * 2.1 + seed) + 0.02 * sin(x * 5 + y * 6 + seed) + 0.09 * Math.exp(-((x - 1.1 - seed / 4) ** 2 + (y - 0.9) ** 2) * 9);
	const upper = polygon([-0.2, 0.5], [2.3, 0.32], [2.36, 0.44], [0.98, 1.32], [0.9, 1.2], [-0.2, 1.26]);
	const lower = polygon([2.42, 0.36], [3.2, 0.3], [3.2, 1.34], [1.02, 1.46], [1.02, 1.36], [2.44, 0.48]);
	const tilt = -0.06;
	const nails = any(...times(4, (i) => disc(1.3 + i * 0.26, 1.02 - i * 0.165, 0.035)));
	return [
		[
			[moved(any(upper, lower), 0.05, 0.14), 0.4],
			[any(upper, lower), 0],
			[upper, 0.16],
			[both(upper, stripes(0.085, 0.016, tilt, grain(0.4))), 1],
			[outline(any(upper), 0.024), 1],
			[outline(lower, 0.024), 1],
			[both(lower, stripes(0.085, 0.014, tilt, grain(2.2))), 0.75],
			[nails, 1],
		],
		[
			[lower, 0.5],
			[both(lower, stripes(0.085, 0.012, tilt, grain(2.2))), 1],
			[both(upper, stripes(0.34, 0.1, tilt, grain(0.4))), 0.25],
			[line([[0.2, 1.72], [2.8, 1.58]], 0.018), 1],
			[any(...times(27, (i) => line([[0.2 + i * 0.1, 1.72 - i * 0.0054], [0.2 + i * 0.1, (i % 5 ? 1.66 : 1.6) - i * 0.0054]], 0.014))), 1],
		],
	];
}

function rye() {
	const loaf = oval(1.5, 1.02, 0.92, 0.74);
	const cuts = any(
		...times(3, (i) => line(curve(8, (t) => [0.9 + t * 1.2, 0.72 + i * 0.3 + 0.1 * (t - 0.5) ** 2 * 4 - 0.05]), 0.07)),
		...times(3, (i) => line(curve(8, (t) => [1.16 + i * 0.34 - 0.06 * (t - 0.5) ** 2 * 4, 0.5 + t * 1.0]), 0.07)),
	);
	const board = polygon([0.1, 1.34], [2.9, 1.3], [3.1, 1.86], [-0.1, 1.88]);
	const flour = any(...scattered(150, (a, b, i) => disc(a * 3, b * 2, 0.006 + (i % 5) * 0.004)));
	const ear = (x, y, turn) =>
		any(
			line([[x, y + 0.5], [x + turn * 0.3, y - 0.4]], 0.016),
			...times(6, (i) => oval(x + turn * (0.12 + i * 0.035) + (i % 2 ? 0.05 : -0.05), y + 0.05 - i * 0.085, 0.03, 0.065, turn + (i % 2 ? 0.5 : -0.5))),
		);
	return [
		[
			[board, 0.25],
			[both(board, stripes(0.12, 0.018, -0.02, (x) => 0.02 * sin(x * 3))), 0.9],
			[oval(1.56, 1.24, 1.0, 0.6), 0.8],
			[loaf, glow(1.2, 0.7, 0.2, 0.1, 1.05, 0.92)],
			[both(loaf, cuts), 0],
			[any(ear(0.36, 0.62, 0.3), ear(2.64, 0.6, -0.3)), 1],
			[both(flour, not(loaf)), 0],
		],
		[
			[around(1.5, 1.02, 20, (u, v) => max(abs(v) - 0.03 * u, 1 - u)), 0.5],
			[board, 0],
			[loaf, glow(1.2, 0.7, 0.1, 0.55, 1.1, 1)],
			[both(loaf, cuts), 0.16],
		],
	];
}

function rain() {
	const frame = less(box(1.5, 0.84, 1.86, 1.48), box(1.03, 0.46, 0.76, 0.56), box(1.97, 0.46, 0.76, 0.56), box(1.03, 1.14, 0.76, 0.68), box(1.97, 1.14, 0.76, 0.68));
	const glass = both(box(1.5, 0.84, 1.7, 1.36), not(frame));
	const drops = any(...scattered(60, (a, b) => line([[0.6 + a * 1.9, b * 1.5], [0.56 + a * 1.9, b * 1.5 + 0.16]], 0.016, 0.03)));
	const sill = box(1.5, 1.72, 2.5, 0.2);
	const loaf = both(oval(1.12, 1.62, 0.5, 0.4), not(below(() => 1.63)));
	const slices = any(...times(3, (i) => oval(1.86 + i * 0.17, 1.47, 0.09, 0.18, 0.18)));
	const hills = both(glass, below((x) => 0.86 + 0.1 * sin(x * 2.4)));
	return [
		[
			[everywhere, 0.16],
			[glass, 0.42],
			[hills, 0.66],
			[both(glass, drops), 0],
			[frame, 1],
			[sill, 1],
			[grown(any(loaf, slices), 0.02), 0],
			[loaf, glow(1.0, 1.36, 0, 0.05, 0.5, 0.75)],
			[outline(slices, 0.016), 1],
		],
		[
			[any(...times(15, (i) => box(0.1 + i * 0.2, 1, 0.07, 2))), 0.34],
			[grown(frame, 0.02), 0],
			[glass, 0],
			[both(glass, disc(1.98, 0.46, 0.13)), 0.5],
			[sill, 0.3],
			[loaf, 1],
			[both(loaf, any(...times(3, (i) => line([[0.86 + i * 0.22, 1.36], [0.96 + i * 0.22, 1.48]], 0.04)))), 0.2],
			[slices, 0.4],
			[outline(slices, 0.04), 0.9],
		],
	];
}

function town() {
	const houses = [[0.0, 0.42, 0.98], [0.42, 0.36, 0.8], [0.78, 0.5, 1.02], [1.28, 0.4, 0.74], [1.68, 0.44, 0.94], [2.12, 0.36, 0.7], [2.48, 0.54, 1.0]];
	const house = ([x, w, y]) => polygon([x, 2], [x, y], [x + w / 2, y - w * 0.55], [x + w, y], [x + w, 2]);
	const chimneys = any(...houses.map(([x, w, y]) => box(x + w * 0.76, y - w * 0.36, 0.07, 0.24)));
	const all = any(chimneys, ...houses.map(house));
	const panes = houses.flatMap(([x, w, y], i) => times(3, (k) => [x + w * (k % 2 ? 0.7 : 0.3), y + 0.16 + k * 0.25, i * 3 + k]));
	const pane = ([x, y]) => box(x, y, 0.1, 0.14);
	const shop = box(1.48, 1.58, 0.28, 0.3);
	const light = polygon([1.34, 1.73], [1.62, 1.73], [2.0, 2], [0.96, 2]);
	const moon = less(disc(2.3, 0.32, 0.2), disc(2.22, 0.27, 0.19));
	const stars = any(...scattered(46, (a, b, i) => disc(a * 3, b * 0.8, 0.006 + (i % 4) * 0.004)));
	const fronts = any(...houses.filter((_, i) => i % 2).map(house));
	return [
		[
			[everywhere, down(0, 0.95, 1, 0.5)],
			[any(moon, stars), 0],
			[all, 1],
			[fronts, 0.8],
			[both(all, stripes(0.06, 0.008), fronts), 1],
			[any(...panes.map(pane)), 0.35],
			[any(...panes.map((p) => line([[p[0], p[1] - 0.07], [p[0], p[1] + 0.07]], 0.014))), 1],
			[below(() => 1.74), 0.9],
			[any(shop, light), 0],
			[any(line([[1.48, 1.43], [1.48, 1.73]], 0.018), line([[1.34, 1.58], [1.62, 1.58]], 0.014)), 1],
			[any(disc(1.55, 1.56, 0.05), box(1.55, 1.67, 0.12, 0.14)), 1],
		],
		[
			[glow(1.48, 1.55, 0.2, 0, 0.9, 0), 0],
			[disc(1.48, 1.58, 0.62), glow(1.48, 1.58, 0.2, 0.75, 0.62, 0.05)],
			[any(shop, light), 1],
			[any(...panes.filter((p) => p[2] === 4).map(pane)), 0.9],
			[moon, 0.5],
		],
	];
}

function bell() {
	const sea = 1.5;
	const f = (y) => 0.24 + 0.1 * clamp((y - 0.62) / 0.3) + 0.2 * clamp((y - 0.9) / 0.42) ** 2.2;
	const body = both((x, y) => abs(x - 1.5) - f(y), (x, y) => max(0.62 - y, y - 1.32));
	const whole = any(body, oval(1.5, 0.64, 0.24, 0.12), ring(1.5, 0.48, 0.08, 0.05));
	const frame = any(line([[0.74, 1.76], [0.96, 0.32]], 0.09), line([[2.26, 1.76], [2.04, 0.32]], 0.09), box(1.5, 0.36, 1.36, 0.1), line([[0.84, 1.0], [1.0, 0.4], [1.2, 0.36]], 0.04), line([[2.16, 1.0], [2.0, 0.4], [1.8, 0.36]], 0.04));
	const mole = polygon([-0.1, 1.72], [3.1, 1.66], [3.1, 2.1], [-0.1, 2.1]);
	const gull = (x, y, s) => line([[x - s, y - s * 0.25], [x - s * 0.4, y - s * 0.3], [x, y], [x + s * 0.4, y - s * 0.3], [x + s, y - s * 0.25]], 0.022);
	const stones = any(stripes(0.13, 0.012), ...times(3, (k) => any(...times(9, (i) => line([[i * 0.38 + k * 0.17 - 0.1, 1.72 + k * 0.13], [i * 0.38 + k * 0.17 - 0.1, 1.85 + k * 0.13]], 0.012)))));
	return [
		[
			[everywhere, down(0.2, 0.04, sea, 0.28)],
			[below(() => sea), 0.6],
			[both(below(() => sea), stripes(0.06, 0.024, 0, (x) => 0.012 * sin(x * 14))), 1],
			[any(gull(0.42, 0.5, 0.16), gull(2.62, 0.34, 0.12), gull(2.74, 0.62, 0.08)), 1],
			[mole, 0.5],
			[both(mole, stones), 1],
			[frame, 1],
			[grown(whole, 0.025), 0],
			[whole, across(1.1, 0.1, 2.0, 1)],
			[both(whole, any(box(1.5, 0.86, 2, 0.02), box(1.5, 1.22, 2, 0.02), box(1.5, 1.17, 2, 0.012))), 1],
			[both(oval(1.5, 1.33, 0.46, 0.03), everywhere), 1],
		],
		[
			[around(1.5, 0.95, 28, (u, v) => max(abs(v) - 0.022 * u, 0.72 - u)), 0.42],
			[below(() => sea), 0],
			[grown(any(frame), 0.01), 0],
			[grown(whole, 0.025), 0],
			[whole, across(1.2, 1, 2.1, 0.5)],
		],
	];
}

function eels() {
	const eel = (y, shift, height) => curve(40, (t) => [-0.2 + t * 3.1, y + height * sin((t * 1.6 + shift) * 2 * PI)]);
	const blue = [[0.34, 0.1, 0.13], [0.78, 0.55, 0.15], [1.66, 0.3, 0.13]];
	const one = eel(1.2, 0.82, 0.17), head = one[40];
	const fin = (points) => line(points.map(([x, y]) => [x, y - 0.045]), 0.02, 0.14);
	return [
		[
			[everywhere, down(0, 0.1, 2, 0.55)],
			[stripes(0.16, 0.016, 0, (x, y) => 0.04 * sin(x * 5 + y * 3)), 0.9],
			[any(...blue.map((e) => grown(line(eel(...e), 0.02, 0.15), 0.03))), 0],
			[any(...blue.map((e) => line(eel(...e), 0.02, 0.15))), 1],
			[any(...blue.map((e) => line(eel(...e).map(([x, y]) => [x, y + 0.03]), 0.004, 0.05))), 0.25],
			[any(...blue.map((e) => disc(eel(...e)[40][0] - 0.02, eel(...e)[40][1] - 0.03, 0.022))), 0],
			[grown(any(line(one, 0.03, 0.22), fin(one)), 0.03), 0],
			[line(one.map(([x, y]) => [x, y + 0.06]), 0.005, 0.07), 0.4],
			[disc(head[0] - 0.02, head[1] - 0.03, 0.034), 1],
		],
		[
			[any(line(one, 0.03, 0.22), fin(one)), 1],
			[disc(head[0] - 0.02, head[1] - 0.03, 0.05), 0],
			[any(...scattered(26, (a, b) => ring(a * 3, b * 2, 0.035, 0.014))), 0.8],
		],
	];
}

function staff() {
	const plank = box(1.5, 0.86, 0.44, 2.2, 0.02);
	const marks = any(...times(10, (i) => box(i % 2 ? 1.42 : 1.58, -0.02 + i * 0.18, 0.22, 0.09, 0.02)));
	const tens = any(...times(4, (i) => box(1.5, 0.15 + i * 0.54, 0.44, 0.024, 0.02)));
	const water = below(wave(1.36, 0.03, 0.8));
	const window = less(box(1.5, 1, 2.9, 1.9), box(1.5, 1, 2.74, 1.74));
	const boat = any(polygon([0.3, 1.2], [0.86, 1.2], [0.78, 1.32], [0.38, 1.32]), polygon([0.58, 0.66], [0.58, 1.14], [0.28, 1.14]), line([[0.6, 0.6], [0.6, 1.2]], 0.02));
	return [
		[
			[everywhere, down(0.1, 0.02, 1.3, 0.2)],
			[boat, 1],
			[water, down(1.36, 0.45, 2, 0.85)],
			[both(water, stripes(0.075, 0.026, 0, (x, y) => 0.02 * sin(x * 8 + y * 9))), 1],
			[both(water, box(1.5, 1, 0.5, 3, 0.02)), 0.7],
			[less(plank, water), 0],
			[less(any(marks, tens), water), 1],
			[less(outline(plank, 0.02), water), 1],
			[window, 0],
		],
		[
			[both(disc(2.4, 0.62, 0.3), everywhere), 0.55],
			[grown(plank, 0.02), 0],
			[polygon([0.62, 0.66], [0.62, 1.14], [0.92, 1.14]), 1],
			[less(polygon([1.73, 1.26], [1.98, 1.14], [1.98, 1.38]), everywhere), 0],
			[polygon([1.74, 1.34], [2.02, 1.22], [2.02, 1.46]), 1],
			[both(water, box(1.5, 1, 0.44, 3, 0.02), stripes(0.075, 0.03, 0, (x, y) => 0.02 * sin(x * 8 + y * 9))), 0.9],
			[less(window, everywhere), 0],
			[window, 0.16],
		],
	];
}

// A rope along a path over and under itself; what is on top comes last.
function rope(f, n, r) {
	const points = times(n + 1, (i) => f(i / n)).map(([x, y, z], i) => [x, y, z, i]);
	const top = [...points].sort((a, b) => b[2] - a[2]);
	const far = (r + 0.03) ** 2, away = ([px, py], x, y) => (px - x) ** 2 + (py - y) ** 2;
	// Of the part on top there, the nearest point.
	const nearest = (x, y) => {
		const on = top.find((point) => away(point, x, y) < far);
		if (on === undefined) return null;
		const part = points.slice(max(0, on[3] - 24), on[3] + 25);
		return part.reduce((best, point) => (away(point, x, y) < away(best, x, y) ? point : best));
	};
	const shape = (x, y) => (nearest(x, y) ? -1 : 1);
	// How far across the rope (-1 to 1), how far along it (0 to 1), and where in its twist (0 to 1); null beside it.
	const strand = (x, y) => {
		const on = nearest(x, y);
		if (away(on, x, y) > r * r) return null;
		const to = points[min(n, on[3] + 1)], from = points[max(0, on[3] - 1)];
		const dx = to[0] - from[0], dy = to[1] - from[1], d = hypot(dx, dy) || 1;
		const side = ((x - on[0]) * dy - (y - on[1]) * dx) / d / r;
		const along = (on[3] + ((x - on[0]) * dx + (y - on[1]) * dy) / d / (d / 2)) / n;
		return { side, along, twist: (((along * 70 + side * 0.5) % 1) + 1) % 1 };
	};
	return { shape, strand };
}

function knot() {
	const path = (t) => {
		const a = t * 2 * PI;
		return [1.5 + (0.44 * (2 + cos(2 * a)) * cos(3 * a)) * 1.02, 1.0 + 0.27 * (2 + cos(2 * a)) * sin(3 * a), sin(4 * a)];
	};
	const { shape, strand } = rope(path, 620, 0.1);
	const tinted = (full, gap) => (x, y) => {
		const s = strand(x, y);
		return s === null ? 0 : s.twist < 0.2 ? gap : full(s);
	};
	return [
		[
			[stripes(0.25, 0.012), 0.5],
			[stripes(0.25, 0.012, PI / 2), 0.5],
			[moved(shape, 0.05, 0.07), 0.55],
			[shape, tinted((s) => 0.12 + 0.5 * clamp(s.side * 0.7 + 0.2), 1)],
		],
		[[shape, tinted((s) => (s.along > 0.5 ? 0.95 : 0.14), 0.1)]],
	];
}

function moon_clock() {
	const gear = (cx, cy, r, n, turn) => (x, y) => {
		const a = Math.atan2(y - cy, x - cx) + turn, d = hypot(x - cx, y - cy);
		return d - r - 0.045 * max(-1, min(1, 3 * cos(a * n)));
	};
	const small = gear(0.62, 1.22, 0.36, 18, 0), tiny = gear(0.86, 0.52, 0.26, 12, 0.2), far = gear(2.58, 1.6, 0.3, 15, 0.1);
	const spokes = (cx, cy, r, n) => less(disc(cx, cy, r), around(cx, cy, n, (u, v) => abs(v) - 0.035), disc(cx, cy, 0.09));
	const face = disc(1.78, 0.98, 0.8);
	const craters = any(disc(1.5, 0.7, 0.13), disc(2.02, 0.62, 0.08), disc(1.62, 1.3, 0.17), disc(2.2, 1.2, 0.1), disc(1.32, 1.04, 0.07), disc(2.05, 0.95, 0.05));
	const hours = around(1.78, 0.98, 12, (u, v) => max(abs(u - 0.69) - 0.06, abs(v) - 0.018));
	const hands = any(line([[1.78, 0.98], [2.02, 0.5]], 0.06, 0.03), line([[1.78, 0.98], [1.3, 1.16]], 0.05, 0.025), disc(1.78, 0.98, 0.06));
	return [
		[
			[everywhere, 0.86],
			[any(...scattered(40, (a, b, i) => disc(a * 3, b * 2, 0.006 + (i % 3) * 0.004))), 0],
			[grown(any(small, tiny, far), 0.02), 0],
			[any(small, far), 0.3],
			[any(spokes(0.62, 1.22, 0.26, 5), spokes(2.58, 1.6, 0.21, 5), disc(0.62, 1.22, 0.04)), 0.86],
			[grown(face, 0.03), 0],
			[face, glow(1.55, 0.75, 0.2, 0.04, 1.1, 0.42)],
			[craters, 0.4],
			[hours, 1],
			[hands, 1],
		],
		[
			[tiny, 1],
			[spokes(0.86, 0.52, 0.18, 5), 0],
			[any(small, far), 0.35],
			[grown(face, 0.03), 0],
			[ring(1.78, 0.98, 0.77, 0.05), 1],
			[less(face, disc(1.6, 0.84, 0.78)), 0.45],
			[hands, 0],
			[disc(1.78, 0.98, 0.035), 1],
		],
	];
}

function duplicator() {
	const table = box(1.5, 1.72, 3.2, 0.1);
	const body = any(box(1.42, 1.2, 1.3, 0.92), polygon([0.77, 1.0], [0.4, 1.2], [0.4, 1.28], [0.77, 1.3]));
	const drum = disc(1.42, 1.12, 0.36);
	const sheets = times(5, (i) => polygon([2.08, 1.4 + i * 0.012], [2.8, 1.56 - i * 0.04], [2.86, 1.58 - i * 0.04], [2.1, 1.44 + i * 0.012]));
	const flying = polygon([2.14, 1.06], [2.66, 0.86], [2.86, 1.1], [2.34, 1.3]);
	const cat = any(
		oval(1.14, 0.6, 0.3, 0.16),
		disc(0.86, 0.42, 0.14),
		polygon([0.73, 0.4], [0.74, 0.2], [0.85, 0.3]),
		polygon([0.87, 0.3], [0.98, 0.2], [0.99, 0.4]),
		line(curve(10, (t) => [1.4 + 0.26 * sin(t * 2.6), 0.68 + 0.34 * t]), 0.07, 0.05),
		oval(0.92, 0.64, 0.14, 0.1),
	);
	const stack = any(...times(7, (i) => box(0.36 + (i % 2) * 0.02, 1.64 - i * 0.05, 0.5, 0.03)));
	const lamp = polygon([1.98, 0], [2.3, 0], [2.4, 0.22], [1.88, 0.22]);
	return [
		[
			[polygon([1.88, 0.22], [2.4, 0.22], [3.3, 2], [0.6, 2]), 0],
			[lamp, 1],
			[table, 1],
			[stack, 1],
			[body, 0.35],
			[outline(body, 0.026), 1],
			[grown(drum, 0.02), 1],
			[drum, 0.1],
			[both(drum, stripes(0.11, 0.05, 0.8)), 0.8],
			[disc(1.42, 1.12, 0.07), 1],
			[line([[1.42, 1.12], [1.74, 0.88]], 0.04), 1],
			[any(...times(3, (i) => disc(0.92 + i * 0.09, 1.54, 0.024))), 1],
			[any(...sheets.map((s) => outline(s, 0.012))), 1],
			[flying, 0],
			[outline(flying, 0.014), 1],
			[any(line([[2.34, 1.06], [2.62, 0.95]], 0.02), line([[2.4, 1.13], [2.68, 1.02]], 0.02), line([[2.46, 1.2], [2.62, 1.14]], 0.02)), 1],
			[cat, 1],
			[any(oval(0.81, 0.41, 0.024, 0.032), oval(0.92, 0.41, 0.024, 0.032)), 0],
		],
		[
			[polygon([1.88, 0.22], [2.4, 0.22], [3.3, 1.68], [0.6, 1.68]), down(0.2, 0.4, 1.7, 0.14)],
			[body, 0],
			[body, 0.12],
			[drum, 1],
			[both(drum, disc(1.42, 1.12, 0.08)), 0],
			[flying, 0],
			[disc(2.32, 1.14, 0.06), 1],
			[cat, 0],
			[stack, 0],
			[any(...times(3, (i) => box(0.37, 1.59 - i * 0.1, 0.5, 0.03))), 1],
			[lamp, 0.5],
		],
	];
}

function samphire() {
	const stems = [];
	const grow = (x, y, a, n, w) => {
		for (let i = 0; i < n; i++) {
			const l = 0.15, nx = x + l * sin(a), ny = y - l * cos(a);
			stems.push([[[x, y], [nx, ny]], w, i === n - 1]);
			if (i > 0 && i < n - 1 && w > 0.05 && i % 2 === 1) {
				grow(nx, ny, a + 0.62, max(2, n - i - 2), w * 0.78);
				grow(nx, ny, a - 0.62, max(2, n - i - 2), w * 0.78);
			}
			[x, y, a] = [nx, ny, a * 0.96];
		}
	};
	grow(1.5, 1.8, 0.02, 9, 0.13);
	grow(0.72, 1.84, -0.16, 7, 0.11);
	grow(2.3, 1.84, 0.16, 7, 0.11);
	const shape = (pick, by) => any(...stems.filter(pick).map(([points, w]) => grown(line(points, w * 0.86, w), by)));
	const mud = below((x) => 1.74 + 0.03 * sin(x * 7));
	const tips = ([, , tip]) => tip, rest = ([, , tip]) => !tip;
	const lights = any(...stems.map(([[a, b], w]) => line([[a[0] - w * 0.2, a[1] - 0.03], [b[0] - w * 0.2, b[1] + 0.03]], w * 0.22)));
	return [
		[
			[everywhere, 0.1],
			[mud, 0.55],
			[both(mud, stripes(0.05, 0.018, 0, (x) => 0.014 * sin(x * 15))), 1],
			[grown(shape(() => true, 0), 0.025), 0],
			[shape(rest, 0), 1],
			[shape(tips, 0), 0.2],
			[lights, 0.3],
		],
		[
			[disc(1.5, 0.86, 0.74), 0.4],
			[mud, 0],
			[grown(shape(() => true, 0), 0.02), 0],
			[shape(tips, 0), 1],
			[both(shape(rest, 0), below(() => 1.35)), down(1.3, 0, 1.8, 0.7)],
		],
	];
}

function fog() {
	const hill = (y, h, l, s) => below((x) => y + h * sin((x / l + s) * 2 * PI) + h * 0.4 * sin((x / l) * 5.3 + s * 9));
	const sun = disc(2.1, 0.62, 0.34);
	const person = any(disc(0.78, 1.2, 0.065), polygon([0.7, 1.28], [0.86, 1.28], [0.92, 1.62], [0.66, 1.62]), line([[0.74, 1.6], [0.74, 1.78]], 0.045), line([[0.83, 1.6], [0.84, 1.78]], 0.045));
	return [
		[
			[everywhere, down(0, 0.3, 0.9, 0.02)],
			[hill(0.86, 0.1, 1.7, 0.1), down(0.75, 0.5, 1.2, 0)],
			[hill(1.12, 0.1, 1.3, 0.6), down(1.0, 0.66, 1.45, 0)],
			[hill(1.42, 0.09, 1.9, 0.35), down(1.3, 0.85, 1.75, 0.05)],
			[below((x) => 1.76 - 0.05 * sin(x * 1.3)), 1],
			[person, 1],
			[any(...scattered(40, (a, b) => line([[a * 3, 1.8], [a * 3 + (b - 0.5) * 0.1, 1.62 + b * 0.1]], 0.014, 0.006))), 1],
		],
		[
			[sun, 1],
			[hill(0.86, 0.1, 1.7, 0.1), 0],
			[both(sun, hill(0.86, 0.1, 1.7, 0.1)), 0.2],
			[hill(1.12, 0.1, 1.3, 0.6), down(1.0, 0.32, 1.5, 0)],
			[hill(1.42, 0.09, 1.9, 0.35), 0],
			[line([[0.72, 1.29], [0.85, 1.29], [1.0, 1.34], [1.1, 1.3]], 0.05, 0.035), 1],
		],
	];
}

function frost() {
	const crystal = (cx, cy, r) =>
		around(cx, cy, 6, (u, v) => {
			let best = max(abs(v) - 0.018, u - r);
			for (const [at, l] of [[0.35, 0.24], [0.56, 0.3], [0.77, 0.2]])
				best = min(best, line([[r * at, 0], [r * (at + l * 0.6), r * l * 0.8]], 0.03)(u, abs(v)));
			return best;
		});
	const bars = [0.5, 0.82, 0.4, 0.66, 0.96, 0.3, 0.58];
	const bar = (i) => box(0.42 + i * 0.36, 2 - bars[i] / 2, 0.22, bars[i]);
	const bean = (x, y, s) => oval(x, y, 0.16, 0.085, s);
	return [
		[
			[everywhere, down(0, 0.9, 1.4, 0.35)],
			[any(crystal(0.8, 0.62, 0.52), crystal(2.36, 0.4, 0.3), crystal(1.74, 0.66, 0.2)), 0],
			[any(...scattered(50, (a, b, i) => disc(a * 3, b * 1.4, 0.006 + (i % 4) * 0.005))), 0],
			[any(...bars.map((_, i) => grown(bar(i), 0.02))), 0],
			[any(...bars.map((_, i) => bar(i))), 0.7],
			[bar(5), 0],
		],
		[
			[any(...bars.map((_, i) => grown(bar(i), 0.02))), 0],
			[bar(5), 1],
			[any(bean(2.22, 1.5, 0.5), bean(2.2, 1.26, -0.4)), 0],
			[any(bean(2.22, 1.54, 0.5), bean(2.2, 1.3, -0.4)), 1],
		],
	];
}

function anchor() {
	const shank = any(box(1.5, 0.98, 0.12, 1.2), ring(1.5, 0.3, 0.12, 0.06), box(1.5, 0.56, 0.62, 0.09));
	const arms = both(ring(1.5, 0.86, 0.72, 0.13), below((x) => 1.12 + abs(x - 1.5) * 0.1));
	const flukes = any(polygon([0.66, 1.3], [0.86, 0.94], [1.0, 1.32]), polygon([2.34, 1.3], [2.14, 0.94], [2.0, 1.32]));
	const all = any(shank, arms, flukes);
	const links = times(8, (i) => oval(1.62 + i * 0.17, 0.24 - 0.05 * sin(i * 0.8) + i * 0.028, 0.1, i % 2 ? 0.03 : 0.06, 0.16));
	const shell = (cx, cy, r, turn) => {
		const at = (x, y) => [(x - cx) * cos(turn) + (y - cy) * sin(turn), (y - cy) * cos(turn) - (x - cx) * sin(turn)];
		const outer = (x, y) => hypot(at(x, y)[0], at(x, y)[1] * 1.3) - r;
		const rings = (x, y) => {
			const [u, v] = at(x, y), d = hypot(u, v * 1.3 - r * 0.5);
			return abs(d - 0.07 * Math.round(d / 0.07)) - 0.01;
		};
		return { outer, lines: both(outer, rings) };
	};
	const shells = [[0.34, 1.68, 0.2, 0.4], [0.78, 1.76, 0.15, -0.5], [1.2, 1.72, 0.18, 0.2], [1.72, 1.76, 0.16, 2.6], [2.18, 1.7, 0.2, -0.3], [2.66, 1.72, 0.19, 0.7], [2.5, 1.5, 0.12, 2.0], [0.52, 1.5, 0.1, 1.2]].map((s) => shell(...s));
	const mud = below((x) => 1.46 + 0.05 * sin(x * 4));
	return [
		[
			[everywhere, down(0, 0.5, 1.5, 0.12)],
			[stripes(0.2, 0.014, 0, (x, y) => 0.03 * sin(x * 6 + y * 4)), 0.8],
			[mud, 0.85],
			[grown(any(all, ...links), 0.03), 0],
			[any(...links.map((l, i) => (i % 2 ? l : outline(l, 0.035)))), 1],
			[all, across(1.0, 0.45, 2.2, 1)],
			[any(...shells.map((s) => grown(s.outer, 0.02))), 0],
			[any(...shells.map((s) => s.lines)), 1],
			[any(...shells.map((s) => outline(s.outer, 0.018))), 1],
		],
		[
			[mud, 0],
			[grown(any(all, ...links), 0.02), 0],
			[all, across(0.8, 1, 2.0, 0.55)],
			[any(...shells.map((s) => grown(s.outer, 0.02))), 0],
			[any(...shells.filter((_, i) => i % 3 === 0).map((s) => s.outer)), 0.6],
			[ring(2.0, 1.6, 0.1, 0.035), 1],
		],
	];
}

function salt() {
	const horizon = 0.66;
	const ground = below(() => horizon);
	const depth = (y) => 0.5 / max(0.02, y - horizon + 0.06);
	const pans = (x, y) => {
		const d = depth(y), u = (x - 1.3) * d * 0.9, v = d * 1.15;
		return min(abs(u - Math.round(u)), abs(v - Math.round(v)) * 1.0) - 0.075;
	};
	const heaps = [[0.5, 1.5, 0.42], [2.44, 1.3, 0.34], [1.5, 1.02, 0.17], [2.1, 0.9, 0.11], [0.86, 0.96, 0.13]];
	const heap = ([x, y, r]) => polygon([x - r, y], [x - r * 0.1, y - r * 0.95], [x + r * 0.1, y - r * 0.93], [x + r, y]);
	const shade = ([x, y, r]) => polygon([x + r * 0.05, y - r * 0.95], [x + r, y], [x + r * 0.2, y]);
	const rake = any(line([[1.34, 1.86], [1.86, 1.06]], 0.024), line([[1.74, 1.0], [1.98, 1.14]], 0.05));
	return [
		[
			[everywhere, down(0, 0.35, horizon, 0.03)],
			[ground, down(horizon, 0.3, 2, 0.66)],
			[both(ground, pans), 0],
			[any(...heaps.map(heap)), 0],
			[any(...heaps.map(shade)), 0.5],
			[any(...heaps.map((h) => outline(heap(h), 0.014))), 1],
			[rake, 1],
		],
		[
			[disc(2.06, 0.36, 0.22), 1],
			[both(everywhere, box(1.5, 0.6, 3.2, 0.12)), 0.3],
			[ground, 0],
			[both(ground, pans), 0.34],
			[any(...heaps.map(heap)), 0],
			[any(...heaps.map(shade)), 0.26],
			[both(ground, not(pans), box(2.06, 1.4, 0.4, 1.5), stripes(0.08, 0.035)), 0.8],
			[any(...heaps.map(heap)), 0],
		],
	];
}

function echo() {
	const bed = below((x) => 1.62 + 0.09 * sin(x * 2.7) + 0.05 * sin(x * 7 + 1));
	const hull = polygon([0.98, 0.28], [2.02, 0.28], [1.88, 0.5], [1.1, 0.5]);
	const cabin = any(box(1.36, 0.18, 0.3, 0.2), line([[1.64, 0.28], [1.64, 0.02]], 0.024));
	const sea = below(wave(0.42, 0.014, 0.5));
	const cone = polygon([1.5, 0.46], [0.62, 1.9], [2.38, 1.9]);
	const rings = (x, y) => { const d = hypot(x - 1.5, y - 0.46); return abs(d - 0.15 * Math.round(d / 0.15)) - 0.022; };
	const fish = (x, y, s) => any(oval(x, y, 0.13 * s, 0.055 * s), polygon([x + 0.1 * s, y], [x + 0.22 * s, y - 0.07 * s], [x + 0.22 * s, y + 0.07 * s]));
	const school = [[1.42, 1.1, 1], [1.66, 1.2, 0.9], [1.32, 1.26, 0.8], [1.6, 1.02, 0.7]];
	return [
		[
			[sea, down(0.4, 0.25, 1.7, 0.72)],
			[both(cone, sea), down(0.4, 0.05, 1.7, 0.3)],
			[bed, 1],
			[both(bed, (x, y) => abs(y - 1.78 - 0.09 * sin(x * 2.7)) - 0.012), 0],
			[both(bed, (x, y) => abs(y - 1.88 - 0.06 * sin(x * 2.7)) - 0.008), 0],
			[any(hull, cabin), 1],
			[any(fish(0.42, 0.96, 1.1), fish(2.62, 1.22, 1)), 1],
		],
		[
			[both(cone, sea, rings, not(bed)), 0.95],
			[any(hull, cabin), 0],
			[box(1.5, 0.34, 0.96, 0.05), 0.9],
			[any(...school.map((f) => grown(fish(...f), 0.025))), 0],
			[any(...school.map((f) => fish(...f))), 1],
		],
	];
}

function glove() {
	const hand = any(
		box(1.46, 1.2, 0.62, 0.6),
		line([[1.24, 1.0], [1.14, 0.46]], 0.17, 0.14),
		line([[1.4, 0.98], [1.38, 0.32]], 0.17, 0.14),
		line([[1.56, 0.98], [1.6, 0.38]], 0.17, 0.14),
		line([[1.7, 1.04], [1.82, 0.6]], 0.16, 0.13),
		line([[1.22, 1.42], [0.94, 1.12], [0.86, 0.96]], 0.22, 0.14),
	);
	const cuff = box(1.46, 1.6, 0.56, 0.3);
	const all = any(hand, cuff);
	const knit = (x, y) => {
		const v = y * 11 + abs(((x * 9) % 1) - 0.5) * 1.2;
		return abs(v - Math.round(v)) - 0.2;
	};
	const rail = any(box(1.5, 1.84, 3.2, 0.12), ...times(5, (i) => box(0.2 + i * 0.65, 1.95, 0.08, 0.2)));
	return [
		[
			[everywhere, 0.14],
			[stripes(0.1, 0.03, 0.9), 0.3],
			[rail, 1],
			[grown(all, 0.03), 0],
			[all, 0.3],
			[both(all, knit), 1],
			[both(cuff, stripes(0.075, 0.034, PI / 2)), 1],
			[outline(all, 0.02), 1],
		],
		[
			[disc(2.3, 0.6, 0.36), 0.8],
			[grown(all, 0.02), 0],
			[both(hand, (x, y) => max(1.06 - y, y - 1.24)), 1],
			[both(cuff, below(() => 1.62)), 0.9],
		],
	];
}

function swan() {
	const body = any(oval(1.64, 1.2, 0.56, 0.26, -0.06), polygon([1.9, 1.14], [2.42, 0.9], [2.16, 1.3]));
	const neck = line(curve(24, (t) => [1.2 + 0.02 * t - 0.2 * sin(t * 4.9), 1.2 - 0.82 * t - 0.06 * sin(t * 6)]), 0.2, 0.12);
	const head = oval(1.3, 0.36, 0.13, 0.085, 0.35);
	const bird = any(body, neck, head);
	const bill = polygon([1.4, 0.34], [1.62, 0.48], [1.4, 0.45]);
	const sea = below(wave(1.4, 0.012, 0.4));
	const columns = any(...times(10, (i) => box(0.15 + i * 0.3, 0.5, 0.012, 3)));
	const rows = stripes(0.155, 0.01);
	const times_ = any(...times(9, (i) => any(...times(8, (k) => box(0.3 + i * 0.3, 0.08 + k * 0.155, (i * k) % 5 === 4 ? 0.02 : 0.13, 0.045)))));
	const feathers = any(...times(4, (i) => line(curve(8, (t) => [1.44 + t * 0.74 - i * 0.04, 1.1 + i * 0.075 - 0.1 * t * t + 0.03 * sin(t * 3)]), 0.016)));
	return [
		[
			[any(columns, rows), 0.5],
			[times_, 0.45],
			[sea, 0.6],
			[both(sea, stripes(0.075, 0.028, 0, (x, y) => 0.014 * sin(x * 10 + y * 8))), 1],
			[both(mirrored(bird, 1.42), sea), 0.25],
			[grown(any(bird, bill), 0.05), 0],
			[outline(bird, 0.022), 1],
			[both(body, feathers), 1],
			[both(bird, below((x) => 1.26)), 0.22],
			[polygon([1.38, 0.3], [1.44, 0.36], [1.4, 0.45], [1.36, 0.4]), 1],
			[disc(1.33, 0.34, 0.022), 1],
		],
		[
			[any(...times(8, (k) => both(times_, box(1.5, 0.08 + 3 * 0.155, 3, 0.06)))), 1],
			[disc(2.52, 0.5, 0), 0],
			[grown(any(bird, bill), 0.04), 0],
			[bill, 1],
			[both(mirrored(bill, 1.42), sea), 0.8],
		],
	];
}

function whipping() {
	const body = box(1.1, 1.0, 2.6, 0.5, 0.1), end = box(2.2, 1.11, 0.42, 0.54, 0.1);
	const lay = stripes(0.16, 0.03, 0.75, (x, y) => 0.05 * sin((y - 1 - (x - 1.1) * 0.1) * 6));
	const shade = (x, y) => 0.12 + 0.7 * clamp(abs(y - 0.94 - (x - 1.1) * 0.1) * 3.2 - 0.1);
	const thread = line([...curve(10, (t) => [2.1 - t * 0.4, 1.4 + 0.3 * sin(t * 3)]), ...curve(14, (t) => [1.7 - t * 1.3, 1.66 - 0.12 * sin(t * 9)])], 0.03);
	const needle = any(line([[0.4, 1.66], [0.1, 1.56]], 0.034, 0.008), oval(0.4, 1.665, 0.06, 0.03, 0.3));
	const tuft = any(...times(9, (i) => line([[2.38, 0.9 + i * 0.055], [2.62 + ((i * 5) % 4) * 0.04, 0.82 + i * 0.075]], 0.05, 0.015)));
	return [
		[
			[everywhere, 0.08],
			[stripes(0.34, 0.012), 0.6],
			[moved(any(body, end), 0.03, 0.12), 0.5],
			[any(tuft, body), shade],
			[both(body, lay), 1],
			[outline(body, 0.022), 1],
			[tuft, 0.7],
			[grown(end, 0.02), 0],
			[both(end, stripes(0.06, 0.014, PI / 2 + 0.1)), 1],
			[needle, 1],
		],
		[
			[end, (x, y) => 0.5 + 0.5 * clamp(abs(y - 1.05) * 4)],
			[both(end, stripes(0.06, 0.012, PI / 2 + 0.1)), 0.4],
			[less(thread, end), 1],
			[both(body, below((x) => 1.04 + (x - 1.1) * 0.1)), 0.22],
		],
	];
}

export const covers = {
	'slack-water': slack_water(),
	redshank: redshank(),
	'forty-lines': forty_lines(),
	scarf: scarf(),
	rye: rye(),
	rain: rain(),
	'town-at-three': town(),
	bell: bell(),
	eels: eels(),
	'tide-staff': staff(),
	knot: knot(),
	'moon-clock': moon_clock(),
	duplicator: duplicator(),
	samphire: samphire(),
	fog: fog(),
	frost: frost(),
	anchor: anchor(),
	salt: salt(),
	echo: echo(),
	glove: glove(),
	swan: swan(),
	whipping: whipping(),
};

// --- Portraits ----------------------------------------------------------------------------------------------------

// A head and shoulders: `skin` and `hair` are tints of both drums, `back` and `coat` what is behind and worn; `blue` and
// `red` are layers on top.
function portrait({ skin, hair, back, coat, mane, fringe, blue = [], red = [] }) {
	const face = any(oval(1, 0.86, 0.36, 0.45), oval(1, 1.08, 0.27, 0.27));
	const neck = any(box(1, 1.36, 0.28, 0.4), face);
	const shoulders = any(oval(1, 2.02, 0.76, 0.58), box(1, 2, 1.5, 0.2));
	const ears = any(oval(0.63, 0.92, 0.06, 0.1), oval(1.37, 0.92, 0.06, 0.1));
	const head = any(face, neck, ears);
	const eyes = any(oval(0.86, 0.88, 0.034, 0.03), oval(1.14, 0.88, 0.034, 0.03));
	const brows = any(line([[0.77, 0.79], [0.92, 0.775]], 0.03), line([[1.08, 0.775], [1.23, 0.79]], 0.03));
	const nose = line([[1.01, 0.9], [1.06, 1.04], [0.98, 1.06]], 0.02);
	const mouth = line(curve(8, (t) => [0.89 + t * 0.23, 1.19 + 0.03 * sin(t * PI)]), 0.03);
	const dark = both(head, (x) => 1.13 - x + 0 * x);
	const shadow = both(neck, not(face), below(() => 1.3));
	const layers = (i, features) => [
		[everywhere, back[i]],
		[mane ?? disc(9, 9, 0), hair[i]],
		[shoulders, coat[i]],
		[head, skin[i]],
		[dark, min(1, skin[i] + 0.2)],
		[shadow, min(1, skin[i] + 0.35)],
		...features,
		[fringe ?? disc(9, 9, 0), hair[i]],
	];
	return [
		[...layers(0, [[any(eyes, brows, nose, mouth), 1]]), ...blue],
		[...layers(1, [[mouth, 0.9], [any(oval(0.76, 1.06, 0.09, 0.06), oval(1.25, 1.06, 0.09, 0.06)), min(1, skin[1] + 0.28)]]), ...red],
	];
}

const crown = (top, low) => both(any(oval(1, 0.76, 0.44, top)), not(below((x) => low + abs(x - 1) * 0.1)));

function noor() {
	const scarf = any(oval(1, 0.8, 0.5, 0.58), polygon([0.52, 0.9], [1.48, 0.9], [1.62, 1.7], [0.38, 1.7]));
	const opening = oval(1, 0.9, 0.335, 0.42);
	const around_face = less(scarf, opening);
	return portrait({
		skin: [0.08, 0.4], hair: [0.16, 0.96], back: [0.62, 0], coat: [0.9, 0], fringe: around_face,
		blue: [[both(around_face, any(stripes(0.16, 0.016, 0.5, (x, y) => 0.05 * sin(y * 4)))), 0.8], [outline(opening, 0.02), 0.9]],
		red: [],
	});
}

function marta() {
	const mane = any(oval(1, 0.78, 0.54, 0.56), oval(0.58, 1.16, 0.2, 0.4), oval(1.42, 1.16, 0.2, 0.4));
	const curls = any(...times(15, (i) => disc(1 + 0.5 * cos(PI * (0.9 + i * 0.086)), 0.82 + 0.52 * sin(PI * (0.9 + i * 0.086)), 0.12)));
	const fringe = any(crown(0.5, 0.6), disc(0.72, 0.6, 0.1), disc(0.9, 0.56, 0.1), disc(1.1, 0.56, 0.1), disc(1.28, 0.6, 0.1));
	const glasses = any(ring(0.86, 0.89, 0.125, 0.026), ring(1.14, 0.89, 0.125, 0.026), line([[0.98, 0.87], [1.02, 0.87]], 0.024));
	return portrait({
		skin: [0.06, 0.3], hair: [1, 0.2], back: [0.05, 0.75], coat: [0.5, 0.1], mane: any(mane, curls), fringe,
		blue: [[glasses, 1], [both(oval(1, 2.02, 0.76, 0.58), box(1, 1.8, 0.42, 0.7)), 1], [any(box(0.8, 1.56, 0.06, 0.34, 0.2), box(1.2, 1.56, 0.06, 0.34, -0.2)), 1]],
		red: [[glasses, 0]],
	});
}

function tobias() {
	const beard = both(any(oval(1, 1.14, 0.37, 0.36), oval(1, 1.3, 0.28, 0.24)), not(any(oval(1, 0.9, 0.27, 0.26), oval(1, 1.19, 0.13, 0.045))), below(() => 0.9));
	const cap = any(both(oval(1, 0.62, 0.47, 0.34), not(below(() => 0.64))), oval(0.94, 0.62, 0.52, 0.07, -0.05));
	return portrait({
		skin: [0.04, 0.3], hair: [0.2, 0], back: [0.32, 0.3], coat: [1, 0], fringe: beard,
		blue: [[both(beard, stripes(0.06, 0.014, PI / 2, (x, y) => 0.03 * sin(y * 16))), 0.9], [cap, 0.9], [both(cap, stripes(0.09, 0.014, 0.5)), 0.3], [polygon([0.8, 1.5], [1, 1.78], [1.2, 1.5]), 0]],
		red: [[cap, 0], [both(cap, stripes(0.09, 0.03, -0.5)), 0.5], [polygon([0.95, 1.6], [1.05, 1.6], [1.09, 2], [0.91, 2]), 1]],
	});
}

function ingrid() {
	const fringe = any(crown(0.5, 0.58), polygon([0.6, 0.56], [1.2, 0.5], [0.66, 0.78]), polygon([1.2, 0.5], [1.42, 0.56], [1.36, 0.78]));
	const braid = any(...times(7, (i) => oval(1.36 + 0.02 * (i % 2), 1.12 + i * 0.13, 0.1, 0.085, i % 2 ? 0.5 : -0.5)));
	return portrait({
		skin: [0.02, 0.24], hair: [0.12, 0.5], back: [0.8, 0], coat: [0.25, 0.9], mane: oval(1, 0.8, 0.44, 0.5), fringe,
		blue: [[braid, 0.12], [outline(braid, 0.018), 1], [both(fringe, stripes(0.07, 0.012, 1.2)), 0.9], [any(...times(16, (i) => line([[0.3 + i * 0.09, 1.74], [0.34 + i * 0.09, 1.82]], 0.02))), 0]],
		red: [[braid, 0.55]],
	});
}

function kofi() {
	const hair = any(crown(0.52, 0.58), ...times(13, (i) => disc(1 + 0.41 * cos(PI * (1 + i / 12)), 0.66 + 0.36 * sin(PI * (1 + i / 12)), 0.085)));
	const glasses = any(outline(box(0.855, 0.89, 0.2, 0.14), 0.028), outline(box(1.145, 0.89, 0.2, 0.14), 0.028), line([[0.95, 0.87], [1.05, 0.87]], 0.026));
	const beard = both(any(oval(1, 1.14, 0.36, 0.36)), not(any(oval(1, 0.94, 0.31, 0.28), oval(1, 1.18, 0.12, 0.04))), below(() => 0.95));
	return portrait({
		skin: [0.26, 0.55], hair: [1, 0.7], back: [0, 0.42], coat: [0.6, 0], fringe: hair,
		blue: [[beard, 0.95], [glasses, 1], [both(oval(1, 2.02, 0.76, 0.58), stripes(0.12, 0.05)), 0], [box(1, 1.55, 0.36, 0.12), 1]],
		red: [[box(1, 1.55, 0.36, 0.12), 0]],
	});
}

function lowri() {
	const brim = oval(1, 0.56, 0.72, 0.12, -0.04), top = both(oval(1, 0.5, 0.42, 0.36), not(below(() => 0.52)));
	const mane = any(oval(0.66, 1.08, 0.16, 0.46, 0.1), oval(1.34, 1.08, 0.16, 0.46, -0.1), oval(1, 0.8, 0.44, 0.46));
	const strap = any(line([[0.62, 1.5], [0.92, 1.98]], 0.07), line([[1.38, 1.5], [1.08, 1.98]], 0.07));
	const glass = any(box(0.9, 1.9, 0.16, 0.26), box(1.1, 1.9, 0.16, 0.26));
	return portrait({
		skin: [0.03, 0.3], hair: [0.35, 1], back: [0.3, 0.06], coat: [0.75, 0.1], mane,
		blue: [[any(brim, top), 1], [box(1, 0.46, 0.84, 0.06), 0], [strap, 1], [glass, 1]],
		red: [[any(brim, top), 0], [both(box(1, 0.46, 0.86, 0.08), any(brim, top)), 1], [any(...times(5, (i) => disc(0.84 + i * 0.08, 0.98 + (i % 2) * 0.03, 0.01))), 0.9]],
	});
}

function pascal() {
	const moustache = any(line(curve(8, (t) => [0.99 - t * 0.24, 1.12 + 0.05 * sin(t * 2.4) - t * 0.05]), 0.09, 0.02), line(curve(8, (t) => [1.01 + t * 0.24, 1.12 + 0.05 * sin(t * 2.4) - t * 0.05]), 0.09, 0.02));
	const hair = any(oval(0.64, 0.76, 0.08, 0.2), oval(1.36, 0.76, 0.08, 0.2));
	const stripe = both(oval(1, 2.02, 0.76, 0.58), stripes(0.15, 0.07, 0, (x) => 0.08 * (x - 1) ** 2));
	const kerchief = polygon([0.74, 1.48], [1.26, 1.48], [1.04, 1.72], [0.96, 1.72]);
	return portrait({
		skin: [0.05, 0.34], hair: [0.9, 0], back: [0.1, 0.18], coat: [0, 0], fringe: hair,
		blue: [[moustache, 1], [stripe, 1], [outline(oval(1, 2.02, 0.76, 0.58), 0.02), 1], [kerchief, 0.1]],
		red: [[kerchief, 1], [oval(1.05, 1.02, 0.08, 0.07), 0.8], [around(1, 0.9, 24, (u, v) => max(abs(v) - 0.03 * u, 0.66 - u, u - 1.6)), 0.3], [oval(1, 2.02, 0.76, 0.58), 0], [kerchief, 1]],
	});
}

export const portraits = {
	noor: noor(),
	marta: marta(),
	tobias: tobias(),
	ingrid: ingrid(),
	kofi: kofi(),
	lowri: lowri(),
	pascal: pascal(),
};
