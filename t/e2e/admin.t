#!/usr/bin/env node
// The staff's days, in a browser without scripts: who asks to come in is let in, promoted and shut out; groups,
// categories and settings are changed, and the site with them. All of the staff's pages are looked at.
'use strict';
const { fill_in, is, looks, ok, open, valid_html, with_site } = require('./checks.js');

let stack, origin, tools, browser;

const PASSWORD = 'four words in a row';
const given = (name) => stack.command('user', 'reset', name).trim().split(' ')[1];
const title = (page) => page.locator('h1').innerText();

async function sign_in(page, name, password) {
	await page.goto(`${origin}/login`);
	await fill_in(page, 'login', { name, password });
}

// A button or a link of the page itself, by what it says.
async function press(page, role, name) {
	await page.locator('main').getByRole(role, { name }).first().click();
	await page.waitForLoadState();
}

// --- Flows -----------------------------------------------------------------------------------------------

async function lets_in(admin, person) {
	await admin.goto(`${origin}/admin/settings`);
	await fill_in(admin, 'settings', { registration: 'approval', tagline: 'Twice a day' });
	is(await admin.locator('.notice').innerText(), 'Saved, and on every page from now on.', 'Settings are saved,');
	await person.goto(`${origin}/register`);
	is(await person.locator('.tagline').innerText(), 'Twice a day', '... and show on the next page.');
	await fill_in(person, 'register', { username: 'edda', email: 'edda@example.org', password: PASSWORD });
	is(await title(person), 'Thank you', 'Somebody asks to come in.');
	await admin.goto(origin);
	await admin.locator('.account').getByRole('link', { name: 'Admin' }).click();
	await press(admin, 'link', 'edda');
	await press(admin, 'button', 'Let in');
	is(await admin.locator('.notice').innerText(), 'They may sign in now.', 'They are let in,');
	await sign_in(person, 'edda', PASSWORD);
	await person.goto(`${origin}/account`);
	is(await title(person), 'Your account', '... and come in.');
}

async function promotes(admin, person) {
	await admin.goto(`${origin}/admin/users?q=ed`);
	await press(admin, 'link', 'edda');
	await fill_in(admin, 'role', { role: 'author' });
	await person.goto(`${origin}/account`);
	is(await title(person), 'Your account', 'Another role signs nobody out,');
	ok(await person.locator('.account').getByRole('link', { name: 'Write' }).isVisible(), '... and holds at once.');
	is(await person.locator('.account').getByRole('link', { name: 'Admin' }).count(), 0, 'They have no staff pages.');
}

async function groups(admin, person) {
	await admin.goto(`${origin}/admin/groups`);
	await admin.getByLabel('Order the tree of categories').check();
	await fill_in(admin, 'group', { name: 'gardeners', title: ' ' });
	ok((await admin.locator('.errors').innerText()).includes('Give it a name.'), 'A group needs a name;');
	ok(await admin.getByLabel('Order the tree of categories').isChecked(), '... what was chosen stays.');
	await fill_in(admin, 'group', { title: 'Gardeners' });
	is(await title(admin), 'Gardeners', 'A group is made.');
	await fill_in(admin, 'member', { username: 'edda' });
	await person.goto(`${origin}/admin/categories`);
	is(await title(person), 'Categories', 'Its members may do at once what it gives.');
	await person.goto(`${origin}/admin/users`);
	is(await title(person), 'That is not for you', '... and nothing else.');
}

async function categories(person) {
	await person.goto(`${origin}/admin/categories`);
	await fill_in(person, 'category', { name: 'Mud & Silt', parent: 'water' });
	await person.goto(`${origin}/category/mud-silt`);
	is(await title(person), 'Mud & Silt', 'A category is made,');
	await person.goto(`${origin}/admin/categories/tides`);
	await fill_in(person, 'merge', { into: 'mud-silt' });
	is(await title(person), 'Merge Tides & Weather into Mud & Silt?', '... another is to be merged into it:');
	await press(person, 'button', 'Merge');
	is(await person.locator('.notice').innerText(), 'They are one.', 'They are one.');
	await person.goto(`${origin}/category/tides`);
	is(new URL(person.url()).pathname, '/category/mud-silt', 'The old address leads to the new one,');
	ok((await person.locator('.card').count()) > 3, '... where all posts are.');
	await person.goto(`${origin}/category/instruments`);
	ok((await person.locator('.crumbs').innerText()).includes('Mud & Silt'), '... and what lay under it.');
}

async function shuts_out(admin, person) {
	await admin.goto(`${origin}/admin/users/edda`);
	await press(admin, 'link', 'Disable');
	is(await title(admin), 'Disable edda?', 'Whoever is to be shut out is asked about first.');
	await press(admin, 'button', 'Disable');
	await person.goto(`${origin}/account`);
	is(await title(person), 'Sign in', 'Then they are out.');
	await admin.goto(`${origin}/admin/users/marta`);
	await fill_in(admin, 'role', { role: 'reader' });
	ok((await admin.locator('.errors').innerText()).includes('the only admin'), 'The only admin stays.');
	await admin.goto(`${origin}/admin/log`);
	const log = await admin.locator('.rows').innerText();
	for (const line of ['marta changed the settings', 'marta changed the standing of edda', 'marta made the group gardeners',
		'marta took somebody into the group gardeners', 'edda merged the category tides'])
		ok(log.includes(line), `The log has it: ${line}.`);
}

// --- All of it -------------------------------------------------------------------------------------------

const pages = {
	overview: '/admin',
	figures: '/admin/figures',
	'figures-of-a-post': '/figures/bread-for-a-wet-week?days=90',
	posts: '/admin/posts',
	drafts: '/admin/posts?state=drafts&author=lowri',
	categories: '/admin/categories',
	category: '/admin/categories/workshop',
	merged: '/admin/categories/tides',
	people: '/admin/users',
	person: '/admin/users/lowri',
	'shut-out': '/admin/users/lowri/disable',
	groups: '/admin/groups',
	group: '/admin/groups/proofreaders',
	subscribers: '/admin/subscribers',
	settings: '/admin/settings',
	invitations: '/admin/invitations',
	system: '/admin/system',
	log: '/admin/log',
};

with_site(async ({ output, ...site }) => {
	({ stack, origin, tools, browser } = site);
	const admin = await open(browser, origin, { javaScriptEnabled: false });
	const person = await open(browser, origin, { javaScriptEnabled: false });

	await sign_in(admin.page, 'marta', given('marta'));
	await lets_in(admin.page, person.page);
	await promotes(admin.page, person.page);
	await groups(admin.page, person.page);
	await categories(person.page);
	await shuts_out(admin.page, person.page);
	ok(admin.wrong.length + person.wrong.length === 0, 'Nothing goes wrong on the way.', admin.wrong, person.wrong);

	const cookies = await admin.context.cookies();
	for (const [name, address] of Object.entries(pages))
		await valid_html(tools.validator,
			{ [name]: await (await admin.context.request.get(origin + address)).text() });
	await looks(browser, origin, tools.axe, output('staff'), pages,
		(p) => p.context().addCookies(cookies));
});
