#!/usr/bin/env node
// What readers have to do with each other, in a browser without scripts and with them: reviews, profiles, following, muting and
// blocking, a note that shares a post, the order of a collection. Each page is looked at as all others are.
'use strict';
const path = require('node:path');
const { fill_in, is, look, looks, ok, open, valid_html, with_site } = require('./checks.js');

const SCRIPT_MAX = 3 * 1024; // bytes of static/collection.js
const LINK = '/post/noaa-tides-and-currents', POST = '/post/the-tide-in-forty-lines-of-c';

let stack, origin, tools, browser;

async function signed_in(name, options = {}) {
	const found = await open(browser, origin, options);
	const password = stack.command('user', 'reset', name).trim().split(' ')[1];

	await found.page.goto(`${origin}/login`);
	await fill_in(found.page, 'login', { name, password });
	return found;
}

// Presses a button, and waits for what comes.
async function press(page, button, key) {
	const comes = page.waitForNavigation();
	await (key ? button.press(key) : button.click());
	await comes;
}

// Rates a link with a note.
async function reviews(page) {
	await page.goto(`${origin}${LINK}/rating`);
	await page.locator('textarea[name=note]').fill('Begin with the *predictions*.');
	await page.locator('[name=stars][value="4"]').check();
	await press(page, page.locator('#rating button[value=preview]'));
	ok((await page.locator('.prose em').innerText()) === 'predictions', 'A note on a rating has a preview,');
	await press(page, page.locator('#rating button[value=send]'));
	await page.goto(`${origin}${LINK}/reviews`);
	ok((await page.locator('main').innerText()).includes('Begin with the predictions.'), '... and stands among the reviews.');
}

// Follows, mutes and blocks, each by the buttons of a profile.
async function people(page) {
	const button = (text) => page.locator('.profile button, main button', { hasText: text }).first();
	await page.goto(`${origin}/author/ingrid`);
	if ((await page.locator('main button', { hasText: /^Follow$/ }).count()) > 0) await press(page, button(/^Follow$/));
	ok((await button('Unfollow').count()) > 0, 'A profile has a button to follow,');
	await page.goto(`${origin}/author/tobias`);
	await press(page, button(/^Mute$/));
	ok((await button('Unmute').count()) > 0, '... one to mute,');
	await page.goto(`${origin}/author/pascal/block`);
	await press(page, page.locator('main form button').last());
	await page.goto(`${origin}${POST}`);
	ok((await page.locator('details.folded summary').first().innerText()).includes('somebody you have blocked'),
		'... and one to block, whose comments are folded without a name.');
	await page.locator('details.folded summary').first().click();
	ok(await page.locator('details.folded[open]').first().isVisible(), 'They can be opened.');
	ok(!(await page.locator('main').innerText()).includes('Pascal'), '... His name is nowhere.');
}

// Two ask somebody private, who lets them by one button. Until then the list of them is looked at, too.
async function requests(page, seen) {
	const set_private = async (on) => {
		await page.goto(`${origin}/account`);
		await page.locator('#profile-is_private').setChecked(on);
		await press(page, page.locator('#profile button[type=submit]').first());
	};
	await set_private(true);
	for (const name of ['noor', 'kofi']) {
		const other = await signed_in(name, { javaScriptEnabled: false });
		await other.page.goto(`${origin}/author/lowri`);
		for (const text of [/^Unfollow$/, /^Ask to follow$/]) {
			const button = other.page.locator('main button', { hasText: text });
			if ((await button.count()) > 0) await press(other.page, button.first());
		}
		ok((await other.page.locator('main').innerText()).includes('Take the request back'), `${name} asks to follow.`);
		await other.context.close();
	}
	await page.goto(`${origin}/account/followers`);
	await seen('requests');
	await press(page, page.locator('button[name=approve-all]'));
	ok((await page.locator('[role=status]').innerText()).includes('All of them follow you now.'), 'All are approved at once.');
	await set_private(false);
}

