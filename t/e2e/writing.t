#!/usr/bin/env node
// The authors' days, in a browser without scripts and once more with them, through nginx: a post is written,
// previewed, scheduled, published, edited on two tabs at once, taken back, deleted and had back; on a desk and on a phone.
'use strict';
const path = require('node:path');
const { PATIENCE, is, ok, with_site } = require('./checks.js');

let origin, password, scripts, title, slug, moved;

const at = (page) => page.url().slice(origin.length);
const press = (page, what) => page.click(`.deeds [value=${what}]`);

// What the keyboard comes to is not under the bar of buttons.
async function press_by_key(page, what) {
	await page.focus(what);
	if (scripts) return page.keyboard.press('Enter');
	await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
}

async function sign_in(page) {
	await page.goto('/login');
	await page.fill('[name=name]', 'noor');
	await page.fill('[name=password]', password);
	await page.click('main button[type=submit]');
}

// What somebody who is not signed in gets.
async function stranger(address) {
	const answer = await fetch(origin + address, { redirect: 'manual' });
	return { status: answer.status, body: await answer.text(), location: answer.headers.get('location') };
}

// As the form wants a time: in the zone of the seed, to the minute.
const minute = (ms) => new Date(ms).toLocaleString('sv-SE', { timeZone: 'Europe/Dublin' }).slice(0, 16).replace(' ', 'T');

// --- A post --------------------------------------------------------------------------------------------

// The preview is a page that comes back; with the script it comes into the page that is there.
async function shows_preview(page, ask) {
	if (!scripts) return Promise.all([page.waitForURL('**#preview'), ask()]);
	await ask();
	return page.waitForSelector('#preview');
}

async function writes(page) {
	await page.goto('/');
	await page.click('.account >> text=Write');
	is(at(page), '/write', 'Whoever writes finds the way on every page.');
	await page.click('main >> text=Article');
	await page.fill('[name=title]', title);
	if (scripts) await page.waitForSelector('.deeds [role=status]', { state: 'attached' });
	await shows_preview(page, () => page.keyboard.press('Enter'));
	is(at(page), scripts ? '/write/article' : '/write/article#preview', 'The Enter key shows a preview: it saves nothing.');
	await page.fill('[name=markdown]', 'There are *three*.\n\n<script>alert(1)</script>');
	await page.selectOption('[name=category]', { index: 1 });
	await page.locator('[name=tag]').first().fill('Harbour lights');
	await press(page, 'preview');
	is(await page.locator('#preview .prose em').textContent(), 'three', 'The preview is what will be published,');
	is(await page.locator('#preview script').count(), 0, '... without what somebody tries to slip in.');
	is(await page.inputValue('[name=title]'), title, 'All that was typed is still there.');
	await press(page, 'save');
	is(at(page), `/edit/${slug}?done=saved`, 'The draft is saved');
	is((await stranger(`/post/${slug}`)).status, 404, '... for nobody else to see.');
}

async function shares(page) {
	await page.click('text=Secret link');
	await page.click('text=For a week');
	const link = (await page.textContent('.secret')).trim().replace(/^https?:\/\/[^/]*/, '');
	const shown = await stranger(link);
	is(shown.status, 200, 'By a secret link somebody else reads the draft,');
	ok(shown.body.includes('<em>three</em>') && shown.body.includes('noindex'), '... as it is, and no search engine does.');
	await page.goto(`/share/${slug}`);
	await page.click('button:has-text("Revoke")');
	is((await stranger(link)).status, 404, 'Revoked, it leads nowhere.');
	await page.goto(`/edit/${slug}`);
}

