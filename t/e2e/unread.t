#!/usr/bin/env node
// static/unread.js: how much is unread is looked up again while the page is seen, once a minute, and not when it is hidden. The
// minutes are those of the browser's clock, which the test sets.
'use strict';
const { fill_in, is, ok, open, with_site } = require('./checks.js');

const COUNT = '/account/notifications/count', LINK = '.account a[href="/account/notifications"]';
const HALF_A_MINUTE = 30000, TWO_MINUTES = 120000;

// As if its tab were covered by another one, or seen again.
async function hide(page, hidden) {
	await page.evaluate((value) => {
		Object.defineProperty(document, 'hidden', { value, configurable: true });
		document.dispatchEvent(new Event('visibilitychange'));
	}, hidden);
}

const until = (page, text) =>
	page.waitForFunction(([link, wanted]) => document.querySelector(link).textContent === wanted, [LINK, text]);

async function looks_up(page, origin) {
	const answers = { unread: 3 };
	let asked = 0;

	await page.goto('about:blank'); // nothing else asks
	await page.route(`**${COUNT}`, async (route) => {
		asked++;
		await (answers.unread === null ? route.abort() : route.fulfill({ json: answers }));
	});
	await page.clock.install();
	await page.clock.pauseAt(Date.now() + TWO_MINUTES); // what the machine takes is no part of it
	await page.goto(`${origin}/`);
	await page.clock.runFor(HALF_A_MINUTE);
	is(asked, 0, 'A page that has just come does not ask how much is unread;');
	await page.clock.runFor(HALF_A_MINUTE);
	await until(page, 'Notifications (3)');
	is(asked, 1, '... it does after a minute, and says so.');
	await hide(page, true);
	await page.clock.runFor(TWO_MINUTES);
	is(asked, 1, 'While it is hidden it does not ask;');
	answers.unread = 120;
	await hide(page, false);
	await until(page, 'Notifications (99+)');
	is(asked, 2, '... it does at once when it is seen again.');
	await hide(page, true);
	await hide(page, false);
	await page.clock.runFor(HALF_A_MINUTE);
	is(asked, 2, 'Who goes to and fro makes it ask no more often.');
	answers.unread = null;
	const fails = page.waitForEvent('requestfailed');
	await page.clock.runFor(2 * HALF_A_MINUTE);
	await fails;
	is(asked, 3, 'Without an answer');
	is(await page.locator(LINK).textContent(), 'Notifications (99+)', '... what stands there stays.');
	answers.unread = 0;
	await page.clock.runFor(TWO_MINUTES);
	await until(page, 'Notifications');
	ok(true, 'When all is read there is no number.');
}

// The program's own answer.
async function is_answered(page, origin) {
	await page.unroute(`**${COUNT}`);
	const comes = page.waitForResponse((response) => response.url() === `${origin}${COUNT}`);
	await page.clock.runFor(TWO_MINUTES);
	const answer = await comes;
	const { unread } = await answer.json();
	ok(Number.isInteger(unread) && unread >= 0, 'The program answers with a number.', JSON.stringify(unread));
	await until(page, unread === 0 ? 'Notifications' : `Notifications (${unread > 99 ? '99+' : unread})`);
	ok(/no-store/.test(answer.headers()['cache-control']), '... which nobody keeps.');
}

with_site(async ({ stack, browser, origin }) => {
	const { page, context, wrong } = await open(browser, origin, {});
	const password = stack.command('user', 'reset', 'noor').trim().split(' ')[1];

	await page.goto(`${origin}/login`);
	is(await page.locator('script[src*="unread"]').count(), 0, 'Who is not signed in does not get the script.');
	await fill_in(page, 'login', { name: 'noor', password });
	await looks_up(page, origin);
	await is_answered(page, origin);
	is(wrong.filter((what) => !/ERR_FAILED|no answer from/.test(what)).join('\n'), '', 'Nothing else went wrong.');
	await context.close();
});
