#!/usr/bin/env node
// What people.t leaves out of what readers do, in a browser without scripts and with them: a rating is withdrawn, somebody
// private is asked, who was muted and blocked is not any more, a collection is begun, flagged, hidden and deleted. The pages and
// states on the way are looked at as all others are.
'use strict';
const path = require('node:path');
const { fill_in, is, look, looks, ok, open, valid_html, with_site } = require('./checks.js');

const LINK = '/post/noaa-tides-and-currents';

let stack, origin, screenshots, tools, browser;
const signed_in = {};

// Somebody in a browser of their own, who signs in once.
async function visitor(name, javaScriptEnabled = true) {
	const { context, page, wrong } = await open(browser, origin, { viewport: { width: 390, height: 900 }, javaScriptEnabled });

	page.on('response', (answer) => {
		if (answer.request().isNavigationRequest()) page.as_sent = answer;
	});
	if (signed_in[name] === undefined) {
		const password = stack.command('user', 'reset', name).trim().split(' ')[1];
		await page.goto(`${origin}/login`);
		await fill_in(page, 'login', { name, password });
		signed_in[name] = await context.cookies();
	}
	await context.addCookies(signed_in[name]);
	// The page that a form has led to, looked at once.
	const looked = async (at) => {
		if (!javaScriptEnabled) return;
		await look(page, wrong, tools.axe, at, path.join(screenshots, at));
		await valid_html(tools.validator, { [at]: await page.as_sent.text() });
	};
	const press = async (button) => {
		await page.getByRole('button', { name: button }).first().click();
		await page.waitForLoadState();
	};
	return { context, page, looked, press, go: (address) => page.goto(origin + address) };
}

async function rates(script) {
	const { context, page, looked, press, go } = await visitor(script ? 'tobias' : 'noor', script);
	const note = `Right to the minute, ${script ? 'with scripts' : 'without'}.`;

	await go(`${LINK}/rating`);
	await page.getByLabel('Note').fill(note);
	await page.getByRole('radio').nth(1).focus();
	await page.keyboard.press('Space');
	await press('Preview the note');
	ok(await page.locator('#preview', { hasText: note }).isVisible(), 'A preview shows the note,');
	await looked('rating-preview');
	await press('Rate it');
	await go(`${LINK}/reviews`);
	const review = page.locator('.review-list > li', { hasText: note });
	ok(await review.isVisible(), '... and it is among the reviews.');
	await looked('reviews-own');
	await go('/account/ratings');
	await page.locator('.review-list > li', { hasText: note }).getByRole('link', { name: 'Withdraw' }).click();
	await looked('rating-withdraw');
	await press('Withdraw it');
	await page.getByRole('status').waitFor();
	await looked('rating-withdrawn');
	await go(`${LINK}/reviews`);
	is(await review.count(), 0, 'Withdrawn, it is there no more.');
	await context.close();
}

// Kofi shows strangers no more than his name.
async function follows(script) {
	const kofi = await visitor('kofi', script), other = await visitor(script ? 'noor' : 'marta', script);
	const name = script ? 'Noor Haddad' : 'Marta Salgueiro';

	await kofi.go('/account');
	await kofi.page.locator('[name=is_private]').check();
	await kofi.page.locator('#profile button[type=submit]').first().click();
	await kofi.page.waitForLoadState();
	await other.go('/author/kofi/follow');
	await other.looked('follow-ask');
	await other.press('Ask to follow');
	await other.go('/author/kofi');
	ok(await other.page.getByRole('button', { name: 'Take the request back' }).isVisible(), 'Who is private is asked,');
	await other.looked('author-private');
	await kofi.go('/account/followers');
	await kofi.press(`Approve ${name}`);
	await kofi.looked('follow-approved');
	await other.go('/account/following');
	await other.press(/^(Don’t tell me|Tell me) of new posts.*Kofi/);
	await other.looked('following-untold');
	await other.press(/^Unfollow Kofi/);
	await other.go('/author/kofi');
	ok(await other.page.getByRole('button', { name: 'Ask to follow' }).isVisible(), '... approves, and is followed no more.');
	await kofi.go('/account');
	await kofi.page.locator('[name=is_private]').uncheck();
	await kofi.page.locator('#profile button[type=submit]').first().click();
	await kofi.page.waitForLoadState();
	await kofi.context.close();
	await other.context.close();
}