async function schedules(page, folder) {
	// Hours away, so that it is so on either reading of an hour that the clocks' change has twice.
	await page.fill('[name=when]', minute(Date.now() + 3 * 3600e3));
	await press(page, 'publish');
	const told = (await page.textContent('#asked')).trim();
	ok(told.includes('not published yet') && told.includes('no excerpt'), 'Who publishes hears what readers may miss.', told);
	await page.screenshot({ path: path.join(folder, 'write-asked-1280-light.png'), fullPage: true });
	await page.click('#asked a');
	is(await page.evaluate(() => location.hash), '#write-excerpt', 'Each of it leads to its field.');
	await page.click('text=Publish anyway');
	is(at(page), `/edit/${slug}?done=scheduled`, 'Scheduled anyway, it is to appear in three hours.');
	is((await stranger(`/post/${slug}`)).status, 404, 'It does not yet.');
	await page.goto('/desk');
	await page.click('.children >> text=Scheduled');
	ok((await page.textContent('.desk')).includes(title), 'It is on the desk, among what is scheduled.');
	await page.click(`.desk >> text=${title}`);
	await page.fill('[name=when]', minute(Date.now() - 2 * 3600e3));
	await press(page, 'save');
	const shown = await stranger(`/post/${slug}`);
	is(shown.status, 200, 'Its time has come: it is there for all,');
	ok((await stranger('/')).body.includes(title), '... on the front page,');
	ok((await stranger('/feed.atom')).body.includes(title), '... and in the feed.');
}

async function on_two_tabs(context, first) {
	const second = await context.newPage();
	await first.goto(`/edit/${slug}`);
	await second.goto(`/edit/${slug}`);
	await first.fill('[name=markdown]', 'There are three: two red, one green.');
	await press(first, 'save');
	is(at(first), `/edit/${slug}?done=saved`, 'The first tab saves.');
	await second.fill('[name=markdown]', 'There are three, and a buoy.');
	await press(second, 'save');
	is(await second.textContent('#meanwhile-title'), 'This was saved meanwhile, elsewhere', 'The second is told.');
	is(await second.inputValue('[name=markdown]'), 'There are three, and a buoy.', 'Its own text is in the form,');
	const aside = second.locator('#meanwhile-markdown');
	const said = (whose) => aside.locator(`.version[aria-label$=": ${whose}"]`).textContent();
	is(await said('theirs'), 'There are three: two red, one green.', '... theirs beside it,');
	ok((await second.locator('.diff ins').count()) > 0, '... and the difference of the two.');
	await aside.locator('button').click();
	is(await second.inputValue('[name=markdown]'), 'There are three: two red, one green.', 'Theirs is taken,');
	is(await said('yours'), 'There are three, and a buoy.', '... and one’s own is not lost.');
	await aside.locator('button').click();
	is(await second.inputValue('[name=markdown]'), 'There are three, and a buoy.', 'It is had back.');
	await second.fill('[name=markdown]', 'There are three: two red, one green. And a buoy.');
	await press(second, 'save');
	ok((await stranger(`/post/${slug}`)).body.includes('one green. And a buoy.'), 'Then it is saved.');
	await second.close();
}

// Two new posts at once: neither takes the other's place, and each can be had back.
async function new_on_two_tabs(context, first) {
	const second = await context.newPage();
	const tabs = [[first, 'A seal on the slip'], [second, 'A heron on the wall']];
	for (const [tab, text] of tabs) {
		await tab.goto('/write/note');
		await tab.fill('[name=markdown]', text);
	}
	for (const [tab] of tabs)
		if (scripts) await tab.waitForFunction(() => document.querySelector('.deeds').textContent.includes('Kept:'), null, { timeout: PATIENCE });
		else await shows_preview(tab, () => press(tab, 'preview'));
	await second.close();
	for (const [, text] of tabs) {
		await first.goto('/desk');
		await first.click(`.desk >> text=${text}`);
		is(await first.inputValue('[name=markdown]'), text, `What was typed on a tab is on the desk, and taken up: ${text}.`);
	}
	await press(first, 'save');
	await first.goto('/write/note');
	const offered = await first.textContent('.unsaved');
	ok(offered.includes('seal') && !offered.includes('heron'), 'The one is saved, the other is still offered.', offered);
	await first.click('[aria-label^="Throw it away"]');
	is(await first.locator('.unsaved').count(), 0, '... until it is thrown away.');
}