// A rating without stars comes back, with what was typed.
async function refused(page, seen) {
	await page.goto(`${origin}/post/dates-that-sort/rating`);
	await page.locator('textarea[name=note]').fill('No stars yet.');
	await press(page, page.locator('#rating button[value=send]'));
	is(await page.inputValue('textarea[name=note]'), 'No stars yet.', 'A rating without stars comes back with its note.');
	await seen('rating-refused');
}

// A note that quotes a post, names a person and has three pictures.
async function shares(page) {
	const title = `Three views ${Date.now()}`;
	await page.goto(`${origin}/write/note?quotes=${POST.split('/')[2]}`);
	await page.locator('#write-title').fill(title);
	await page.locator('[name=markdown]').fill('With @kofi on #tides.\n\n![The quay](/favicon.ico)\n\n![The mill](/favicon.ico)\n\n![The sea](/favicon.ico)');
	await press(page, page.locator('.deeds [value=publish]'));
	if (page.url().includes('/write/')) await press(page, page.locator('.deeds [value=publish-anyway]'));
	await page.waitForURL('**/post/**');
	is(await page.locator('.pictures img').count(), 3, 'Pictures of a note stand side by side,');
	const [wide, left, right] = await page.locator('.pictures img').evaluateAll((all) => all.map((it) => it.getBoundingClientRect().toJSON()));
	ok(wide.width > 1.9 * left.width && left.left < right.left && Math.abs(left.top - right.top) < 1, '... two in a row, at any width.');
	is(await page.locator('.prose a[href="/author/kofi"]').innerText(), '@kofi', 'Who is named is linked to.');
	ok(await page.locator('.quoted').isVisible(), 'The post that is quoted stands below.');
	return new URL(page.url()).pathname;
}

// Three posts in a new collection; where it is edited.
async function collection(page) {
	await page.goto(`${origin}/collect/the-tide-in-forty-lines-of-c`);
	await fill_in(page, 'collect', { collection: '', name: 'To be put in order' });
	const edit = new URL(page.url()).pathname;
	for (const post of ['first-brent-geese', 'whip-a-ropes-end']) {
		await page.goto(`${origin}/collect/${post}`);
		await fill_in(page, 'collect', { collection: edit.split('/')[2] });
	}
	await page.goto(origin + edit);
	return edit;
}

// The tags of a note have one name, which the validator takes for a mistake.
let tags = 0;
const one_of_each = (html) => html.replaceAll(/<input type="text" name="tag"/g, () => `<input type="text" name="tag${tags++}"`);

const order = (page) => page.locator('.entries [name=post]').evaluateAll((all) => all.map((it) => it.value[0]).join(''));

async function buttons(page) {
	await collection(page);
	is(await order(page), 'tfw', 'Without scripts a collection has its order,');
	is(await page.locator('.grip').count(), 0, '... nothing to drag,');
	await press(page, page.locator('#entry-3 button[value=up]'));
	is(await order(page), 'twf', '... and buttons, which move a post,');
	await page.locator('#entry-3 [name=place]').fill('1');
	await press(page, page.locator('#entry-3 [name=place]'), 'Enter');
	is(await order(page), 'ftw', '... also to a place.');
}

// Drags a row's grip to the middle of another row, and a little further.
async function drag(page, from, to) {
	const row = (n) => page.locator('.entries > li').nth(n);
	const grip = await row(from).locator('.grip').boundingBox(), there = await row(to).boundingBox();
	const end = there.y + there.height / 2 + (to > from ? 1 : -1) * there.height / 4;
	await page.mouse.move(grip.x + grip.width / 2, grip.y + grip.height / 2);
	await page.mouse.down();
	for (let i = 1; i <= 10; i++) await page.mouse.move(grip.x, grip.y + ((end - grip.y) * i) / 10);
	await page.mouse.up();
}

