// node bench/pages/run.mjs FOLDER [WORD...]: every page, in pictures, and what is wrong with it.
//
// In a site with the seed it writes as an author (states.mjs). Then it follows the links of that site, and of an empty one, as a stranger,
// a reader, an author and an admin, until no route and no kind of post is left; whoever may do more is shown what the others were not. In
// the end it sends each form empty. Of each page it leaves in FOLDER the HTML, and pictures at 390, 1280 and 1920 pixels by day and by
// night. It says what axe (WCAG 2.2 AA, with 24 pixels for what is pressed, and best practice), html-validate and the Nu Html Checker
// find, what sticks out of the window, what is written in less than 12 pixels, and which routes it did not come to. With words it looks
// only at pages whose names contain one of them.
//
//	script/bootstrap --bench && script/build server && BROADSHEET_BUILD=$PWD/build/server node bench/pages/run.mjs /tmp/pages
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { source, start_stack } from '../../t/e2e/stack.mjs';
import { act } from './states.mjs';

const { ALL, COLOURS, fill_in, launch, load_tools, open, overflow, validity } = createRequire(import.meta.url)('../../t/e2e/checks.js');
const WIDTHS = [390, 1280, 1920], SCHEMES = ['light', 'dark'];
const PEOPLE = ['pascal', 'kofi', 'marta']; // a reader, an author, an admin
const FROM = ['/', '/no-such-page', '/login', '/register', '/forgot', '/subscribe', '/categories', '/hot', '/links', '/howtos',
	'/comments', '/moderation', '/post/we-are-giving-up-paper', '/search?q=tide', '/search?q=nothinglikethis',
	'/?after=nonsense', '/reset/none', '/draft/none', '/confirm/none', '/subscribe/none',
	'/edit/the-tide-in-forty-lines-of-c/delete', '/admin/users/pascal/trace', '/admin/users/pascal/purge',
	'/account/delete', '/revisions/the-tide-in-forty-lines-of-c/compare?from=1&to=2', '/admin/categories/rigging/delete',
	'/account', '/account/data', '/account/likes', '/account/bookmarks/later',
	'/react/the-tide-in-forty-lines-of-c?like=laugh', '/follow/tag/boats', '/author/kofi/mute', '/desk', '/write',
	'/write/page', '/admin'];

const [folder, ...words] = process.argv.slice(2);
const routes = [...readFileSync(join(source, 'src/pages/routes.def'), 'utf8').matchAll(/ROUTE\("([^"]+)"/g)].map(([, name]) =>
	({ name, of: RegExp(`^${name.replace(/:\w+/g, '[^/]+').replace(/\./g, '\\.')}$`) }));
