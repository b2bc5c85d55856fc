#!/usr/bin/env node
// Accounts in a browser: registering and signing in, without scripts and with them; two steps, a forgotten password, leaving. The pages that
// only those see who are signed in are looked at as all others are.
'use strict';
const crypto = require('node:crypto');
const path = require('node:path');
const { fill_in, is, look, looks, ok, open, valid_html, with_site } = require('./checks.js');

let stack, origin, screenshots, tools, browser;

const PASSWORD = 'four words in a row';

// A password that the operator gave.
const given = (name) => stack.command('user', 'reset', name).trim().split(' ')[1];

async function sign_in(page, name, password) {
	await page.goto(`${origin}/login`);
	await fill_in(page, 'login', { name, password });
}

// The code that an app shows for this key, so many steps from now (RFC 6238).
function code(key, steps = 0) {
	const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
	const bits = [...key.replace(/ /g, '')].map((c) => alphabet.indexOf(c).toString(2).padStart(5, '0')).join('');
	const secret = Buffer.from(bits.match(/.{8}/g).map((byte) => parseInt(byte, 2)));
	const counter = Buffer.alloc(8);
	counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30000) + steps));
	const mac = crypto.createHmac('sha1', secret).update(counter).digest();
	return String((mac.readUInt32BE(mac[19] & 15) & 0x7fffffff) % 1e6).padStart(6, '0');
}

// A page that a form has led to, on a screen of the width that the flow has.
async function look_here(page, wrong, name) {
	await look(page, wrong, tools.axe, name, path.join(screenshots, name));
	await valid_html(tools.validator, { [name]: await page.as_sent.text() });
}

async function two_steps() {
	// axe is a script of the test's own: pages have none.
	const { context, page, wrong } = await open(browser, origin, { viewport: { width: 390, height: 900 } });
	const password = given('noor');

	page.on('response', (answer) => {
		if (answer.request().isNavigationRequest()) page.as_sent = answer;
	});
	await sign_in(page, 'noor', password);
	is(new URL(page.url()).pathname, '/', 'One signs in,');
	await page.goto(`${origin}/account`);
	await page.getByRole('link', { name: 'Two-step sign-in' }).click();
	await page.waitForLoadState();
	const key = await page.locator('.key').innerText();
	ok(/^([A-Z2-7]{4} ?){8}$/.test(key), '... and is shown a key for an app', key);
	ok(await page.locator('svg.qr').isVisible(), '... as a picture, too.');
	await fill_in(page, 'enrol', { code: '000000', password });
	is(await page.locator('.key').innerText(), key, 'A wrong code changes nothing.');
	await look_here(page, wrong, 'two-step-refused');
	// No code is good twice, and each for its own half minute and the next: the one before goes first. It may just have ended.
	let codes = [];
	for (let tries = 0; codes.length === 0 && tries < 3; tries++) {
		await fill_in(page, 'enrol', { code: code(key, -1), password });
		codes = await page.locator('.codes code').allInnerTexts();
	}
	is(codes.length, 10, 'The right one gives ten recovery codes.');
	await look_here(page, wrong, 'recovery-codes');
	await page.goto(`${origin}/account/two-step`);
	await look_here(page, wrong, 'two-step-on');
	await context.clearCookies();
	await sign_in(page, 'noor', password);
	is(await page.locator('h1').innerText(), 'The second step', 'From then on there is a second step,');
	await look_here(page, wrong, 'second-step');
	await fill_in(page, 'code', { code: code(key) });
	await page.goto(`${origin}/account`);
	is(await page.locator('h1').innerText(), 'Your account', '... which a code takes,');
	await context.clearCookies();
	await sign_in(page, 'noor', password);
	await fill_in(page, 'code', { code: codes[3] });
	await page.goto(`${origin}/account`);
	is(await page.locator('h1').innerText(), 'Your account', '... or a recovery code.');
	ok(wrong.length === 0, 'Nothing goes wrong on the way.', wrong);
	await context.close();
}

async function comes_in(javaScriptEnabled) {
	const { context, page, wrong } = await open(browser, origin, { javaScriptEnabled });
	const name = javaScriptEnabled ? 'wren' : 'heron', link = stack.command('user', 'invite').match(/http\S+/)[0];

	await page.goto(link);
	await page.locator('#register').evaluate((form) => (form.noValidate = true)).catch(() => {});
	await fill_in(page, 'register', { username: name, email: `${name}@example.org`, password: 'short' });
	is(await page.inputValue('#register-email'), `${name}@example.org`, `${name} registers, and what is right is kept`);
	is(await page.locator('.errors a').getAttribute('href'), '#register-password', '... when something is not,');
	// The browser takes its time to move the focus there.
	await page.locator('#register-password:focus').waitFor();
	ok(true, '... with which one goes on.');
	await fill_in(page, 'register', { password: PASSWORD });
	is(new URL(page.url()).pathname, '/account', 'Then one is in,');
	await page.locator('#leave button').click();
	await page.goto(`${origin}/account`);
	is(await page.locator('h1').innerText(), 'Sign in', '... and out again.');
	await sign_in(page, name, PASSWORD);
	await page.goto(`${origin}/account`);
	is(await page.locator('h1').innerText(), 'Your account', 'Name and password are enough from then on.');
	ok(wrong.length === 0, 'Nothing goes wrong on the way.', wrong);
	await context.close();
}