async function drags(page) {
	const edit = await collection(page), size = (await (await page.request.get(await page.locator('#content script[src]').getAttribute('src').then((src) => origin + src))).body()).length;

	ok(size < SCRIPT_MAX, `The script of a collection has ${size} bytes.`);
	await page.locator('#entry-2-note').fill('Typed, and not saved.');
	await drag(page, 0, 2);
	await page.waitForFunction(() => document.querySelector('.hint[role=status]')?.textContent === 'Moved to place 3.');
	is(await order(page), 'fwt', 'With the script a post is dragged down,');
	is(await page.inputValue('#entry-2-note'), 'Typed, and not saved.', '... what is typed elsewhere stays,');
	is(await page.locator('.entries > li').first().locator('button[value=up]').count(), 0, '... the first one has no way up,');
	await drag(page, 2, 1);
	await page.waitForFunction(() => document.querySelector('.hint[role=status]')?.textContent === 'Moved to place 2.');
	is(await order(page), 'ftw', '... or up,');
	await page.goto(origin + edit);
	is(await order(page), 'ftw', '... for good.');
	await press(page, page.locator('.entries > li').last().locator('button[value=up]'), 'Enter');
	is(await order(page), 'fwt', 'By keyboard the buttons move it.');
	await page.route('**/posts', (route) => route.abort());
	await drag(page, 0, 1);
	await page.waitForFunction(() => /could not be moved/.test(document.querySelector('.hint[role=status]')?.textContent));
	is(await order(page), 'fwt', 'What could not be moved is where it was.');
	await page.unroute('**/posts');
	return edit;
}

with_site(async ({ output, ...site }) => {
	({ stack, origin, tools, browser } = site);
	const screenshots = output('people');
	const plain = await signed_in('lowri', { javaScriptEnabled: false, viewport: { width: 390, height: 900 } });
	await reviews(plain.page);
	await people(plain.page);
	await buttons(plain.page);
	const note = await shares(plain.page);
	ok(plain.wrong.length === 0, 'Nothing goes wrong on the way.', plain.wrong);
	const cookies = await plain.context.cookies();
	await plain.context.close();
	const phone = await open(browser, origin, { viewport: { width: 390, height: 900 } });
	// What a form has led to: valid, and without a barrier, on a phone.
	const seen = async (name) => {
		await valid_html(tools.validator, { [name]: await phone.page.as_sent.text() });
		await look(phone.page, phone.wrong, tools.axe, name, path.join(screenshots, name));
	};
	phone.page.on('response', (answer) => {
		if (answer.request().isNavigationRequest()) phone.page.as_sent = answer;
	});
	await phone.context.addCookies(cookies);
	await requests(phone.page, seen);
	await refused(phone.page, seen);
	await phone.context.close();
	const { context, page, wrong } = await open(browser, origin, { viewport: { width: 1280, height: 2000 } });
	await context.addCookies(cookies);
	const edit = await drags(page);
	ok(wrong.filter((text) => !/ERR_FAILED|no answer/.test(text)).length === 0, 'Nothing goes wrong on the way.', wrong);
	const pages = { 'rating-form': `${LINK}/rating`, reviews: `${LINK}/reviews`, stars: '/stars/4', note,
		'note-form': `/write/note?quotes=${POST.split('/')[2]}`, folded: POST, profile: '/author/kofi',
		'profile-muted': '/author/tobias/comments', 'profile-comments': '/author/ingrid/comments',
		'profile-reviews': '/author/noor/reviews', 'profile-collections': '/author/noor/collections',
		'profile-followers': '/author/kofi/followers', 'profile-following': '/author/noor/following',
		following: '/account/following', watching: '/account/watching', notifications: '/account/notifications',
		'notification-settings': '/account/notifications/settings', 'follow-tag': '/tag/tides', 'follow-question': '/follow/tag/tides', followers: '/account/followers', muted: '/account/muted',
		blocked: '/account/blocked', 'block-form': '/author/noor/block', 'collection-order': edit };
	for (const [name, address] of Object.entries(pages))
		await valid_html(tools.validator, { [name]: one_of_each(await (await context.request.get(origin + address)).text()) });
	await context.close();
	await looks(browser, origin, tools.axe, screenshots, pages, (p) => p.context().addCookies(cookies));
});
