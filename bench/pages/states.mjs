// What an author comes to by writing, without scripts: act(page, look) writes, and calls look(name) where there is something to be
// seen. What it leaves (drafts, revisions, links) others come to by links.
const press = async (page, what) => {
	await page.click(`.deeds [value=${what}]`);
	await page.waitForLoadState();
};

async function what_is_refused(page, look) {
	for (const kind of ['article', 'link', 'howto', 'note']) {
		await page.goto(`/write/${kind}`);
		await press(page, 'publish');
		await look(`${kind}-refused`);
	}
	await page.goto('/uploads');
	await page.setInputFiles('[name=files]', { name: 'no-picture.png', mimeType: 'image/png', buffer: Buffer.from('none') });
	await page.click('#upload button');
	await look('upload-refused');
}

async function what_is_previewed(page, look) {
	await page.goto('/write/article');
	await page.fill('[name=title]', 'The lamp on the mole');
	await page.fill('[name=markdown]', 'It is *green*.[^1]\n\n## Whose it is\n\n- [ ] Ours\n\n```c\nint lamps = 1;\n```\n\n' +
		'| Hour | Lamp |\n|---|---:|\n| 4 | on |\n\n> [!note] Not at noon.\n\n[^1]: Seen from the sea.');
	await press(page, 'preview');
	await look('preview');
	await press(page, 'publish');
	await look('advice');
	await press(page, 'save');
	await look('saved');
}

// The draft on two tabs, saved on both.
async function what_is_in_conflict(page, look) {
	const second = await page.context().newPage(), here = page.url().replace(/\?.*/, '');

	await second.goto(here);
	for (const [tab, text] of [[second, 'It is red.\n\nIt turns.'], [page, 'It is green.\n\nIt blinks.']]) {
		await tab.fill('[name=markdown]', text);
		await press(tab, 'save');
	}
	await second.close();
	await look('conflict');
	await press(page, 'save');
	await page.goto('/write/note');
	await page.fill('[name=markdown]', 'Not yet said.');
	await press(page, 'preview');
	await page.goto('/write/note');
	await look('unsaved');
	await page.goto('/desk');
	await look('desk');
	return here;
}

async function what_others_see(page, look, here) {
	await page.goto(here.replace('/edit/', '/revisions/'));
	await look('revisions');
	await page.click('form.form button');
	await page.waitForLoadState();
	await look('compare');
	await page.goto(here.replace('/edit/', '/share/'));
	await page.click('[name=days]');
	await page.waitForLoadState();
	await look('shared');
	await page.click('.secret');
	await page.waitForLoadState();
	await look('draft');
}

export async function act(page, look) {
	await what_is_refused(page, look);
	await what_is_previewed(page, look);
	await what_others_see(page, look, await what_is_in_conflict(page, look));
}
