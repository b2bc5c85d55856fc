#!/usr/bin/env node
// What moderators do, in a browser, without scripts and with them: several comments are hidden at once, a profile is flagged, hidden
// and answered, somebody is purged and let in again, somebody is suspended. Each page of it is looked at as all others are.
'use strict';
const path = require('node:path');
const { fill_in, is, look, looks, ok, open, valid_html, with_site } = require('./checks.js');

const PHONE = { width: 390, height: 900 };

let stack, origin, screenshots, tools, browser;

async function sign_in(page, name) {
	const password = stack.command('user', 'reset', name).trim().split(' ')[1];

	await page.goto(`${origin}/login`);
	await fill_in(page, 'login', { name, password });
}

// A page of somebody who is signed in, which knows its last answer as it was sent.
async function visit(name, javaScriptEnabled = true) {
	const visitor = await open(browser, origin, { viewport: PHONE, javaScriptEnabled });

	visitor.page.on('response', (answer) => {
		if (answer.request().isNavigationRequest()) visitor.page.as_sent = answer;
	});
	await sign_in(visitor.page, name);
	return visitor;
}

// axe is a script of the test's own, so only pages that may run scripts are looked at.
async function look_here({ page, wrong }, name) {
	await look(page, wrong, tools.axe, name, path.join(screenshots, name));
	await valid_html(tools.validator, { [name]: await page.as_sent.text() });
}

async function look_at(visitor, name, address) {
	await visitor.page.goto(origin + address);
	await look_here(visitor, name);
}

// By check boxes, a choice and two buttons; the dry run does nothing.
async function several(scripts) {
	const { context, page, ...rest } = await visit('tobias', scripts);
	const says = (text) => page.getByText(text).first().waitFor();

	await page.goto(`${origin}/admin/comments?show=newest`);
	const all = await page.locator('input[name=pick]').count();
	// Nobody decides on what is theirs.
	const boxes = page.locator('li', { has: page.getByRole('button', { name: 'Hide: other' }) }).locator('input[name=pick]');
	await boxes.nth(0).focus();
	await page.keyboard.press('Space');
	await boxes.nth(1).check();
	await page.getByLabel('Those chosen:').selectOption({ label: 'Hide: off topic' });
	await page.getByRole('button', { name: 'What would this do?' }).click();
	await says('2 would be done.');
	is(await page.getByText('It would be hidden. Its author is told: It is off topic.').count(), 2,
		`What would become of each is said (scripts: ${scripts}),`);
	if (scripts) await look_here({ page, ...rest }, 'bulk-dry-run');
	await page.getByRole('button', { name: 'Do it: Hide: off topic' }).click();
	await says('2 done.');
	if (scripts) await look_here({ page, ...rest }, 'bulk-done');
	await page.goto(`${origin}/admin/comments?show=newest`);
	ok(await page.locator('input[name=pick]').count() <= all, '... and done by a second button.');
	await page.goto(`${origin}/admin/comments?show=hidden`);
	is(await page.getByText('It is off topic.').count() >= 2, true, 'The list of what was hidden has both;');
	await page.getByRole('button', { name: 'Restore' }).first().click();
	await says('It is there for everybody again.');
	ok(true, '... and one is restored.');
	await context.close();
}

async function flags() {
	const noor = await visit('noor'), tobias = await visit('tobias'), pascal = await visit('pascal');

	await look_at(noor, 'flag-form', '/flag/profile/pascal');
	await fill_in(noor.page, 'flag', { reason: 'spam', note: 'He sells his bench.' });
	await noor.page.getByText('You have flagged this.').waitFor();
	await look_here(noor, 'flagged');
	await look_at(tobias, 'queue', '/admin/comments');
	await tobias.page.locator('#flagged li', { hasText: 'The profile of' }).getByRole('button', { name: 'Hide: advertising' }).click();
	await tobias.page.getByText('It is hidden.').waitFor();
	ok(!(await (await fetch(`${origin}/author/pascal`)).text()).includes('Keeper of the Bell'), 'A flagged profile is hidden.');
	await look_at(pascal, 'restricted', '/account/restricted');
	await pascal.page.getByRole('link', { name: 'Answer' }).click();
	await pascal.page.getByLabel('Your answer').waitFor();
	await look_here(pascal, 'restricted-answer');
	await pascal.page.keyboard.type('It is my bench.');
	await pascal.page.getByRole('button', { name: 'Send' }).click();
	await pascal.page.getByText('Your answer: It is my bench.').waitFor();
	await look_at(tobias, 'queue-answered', '/admin/comments');
	await tobias.page.locator('#replies li').getByRole('button', { name: 'Keep it hidden' }).click();
	await tobias.page.getByText('It stays hidden.').waitFor();
	await look_at(tobias, 'queue-hidden', '/admin/comments?show=hidden');
	await tobias.page.locator('#things li').getByRole('button', { name: 'Restore' }).click();
	await tobias.page.getByText('It is there for everybody again.').waitFor();
	ok((await (await fetch(`${origin}/author/pascal`)).text()).includes('Keeper of the Bell'), 'Answered and restored, it is there again.');
	for (const { context } of [noor, tobias, pascal]) await context.close();
}

