// What the tests in a browser share: the Test Anything Protocol, the tools, and what every page is looked at for. The
// protocol is that of t/table/sdk.t, too.
'use strict';
const fs = require('node:fs');
const path = require('node:path');
const { createRequire } = require('node:module');

const source = path.dirname(path.dirname(__dirname));
// Without what shows windows, where it is to be had, it takes half as long.
const CHROMIUM = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find(fs.existsSync);
// How long the browser waits for what it is to do, on a busy machine: milliseconds.
const PATIENCE = 120000;
const FLAGS = ['--no-sandbox', '--headless', '--disable-gpu', '--disable-quic', '--no-first-run',
	'--disable-background-networking', '--disable-component-update', '--disable-sync'];

// --- The Test Anything Protocol ----------------------------------------------------------------------

let count = 0, failed = 0;

// On standard error, which prove shows.
const tell = (text) => console.error(`# ${String(text).slice(0, 2000).replace(/\n/g, '\n#   ')}`);

function ok(passed, sentence, ...details) {
	count++;
	if (!passed) failed++;
	console.log(`${passed ? '' : 'not '}ok ${count} - ${sentence}`);
	if (!passed) [`failed: ${sentence}`, ...details.flat().map((line) => `  ${line}`)].forEach(tell);
	return passed;
}

function is(got, wanted, sentence) {
	return ok(got === wanted, sentence, `   got ${got}`, `wanted ${wanted}`);
}

// Ends this test, and no other.
function bail_out(why) {
	console.log(`not ok ${count + 1} - there is no going on`);
	tell(`there is no going on: ${why}`);
	process.exit(255);
}

// The plan, at the end.
function finish() {
	console.log(`1..${count}`);
	process.exitCode = failed === 0 ? 0 : 1;
}

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

// A browser of one's own; the caller closes it.
function launch({ chromium }) {
	if (!CHROMIUM) bail_out('script/bootstrap --tests installs chromium, which this test needs');
	return chromium.launch({ executablePath: CHROMIUM, args: FLAGS, timeout: PATIENCE });
}

/*
 * A test's frame: a site with the seed, or an empty one, and a browser, both of which end with it, however it ends. The test is
 * handed them with the tools, the site's address, and output(), which makes the folder of its screenshots; once for each of
 * its rounds, with that, a site of its own. It is skipped where it needs pictures and the build has none. On another store than the
 * default one nothing is derived unless the test says that it looks at it: of the seed that takes DynamoDB Local longer than many a test.
 */
async function with_site(test, { pictures = false, empty = false, worker = !seen_before, rounds = [null] } = {}) {
	try {
		const tools = load_tools();
		const { start_stack, build, output } = await import('./stack.mjs');
		if (pictures && !fs.existsSync(path.join(build, 'broadsheet-image'))) {
			console.log('1..0 # SKIP built without pictures');
			return;
		}
		const browser = await launch(tools);
		try {
			for (const round of rounds) {
				const stack = await start_stack({ empty, worker });
				try {
					await test({ tools, stack, browser, output, round, origin: stack.url });
				} finally {
					await stack.stop();
				}
			}
		} finally {
			await browser.close();
		}
		finish();
	} catch (error) {
		bail_out(error.stack);
	}
}

// With another store nothing looks different: there a page is visited on one screen, and not examined again.
const seen_before = process.env.TEST_STORE === 'dynamodb';
const widths = seen_before ? [390] : [390, 1280];
const schemes = seen_before ? ['light'] : ['light', 'dark'];

// --- HTML ------------------------------------------------------------------------------------------------

// What is wrong with the text of a page.
function validity({ HtmlValidate }) {
	const checker = new HtmlValidate({
		extends: ['html-validate:recommended'],
		rules: {
			// Matters of taste, not of HTML.
			'long-title': 'off',
			'no-trailing-whitespace': 'off',
			// Check boxes of one list share its name, as radio buttons do.
			'form-dup-name': ['error', { shared: ['radio', 'checkbox', 'submit', 'button', 'reset'] }],
			// A policy without inline styles forbids them already; this finds them earlier.
			'no-inline-style': 'error',
		},
	});
	return async (html) => (await checker.validateString(html)).results.flatMap((result) => result.messages)
		.map((m) => `${m.line}:${m.column} ${m.ruleId}: ${m.message}`);
}