async function looks_back(page) {
	await page.goto(`/edit/${slug}`);
	await page.click('text=Revisions');
	is(at(page), `/revisions/${slug}`, 'All that the post ever said is kept.');
	await page.click('text=Compare the two');
	is((await page.locator('.diff ins').allTextContents()).join('').trim(), 'And a buoy.', 'Two are compared, word by word.');
	await page.locator('button:has-text("Restore")').first().click();
	is(at(page), `/revisions/${slug}?done=restored`, 'The older one is restored,');
	ok((await page.textContent('.revisions')).includes('Restored '), '... as one more revision,');
	const body = (await stranger(`/post/${slug}`)).body;
	ok(body.includes('one green.') && !body.includes('buoy'), '... for everybody to read.');
}

async function moves(page) {
	await page.goto(`/edit/${slug}`);
	await page.click('.folded summary');
	await page.fill('[name=slug]', moved);
	await press(page, 'save');
	const old = await stranger(`/post/${slug}`);
	is(old.status, 301, 'A post that moves');
	is(old.location, `/post/${moved}`, '... leads from its old address to the new one.');
}

async function session_ends(context, page) {
	await page.goto(`/edit/${slug}`);
	await page.fill('[name=title]', 'Lights, once more');
	await context.clearCookies();
	await press(page, 'save');
	ok((await page.textContent('main')).includes('What you wrote is safe'), 'A session ends while somebody writes:');
	await page.fill('[name=name]', 'noor');
	await page.fill('[name=password]', password);
	await page.click('main button[type=submit]');
	is(at(page), `/edit/${slug}?done=saved`, '... they sign in, and it is saved.');
	is(await page.inputValue('[name=title]'), 'Lights, once more', 'Nothing was lost.');
}

async function ends(page) {
	await press(page, 'unpublish');
	is((await stranger(`/post/${moved}`)).status, 404, 'Taken back, it is gone for everybody else.');
	await page.fill('[name=excerpt]', 'Two red, one green.');
	await press(page, 'publish');
	is(at(page), `/post/${moved}`, 'Published again, with nothing missing, it is there.');
	await page.click('text=Edit');
	await page.click('text=Delete…');
	ok((await page.textContent('h1')).includes('Delete “Lights, once more”?'), 'Who deletes is asked.');
	await page.click('text=Delete it');
	is(at(page), '/desk/deleted?done=deleted', 'It lies on the desk,');
	is((await stranger(`/post/${moved}`)).status, 410, '... and its address says that it is gone.');
	await page.click('button:has-text("Restore")');
	is(at(page), `/edit/${slug}?done=restored`, 'For thirty days it can be had back,');
	is((await stranger(`/post/${moved}`)).status, 200, '... for everybody.');
}

async function makes_a_howto(page) {
	await page.goto('/write/howto');
	await page.fill('[name=title]', 'Trim a lamp');
	await page.fill('[name=material]', 'Wick');
	await page.fill('[name=amount]', '20 cm');
	await press_by_key(page, 'text=Add a material');
	await page.locator('[name=material]').nth(1).fill('Oil');
	await page.fill('[name=step]', 'Cut it straight.');
	await press_by_key(page, 'text=Add a step');
	await page.locator('[name=step]').nth(1).fill('Light it.');
	await press_by_key(page, '[aria-label="Move Step 2 up"]');
	is(await page.locator('[name=step]').first().inputValue(), 'Light it.', 'Rows come, and change places,');
	if (scripts) is(await page.evaluate(() => document.activeElement.ariaLabel), 'Move Step 1 down', '... with the focus,');
	await press_by_key(page, '[aria-label="Move Step 1 down"]');
	await press_by_key(page, '[aria-label="Remove Material 1"]');
	is(await page.locator('[name=material]').first().inputValue(), 'Oil', '... and go.');
	await page.fill('[name=cost]', 'nothing');
	await press(page, 'publish');
	await page.click('.errors a >> nth=0');
	is(await page.evaluate(() => location.hash), '#write-cost', 'What is wrong leads to its field.');
	await page.fill('[name=cost]', '2.50');
	await page.fill('[name=currency]', 'eur');
	await press(page, 'publish');
	await page.click('text=Publish anyway');
	// The second one of this title gets a number.
	is(at(page), scripts ? '/post/trim-a-lamp-2' : '/post/trim-a-lamp', 'A how-to is published,');
	is(await page.locator('.steps > li').count(), 2, '... with its steps.');
}