const route_of = (address) => routes.find(({ of }) => of.test(address.replace(/[?#].*/, '')))?.name ?? 'none';
const come_to = new Set();
let complaints = 0;

function complain(name, found) {
	for (const what of new Set(found)) {
		complaints++;
		console.log(`${name}: ${what}`);
	}
}

// What it has that others of its route have not: its status, the kind of the post, its forms; and where everybody has one of their own.
function shape(who, route, status, html) {
	const main = html.slice(html.indexOf('<main'));
	const forms = [...main.matchAll(/<form[^>]*?action="([^"]*)"/g)].map(([, action]) => route_of(action));
	return [/^\/(admin|account|desk|$)/.test(route) ? who : '', route, status, /<article class="post (\w+)/.exec(main)?.[1], ...new Set(forms)].join(' ');
}

// Whether a page of this name is to be looked at.
const wanted = ({ name }) => words.length === 0 || words.some((word) => name.includes(word));

// The pages that somebody comes to by links, without those of a shape that others have been shown.
async function find_pages(request, who, shown) {
	const addresses = [...FROM], asked = new Set(), times = {}, pages = [];

	for (const address of addresses) {
		const route = route_of(address);
		times[route] = (times[route] ?? 0) + 1;
		if (asked.has(address) || times[route] > (route === '/post/:slug' ? 60 : 8)) continue;
		asked.add(address);
		const answer = await request.get(address);
		if (!/^text\/html/.test(answer.headers()['content-type'])) {
			come_to.add(route);
			continue;
		}
		const html = await answer.text(), at = route_of(new URL(answer.url()).pathname);
		for (const [, to] of html.matchAll(/href="(\/[^"#]*)/g)) addresses.push(to.replaceAll('&amp;', '&'));
		const kind = shape(who, at, answer.status(), html);
		if (answer.status() < 400) come_to.add(at);
		if (shown.has(kind)) continue;
		shown.add(kind);
		const name = `${who}${at === '/' ? '-front' : at.replace(/[^a-z0-9]+/gi, '-')}`;
		const same = pages.filter((page) => page.name.replace(/\.\d+$/, '') === name).length;
		pages.push({ name: same ? `${name}.${same + 1}` : name, address, html });
	}
	return pages;
}

// What is too small to be read. What is too small to be pressed axe finds.
function small() {
	const found = [];
	const seen = (e) => e.checkVisibility({ visibilityProperty: true }) && e.getClientRects().length > 0;

	for (const e of document.querySelectorAll('body *')) {
		const own = [...e.childNodes].some((n) => n.nodeType === Node.TEXT_NODE && n.data.trim() !== '');
		if (own && seen(e) && parseFloat(getComputedStyle(e).fontSize) < 12 && !e.closest('sup, svg'))
			found.push(`${getComputedStyle(e).fontSize} to be read: ${e.tagName}.${e.className} ${e.textContent.trim().slice(0, 40)}`);
	}
	return found;
}

// A page as it is there, by day and by night.
async function look_at(page, name, width, tools, wrong) {
	for (const colorScheme of SCHEMES) {
		const here = `${name} ${width} ${colorScheme}`;
		await page.emulateMedia({ colorScheme });
		complain(here, [...await page.evaluate(overflow), ...await page.evaluate(small), ...wrong.splice(0)]);
		await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.jpg`), type: 'jpeg', quality: 80, fullPage: true });
		if (width === 1920) continue;
		if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(tools.axe);
		const { violations } = await page.evaluate((only) => window.axe.run({ resultTypes: ['violations'], ...only }),
			colorScheme === 'dark' ? COLOURS : ALL);
		complain(here, violations.flatMap((v) => v.nodes.slice(0, 3).map((n) => `${v.id}: ${n.html.slice(0, 140)}`)));
	}
}

// Each of the pages, on each screen; all of it as somebody who has come in.
async function look_at_all({ browser, tools, origin }, pages, storageState) {
	await Promise.all(WIDTHS.map(async (width) => {
		const { context, page, wrong } = await open(browser, origin, { storageState, viewport: { width, height: 900 } });
		for (const { name, address } of pages) {
			await page.goto(origin + address);
			await look_at(page, name, width, tools, wrong);
		}
		await context.close();
	}));
}

// Somebody's browser, who has come in; it remembers the page as it was sent.
async function comes_in({ browser, origin }, person, options) {
	const theirs = await open(browser, origin, { baseURL: origin, ...options });

	theirs.page.on('response', (answer) => {
		if (answer.request().isNavigationRequest()) theirs.sent = answer;
	});
	if (person) {
		await theirs.page.goto('/login');
		await fill_in(theirs.page, 'login', person);
	}
	return theirs;
}

// The page that a form has led to, shown once more where there are scripts: axe is one.
async function look_here({ browser, tools, origin, check }, { context, sent }, name) {
	const body = await sent.text(), storageState = await context.storageState();
	const shown = await open(browser, origin, { storageState });

	writeFileSync(join(folder, `${name}.html`), body);
	complain(name, await check(body));
	await shown.page.route(sent.url(), (route) => route.fulfill({ contentType: 'text/html', body }));
	await shown.page.goto(sent.url());
	for (const width of WIDTHS) {
		await shown.page.setViewportSize({ width, height: 900 });
		await look_at(shown.page, name, width, tools, shown.wrong);
	}
	await shown.context.close();
}

// The forms of these pages, each sent with nothing in it.
async function send_empty(site, pages, storageState) {
	const theirs = await comes_in(site, null, { storageState }), { page } = theirs;

	for (const { name, address, html } of pages) {
		const actions = [...html.slice(html.indexOf('<main')).matchAll(/<form[^>]*?method="post"[^>]*?action="([^"]*)"/g)].map(([, action]) => action);
		for (const [i, action] of actions.entries()) {
			const kind = route_of(action || address);
			if (site.tried.has(kind) || kind === '/logout') continue;
			await page.goto(address);
			const form = page.locator('main form[method=post]').nth(i);
			const fields = await form.evaluate((e) => {
				const typed = [...e.elements].filter((f) => f.matches('textarea, [type=text], [type=email], [type=url], [type=number], [type=password]'));
				for (const f of typed) f.value = f.matches('[type=number]') ? '-1' : '';
				return typed.length;
			});
			if (fields === 0) continue;
			site.tried.add(kind);
			// By no script, and whatever the browser thinks of it.
			await Promise.all([page.waitForNavigation(), form.evaluate((e) => HTMLFormElement.prototype.submit.call(e))]);
			if (theirs.sent.status() >= 400) await look_here(site, theirs, `refused${kind.replace(/[^a-z0-9]+/gi, '-')}-on-${name}`);
		}
	}
	await theirs.context.close();
}

// All of a site, as each of these: names with passwords, or nobody.
async function walk(site, prefix, people) {
	const shown = new Set(), all = [];

	for (const person of [null, ...people]) {
		const { context } = await comes_in(site, person);
		const storageState = await context.storageState();
		const pages = (await find_pages(context.request, prefix + (person ? person.name : 'stranger'), shown)).filter(wanted);
		await context.close();
		for (const { name, html } of pages) {
			writeFileSync(join(folder, `${name}.html`), html);
			complain(name, await site.check(html));
		}
		await look_at_all(site, pages, storageState);
		all.push({ pages, storageState });
	}
	for (const { pages, storageState } of all) await send_empty(site, pages, storageState);
}

// What the Nu Html Checker says of all that was left in the folder.
function check_with_nu() {
	const jar = createRequire(join(source, 'build/bench/'))('vnu-jar');
	// Comments are articles, and have no headings; a preview has that of the page that it shows.
	const { stderr } = spawnSync('java', ['-jar', jar, '--format', 'json', '--skip-non-html', '--filterpattern', '.*(lacks heading|top-level heading only).*', folder],
		{ encoding: 'utf8', maxBuffer: 1 << 28 });

	for (const { url, type, lastLine, message, extract } of JSON.parse(stderr).messages)
		complain(`${url?.replace(/.*\//, '')}:${lastLine}`, [`nu ${type}: ${message} ${(extract ?? '').replace(/\s+/g, ' ')}`]);
}

async function with_stack(site, options, act) {
	const stack = await start_stack(options);
	try {
		await act({ ...site, origin: stack.url }, stack);
	} finally {
		await stack.stop();
	}
}

if (!folder) throw new Error('A folder is missing: see the top of this file');
mkdirSync(folder, { recursive: true });
const tools = load_tools(), browser = await launch(tools);
const site = { tools, browser, tried: new Set(), check: validity(tools.validator) };
try {
	await with_stack(site, {}, async (there, stack) => {
		await stack.derived();
		const given = stack.command('user', 'reset', ...PEOPLE).trim().split('\n').map((line) => line.split(' '));
		const people = given.map(([name, password]) => ({ name, password }));
		const author = await comes_in(there, people[1], { javaScriptEnabled: false });
		await act(author.page, async (what) => {
			const name = `writing-${what}`;
			if (wanted({ name })) await look_here(there, author, name);
		});
		await author.context.close();
		await walk(there, '', people);
	});
	await with_stack(site, { empty: true }, async (there, stack) => {
		await walk(there, 'empty-', []);
		const { context, page } = await comes_in(there);
		const person = { name: 'inga', password: 'four words in a row' };
		await page.goto(readFileSync(join(stack.dir, 'first-admin'), 'utf8').trim());
		await fill_in(page, 'register', { username: person.name, email: 'inga@example.org', password: person.password });
		await context.close();
		await walk(there, 'first-', [person]);
	});
} finally {
	await browser.close();
}
check_with_nu();
const missed = routes.map(({ name }) => name).filter((name) => !come_to.has(name));
console.log(`${complaints} complaints. Not come to: ${missed.join(' ')}`);
