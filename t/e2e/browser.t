#!/usr/bin/env node
// The site as its readers meet it: through nginx, in a browser, on a phone and on a desk, by day and by night,
// without scripts, with a keyboard. With TEST_SCREENSHOTS set, pictures of all of it are left in <build>/screenshots/readers for people.
'use strict';
const fs = require('node:fs');
const http = require('node:http');
const zlib = require('node:zlib');
const { is, looks, ok, open, valid_html, with_site } = require('./checks.js');

const WEIGHT = 20 * 1024; // of a page, compressed; an edition has the texts of a week

// With TEST_STORE=dynamodb (t/dynamodb.t) the same on the other store: stack.mjs.

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
	edition: '',
	hot: '/hot',
	top: '/top/all',
	discussed: '/discussed/year',
	rated: '/rated',
	disputed: '/disputed',
	month: '',
	day: '',
	links: '/links?tags=tides',
	howtos: '/howtos?have=primer%2C%20paint',
	search: '/search',
	found: '/search?q=tide',
	'nothing-found': '/search?q=nothinglikethis',
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
	// The archive's days are those of the seed's time zone.
	const day = (time) => time.toLocaleDateString('sv-SE', { timeZone: 'Europe/Dublin' }).replaceAll('-', '/');
	const front = String((await ask('/')).body);
	const collections = String((await ask('/collections')).body);

	pages.older = front.match(/class="older" href="([^"]+)"/)[1].replaceAll('&amp;', '&');
	pages.collection = collections.match(/href="(\/collection\/[^"]+)"/)[1];
	// Of the newest post: at the beginning of a month there may be none of this one.
	pages.edition = front.match(/href="(\/edition\/[^"]+)"/)[1];
	pages.day = `/archive/${day(new Date(front.match(/datetime="([0-9-]{10}T[^"]+)"/)[1]))}`;
	pages.month = pages.day.slice(0, -3);
	ok(String((await ask(pages.discussed)).body).includes('class="card'), 'rankings have posts');
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
		ok(packed.body.length < (name === 'edition' ? 2 * WEIGHT : WEIGHT), `... of ${packed.body.length} bytes`);
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
	for (const [from, to] of [['/tags/', '/tags'], ['/tags?utm_source=x&fbclid=y', '/tags'], ['/TAGS', '/tags'], ['//tags', '/tags'],
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

// --- In the browser ----------------------------------------------------------------------------------------

async function without_scripts(browser) {
	const { context, page, wrong } = await open(browser, origin, { javaScriptEnabled: false });
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
	const { context, page } = await open(browser, origin, { viewport: { width: 1280, height: 900 } });
	const focused = () => page.evaluate(() => {
		const e = document.activeElement, box = e.getBoundingClientRect(), style = getComputedStyle(e);
		return {
			skip: e.classList.contains('skip'), headline: e.matches('main h2 a, main h1 a'),
			inside: document.getElementById('content').contains(e), link: e.matches('a, .find *'),
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
	ok(at.headline && hidden === 0, `The long way takes ${steps} steps, each of them to what is seen.`, hidden);
	await context.close();
}

// The middle of a headline is that of the text below it, or both begin at one edge: on any screen, and on paper.
async function on_one_axis(browser) {
	for (const [width, media] of [[390, 'screen'], [600, 'screen'], [640, 'print'], [700, 'screen'], [800, 'screen'], [1280, 'screen']]) {
		const { context, page } = await open(browser, origin, { viewport: { width, height: 900 } });
		await page.emulateMedia({ media });
		await page.goto(origin + pages.link);
		const apart = await page.evaluate(() => {
			const range = document.createRange(), text = document.querySelector('.prose').getBoundingClientRect();
			range.selectNodeContents(document.querySelector('h1'));
			const head = range.getBoundingClientRect();
			return Math.min(Math.abs(head.left - text.left), Math.abs(head.left + head.right - text.left - text.right) / 2);
		});
		ok(apart < 2, `Headline and text stand on one axis, ${width} wide, ${media}`, [`${apart} apart`]);
		await context.close();
	}
}

// Notes are in the margin where there is one, else behind the text; and long code is scrolled, by the keyboard too.
async function notes_and_code(browser, width) {
	const { context, page } = await open(browser, origin, { viewport: { width, height: 900 } });

	await page.goto(`${origin}/post/strange-link`);
	const at = await page.evaluate(() => {
		const box = (what) => document.querySelector(what).getBoundingClientRect();
		return { note: box('.footnote'), text: box('.prose > p'), last: box('.prose > ul:last-of-type') };
	});
	ok(width < 1280 ? at.note.top >= at.last.bottom : at.note.left > at.text.right && at.note.top < at.text.bottom + 100,
		`A note is ${width < 1280 ? 'behind the text' : 'beside it'}, ${width} wide`, JSON.stringify(at));
	await page.focus('[role=doc-noteref]');
	await page.keyboard.press('Enter');
	ok(await page.evaluate(() => document.querySelector(':target').matches('.footnote')), '... Enter leads to it');
	await page.focus('[role=doc-backlink]');
	await page.keyboard.press('Enter');
	ok(await page.evaluate(() => document.querySelector(':target').matches('[role=doc-noteref]')), '... and back.');
	await page.focus('.prose > pre:not(:has(span))');
	await page.keyboard.press('ArrowRight');
	await page.waitForFunction(() => document.activeElement.scrollLeft > 0);
	ok(true, 'Long code is scrolled by the keyboard.');
	await context.close();
}

// Posts such as no editor would pass: each has words as long as a page is wide in all of its places.
async function strange_posts(browser, stack, axe, screenshots) {
	const long = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft';
	// What Markdown has here beside CommonMark: docs/markdown.md.
	const extensions = 'A[^1] and~~ B ~~b~~.[^2]\n\nhttps://example.org/card\n\n- [ ] c\n- [x] https://example.org/d\n\ne\n: f\n\n' +
		'> [!pull] g\n\n> [!Warning]\n> h\n\n```c\nint i = 1; /* j */ char *k = "l";\n```\n\n' +
		`[^1]: ${long}\n[^2]: m, https://example.org/n\n`;
	const kinds = {
		article: { text: `# ${long}\n\n${long}\n\n| ${long} | b |\n|---|---|\n| ${long} | c |\n\n    ${long}${long}\n\n- ${long}\n` },
		link: { head: `url: https://${'a'.repeat(60)}.example.org/${'b'.repeat(200)}\n`, text: `${extensions}\n    ${long}${long}\n\n- o\n` },
		howto: { head: `materials:\n  - name: ${long}\n    amount: 1000 kilograms of it\nsteps:\n  - ${long}\n` },
		note: { text: 'السلام عليكم: مقال عن المد والجزر\n\n- بند\n\nAnd English again.\n' },
	};
	const addresses = { front: '/', author: '/author/kofi', tags: '/tags' };
	const dir = fs.mkdtempSync('/tmp/broadsheet-posts-');

	for (const [kind, { head = '', text = '' }] of Object.entries(kinds)) {
		const title = kind === 'note' ? 'السلام عليكم' : `${kind}${long}`;
		fs.writeFileSync(`${dir}/strange-${kind}.md`, `---\ntitle: "${title}"\nkind: ${kind}\nauthor: kofi\n` +
			`category: tides\ntags: [${'x'.repeat(60)}]\nexcerpt: ${long}\n${head}status: published\n---\n\n${text}`);
		addresses[kind] = `/post/strange-${kind}`;
	}
	stack.command('import', 'posts', dir);
	fs.rmSync(dir, { recursive: true });
	const strange = Object.fromEntries(Object.entries(addresses).map(([name, at]) => [`strange-${name}`, at]));
	await looks(browser, origin, axe, screenshots, strange);

	for (const width of [390, 1280])
		await notes_and_code(browser, width);

	const { context, page } = await open(browser, origin, {});
	await page.goto(`${origin}/post/strange-note`);
	const sides = await page.evaluate(() => [...document.querySelectorAll('.note > .prose > p')].map((p) => {
		const range = document.createRange(), box = p.getBoundingClientRect();
		range.selectNodeContents(p);
		const text = range.getBoundingClientRect();
		return text.left - box.left < box.right - text.right ? 'left' : 'right';
	}));
	is(sides.join(), 'right,left', 'A paragraph stands on the side that its script begins at.');
	await page.setViewportSize({ width: 1280, height: 900 });
	await page.goto(`${origin}/post/strange-article`);
	const hidden = await page.evaluate(() => {
		const frame = document.querySelector('.table');
		return frame.scrollWidth - frame.clientWidth;
	});
	is(hidden, 0, 'A table that is wider than the text has the margin, too.');
	await context.close();
}

// --- All of it ---------------------------------------------------------------------------------------------

with_site(async ({ tools, stack, browser, output, ...site }) => {
	({ origin } = site);
	await stack.derived();
	await find_addresses();
	await answers_over_http();
	const html = {};
	for (const [name, address] of Object.entries(pages)) html[name] = String((await ask(address)).body);
	await valid_html(tools.validator, html);
	const screenshots = output('readers');
	await looks(browser, origin, tools.axe, screenshots, pages);
	await without_scripts(browser);
	await with_a_keyboard(browser);
	await on_one_axis(browser);
	await strange_posts(browser, stack, tools.axe, screenshots);
}, { worker: true });
