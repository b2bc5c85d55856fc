#!/usr/bin/env node
// The site as its readers meet it: through nginx, in a browser, on a phone and on a desk, by day and by night,
// without scripts, with a keyboard. Screenshots of all of it are left in <build>/screenshots for people.
'use strict';
const fs = require('node:fs');
const http = require('node:http');
const path = require('node:path');
const zlib = require('node:zlib');
const { createRequire } = require('node:module');

const source = path.dirname(path.dirname(__dirname));
const CHROMIUM = '/usr/bin/chromium';
const FLAGS = ['--no-sandbox', '--headless', '--disable-gpu', '--disable-quic', '--no-first-run',
	'--disable-background-networking', '--disable-component-update', '--disable-sync'];
const WEIGHT = 20 * 1024; // of a page, compressed

// --- The Test Anything Protocol ----------------------------------------------------------------------

let count = 0, failed = 0;

function ok(passed, sentence, ...details) {
	count++;
	if (!passed) failed++;
	console.log(`${passed ? '' : 'not '}ok ${count} - ${sentence}`);
	if (!passed)
		for (const line of details.flat()) console.log(`#   ${String(line).replace(/\n/g, '\n#   ')}`);
	return passed;
}

function is(got, wanted, sentence) {
	return ok(got === wanted, sentence, `   got ${got}`, `wanted ${wanted}`);
}

function bail_out(why) {
	console.log(`Bail out! ${why}`);
	process.exit(255);
}

// --- Requests without a browser ------------------------------------------------------------------------

let origin;

function ask(address, { method = 'GET', headers = {} } = {}) {
	return new Promise((done, fail) => {
		const request = http.request(origin + address, { method, headers, agent: false }, (answer) => {
			const parts = [];
			answer.on('data', (part) => parts.push(part));
			answer.on('end', () =>
				done({ status: answer.statusCode, headers: answer.headers, body: Buffer.concat(parts) }));
		});
		request.on('error', fail);
		request.end();
	});
}

// One of each kind of page.
const pages = {
	front: '/',
	article: '/post/the-tide-in-forty-lines-of-c',
	link: '/post/noaa-tides-and-currents',
	howto: '/post/whip-a-ropes-end',
	note: '/post/first-brent-geese',
	thread: '/post/minutes-of-the-ferry-committee',
	page: '/page/about',
	category: '/category/workshop',
	subcategory: '/category/rigging',
	categories: '/categories',
	author: '/author/kofi',
	authors: '/authors',
	tag: '/tag/tides',
	tags: '/tags',
	archive: '/archive',
	month: '/archive/2026/11',
	day: '/archive/2026/11/18',
	collections: '/collections',
	collection: '',
	older: '',
	'not-found': '/no-such-page',
	gone: '/post/we-are-giving-up-paper',
	'bad-cursor': '/?after=nonsense',
};
const errors = { 'not-found': 404, gone: 410, 'bad-cursor': 400 };

// Addresses that depend on when the seed was loaded.
async function find_addresses() {
	const today = new Date().toISOString();
	const front = String((await ask('/')).body);
	const collections = String((await ask('/collections')).body);

	pages.older = front.match(/class="older" href="([^"]+)"/)[1].replaceAll('&amp;', '&');
	pages.collection = collections.match(/href="(\/collection\/[^"]+)"/)[1];
	pages.month = `/archive/${today.slice(0, 4)}/${today.slice(5, 7)}`;
	pages.day = front.match(/datetime="([0-9-]{10})T/)[1].replaceAll('-', '/').replace(/^/, '/archive/');
}

