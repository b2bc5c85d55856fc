#!/usr/bin/env node
// Draws the pictures of Slack Water into migrations-free-seed/media, as its duplicator would print them: a drum of blue
// ink and one of red, each with a screen of dots for what is no full tint, on paper with a grain; the red is never quite
// where it belongs.
//
//	script/prints/draw.mjs [NAME...]    all of them, or those whose names are given
//
// A shape is a function of a point, whose value is below 0 inside: a distance, or nearly one. A print has a list of layers
// for each drum, a shape and a tint from 0 (no ink, which takes away what is below) to 1, or a function of the point.
// Covers are 3 units wide and 2 high, portraits 2 by 2, and y grows downwards. The same print comes out each time.
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { deflateSync } from 'node:zlib';
import { covers, portraits } from './prints.mjs';

const paper = [245, 239, 226], blue = [38, 78, 140], red = [222, 82, 62], over = [46, 34, 62];
const inks = [paper, blue, red, over];

// --- Paper and ink -----------------------------------------------------------------------------------------------

// A number from 0 to 1 that looks like chance, of two whole numbers and a seed.
function chance(x, y, seed) {
	let h = Math.imul(x, 0x27d4eb2d) ^ Math.imul(y, 0x165667b1) ^ Math.imul(seed, 0x9e3779b1);
	h = Math.imul(h ^ (h >>> 15), 0x85ebca6b);
	h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
	return ((h ^ (h >>> 16)) >>> 0) / 2 ** 32;
}

// The same, without steps between whole numbers.
function cloud(x, y, seed) {
	const [i, j] = [Math.floor(x), Math.floor(y)];
	const [u, v] = [x - i, y - j].map((t) => t * t * (3 - 2 * t));
	const row = (k) => chance(i, k, seed) * (1 - u) + chance(i + 1, k, seed) * u;
	return row(j) * (1 - v) + row(j + 1) * v;
}

// Dots whose pattern repeats after a few pixels, which keeps files small: their axes point along (a, b) and (-b, a).
const screen = (a, b, period) => (x, y) => {
	const turn = (2 * Math.PI) / period;
	return (2 + Math.cos((a * x + b * y) * turn) + Math.cos((a * y - b * x) * turn)) / 4;
};
const drums = [
	{ screen: screen(2, 1, 14), seed: 1 },
	{ screen: screen(1, 3, 20), seed: 2 },
];

// How much ink the layers put there: that of the last one that covers the point.
function tint(layers, x, y, rough) {
	for (let i = layers.length - 1; i >= 0; i--) {
		const [shape, amount] = layers[i];
		if (shape(x, y) + rough < 0) return typeof amount === 'function' ? amount(x, y) : amount;
	}
	return 0;
}

// Which of the four colours each pixel has.
function print(layers, width, height, unit, seed) {
	const out = new Uint8Array(width * height);
	layers.forEach((of, drum) => {
		const { screen, seed: own } = drums[drum];
		// The paper lies a little otherwise for the second drum.
		const [dx, dy] = drum === 0 ? [0, 0] : [chance(seed, 1, 7) * 5 + 2, chance(seed, 2, 7) * 5 - 1];
		for (let py = 0; py < height; py++)
			for (let px = 0; px < width; px++) {
				const rough = (cloud(px / 5, py / 5, own) - 0.5) * 0.009;
				const amount = tint(of, (px - dx) / unit, (py - dy) / unit, rough);
				if (amount <= 0 || amount < 1 - screen(px, py)) continue;
				// The drum carries less ink here and there, and fibres of the paper take none.
				if (chance(px >> 1, py, own + seed * 2) > 0.992 - cloud(px / 90, py / 40, own) * 0.012) continue;
				out[py * width + px] |= 1 << drum;
			}
	});
	return out;
}

// --- Files --------------------------------------------------------------------------------------------------------

// The checksum that the parts of a PNG have.
function crc32(bytes) {
	let crc = ~0;
	for (const byte of bytes) {
		crc ^= byte;
		for (let i = 0; i < 8; i++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
	}
	return ~crc >>> 0;
}

function chunk(type, data) {
	const out = Buffer.alloc(data.length + 12);
	out.writeUInt32BE(data.length, 0);
	out.write(type, 4, 'latin1');
	data.copy(out, 8);
	out.writeUInt32BE(crc32(out.subarray(4, data.length + 8)), data.length + 8);
	return out;
}

// A PNG of these indexes of a palette, which has 4 or at most 256 colours.
function png(indexes, width, height, palette) {
	const bits = palette.length <= 4 ? 2 : 8, each = 8 / bits, line = Math.ceil(width / each) + 1;
	const rows = Buffer.alloc(line * height), head = Buffer.alloc(13);
	for (let i = 0; i < indexes.length; i++) {
		const x = i % width;
		rows[Math.floor(i / width) * line + 1 + Math.floor(x / each)] |= indexes[i] << (8 - bits * ((x % each) + 1));
	}
	head.writeUInt32BE(width, 0);
	head.writeUInt32BE(height, 4);
	head.set([bits, 3, 0, 0, 0], 8);
	return Buffer.concat([
		Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]),
		chunk('IHDR', head),
		chunk('PLTE', Buffer.from(palette.flat())),
		chunk('IDAT', deflateSync(rows, { level: 9 })),
		chunk('IEND', Buffer.alloc(0)),
	]);
}

// Half as wide and high: each pixel is what four are, seen from further away.
function half(indexes, width, height) {
	const palette = [], known = new Map(), out = new Uint8Array((width * height) / 4);
	for (let y = 0; y < height / 2; y++)
		for (let x = 0; x < width / 2; x++) {
			const at = y * 2 * width + x * 2;
			const four = [indexes[at], indexes[at + 1], indexes[at + width], indexes[at + width + 1]].sort();
			const name = four.join('');
			if (!known.has(name)) {
				known.set(name, palette.length);
				palette.push([0, 1, 2].map((c) => Math.round(four.reduce((sum, i) => sum + inks[i][c], 0) / 4)));
			}
			out[(y * width) / 2 + x] = known.get(name);
		}
	return png(out, width / 2, height / 2, palette);
}

const folder = fileURLToPath(new URL('../../migrations-free-seed/media/', import.meta.url));

function draw(name, layers, width, height, unit) {
	const hash = createHash('sha256').update(`slack water: ${name}`).digest('hex').slice(0, 32);
	const indexes = print(layers, width, height, unit, parseInt(hash.slice(0, 6), 16));
	const files = [[width, height, png(indexes, width, height, inks)]];
	if (width > 600) files.push([width / 2, height / 2, half(indexes, width, height)]);
	for (const [w, h, bytes] of files) writeFileSync(`${folder}${hash}-${w}x${h}.png`, bytes);
	console.log([name, hash, `${width}x${height}`, files.reduce((sum, [, , bytes]) => sum + bytes.length, 0)].join('\t'));
}

mkdirSync(folder, { recursive: true });
const wanted = process.argv.slice(2), is_wanted = ([name]) => wanted.length === 0 || wanted.includes(name);
for (const [name, layers] of Object.entries(covers).filter(is_wanted)) draw(name, layers, 960, 640, 320);
for (const [name, layers] of Object.entries(portraits).filter(is_wanted)) draw(name, layers, 480, 480, 240);