// Tab by Tab to what matches, which is seen to have the focus.
async function tabs_to(page, what) {
	for (let i = 0; i < 60; i++) {
		await page.keyboard.press('Tab');
		const at = await page.evaluate((wanted) => {
			const e = document.activeElement;
			return e.matches(wanted) && (e.matches(':is(input, textarea)') || getComputedStyle(e).outlineStyle !== 'none');
		}, what);
		if (at) return true;
	}
	return false;
}

// From the front page to a note that everybody reads, without a pointer.
async function by_keyboard(page) {
	const text = `The ${scripts ? 'second' : 'first'} ferry is late.`;
	const enters = async (what) => {
		const there = await tabs_to(page, what);
		if (there) await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
		return ok(there, `The Tab key comes to ${what}.`);
	};

	await page.goto('/');
	if (!(await enters('.account [href="/write"]')) || !(await enters('main [href="/write/note"]'))) return;
	await page.locator('[name=markdown]:focus').waitFor(); // it has the focus, once the browser comes to it
	await page.keyboard.type(text);
	await enters('.deeds [value=publish]');
	is((await page.textContent('.post .prose')).trim(), text, 'By the keyboard alone a note is written and published.');
}

// --- How it looks ---------------------------------------------------------------------------------------

async function looks(browser, state, folder) {
	const pages = { write: '/write', 'write-article': '/write/article', 'write-howto': '/edit/trim-a-lamp', desk: '/desk/published',
		revisions: `/revisions/${slug}`, compare: `/revisions/${slug}/compare?from=2&to=3`,
		share: `/share/${slug}` };
	for (const [width, colorScheme] of [[1280, 'light'], [390, 'dark'], [320, 'light']]) {
		const context = await browser.newContext({
			baseURL: origin, javaScriptEnabled: false, storageState: state, colorScheme, viewport: { width, height: 800 } });
		context.setDefaultTimeout(PATIENCE);
		const page = await context.newPage();
		const wide = [];
		for (const [name, address] of Object.entries(pages)) {
			await page.goto(address);
			if (await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)) wide.push(name);
			await page.screenshot({ path: path.join(folder, `${name}-${width}-${colorScheme}.png`), fullPage: true });
		}
		is(wide.join(' '), '', `At ${width} pixels no page of the authors scrolls sideways.`);
		await page.goto('/write/article');
		const nameless = await page.evaluate(() =>
			[...document.querySelectorAll('form.write :is(input:not([type=hidden]), textarea, select)')]
				.filter((field) => !field.labels.length && !field.ariaLabel).map((field) => field.name));
		is(nameless.join(' '), '', '... and every field has a name.');
		await context.close();
	}
}

// --- All of it ------------------------------------------------------------------------------------------

// What somebody does from the first line to the last; the browser's cookies then.
async function flows(browser, folder) {
	const context = await browser.newContext({ baseURL: origin, javaScriptEnabled: scripts });
	context.setDefaultTimeout(PATIENCE);
	const page = await context.newPage();
	const wrong = [];
	page.on('pageerror', (error) => wrong.push(error.message));
	await sign_in(page);
	await writes(page);
	await shares(page);
	await schedules(page, folder);
	await on_two_tabs(context, page);
	await new_on_two_tabs(context, page);
	await looks_back(page);
	await moves(page);
	await session_ends(context, page);
	await ends(page);
	await makes_a_howto(page);
	await by_keyboard(page);
	is(wrong.join('\n'), '', `${scripts ? 'With' : 'Without'} scripts nothing breaks on the way.`);
	const cookies = await context.storageState();
	await context.close();
	return cookies;
}

with_site(async ({ stack, browser, output, ...site }) => {
	({ origin } = site);
	password = stack.command('user', 'reset', 'noor').split(/\s/)[1];
	const folder = output('authors');
	scripts = false, title = 'Lights on the bar', slug = 'lights-on-the-bar', moved = 'harbour-lights';
	await looks(browser, await flows(browser, folder), folder);
	scripts = true, title = 'Bells on the bar', slug = 'bells-on-the-bar', moved = 'harbour-bells';
	await flows(browser, folder);
}, { worker: false });