// Names, and for each the text of its page.
async function valid_html(validator, pages) {
	if (seen_before) return;
	const check = validity(validator);

	for (const [name, html] of Object.entries(pages)) {
		const found = await check(html);
		ok(found.length === 0, `${name} is valid HTML`, found);
	}
}

// --- In the browser ----------------------------------------------------------------------------------------

// A page that remembers what went wrong on it.
async function open(browser, origin, options) {
	const context = await browser.newContext(options);
	context.setDefaultTimeout(PATIENCE);
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
	page.on('requestfailed', (request) => {
		// Whoever goes on before all of a page has come does not want the rest; a download is no page.
		if (request.failure().errorText !== 'net::ERR_ABORTED') wrong.push(`no answer from ${request.url()}`);
	});
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

// What begins the line of facts under a post's text, and not where the text does.
function ragged() {
	return [...document.querySelectorAll(':is(.card, .brief, .lead) .meta > :first-child')].flatMap((first) => {
		const text = document.createRange();
		text.selectNodeContents(first);
		const off = text.getBoundingClientRect().left - first.parentElement.parentElement.getBoundingClientRect().left;
		return Math.abs(off) > 0.5 ? [`${first.className} “${first.textContent}” by ${off}`] : [];
	});
}

// What axe looks for: by its own choice not all of WCAG 2.2.
const ALL = { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] };
// What it finds by colours alone; all else is the same by day and by night.
const COLOURS = { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } };

// The page that is there. What went wrong on the way to it counts. With TEST_SCREENSHOTS set it leaves a picture of it.
async function look(page, wrong, axe, at, file, rules = ALL) {
	const wide = await page.evaluate(overflow);
	ok(wide.length === 0, `${at}: nothing sticks out`, wide);
	const off = await page.evaluate(ragged);
	ok(off.length === 0, '... lines begin where they should', off);
	ok(wrong.length === 0, '... nothing is complained of, nobody else is asked', wrong.splice(0));
	if (seen_before) return;
	if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe);
	// All else that it can tell is long, and takes as long as the rest.
	const violations = await page.evaluate(
		async (only) => (await window.axe.run({ resultTypes: ['violations'], ...only })).violations, rules);
	ok(violations.length === 0, '... and axe finds no barrier',
		violations.map((v) => `${v.id}: ${v.help}\n${v.nodes.slice(0, 3).map((n) =>
			`${n.html.slice(0, 160)} ${n.any.map((a) => a.message).join('; ')}`).join('\n')}`));
	if (process.env.TEST_SCREENSHOTS)
		await page.screenshot({ path: `${file}.jpg`, type: 'jpeg', quality: 90, fullPage: true });
}

// Each page on a phone and on a desk, by day and by night; `enter` does what comes before, such as signing in.
async function looks(browser, origin, axe, screenshots, pages, enter = async () => {}) {
	for (const width of widths) {
		const { context, page, wrong } = await open(browser, origin, { viewport: { width, height: 900 } });
		await enter(page);
		for (const [name, address] of Object.entries(pages)) {
			await page.goto(origin + address);
			for (const colorScheme of schemes) {
				await page.emulateMedia({ colorScheme });
				await look(page, wrong, axe, `${name}, ${width} wide, ${colorScheme}`,
					path.join(screenshots, `${name}-${width}-${colorScheme}`), colorScheme === 'dark' ? COLOURS : ALL);
			}
		}
		await context.close();
	}
}

// Fills in a form by its fields' names and sends it with its first button.
async function fill_in(page, form, fields) {
	for (const [name, text] of Object.entries(fields)) {
		const field = page.locator(`#${form}-${name}`);
		if ((await field.evaluate((e) => e.tagName)) === 'SELECT') await field.selectOption(text);
		else await field.fill(text);
	}
	await page.locator(`#${form} button[type=submit]`).first().click();
	await page.waitForLoadState();
}

module.exports = { ALL, CHROMIUM, COLOURS, FLAGS, PATIENCE, bail_out, fill_in, finish, is, launch, load_tools, look, looks, ok, open, overflow, valid_html, validity,
	with_site };
