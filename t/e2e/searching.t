#!/usr/bin/env node
// Searching as readers do: from the box in the masthead by keyboard, without scripts; and, with them, words that the browser
// offers while one types.
'use strict';
const { is, ok, open, with_site } = require('./checks.js');

const BOX = '.masthead input[name=q]';

async function without_script(browser, origin) {
	const { page, context, wrong } = await open(browser, origin, { javaScriptEnabled: false });

	await page.goto(`${origin}/`);
	await page.fill(BOX, 'tide program');
	await page.press(BOX, 'Enter');
	await page.waitForURL('**/search?**');
	ok((await page.locator('.hits li').count()) > 1, 'The box in the masthead finds posts.');
	ok((await page.locator('.hits mark').count()) > 1, 'Words are marked in them.');
	is(await page.inputValue('#q'), 'tide program', 'What was typed stays.');
	await page.click('nav[aria-label=Kind] a >> nth=0');
	ok((await page.inputValue('#q')).includes('kind:'), 'A filter is a word of the query.');
	await page.goto(`${origin}/search?q=harbuor`);
	await page.click('.suggestion a');
	is(await page.inputValue('#q'), 'harbour', 'A typo is corrected by a click.');
	is(wrong.join('\n'), '', 'Nothing went wrong.');
	await context.close();
}

async function with_script(browser, origin) {
	const { page, context, wrong } = await open(browser, origin, {});
	const offered = `${BOX} + datalist option`;

	await page.goto(`${origin}/`);
	await page.locator(BOX).pressSequentially('clock tid');
	await page.waitForSelector(offered, { state: 'attached' });
	ok(
		(await page.locator(offered).evaluateAll((all) => all.map((o) => o.value))).includes('clock tide'),
		'While one types, the word is completed.',
	);
	await page.route('**/search/suggest**', (route) => route.abort());
	const fails = page.waitForEvent('requestfailed');
	await page.fill(BOX, 'harb');
	await fails;
	await page.press(BOX, 'Enter');
	await page.waitForURL('**/search?**');
	ok(true, 'Without an answer the box is a box.');
	is(wrong.filter((what) => !/ERR_FAILED|no answer from/.test(what)).join('\n'), '', 'Nothing else went wrong.');
	await context.close();
}

with_site(async ({ stack, browser, origin }) => {
	await stack.derived();
	await without_script(browser, origin);
	await with_script(browser, origin);
}, { worker: true });