// A note is held back with a reason, which its author reads; what a deleted comment said is there for who moderates.
async function notes() {
	const link = '/post/noaa-tides-and-currents', tide = '/post/the-tide-in-forty-lines-of-c';
	const tobias = await visit('tobias'), pascal = await visit('pascal'), lowri = await visit('lowri');

	await look_at(tobias, 'note-hold', `${link}/rating/hold?of=pascal`);
	await fill_in(tobias.page, 'hold', { why: 'It is not about tides.' });
	await look_at(tobias, 'notes-held', '/admin/reviews');
	await look_at(pascal, 'note-held', `${link}/reviews`);
	await pascal.page.getByRole('link', { name: 'The note waits for an editor: why' }).click();
	await pascal.page.getByText('It is not about tides.').waitFor();
	await look_here(pascal, 'note-why');
	ok(await pascal.page.getByRole('link', { name: 'Answer' }).isVisible(), 'Whose note is held back reads why, and can answer.');
	const say = async ({ page }, text) => {
		await page.goto(`${origin}${tide}/comment`);
		await page.getByRole('textbox').first().fill(text);
		await page.locator('button[value=send]').click();
		await page.waitForURL(/#c-/);
		return page.url().slice(-14);
	};
	const at = await say(lowri, 'Soon to be taken back.');
	await look_at(pascal, 'vote-question', `${tide.replace('post', 'vote')}?comment=${at}:up`);
	await look_at(pascal, 'like-question', `${tide.replace('post', 'react')}?like=like`);
	const rude = await say(pascal, 'Soon to be hidden.');
	await tobias.page.goto(`${origin}${tide}/comment/decide?at=${rude}`);
	await tobias.page.getByLabel('Why').fill('It is rude.');
	await tobias.page.getByRole('button', { name: 'Hide it' }).click();
	await tobias.page.waitForURL((url) => !url.pathname.endsWith('/decide'));
	await look_at(pascal, 'comment-answer', `${tide}/comment/answer?at=${rude}`);
	await look_at(lowri, 'comment-delete', `${tide}/comment/delete?at=${at}`);
	await lowri.page.locator('main form button').first().click();
	await lowri.page.waitForURL((url) => !url.pathname.endsWith('/delete'));
	await look_at(tobias, 'comment-deleted', `${tide}/comment/decide?at=${at}`);
	ok((await tobias.page.textContent('main')).includes('Soon to be taken back.'), 'A deleted comment is there for who moderates.');
	for (const { context } of [tobias, pascal, lowri]) await context.close();
}

async function purges(scripts) {
	const marta = await visit('marta', scripts), { page } = marta;

	await page.goto(`${origin}/admin/users/pascal/purge`);
	ok(await page.getByText(/\d+ comments?/).first().isVisible(), `A purge says what would go (scripts: ${scripts});`);
	if (scripts) await look_here(marta, 'purge');
	await fill_in(page, 'purge', { hours: 'hour', name: 'kofi' });
	await page.getByText('That is not the name of this person.').first().waitFor();
	if (scripts) await look_here(marta, 'purge-refused');
	await fill_in(page, 'purge', { hours: 'hour', name: 'pascal' });
	await page.getByText('Their account is disabled').waitFor();
	if (scripts) await look_here(marta, 'purged');
	await page.getByRole('button', { name: 'Restore all' }).click();
	await page.getByText('It is coming back').waitFor();
	ok(true, '... wants the name of the person, and can be restored.');
	await marta.context.close();
}

async function suspends() {
	const marta = await visit('marta'), pascal = await visit('pascal');

	await look_at(marta, 'suspend', '/admin/users/pascal/suspend');
	await fill_in(marta.page, 'suspend', { days: '3', why: 'Three benches in a row.' });
	await marta.page.getByText('They are suspended').waitFor();
	await look_at(pascal, 'suspended', '/account/suspension');
	await fill_in(pascal.page, 'answer', { text: 'Two.' });
	await pascal.page.getByText('Sent. The staff read it.').waitFor();
	await look_at(marta, 'appeals', '/admin/appeals');
	await look_at(marta, 'trace', '/admin/users/pascal/trace');
	await look_at(marta, 'person', '/admin/person/pascal');
	await look_at(marta, 'addresses', '/admin/addresses');
	await look_at(marta, 'moderation-log', '/moderation');
	await marta.page.goto(`${origin}/admin/users/pascal/suspend`);
	await marta.page.getByRole('button', { name: 'End it now' }).click();
	await marta.page.getByText('The suspension is over.').waitFor();
	ok(true, 'A suspension is answered, and ended by hand.');
	for (const { context } of [marta, pascal]) await context.close();
}

// The table of numbers, with one that is wrong, and the lists.
async function rules() {
	const marta = await visit('marta'), { page } = marta;

	await page.goto(`${origin}/admin/moderation`);
	await page.getByLabel('Known: links in a comment').fill('many');
	await page.getByRole('button', { name: 'Save' }).click();
	await page.getByText('Something is not right yet').waitFor();
	is(await page.locator('.numbers [aria-invalid=true]').inputValue(), 'many', 'A wrong number stays in the table, marked.');
	await look_here(marta, 'rules-refused');
	await page.goto(`${origin}/admin/moderation`);
	await fill_in(page, 'moderation', { words: 'casino' });
	await page.getByText('Saved. It holds from now on.').waitFor();
	await page.goto(`${origin}/admin/moderation/try`);
	await fill_in(page, 'try', { text: 'At the casino.' });
	await page.getByText('it has the word').waitFor();
	await look_here(marta, 'lists-tried');
	const cookies = await marta.context.cookies();
	await looks(browser, origin, tools.axe, screenshots,
		{ 'rules': '/admin/moderation', 'queue-newest': '/admin/comments?show=newest' }, (p) => p.context().addCookies(cookies));
	await marta.context.close();
}

with_site(async ({ output, ...site }) => {
	({ stack, origin, tools, browser } = site);
	screenshots = output('moderating');
	await several(false);
	await several(true);
	await flags();
	await notes();
	await purges(false);
	await purges(true);
	await suspends();
	await rules();
});