async function answers_over_http() {
	for (const [name, address] of Object.entries(pages)) {
		const status = errors[name] ?? 200;
		const plain = await ask(address);
		const head = await ask(address, { method: 'HEAD' });
		const packed = await ask(address, { headers: { 'Accept-Encoding': 'gzip, br' } });

		is(plain.status, status, `${name}: ${address} is ${status}`);
		is(head.status, status, '... to a HEAD, too');
		is(head.body.length, 0, '... which has no body');
		is(head.headers['content-length'], plain.headers['content-length'], '... and says its length');
		is(Number(plain.headers['content-length']), plain.body.length, '... which is right');
		const html = packed.headers['content-encoding'] === 'gzip' ? zlib.gunzipSync(packed.body) : packed.body;
		ok(html.equals(plain.body) || status !== 200, '... compressed it is the same page');
		ok(packed.body.length < WEIGHT, `... of ${packed.body.length} bytes`);
		if (status !== 200) continue;
		is(packed.headers['content-encoding'], 'gzip', '... compressed where the browser can read that');
		ok(/accept-encoding/i.test(packed.headers.vary), '... as it says');
		for (const [form, encoding] of [[plain, ''], [packed, 'gzip']]) {
			const again = await ask(address, {
				headers: { 'If-None-Match': form.headers.etag, 'Accept-Encoding': encoding } });
			ok(again.status === 304 && again.body.length === 0 && again.headers.etag === form.headers.etag,
				`... asked for again (${encoding || 'plain'}), it has not changed`, again.status);
		}
		const other = await ask(address, { headers: {
			'If-None-Match': '"other"', 'If-Modified-Since': new Date(Date.now() + 1e6).toUTCString() } });
		is(other.status, 200, '... and another ETag wins over any time');
		ok(plain.headers['content-security-policy'] && plain.headers['x-content-type-options'] === 'nosniff' &&
			plain.headers['referrer-policy'] && !plain.headers['set-cookie'],
			'... with the headers that keep its reader safe, and no cookie');
	}
	const marked = await ask('/tags?utm_source=x&fbclid=y');
	ok(marked.status === 200 && marked.body.equals((await ask('/tags')).body),
		'Query parameters that nobody knows are ignored.');
	for (const [from, to] of [['/tags/', '/tags'], ['/TAGS', '/tags'], ['//tags', '/tags'],
		['/Post/First-Brent-Geese/', '/post/first-brent-geese'], ['/feed', '/feed.atom']]) {
		const answer = await ask(from);
		ok(answer.status === 301 && answer.headers.location.replace(origin, '') === to, `${from} leads to ${to}.`,
			`${answer.status} ${answer.headers.location}`);
	}
	const post = await ask('/post/first-brent-geese');
	const since = await ask('/post/first-brent-geese', {
		headers: { 'If-Modified-Since': post.headers['last-modified'] } });
	is(since.status, 304, 'A post has not changed since it last changed.');
	is((await ask('/tags', { method: 'POST' })).status, 405, 'Where nothing is taken, a POST is 405.');
	is((await ask('/tags', { method: 'POST' })).headers.allow, 'GET, HEAD', '... and is told what is allowed.');
}

// --- HTML ------------------------------------------------------------------------------------------------

async function valid_html({ HtmlValidate }) {
	const checker = new HtmlValidate({
		extends: ['html-validate:recommended'],
		rules: {
			// Matters of taste, not of HTML.
			'long-title': 'off',
			'no-trailing-whitespace': 'off',
			// A policy without inline styles forbids them already; this finds them earlier.
			'no-inline-style': 'error',
		},
	});

	for (const [name, address] of Object.entries(pages)) {
		const report = await checker.validateString(String((await ask(address)).body), name);
		const found = report.results.flatMap((result) => result.messages);
		ok(report.valid && found.length === 0, `${name} is valid HTML`,
			found.map((m) => `${m.line}:${m.column} ${m.ruleId}: ${m.message}`));
	}
}

// --- In the browser ----------------------------------------------------------------------------------------

// A page that remembers what went wrong on it.
async function open(browser, options) {
	const context = await browser.newContext(options);
	const page = await context.newPage();
	const wrong = [];

	page.on('console', (message) => {
		// That a page is missing is what the pages of errors are about.
		if (message.type() === 'error' && !/Failed to load resource.*\b4\d\d\b/.test(message.text()))
			wrong.push(`console: ${message.text()}`);
	});
	page.on('pageerror', (error) => wrong.push(`script: ${error.message}`));
	page.on('request', (request) => {
		if (!request.url().startsWith(`${origin}/`)) wrong.push(`a request to ${request.url()}`);
	});
	page.on('requestfailed', (request) => wrong.push(`no answer from ${request.url()}`));
	return { context, page, wrong };
}

// What sticks out of the window to the right.
function overflow() {
	const width = document.documentElement.clientWidth, found = [];

	if (document.documentElement.scrollWidth <= width) return found;
	for (const element of document.body.querySelectorAll('*'))
		if (element.getBoundingClientRect().right > width + 0.5)
			found.push(`${element.tagName}.${element.className} ${Math.round(element.getBoundingClientRect().right)}`);
	return [`the page is ${document.documentElement.scrollWidth} wide`, ...found.slice(0, 5)];
}

// With another store (TEST_STORE) nothing looks different, so one look is enough there.
const widths = process.env.TEST_STORE === 'dynamodb' ? [390] : [390, 1280];
const schemes = process.env.TEST_STORE === 'dynamodb' ? ['light'] : ['light', 'dark'];

async function looks(browser, axe, screenshots) {
	for (const width of widths)
		for (const colorScheme of schemes) {
			const { context, page, wrong } = await open(browser, { viewport: { width, height: 900 }, colorScheme });
			for (const [name, address] of Object.entries(pages)) {
				const at = `${name}, ${width} wide, ${colorScheme}`;
				await page.goto(origin + address);
				const wide = await page.evaluate(overflow);
				ok(wide.length === 0, `${at}: nothing sticks out`, wide);
				ok(wrong.length === 0, '... nothing is complained of, nobody else is asked', wrong.splice(0));
				await page.evaluate(axe);
				const { violations } = await page.evaluate(() => window.axe.run());
				ok(violations.length === 0, '... and axe finds no barrier',
					violations.map((v) => `${v.id}: ${v.help}\n${v.nodes.slice(0, 3).map((n) =>
						`${n.html.slice(0, 160)} ${n.any.map((a) => a.message).join('; ')}`).join('\n')}`));
				await page.screenshot({ path: path.join(screenshots, `${name}-${width}-${colorScheme}.png`), fullPage: true });
			}
			await context.close();
		}
}