async function shuns(script) {
	const { context, page, looked, press, go } = await visitor('lowri', script);

	await go('/author/tobias');
	await press('Mute');
	ok(await page.getByRole('button', { name: 'Unmute' }).isVisible(), 'Somebody is muted,');
	await go('/tag/tides');
	await press(/^Mute/);
	await go('/account/muted');
	await go('/author/pascal/block');
	await press('Block');
	await looked('author-blocked');
	await go('/account/blocked');
	await press(/^Unblock/);
	await looked('blocked-nobody');
	await go('/account/muted');
	await press(/Tobias/);
	await press(/tides/);
	await looked('muted-nobody');
	ok(!(await page.locator('main').innerText()).includes('Tobias'), '... blocked, and neither any more.');
	await context.close();
}

// A collection of one's own, as others see it, and as the editors hide it.
async function collects(script) {
	const owner = await visitor('ingrid', script), tobias = await visitor('tobias', script);
	const name = `For the slipway${script ? ', with scripts' : ''}`;

	await owner.go('/account/collections');
	await fill_in(owner.page, 'collection', { name: '' });
	await owner.looked('collections-refused');
	await fill_in(owner.page, 'collection', { name, description: 'What to *read* first.' });
	await owner.looked('collection-made');
	const edit = new URL(owner.page.url()).pathname, open_to_all = edit.replace('/edit', '');
	const id = edit.split('/')[2];
	await owner.go(open_to_all);
	await owner.looked('collection-empty');
	for (const post of ['first-brent-geese', 'the-tide-in-forty-lines-of-c']) {
		await owner.go(`/collect/${post}`);
		await fill_in(owner.page, 'collect', { collection: id, note: `On ${post}.` });
	}
	await owner.page.locator('#entry-1-place').fill('900');
	await owner.page.locator('#entry-1 button[value=save]').click();
	await owner.looked('collection-place-refused');
	await owner.go(open_to_all);
	is(await owner.page.locator('.entries > li').count(), 2, 'A collection has its posts, and their notes.');
	await owner.looked('collection-own');
	await tobias.go(`/flag/collection/${id}`);
	await tobias.looked('flag-collection');
	await fill_in(tobias.page, 'flag', { reason: 'spam' });
	await tobias.looked('flagged');
	await tobias.go('/admin/comments');
	await tobias.page.locator('li', { hasText: name }).getByRole('button', { name: /^Hide: unkind/ }).first().click();
	await tobias.page.waitForLoadState();
	is((await fetch(origin + open_to_all)).status, 404, 'Hidden, it is there for its owner alone,');
	await owner.go(open_to_all);
	await owner.looked('collection-hidden');
	await owner.go(`${open_to_all}/delete`);
	await owner.looked('collection-delete');
	await owner.press('Delete the collection');
	await owner.context.close();
	await tobias.context.close();
}

// What is only looked at: by strangers, and by somebody who has done some of all of it.
async function looks_at_pages() {
	const strangers = {
		link: LINK, 'reviews-highest': `${LINK}/reviews?order=highest`, 'stars-none': '/stars/1', 'tab-empty': '/author/marta/reviews',
	};
	const members = { feed: '/account/feed', ratings: '/account/ratings', likes: '/account/likes', 'restricted-none': '/account/restricted' };
	const { context } = await visitor('pascal');
	const cookies = signed_in.pascal;

	for (const [name, address] of Object.entries(strangers))
		await valid_html(tools.validator, { [name]: await (await fetch(origin + address)).text() });
	for (const [name, address] of Object.entries(members))
		await valid_html(tools.validator, { [name]: await (await context.request.get(origin + address)).text() });
	await context.close();
	await looks(browser, origin, tools.axe, screenshots, strangers);
	await looks(browser, origin, tools.axe, screenshots, members, (p) => p.context().addCookies(cookies));
}

with_site(async ({ output, ...site }) => {
	({ stack, origin, tools, browser } = site);
	screenshots = output('taking-part');
	for (const script of [false, true])
		for (const story of [rates, follows, shuns, collects]) await story(script);
	await looks_at_pages();
});
