#!/usr/bin/env node
// Comments in a browser, without scripts and with them, by keyboard: one is written, looked at, sent and answered; what somebody new
// writes waits until it is approved. The pages that only those see who are signed in are looked at as all others are.
'use strict';
const path = require('node:path');
const { fill_in, is, look, looks, ok, open, valid_html, with_site } = require('./checks.js');

const POST = '/post/the-tide-in-forty-lines-of-c';

let stack, origin, screenshots, tools, browser;

async function sign_in(page, name) {
	const password = stack.command('user', 'reset', name).trim().split(' ')[1];

	await page.goto(`${origin}/login`);
	await fill_in(page, 'login', { name, password });
}

// The page that a form has led to.
async function look_here(page, wrong, name) {
	await look(page, wrong, tools.axe, name, path.join(screenshots, name));
	await valid_html(tools.validator, { [name]: await page.as_sent.text() });
}

async function writes() {
	const { context, page } = await open(browser, origin, { viewport: { width: 390, height: 900 }, javaScriptEnabled: false });
	const words = 'The tide waits for nobody.';

	await sign_in(page, 'pascal');
	await page.goto(origin + POST);
	await page.getByRole('link', { name: 'Write a comment' }).click();
	await page.locator('textarea:focus').waitFor();
	await page.keyboard.type(words);
	await page.getByRole('button', { name: 'Preview' }).click();
	ok(await page.locator('#preview', { hasText: words }).isVisible(), `A preview shows what it will be (${words})`);
	is(await page.getByLabel('Comment').inputValue(), words, '... and the text is there still;');
	await page.goto(`${origin}${POST}/comment`);
	is(await page.getByLabel('Comment').inputValue(), words, '... also for whoever comes back;');
	await page.getByRole('button', { name: 'Send' }).click();
	await page.waitForURL(/#c-[0-9a-z]{14}$/);
	const written = page.locator(new URL(page.url()).hash);
	ok(await written.getByText(words).isVisible(), 'sent, it is where its address says,');
	await written.getByRole('link', { name: 'Reply' }).click();
	await page.getByRole('link', { name: 'Quote it' }).click();
	ok((await page.getByLabel('Comment').inputValue()).startsWith(`> ${words}`), 'and can be quoted.');
	await context.close();
}

// With the script, where it is read: nothing leaves the page.
async function in_place() {
	const { context, page, wrong } = await open(browser, origin, { viewport: { width: 390, height: 900 } });
	const words = 'High water comes an hour later each day.', field = page.locator('.here textarea');
	const name = 'in-place', here = page.locator('.here'), file = (state) => path.join(screenshots, `${name}-${state}`);
	const press = async (what) => {
		await what.focus();
		await page.keyboard.press('Enter');
	};
	const focused = (what) => page.locator(`${what}:focus`).waitFor();
	const drafted = () => page.waitForResponse((r) => r.request().postData()?.includes('do=draft'));

	await sign_in(page, 'ingrid');
	await page.goto(origin + POST);
	await page.evaluate(() => (window.still = true));
	await press(page.getByRole('link', { name: 'Write a comment' }));
	await focused('.here textarea');
	ok(true, 'The form opens where one reads, with the focus in it;');
	await press(here.getByRole('button', { name: 'Send' }));
	await focused('.here textarea[aria-invalid=true]');
	ok(await here.getByText('Write something first.').isVisible(), 'an error is said beside the field;');
	await look(page, wrong, tools.axe, 'an error in place', file('error'));
	await page.keyboard.type(words);
	await press(here.getByRole('button', { name: 'Preview' }));
	await focused('#preview');
	ok(await here.locator('#preview', { hasText: words }).isVisible(), 'a preview is there, and has the focus;');
	is(await field.inputValue(), words, 'the text is there still;');
	await look(page, wrong, tools.axe, 'a preview in place', file('preview'));
	await context.setOffline(true);
	await press(here.getByRole('button', { name: 'Send' }));
	await here.getByText('can’t be reached').waitFor();
	is(await field.inputValue(), words, 'without a network, too;');
	await context.setOffline(false);
	wrong.splice(0);
	await press(here.getByRole('button', { name: 'Send' }));
	await page.locator('.comment:focus', { hasText: words }).waitFor();
	ok(await page.evaluate(() => window.still && location.hash === `#${document.activeElement.id}`),
		'sent, it has the focus, on the page that was there;');

	await press(page.locator('.comment:focus').getByRole('link', { name: 'Edit' }));
	await focused('.comment .here textarea');
	await page.keyboard.type(' Or so.');
	await press(here.getByRole('button', { name: 'Save' }));
	await page.locator('.comment:focus', { hasText: `${words} Or so.` }).waitFor();
	ok(await page.evaluate(() => window.still), 'it is edited in its place;');

	const written = page.locator('.comment:focus'), reply = written.getByRole('link', { name: 'Reply' });
	await press(reply);
	await focused('.comment .here textarea');
	await page.keyboard.type('Half a th');
	await Promise.all([drafted(), page.keyboard.press('Escape')]);
	ok(await here.count() === 0 && await page.locator('a.reply:focus').count() === 1, 'Escape closes a reply, and leads back;');
	await page.keyboard.press('Enter');
	await here.getByText('it was kept').waitFor();
	is(await field.inputValue(), 'Half a th', 'opened again, the draft is there;');
	await look(page, wrong, tools.axe, 'a draft in place', file('draft'));
	await press(here.getByRole('link', { name: 'Quote it' }));
	await page.waitForFunction(() => document.querySelector('.here textarea').value.startsWith('> '));
	ok((await field.inputValue()).endsWith('Half a th'), 'a quote stands before it.');
	await press(here.getByRole('button', { name: 'Discard' }));
	await page.waitForFunction(() => document.querySelector('.here textarea').value === '');
	await press(here.getByRole('link', { name: 'Back' }));
	await focused('a.reply');
	ok(await page.evaluate(() => window.still), 'Discarded and closed, it is still the same page.');
	await page.keyboard.press('Enter');
	await focused('.comment .here textarea');
	await page.keyboard.type('Nobody is signed in.');
	await context.clearCookies();
	await press(here.getByRole('button', { name: 'Send' }));
	await here.getByText('Sign in anew').waitFor();
	is(await field.inputValue(), 'Nobody is signed in.', 'Who is signed out meanwhile is told, and loses nothing.');
	await context.close();
}

// A vote is one of the buttons of all comments, and leads back to where it was pressed.
async function votes(javaScriptEnabled) {
	const { context, page } = await open(browser, origin, { viewport: { width: 390, height: 900 }, javaScriptEnabled });
	const button = (p) => p.getByRole('button', { name: /^Up: vote for the comment of Kofi/ }).first();

	await sign_in(page, javaScriptEnabled ? 'ingrid' : 'noor');
	await page.goto(`${origin}${POST}?comments=oldest`);
	await button(page).focus();
	await page.keyboard.press('Enter');
	await page.waitForURL(/\?comments=oldest#c-[0-9a-z]{14}$/);
	is(await button(page).getAttribute('aria-pressed'), 'true', 'A vote is counted, and can be seen;');
	const id = (await button(page).getAttribute('value')).split(':')[0];
	await button(page).click();
	await page.locator(`button[value="${id}:up"][aria-pressed=false]`).waitFor();
	ok(true, '... pressed again, it is taken back.');
	await page.locator('summary', { hasText: 'replies' }).first().click();
	ok(await page.locator('.replies[open]').count() < await page.locator('.replies').count(), 'Replies can be closed.');
	await context.close();
}

// A moderator pins a thread and closes it, by buttons beside its first comment; whoever was typing has the text back.
async function closes(javaScriptEnabled) {
	const { context, page, wrong } = await open(browser, origin, { viewport: { width: 390, height: 900 }, javaScriptEnabled });
	const reader = await open(browser, origin, { viewport: { width: 390, height: 900 }, javaScriptEnabled });
	const looked = async (p, bad, name) => { if (javaScriptEnabled) await look_here(p, bad, name); };
	const words = 'Half a thought about the tide.';

	for (const p of [page, reader.page])
		p.on('response', (answer) => {
			if (answer.request().isNavigationRequest()) p.as_sent = answer;
		});
	await sign_in(page, 'tobias');
	await page.goto(`${origin}${POST}?comments=oldest`);
	const first = page.locator('.thread > li > .comment').first(), id = await first.getAttribute('id');
	await sign_in(reader.page, 'lowri');
	await reader.page.goto(`${origin}${POST}/comment?to=${id.slice(2)}`);
	await reader.page.getByLabel('Comment').fill(words);
	await first.getByRole('button', { name: /^Pin/ }).click();
	await page.waitForURL(new RegExp(`#${id}$`));
	await page.locator(`#${id}`).getByText('Pinned', { exact: true }).waitFor();
	await page.locator(`#${id}`).getByRole('button', { name: /^Close/ }).click();
	await page.locator(`#${id}`).getByText('Closed', { exact: true }).waitFor();
	ok(true, 'A thread is pinned and closed beside its first comment,');
	await looked(page, wrong, 'closed-thread');
	await reader.page.getByRole('button', { name: 'Send' }).click();
	await reader.page.getByText('This thread is closed.').waitFor();
	is(await reader.page.getByLabel('Comment').inputValue(), words, '... and whoever was typing has the text back.');
	await looked(reader.page, reader.wrong, 'thread-closed-meanwhile');
	await page.getByRole('link', { name: 'Manage the comments' }).click();
	await page.getByRole('button', { name: 'Close the comments' }).click();
	await page.getByRole('button', { name: 'Reopen the comments' }).waitFor();
	await looked(page, wrong, 'discussion-closed');
	ok((await (await fetch(origin + POST)).text()).includes('The comments here are closed.'), 'All comments are closed,');
	for (const name of ['Reopen the comments', 'Reopen thread', 'Unpin']) {
		await page.getByRole('button', { name }).click();
		await page.getByRole('button', { name }).waitFor({ state: 'detached' });
	}
	ok((await (await fetch(origin + POST)).text()).includes('Write a comment'), '... and open again.');
	await context.close();
	await reader.context.close();
}

// An author hides what somebody says under a post of theirs, and restores it.
async function hosts(javaScriptEnabled) {
	const { context, page, wrong } = await open(browser, origin, { viewport: { width: 390, height: 900 }, javaScriptEnabled });
	const looked = async (name) => { if (javaScriptEnabled) await look_here(page, wrong, name); };

	page.on('response', (answer) => {
		if (answer.request().isNavigationRequest()) page.as_sent = answer;
	});
	await sign_in(page, 'kofi');
	await page.goto(`${origin}${POST}?comments=oldest`);
	const comment = page.locator('.comment', { has: page.getByRole('link', { name: /^Moderate/ }) }).first();
	const id = await comment.getAttribute('id');
	await comment.getByRole('link', { name: /^Moderate/ }).click();
	await page.getByRole('button', { name: 'Hide it' }).click();
	await page.getByText('Its author is told why: write it here.').waitFor();
	await looked('comment-decide-refused');
	await page.getByLabel('Why').fill('Not about tides.');
	await page.getByRole('button', { name: 'Hide it' }).click();
	await page.getByText('It is hidden. Its author is told why.').waitFor();
	await looked('discussion-hidden');
	ok((await (await fetch(origin + POST)).text()).includes('hidden by the author of the post'), 'An author hides a comment,');
	await page.getByRole('link', { name: /Not about tides/ }).click();
	await looked('comment-hidden');
	await page.getByRole('button', { name: 'Restore it' }).click();
	await page.locator(`#${id}`).waitFor();
	ok(!(await (await fetch(origin + POST)).text()).includes('hidden by the author'), '... and restores it.');
	await context.close();
}

// One whom nobody knows yet: a password of their own, and nothing said before.
async function waits() {
	const { context, page, wrong } = await open(browser, origin, { viewport: { width: 390, height: 900 } });
	const staff = await open(browser, origin, { viewport: { width: 1280, height: 900 } });

	// What comes as an answer to a form is looked at as it was sent.
	await context.route(/\/static\/comments\./, (route) => route.fulfill({ contentType: 'text/javascript', body: '' }));
	for (const p of [page, staff.page])
		p.on('response', (answer) => {
			if (answer.request().isNavigationRequest()) p.as_sent = answer;
		});
	stack.command('user', 'create', 'newcomer', 'newcomer@example.org');
	await sign_in(page, 'newcomer');
	await page.goto(`${origin}${POST}/comment`);
	await look_here(page, wrong, 'first-comment');
	await page.getByRole('button', { name: 'Send' }).click();
	await page.getByText('Write something first.').waitFor();
	await look_here(page, wrong, 'empty-comment');
	await page.getByLabel('Comment').fill('Is there one for *lakes*, too?');
	await page.getByRole('button', { name: 'Preview' }).click();
	await look_here(page, wrong, 'comment-preview');
	await page.goto(`${origin}${POST}/comment`);
	await look_here(page, wrong, 'comment-draft');
	await page.getByRole('button', { name: 'Send' }).click();
	await page.waitForURL(/#c-/);
	const own = page.locator(new URL(page.url()).hash);
	ok(await own.getByText('Waiting for an editor').isVisible(), 'Who is new sees that it waits.');
	await look_here(page, wrong, 'held-comment');
	await page.goto(`${origin}${POST}/comment`);
	await page.getByLabel('Comment').fill('And for rivers?');
	await page.getByRole('button', { name: 'Send' }).click();
	await page.getByText('You can send it in').waitFor();
	is(await page.getByLabel('Comment').inputValue(), 'And for rivers?', 'A limit keeps what was typed.');
	await look_here(page, wrong, 'comment-limit');

	await sign_in(staff.page, 'tobias');
	await staff.page.goto(`${origin}/admin/comments`);
	await look_here(staff.page, staff.wrong, 'comment-queue');
	await staff.page.locator('li', { hasText: 'lakes' }).getByRole('button', { name: 'Approve' }).click();
	await staff.page.getByText('It is there for everybody.').waitFor();
	ok((await (await fetch(origin + POST)).text()).includes('<em>lakes</em>'), 'Approved, it is for everybody.');
	await context.close();
	await staff.context.close();
}

with_site(async ({ output, ...site }) => {
	({ stack, origin, tools, browser } = site);
	screenshots = output('commenting');
	await writes();
	await in_place();
	await votes(false);
	await votes(true);
	for (const script of [false, true]) {
		await closes(script);
		await hosts(script);
	}
	await waits();
	const { context, page } = await open(browser, origin, {});
	await sign_in(page, 'marta');
	const cookies = await context.cookies();
	const text = async (address) => (await context.request.get(origin + address)).text();
	const to = (await text(POST)).match(/comment\?to=([0-9a-z.]+)/)[1];
	const thread = (await text(POST)).match(/\/thread\/[0-9a-z.]+\.[0-9a-z]+(?=#)/)[0];
	const pages = { 'thread': POST + thread, 'in-order': `${POST}?comments=newest`, 'newest-comments': '/comments', 'best-comments': '/comments/best' };
	const decided = { discussion: `${POST}/discussion`, decide: `${POST}/comment/decide?at=${to}`, 'public-log': '/moderation' };
	for (const [name, address] of Object.entries({ ...pages, ...decided }))
		await valid_html(tools.validator, { [name]: await text(address) });
	await context.close();
	await looks(browser, origin, tools.axe, screenshots,
		{ ...pages, comment: `${POST}/comment`, reply: `${POST}/comment?to=${to}&quote=1`, queue: '/admin/comments', overview: '/admin', ...decided },
		(p) => p.context().addCookies(cookies));
});