async function without_scripts() {
	const { context, page, wrong } = await open(browser, origin, { javaScriptEnabled: false });
	const link = stack.command('user', 'reset', '--link', 'kofi').trim().split(' ')[1];

	await page.goto(link);
	await fill_in(page, 'reset', { new_password: PASSWORD });
	is(await page.locator('h1').innerText(), 'Your password is changed', 'Without scripts, a link gives a new password,');
	await sign_in(page, 'kofi', PASSWORD);
	await page.goto(`${origin}/account/data`);
	const download = page.waitForEvent('download');
	await page.locator('#export button').click();
	is((await download).suggestedFilename(), 'kofi.jsonl', '... data is downloaded as a file,');
	await fill_in(page, 'leaving', { posts: 'keep', delete_password: PASSWORD });
	is(await page.locator('h1').innerText(), 'Goodbye', '... and one leaves for good.');
	// The server hands it over afterwards, in rounds.
	const byline = async () => {
		await page.goto(`${origin}/post/the-tide-in-forty-lines-of-c`);
		return page.locator('.by').first().innerText();
	};
	let by = await byline();
	for (let i = 0; i < 1200 && !by.includes('Somebody who has left'); i++) {
		await page.waitForTimeout(100);
		by = await byline();
	}
	ok(by.includes('Somebody who has left'), 'What was written stays, without a name.');
	ok(wrong.length === 0, 'Nothing goes wrong on the way.', wrong);
	await context.close();
}

// Two posts in a new collection; where it is edited.
async function collects(page) {
	const post = '/collect/the-tide-in-forty-lines-of-c';
	await page.goto(origin + post);
	await fill_in(page, 'collect', { collection: '', name: 'For long evenings', note: 'Begin here.' });
	const edit = new URL(page.url()).pathname;
	await page.goto(`${origin}/collect/first-brent-geese`);
	await fill_in(page, 'collect', { collection: edit.split('/')[2] });
	await page.locator('#entry-2 button[value=up]').click();
	ok((await page.locator('.entries h2').first().innerText()).includes('brents'), 'A post goes up in its collection.');
	return { collections: '/account/collections', collect: post, 'collection-edit': edit };
}

// What one thinks of a post, by its buttons; where one finds it again, and who else sees it.
async function reacts(page) {
	const post = '/post/the-tide-in-forty-lines-of-c', bookmark = '/account/bookmark/the-tide-in-forty-lines-of-c';
	for (const name of ['Love', 'Bookmark']) {
		await page.goto(origin + post);
		const button = page.locator('#reactions button', { hasText: name });
		if ((await button.getAttribute('aria-pressed')) === 'true') {
			await button.click();
			await page.waitForLoadState();
		}
		await page.locator('#reactions button', { hasText: name }).click();
		await page.waitForLoadState();
		is(await page.locator('#reactions button', { hasText: name }).getAttribute('aria-pressed'), 'true',
			`A post’s button says “${name}”, and that it is pressed.`);
	}
	await page.goto(origin + bookmark);
	await fill_in(page, 'bookmark', { tags: 'tides, to read' });
	is(await page.locator('h1').innerText(), 'Your bookmarks', 'A bookmark gets tags of one’s own.');
	return { 'post-signed-in': post, likers: `${post}/likes`, bookmark, bookmarks: '/account/bookmarks' };
}

// On a phone the button beside a session keeps its word in one piece.
async function ends_sessions(cookies, password) {
	const there = await open(browser, origin, {});
	await sign_in(there.page, 'marta', password);
	const { context, page } = await open(browser, origin, { viewport: { width: 390, height: 900 } });
	await context.addCookies(cookies);
	await page.goto(`${origin}/account`);
	const lines = await page.evaluate(() => [...document.querySelectorAll('.sessions button')].map((button) => {
		const text = document.createRange();
		text.selectNodeContents(button.firstChild);
		return text.getClientRects().length;
	}));
	ok(lines.length > 0 && lines.every((count) => count === 1), 'What ends a session elsewhere is said on one line.', lines);
	await there.context.close();
	await context.close();
}

with_site(async ({ output, ...site }) => {
	({ stack, origin, tools, browser } = site);
	screenshots = output('members');
	const { context, page } = await open(browser, origin, {});
	const password = given('marta');
	await sign_in(page, 'marta', password);
	const cookies = await context.cookies();
	const members = { account: '/account', data: '/account/data', 'two-step': '/account/two-step', letters: '/account/letters',
		invitations: '/admin/invitations', ...(await collects(page)), ...(await reacts(page)) };
	const strangers = { login: '/login', register: '/register', forgot: '/forgot', subscribe: '/subscribe',
		reset: new URL(stack.command('user', 'reset', '--link', 'ingrid').trim().split(' ')[1]).pathname };
	for (const [name, address] of Object.entries(members)) {
		await page.goto(origin + address);
		await valid_html(tools.validator, { [name]: await (await context.request.get(origin + address)).text() });
	}
	await context.close();
	for (const [name, address] of Object.entries(strangers))
		await valid_html(tools.validator, { [name]: await (await fetch(origin + address)).text() });
	await ends_sessions(cookies, password);
	await comes_in(false);
	await comes_in(true);
	await looks(browser, origin, tools.axe, screenshots, members, (p) => p.context().addCookies(cookies));
	await looks(browser, origin, tools.axe, screenshots, strangers);
	await two_steps();
	await without_scripts();
}, { worker: false });