async function without_scripts(browser) {
	const { context, page, wrong } = await open(browser, { javaScriptEnabled: false });
	// The address, not an event: on a busy machine the last page's load may come after the click.
	const follow = async (link, to) => {
		await link.click();
		await page.waitForURL(to);
	};

	await page.goto(`${origin}/`);
	await follow(page.locator('main h2 a').first(), /\/post\//);
	ok(/\/post\//.test(page.url()), 'Without scripts, the headline leads to its post,', page.url());
	await follow(page.locator('nav[aria-label=Breadcrumb] a').last(), /\/category\//);
	ok(/\/category\//.test(page.url()), '... the way up to its category,', page.url());
	await follow(page.locator('.masthead .name a'), `${origin}/`);
	await follow(page.locator('a.older'), /\?after=/);
	ok(/\?after=/.test(page.url()), '... and the front page to older ones', page.url());
	await follow(page.locator('a.newer'), `${origin}/`);
	is(page.url(), `${origin}/`, '... and back.');
	ok(wrong.length === 0, 'Nothing goes wrong on the way.', wrong);
	await context.close();
}

async function with_a_keyboard(browser) {
	const { context, page } = await open(browser, { viewport: { width: 1280, height: 900 } });
	const focused = () => page.evaluate(() => {
		const e = document.activeElement, box = e.getBoundingClientRect(), style = getComputedStyle(e);
		return {
			skip: e.classList.contains('skip'), headline: e.matches('main h2 a, main h1 a'),
			inside: document.getElementById('content').contains(e), link: e.tagName === 'A',
			shown: box.width > 1 && box.height > 1 && box.top >= 0 && box.left >= 0,
			marked: style.outlineStyle !== 'none' && style.outlineWidth !== '0px',
		};
	});

	await page.goto(`${origin}/`);
	await page.keyboard.press('Tab');
	let at = await focused();
	ok(at.skip && at.shown, 'The first thing that a keyboard reaches is the way past the masthead, and it is seen.',
		JSON.stringify(at));
	await page.keyboard.press('Enter');
	await page.keyboard.press('Tab');
	at = await focused();
	ok(at.inside, '... which leads to the text.', JSON.stringify(at));
	for (let i = 0; i < 4 && !at.headline; i++) {
		await page.keyboard.press('Tab');
		at = await focused();
	}
	ok(at.headline && at.marked, 'A few steps on is the headline, and one sees where one is.', JSON.stringify(at));
	await page.goto(`${origin}/`);
	let steps = 0, hidden = 0;
	for (at = await focused(); steps < 60 && !at.headline; steps++) {
		await page.keyboard.press('Tab');
		at = await focused();
		hidden += !at.link || !at.shown ? 1 : 0;
	}
	ok(at.headline && hidden === 0, `The long way takes ${steps} steps, each of them to a link that is seen.`, hidden);
	await context.close();
}

// --- All of it ---------------------------------------------------------------------------------------------

function load_tools() {
	const from = createRequire(path.join(source, 'build/node/'));
	try {
		return {
			chromium: from('playwright-core').chromium,
			validator: from('html-validate'),
			axe: fs.readFileSync(from.resolve('axe-core/axe.min.js'), 'utf8'),
		};
	} catch (error) {
		/* Who builds from a shipped archive need not have a browser; who works on the program must. */
		if (!fs.existsSync(path.join(source, '.git'))) {
			console.log('1..0 # SKIP there is no browser to test with');
			process.exit(0);
		}
		return bail_out(`script/bootstrap --tests installs what this test needs: ${error.message.split('\n')[0]}`);
	}
}

async function main() {
	const tools = load_tools();
	if (!fs.existsSync(CHROMIUM)) bail_out('script/bootstrap --tests installs chromium, which this test needs');
	const { start_stack, output } = await import('./stack.mjs');
	const stack = await start_stack();

	try {
		origin = stack.url;
		await find_addresses();
		await answers_over_http();
		await valid_html(tools.validator);
		const browser = await tools.chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
		try {
			await looks(browser, tools.axe, output(widths.length > 1 ? 'screenshots' : 'screenshots-again'));
			await without_scripts(browser);
			await with_a_keyboard(browser);
		} finally {
			await browser.close();
		}
	} finally {
		await stack.stop();
	}
	console.log(`1..${count}`);
	process.exitCode = failed === 0 ? 0 : 1;
}

main().catch((error) => bail_out(error.stack));
