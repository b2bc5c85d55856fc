#!/usr/bin/env node
// Comments in a browser, without scripts and by keyboard: one is written, looked at, sent and answered; what somebody new
// writes waits until it is approved. The pages that only those see who are signed in are looked at as all others are.
'use strict';
const path = require('node:path');
const { bail_out, fill_in, finish, is, launch, load_tools, look, looks, ok, open, valid_html } = require('./checks.js');

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

async function writes(javaScriptEnabled) {
	const { context, page } = await open(browser, origin, { viewport: { width: 390, height: 900 }, javaScriptEnabled });
	const words = `The tide waits for nobody, ${javaScriptEnabled ? 'with scripts' : 'without'}.`;

	await sign_in(page, javaScriptEnabled ? 'ingrid' : 'pascal');
	await page.goto(origin + POST);
	await page.getByRole('link', { name: 'Write a comment' }).click();
	await page.locator('textarea:focus').waitFor();
	await page.keyboard.type(words);
	await page.getByRole('button', { name: 'Preview' }).click();
	ok(await page.locator('#preview', { hasText: words }).isVisible(), `A preview shows what it will be (${words})`);
	is(await page.getByLabel('Comment').inputValue(), words, '... and the text is there still;');
	await page.getByRole('button', { name: 'Send' }).click();
	await page.waitForURL(/#c-[0-9a-z]{14}$/);
	const written = page.locator(new URL(page.url()).hash);
	ok(await written.getByText(words).isVisible(), 'sent, it is where its address says,');
	await written.getByRole('link', { name: 'Reply' }).click();
	await page.getByRole('link', { name: 'Quote it' }).click();
	ok((await page.getByLabel('Comment').inputValue()).startsWith(`> ${words}`), 'and can be quoted.');
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

// One whom nobody knows yet: a password of their own, and nothing said before.
async function waits() {
	const { context, page, wrong } = await open(browser, origin, { viewport: { width: 390, height: 900 } });
	const staff = await open(browser, origin, { viewport: { width: 1280, height: 900 } });

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

async function main() {
	const { start_stack, output } = await import('./stack.mjs');

	tools = load_tools();
	stack = await start_stack();
	try {
		origin = stack.url;
		screenshots = output('commenting');
		browser = await launch(tools);
		try {
			await writes(false);
			await writes(true);
			await votes(false);
			await votes(true);
			await waits();
			const { context, page } = await open(browser, origin, {});
			await sign_in(page, 'marta');
			const cookies = await context.cookies();
			const text = async (address) => (await context.request.get(origin + address)).text();
			const to = (await text(POST)).match(/comment\?to=([0-9a-z.]+)/)[1];
			const thread = (await text(POST)).match(/\/thread\/[0-9a-z.]+\.[0-9a-z]+(?=#)/)[0];
			const pages = { 'thread': POST + thread, 'in-order': `${POST}?comments=newest`, 'newest-comments': '/comments', 'best-comments': '/comments/best' };
			for (const [name, address] of Object.entries(pages))
				await valid_html(tools.validator, { [name]: await text(address) });
			await context.close();
			await looks(browser, origin, tools.axe, screenshots,
				{ ...pages, comment: `${POST}/comment`, reply: `${POST}/comment?to=${to}&quote=1`, queue: '/admin/comments', overview: '/admin' },
				(p) => p.context().addCookies(cookies));
		} finally {
			await browser.close();
		}
	} finally {
		await stack.stop();
	}
	finish();
}

main().catch((error) => bail_out(error.stack));
