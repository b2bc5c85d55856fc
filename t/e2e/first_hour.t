#!/usr/bin/env node
// The first hour of a publication, from an empty table to its first post, in a browser without scripts and once more with them: by
// the link that the program leaves, somebody becomes the first admin, does what the overview says, and invites an author, who
// publishes. The pages and clicks that it takes are counted, so that they do not become more.
'use strict';
const fs = require('node:fs');
const path = require('node:path');
const { fill_in, is, ok, open, with_site } = require('./checks.js');

const PASSWORD = 'four words in a row';
const PAGES_MAX = 15, CLICKS_MAX = 14;

let origin, scripts, pages, clicks;

const heading = (page) => page.locator('h1').innerText();

// What leads to another page.
async function leads(page, act) {
	clicks++;
	await Promise.all([page.waitForNavigation(), act]);
}

// A link or a button, by what it says.
const press = (page, where, role, name) =>
	leads(page, page.locator(where).getByRole(role, { name, exact: true }).first().click());
const send = (page, form, fields) => leads(page, fill_in(page, form, fields));

// Somebody's own browser.
async function comes(browser) {
	const theirs = await open(browser, origin, {
		javaScriptEnabled: scripts,
		...(scripts ? { timezoneId: 'Europe/Lisbon', permissions: ['clipboard-read', 'clipboard-write'] } : {}),
	});
	theirs.page.on('domcontentloaded', () => pages++);
	return theirs;
}

// What is still to be done, on the overview.
async function steps(page) {
	await press(page, '.rooms', 'link', 'Overview');
	return page.locator('#steps a').allInnerTexts();
}

async function becomes_admin(page, dir) {
	const file = path.join(dir, 'first-admin');
	is(fs.statSync(file).mode & 0o777, 0o600, 'The link of the first admin is in a file that its owner alone can read.');
	await page.goto(fs.readFileSync(file, 'utf8').trim());
	await send(page, 'register', { username: 'inga', email: 'inga@example.org', password: PASSWORD });
	is(await heading(page), 'Overview', 'Whoever registers by it stands before the overview,');
	const left = await page.locator('#steps a').allInnerTexts();
	for (const step of ['Name the publication', 'Choose its time zone', 'Make a category', 'Write the first post', 'Invite an author'])
		ok(left.includes(step), `... which says what to do: ${step}.`, left);
}

async function sets_up(page) {
	await press(page, '#steps', 'link', 'Name the publication');
	is(await page.inputValue('#settings-time_zone'), scripts ? 'Europe/Lisbon' : '',
		scripts ? 'The browser’s time zone is suggested.' : 'Without scripts no time zone is suggested.');
	await send(page, 'settings', { name: 'The Ferry Post', tagline: 'Across and back',
		...(scripts ? {} : { time_zone: 'Europe/Lisbon' }) });
	await press(page, '.rooms', 'link', 'Categories');
	await send(page, 'category', { name: 'Crossings' });
	ok((await page.locator('.sections').innerText()).includes('Crossings'), 'A category stands at the head of each page.');
}

// The link that is made for whoever is to write.
async function invites(page) {
	await press(page, '.rooms', 'link', 'Invitations');
	await send(page, 'invite', { whom: 'aldo@example.org', role: 'author' });
	const link = await page.inputValue('.copy');
	if (scripts) {
		clicks++;
		await page.getByRole('button', { name: 'Copy' }).click();
		await page.getByRole('button', { name: 'Copied' }).waitFor();
		is(await page.evaluate(() => navigator.clipboard.readText()), link, 'A button copies the link of an invitation.');
	} else is(await page.getByRole('button', { name: 'Copy' }).count(), 0, 'Without scripts there is no button that does nothing.');
	return link;
}

async function writes(page, link) {
	await page.goto(link);
	ok((await page.locator('main').innerText()).includes('You are invited as an author'), 'The invitation says as what.');
	is(await page.inputValue('#register-email'), 'aldo@example.org', 'The address is filled in.');
	await send(page, 'register', { username: 'aldo', display_name: 'Aldo Reis', password: PASSWORD });
	is(await heading(page), 'Your desk', 'Who is invited as an author begins at their desk,');
	await press(page, 'main', 'link', 'Write something new');
	await press(page, 'main', 'link', 'Article');
	await page.fill('[name=title]', 'The first boat');
	await page.fill('[name=excerpt]', 'It leaves at six.');
	await page.fill('[name=markdown]', 'It is *dark* then.');
	await page.selectOption('[name=category]', { label: 'Crossings' });
	await press(page, '.deeds', 'button', 'Publish');
	is(new URL(page.url()).pathname, '/post/the-first-boat', '... writes, and publishes.');
}

with_site(async ({ stack, browser, ...site }) => {
	({ origin, round: scripts } = site);
	pages = clicks = 0;
	const admin = await comes(browser), author = await comes(browser);
	await becomes_admin(admin.page, stack.dir);
	await sets_up(admin.page);
	const link = await invites(admin.page);
	await writes(author.page, link);
	await press(author.page, '.masthead', 'link', 'The Ferry Post');
	is(await author.page.locator('.lead h2').innerText(), 'The first boat', 'It leads the front page.');
	const left = await steps(admin.page);
	ok(!left.includes('Write the first post') && !left.includes('Invite an author'), 'All that is done is off the list.', left);
	console.log(`# ${pages} pages, ${clicks} clicks`);
	ok(pages <= PAGES_MAX && clicks <= CLICKS_MAX, `That took ${PAGES_MAX} pages and ${CLICKS_MAX} clicks at most.`, `${pages}, ${clicks}`);
	ok(admin.wrong.length + author.wrong.length === 0, 'Nothing went wrong on the way.', admin.wrong, author.wrong);
	await admin.context.close();
	await author.context.close();
}, { empty: true, rounds: [false, true] });
