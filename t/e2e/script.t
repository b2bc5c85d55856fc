#!/usr/bin/env node
// Pictures and writing in a browser: with the script of static/broadsheet.js, and without any.
'use strict';
const path = require('node:path');
const zlib = require('node:zlib');
const { PATIENCE, is, look, ok, valid_html, with_site } = require('./checks.js');

let origin, given, shots, tools;

function crc(bytes) {
	let sum = -1;
	for (const byte of bytes) {
		sum ^= byte;
		for (let i = 0; i < 8; i++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
	}
	return ~sum >>> 0;
}

// A picture of its own, in grey.
function png(width, height, shade) {
	const chunk = (name, content) => {
		const out = Buffer.alloc(12 + content.length);
		out.writeUInt32BE(content.length);
		out.write(name, 4);
		content.copy(out, 8);
		out.writeUInt32BE(crc(out.subarray(4, 8 + content.length)), 8 + content.length);
		return out;
	};
	const head = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0]);
	head.writeUInt32BE(width);
	head.writeUInt32BE(height, 4);
	const rows = Buffer.alloc((width + 1) * height, shade);
	for (let y = 0; y < height; y++) rows[y * (width + 1)] = 0;
	return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), chunk('IHDR', head),
		chunk('IDAT', zlib.deflateSync(rows)), chunk('IEND', Buffer.alloc(0))]);
}

const picture = (name, width, shade) => ({ name, mimeType: 'image/png', buffer: png(width, width / 2, shade) });

// A browser in which somebody is signed in, Noor if nobody is named, and what its console complains of.
async function open(browser, options, name = 'noor') {
	const context = await browser.newContext({ baseURL: origin, ...options });
	context.setDefaultTimeout(PATIENCE);
	const page = await context.newPage();
	const complaints = [];
	page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
	page.on('pageerror', (error) => complaints.push(error.message));
	await page.goto('/login');
	await page.fill('[name=name]', name);
	await page.fill('[name=password]', given[name]);
	await page.click('main button[type=submit]');
	return { context, page, complaints };
}

// Is every picture of the page there?
function all_there(page) {
	return page.evaluate(async () => {
		const images = [...document.images];
		for (const image of images) {
			image.loading = 'eager';
			await image.decode().catch(() => {});
		}
		return images.length > 0 && images.every((image) => image.naturalWidth > 0);
	});
}

// --- Without ---------------------------------------------------------------------------------------------

async function without(browser) {
	const { context, page } = await open(browser, { javaScriptEnabled: false });

	await page.goto('/uploads');
	const before = await page.locator('.uploads > li').count();
	await page.setInputFiles('#upload-files', [picture('old harbour.png', 900, 40), picture('boat.png', 60, 90)]);
	await page.click('#upload button');
	is(new URL(page.url()).pathname, '/uploads', 'Without scripts: two pictures are uploaded by the plain form.');
	is(await page.locator('.uploads > li').count(), before + 2, 'Both are there,');
	const markdown = await page.inputValue('[aria-label="Markdown for old harbour.png"]');
	ok(/^!\[\]\(\/media\/[0-9a-f]{32}-900x450\.png\)$/.test(markdown),
		'... with what to copy, whose description is its author’s to write: a file’s name is none.', markdown);

	await page.goto('/write/article');
	await page.fill('[name=title]', 'The old harbour');
	await page.fill('[name=excerpt]', 'How it was.');
	await page.fill('[name=markdown]', `It was small.\n\n${markdown}\n`);
	await page.check(`.covers [value="${/\((.*)\)/.exec(markdown)[1]}"]`);
	await page.click('.deeds [value=preview]');
	ok((await page.textContent('#preview')).includes('It was small.'), 'The preview is a page that comes back,');
	is(await page.inputValue('[name=title]'), 'The old harbour', '... with all that was typed.');
	ok((await page.textContent('.advice')).includes('no description'), '... It misses the description of the picture.');
	const image = page.locator('#preview .prose img');
	is(await image.getAttribute('width'), '900', 'The picture in it has its size');
	ok((await image.getAttribute('srcset')).includes(' 480w'), '... and narrower forms.');
	await page.click('.deeds [value=save]');
	ok(page.url().includes('/edit/the-old-harbour'), 'It is saved.', page.url());
	ok(markdown.includes(await page.inputValue('[name=thumbnail_url]:checked')), '... with the cover that was chosen.');
	await page.goto('/uploads');
	is(await page.locator('.uploads > li', { hasText: 'old harbour' }).locator('.meta a').textContent(),
		'The old harbour', 'The picture’s entry names the post.');
	await page.click('.uploads > li:has-text("boat.png") .thumb');
	await page.click('text=Delete the picture');
	ok((await page.textContent('[role=status]')).includes('deleted'), 'The other one is deleted.');
	await page.setInputFiles('#upload-files', [{ name: 'page.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('<html>') }]);
	await page.click('#upload button');
	ok((await page.textContent('.errors')).includes('page.jpg is no JPEG'), 'What is no picture is named.');

	await page.goto('/account');
	const before_it = await page.getAttribute('#portrait .avatar', 'src');
	await page.setInputFiles('#portrait-file', [{ name: 'me.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('<html>') }]);
	await page.click('#portrait button');
	ok((await page.textContent('#portrait .errors')).includes('me.jpg is no JPEG'), 'A portrait that is no picture is named,');
	is(await page.getAttribute('#portrait .avatar', 'src'), before_it, '... and the one that was there stays.');
	await page.setInputFiles('#portrait-file', [picture('me.png', 600, 20)]);
	await page.click('#portrait button');
	is(await page.textContent('[role=status]'), 'Your portrait is changed.', 'One that is goes in its place.');
	ok(/-480x240\.png$/.test(await page.getAttribute('#portrait .avatar', 'src')), '... It is small.');
	ok(await all_there(page), '... It is there.');
	await page.click('#portrait [value=remove]');
	is(await page.locator('#portrait .avatar').count(), 0, 'It is removed.');
	await context.close();
}

// --- With ------------------------------------------------------------------------------------------------

// Files into the text, as a paste or a drop has them; gives the text as it is at once, before any of them is sent.
function give(page, kind, files, into = '[name=markdown]') {
	return page.evaluate(([event, list, where]) => {
		const transfer = new DataTransfer();
		for (const { name, type, bytes } of list)
			transfer.items.add(new File([new Uint8Array(bytes)], name, { type }));
		const made = event === 'paste'
			? new ClipboardEvent('paste', { clipboardData: transfer, bubbles: true, cancelable: true })
			: new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true });
		const area = document.querySelector(where);
		area.dispatchEvent(made);
		return area.value;
	}, [kind, files.map((f) => ({ name: f.name, type: f.mimeType, bytes: [...f.buffer] })), into]);
}

// From the moment on at which something was given to it.
const sends = (page, form) => page.evaluate((f) => document.querySelector(f).inert, form);

// A portrait is dropped, pasted or chosen, and what is typed beside it stays.
async function takes_a_portrait(page) {
	const told = (text) => until(page, (t) => document.querySelector('#portrait [role=status]').textContent.includes(t), text);
	const shown = () => page.getAttribute('#portrait .avatar', 'src');
	const bio = 'Half a sentence about';

	await page.goto('/account');
	await page.fill('[name=bio]', bio);
	await give(page, 'paste', [picture('two.png', 600, 22)], 'body');
	ok(!(await sends(page, '#portrait')), 'A picture that is pasted into another field is no portrait.');
	await give(page, 'drop', [picture('one.png', 600, 21)], '#portrait');
	await told('changed');
	const dropped = await shown();
	await page.evaluate(() => document.activeElement.blur());
	await give(page, 'paste', [picture('two.png', 600, 22)], 'body');
	await until(page, (src) => document.querySelector('#portrait .avatar').getAttribute('src') !== src, dropped);
	await page.setInputFiles('#portrait-file', [picture('one.png', 600, 21)]);
	await until(page, (src) => document.querySelector('#portrait .avatar').getAttribute('src') === src, dropped);
	ok(true, 'A portrait is dropped, pasted, chosen.');
	await page.setInputFiles('#portrait-file', [{ name: 'me.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('<html>') }]);
	await page.waitForSelector('#portrait .errors');
	ok((await page.textContent('#portrait .errors')).includes('me.jpg is no JPEG'), 'What is no picture is said where it was,');
	is(await shown(), dropped, '... and the portrait stays.');
	await page.fill('#cover-alt', 'The quay at night');
	await give(page, 'drop', [picture('wide.png', 900, 23)], '#cover');
	await until(page, () => document.querySelector('#cover [role=status]').textContent.includes('changed'));
	is(await page.getAttribute('#cover .cover', 'alt'), 'The quay at night', 'A cover is dropped, with what it shows.');
	await page.click('#portrait [value=remove]');
	await told('removed');
	is(await page.inputValue('[name=bio]'), bio, 'What was typed beside it is still there.');
	is(await page.evaluate(() => document.activeElement.id), 'portrait-file', '... and the focus is where it was.');
}

const written = (page) => page.inputValue('[name=markdown]');
const until = (page, what, argument) => page.waitForFunction(what, argument, { timeout: PATIENCE });
const says = (page, text) =>
	until(page, (t) => document.querySelector('.deeds [role=status]').textContent.includes(t), text);

async function previews(page) {
	await page.goto('/write/article');
	await page.evaluate(() => (window.same = true));
	await page.fill('[name=title]', 'Dawn');
	await page.fill('[name=markdown]', 'One.');
	await page.click('.deeds [value=preview]');
	await until(page, () => document.querySelector('#preview .prose')?.textContent.includes('One.'));
	ok(await page.evaluate(() => window.same), 'With the script: the preview comes without another page,');
	await page.fill('[name=markdown]', 'One.\n\nTwo.');
	await until(page, () => document.querySelector('#preview .prose').textContent.includes('Two.'));
	ok(true, '... and follows what is typed.');
	is(await page.inputValue('[name=title]'), 'Dawn', 'The form stays as it is.');
	await page.goto('/write/link');
	await page.fill('[name=source]', 'Tides of today\nHigh water at noon.');
	await page.click('.deeds [value=preview]');
	await until(page, () => document.querySelector('[name=title]').value === 'Tides of today');
	ok(true, 'A link’s title comes from what was pasted.');
	await page.goto('/write/article');
	await page.fill('[name=title]', 'Dawn');
}

async function takes_pictures(page) {
	await page.fill('[name=markdown]', 'Before.');
	is(await give(page, 'paste', [picture('pasted.png', 640, 10)]), 'Before.', 'A picture is pasted,');
	await says(page, 'Uploaded.');
	ok(/^Before\.\n\n!\[\]\(\/media\/[0-9a-f]{32}-640x320\.png\)$/.test(await written(page)),
		'... and has a line of its own, without a description.', await written(page));
	await page.keyboard.type('A quay');
	ok((await written(page)).includes('![A quay]('), 'Its author says it: the cursor is there.', await written(page));
	await give(page, 'drop', [picture('a.png', 62, 20), picture('b.png', 64, 30)]);
	await until(page, () => document.querySelector('[name=markdown]').value.split('/media/').length === 4);
	ok(/^Before\.\n\n(!\[[A-Za-z ]*\]\(\/media\/\S+\)(\n\n|$)){3}$/.test(await written(page)),
		'Two that are dropped stand below it, each on its line.', await written(page));
	const before = await written(page);
	await give(page, 'paste', [{ name: 'x.png', mimeType: 'image/png', buffer: Buffer.from('<svg>') }]);
	await says(page, 'x.png is an SVG');
	is(await written(page), before, 'What is no picture leaves the text as it was, and a word why.');
	const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.click('text=Add pictures')]);
	await chooser.setFiles([picture('chosen.png', 66, 40)]);
	await until(page, () => document.querySelector('[name=markdown]').value.includes('-66x33.png'));
	ok(true, 'Who can’t drop chooses.');
}

// A cover is dropped where the others are, pasted, or chosen; what is there already is chosen again.
async function takes_a_cover(page) {
	const chosen = () => page.getAttribute('[name=thumbnail_url]:checked', 'value');
	const until_chosen = (end) => until(page, (e) =>
		document.querySelector('[name=thumbnail_url]:checked').value.endsWith(e), end);
	const there = await page.locator('.covers img').count();
	await page.route('**/uploads', (route) => route.abort());
	await give(page, 'drop', [picture('lost.png', 70, 5)], '.covers');
	await until(page, () => document.querySelector('#cover').textContent.includes('Nothing was uploaded. The site can’t be reached.'));
	await page.unroute('**/uploads');
	ok(true, 'An upload that fails is said where it was dropped.');
	is(await chosen(), '', 'A new post has no cover,');
	await give(page, 'drop', [picture('cover.png', 70, 5)], '.covers');
	await until_chosen('-70x35.png');
	is(await page.locator('.covers img').count(), there + 1, '... until one is dropped,');
	await until(page, () => document.activeElement.name === 'thumbnail_alt');
	await page.keyboard.type('Dusk');
	await give(page, 'paste', [picture('other.png', 72, 6)], '.covers input');
	await until_chosen('-72x36.png');
	const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.click('text=Choose a file')]);
	await chooser.setFiles([picture('cover.png', 70, 5)]);
	await until_chosen('-70x35.png');
	is(await page.locator('.covers img').count(), there + 2, '... and the same one is there once.');
}

// One after another, while the first is slow to arrive and somebody types on; and what is undone.
async function keeps_order(page) {
	const choose = async (file) => {
		const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.click('text=Add pictures')]);
		await chooser.setFiles([file]);
	};
	const shape = async () => (await written(page)).replace(/!\[\]\(\/media\/[0-9a-f]+-(\d+)x\d+\.png\)/g, '<$1>');
	let let_go;
	const held = new Promise((go) => (let_go = go));
	await page.goto('/write/article');
	await page.click('[name=markdown]');
	await page.keyboard.type('The first line.\n\nThe last line.');
	for (let i = 0; i < 20; i++) await page.keyboard.press('ArrowLeft');
	await page.keyboard.press('Home');
	await page.keyboard.press('ArrowUp');
	await page.keyboard.press('ArrowUp');
	await page.keyboard.press('ArrowRight');
	await page.route('**/uploads', async (route) => {
		await held;
		await route.continue();
	});
	for (const [i, width] of [82, 84, 86].entries()) await choose(picture(`${i}.png`, width, 20 + i));
	await page.click('[name=markdown]');
	await page.keyboard.press('Control+End');
	await page.keyboard.type(' And more');
	let_go();
	await until(page, () => document.querySelector('[name=markdown]').value.split('/media/').length === 4);
	await page.unroute('**/uploads');
	is(await shape(), 'The first line.\n\n<82>\n\n<84>\n\n<86>\n\nThe last line. And more',
		'Pictures that are chosen one after another stand in their order, where the cursor was.');
	await page.keyboard.type('.');
	is((await shape()).slice(-10), ' And more.', '... The cursor is where somebody went on typing.');
	// Who types slowly has more to undo.
	const typed = 'The first line.\n\nThe last line.';
	for (let i = 0; i < 60 && (await shape()) !== typed; i++) await page.keyboard.press('Control+z');
	is(await shape(), typed, 'All of it can be undone, to what was typed before');
	for (let i = 0; i < 60 && (await shape()); i++) await page.keyboard.press('Control+z');
	is(await shape(), '', '... and further.');
	for (let i = 0; i < 120 && !(await shape()).includes('<86>'); i++) await page.keyboard.press('Control+Shift+z');
	ok((await shape()).includes('<86>'), '... and done again.');
	await page.click('.deeds [value=save]');
	await page.waitForURL('**/edit/**');
}

async function keeps(browser, page) {
	let asked = 0;
	page.on('dialog', (dialog) => {
		asked++;
		dialog.accept();
	});
	const loses = (route) => (route.request().method() === 'POST' ? route.abort() : route.continue());
	await page.goto('/write/note');
	await page.route('**/write/note', loses); // so that nothing is kept, however slowly one types
	await page.click('[name=markdown]');
	await page.keyboard.type('A thought');
	await page.reload();
	is(asked, 1, 'Who leaves before what was typed is kept is asked first.');
	await page.unroute('**/write/note');
	await page.click('[name=markdown]');
	await page.keyboard.type('Another thought');
	await says(page, 'Kept:');
	const elsewhere = await open(browser, { javaScriptEnabled: false });
	await elsewhere.page.goto('/desk');
	ok((await elsewhere.page.textContent('.desk')).includes('Another thought'), 'It is on the desk of another machine.');
	await elsewhere.context.close();
	await page.reload();
	is(asked, 1, 'Who leaves afterwards is not,');
	await page.click('text=Take it up');
	is(await written(page), 'Another thought', '... and finds it again.');
	await page.route('**/write/note', loses);
	await page.click('[name=markdown]');
	await page.keyboard.type('!');
	await says(page, 'Not kept');
	ok(true, 'When it can’t be kept, that is said.');
	await page.unroute('**/write/note');
	await page.click('.deeds [value=save]');
	ok(page.url().includes('/edit/'), 'Saving asks nothing.', page.url());
	is(asked, 1, '(It did not.)');
}

// --- Markdown ----------------------------------------------------------------------------------------------

// What is pasted, as another program copies it, into what has the focus.
const paste = (page, data) => page.evaluate((all) => {
	const clipboardData = new DataTransfer();
	for (const [type, content] of Object.entries(all)) clipboardData.setData(type, content);
	const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
	document.activeElement.dispatchEvent(event);
	return event.defaultPrevented;
}, data);

// From the text and what is selected in it, by an act, to the text with what is selected then between brackets.
async function becomes(page, text, from, to, act) {
	await page.fill('[name=markdown]', text);
	await page.evaluate(([a, b]) => document.querySelector('[name=markdown]').setSelectionRange(a, b), [from, to]);
	await act();
	return page.evaluate(() => {
		const { value, selectionStart: a, selectionEnd: b } = document.querySelector('[name=markdown]');
		return `${value.slice(0, a)}⟨${value.slice(a, b)}⟩${value.slice(b)}`;
	});
}

async function formats(page) {
	const key = (name) => () => page.keyboard.press(name), button = (name) => () => page.click(`.tools [aria-label="${name}"]`);
	const icon = '/static/icon.svg';
	await page.goto('/write/article');
	// The browser takes its time to move the focus there.
	await page.locator('[name=title]:focus').waitFor();
	is(await page.evaluate(() => document.activeElement.name), 'title', 'Who begins a post begins to type: in its title.');
	for (const [text, from, to, act, wanted] of [
		['A sea.', 2, 5, key('Control+b'), 'A **⟨sea⟩**.'],
		['A **sea**.', 4, 7, key('Control+b'), 'A ⟨sea⟩.'],
		['A sea .', 2, 6, key('Control+i'), 'A _⟨sea⟩_ .'],
		['A sea.', 2, 5, key('Control+k'), 'A [sea](⟨https://⟩).'],
		['https://example.org', 0, 19, button('Link'), '[⟨⟩](https://example.org)'],
		['One\ntwo', 1, 6, button('List'), '⟨- One\n- two⟩'],
		['- One\n- two', 0, 11, button('Numbered list'), '⟨1. One\n2. two⟩'],
		['1. One', 6, 6, button('Numbered list'), 'One⟨⟩'],
		['One', 1, 1, button('Heading'), '## One⟨⟩'],
		['a\nb', 0, 3, button('Code'), '```⟨⟩\na\nb\n```'],
		// The preview shows them.
		[`a\n![b](${icon} "c") ![](${icon})`, 5, 5, button('Wide picture'), `a\n![b⟨⟩](${icon}#wide "c") ![](${icon}#wide)`],
		[`![b](${icon}#wide)`, 3, 3, button('Wide picture'), `![b⟨⟩](${icon})`],
	]) is(await becomes(page, text, from, to, act), wanted, `${JSON.stringify(text)} becomes what it should.`);
	await becomes(page, 'A sea.', 2, 5, key('Control+b'));
	await page.keyboard.press('Control+z');
	is(await written(page), 'A sea.', 'It can be undone.');
	await page.fill('[name=markdown]', `One two — three. ${'word '.repeat(457)}`);
	await until(page, () => document.querySelector('#words').textContent === '460 words, 2 min read');
	ok(true, 'Words are counted while one types.');
}

async function pastes(page) {
	const into = (data) => () => paste(page, data), size = page.viewportSize();
	// Where there is no room for a preview, which would ask for the picture elsewhere.
	await page.setViewportSize({ ...size, width: 900 });
	await page.goto('/write/article');
	is(await becomes(page, 'A sea.', 2, 5, into({ 'text/plain': 'https://example.org/a_(b)' })), 'A [sea](<https://example.org/a_(b)>)⟨⟩.',
		'An address that is pasted on words becomes a link.');
	const html = '<meta charset="utf-8"><b style="font-weight:normal"><h1>Tides</h1><p>A <b>high</b> and an <span style="font-style:italic">ebb</span>, '
		+ 'as_written, <a href="https://example.org/">here</a>.</p><ul><li>One<ol><li>A</li><li>B</li></ol></li><li>Two</li></ul>'
		+ '<blockquote><p>X</p><p>Y</p></blockquote><pre>a  b\n</pre><table><tr><th>H</th></tr><tr><td>1|2</td></tr></table>'
		+ '<figure><a href="https://example.org/big"><img src="https://example.org/a.jpg" alt="A quay"></a>'
		+ '<figcaption><p>At <i>low</i> water</p></figcaption></figure>'
		+ '<script>alert(1)</script><img src="x" onerror="alert(2)"></b>';
	is(await becomes(page, '', 0, 0, into({ 'text/plain': 'Tides A high …', 'text/html': html })),
		'## Tides\n\nA **high** and an _ebb_, as\\_written, [here](https://example.org/).\n\n- One\n  1. A\n  2. B\n- Two\n\n> X\n>\n> Y\n\n'
		+ '```\na  b\n```\n\n| H |\n| --- |\n| 1\\|2 |\n\n![A quay](https://example.org/a.jpg)\n*At _low_ water*⟨⟩',
	'Rich text becomes Markdown, and captions stay with their pictures.');
	await page.fill('[name=markdown]', 'Mine.');
	ok(!(await paste(page, { 'text/plain': 'int i;', 'text/html': '<div style="color:red"><span>int</span> i;</div>' })),
		'Code that an editor copies in colours is pasted as it is.');
	ok(await paste(page, { 'text/plain': 'x'.repeat(5e6) }), 'Five megabytes are not pasted,');
	await says(page, 'Not pasted: this is 5.0 MB');
	is(await written(page), 'Mine.', '... and the text is as it was.');
	await page.setViewportSize(size);
}

async function tags(page) {
	const chips = () => page.locator('.chip').allInnerTexts();
	await page.goto('/write/article');
	await page.fill('[name=title]', 'Chips');
	await page.click('#write-tag');
	await page.keyboard.type('sea, high water,sea,');
	is((await chips()).join('|').replace(/[×\s]+(?=\||$)/g, ''), 'sea|high water', 'Tags are chips at a comma, each once.');
	await page.keyboard.type('moon');
	await page.keyboard.press('Enter');
	await page.keyboard.press('Backspace');
	is(await page.inputValue('#write-tag'), 'moon', 'The last one is taken back to be changed.');
	await page.click('[aria-label="Remove the tag sea"]');
	await page.click('[name=markdown]');
	await page.keyboard.type('Of the sea.');
	await page.keyboard.press('Control+s');
	await page.waitForURL('**/edit/chips?done=saved');
	await until(page, () => document.activeElement.name === 'markdown');
	await page.keyboard.type('!');
	is(await written(page), 'Of the sea.!', 'Who saves by a key goes on where they were.');
	is((await chips()).join('|').replace(/[×\s]+(?=\||$)/g, ''), 'high-water|moon', 'All tags are saved.');
	await Promise.all([page.waitForNavigation(), page.click('.deeds [value=save]')]);
}

// Beside the text where there is room, and in its place where there is none; and how both look.
async function looks_on(page, wrong) {
	const pane = page.locator('#preview'), text = page.locator('[name=markdown]');
	const { axe } = tools;
	await page.setViewportSize({ width: 1280, height: 800 });
	await page.goto('/edit/chips');
	await page.fill('[name=markdown]', 'High _water_.');
	await until(page, () => document.querySelector('#preview em')?.textContent === 'water');
	ok((await pane.boundingBox()).x >= (await text.boundingBox()).x + (await text.boundingBox()).width, 'The preview stands beside the text,');
	is(await pane.locator('.url').first().textContent(), `${origin}/post/chips`, '... with the address as it will be.');
	await pane.locator('.elsewhere summary').click();
	is(await pane.locator('.looks .card h3').textContent(), 'Chips', 'So does what lists will have,');
	await page.fill('[name=title]', 'Fish & chips');
	await until(page, () => document.querySelector('#preview .cut').textContent.includes('Fish & chips'));
	ok(await pane.locator('.elsewhere[open]').count(), '... unfolded while one types.');
	await page.fill('[name=markdown]', 'High _water_.\n\n'.repeat(60));
	await until(page, () => document.querySelectorAll('#preview em').length === 60);
	await page.evaluate(() => scrollTo(0, document.querySelector('[name=markdown]').offsetHeight / 2));
	await until(page, () => document.querySelector('#preview').scrollTop > 300);
	ok(true, 'The preview goes where the text is scrolled to,');
	await pane.hover();
	await page.mouse.wheel(0, -100000);
	await until(page, () => document.querySelector('#preview').scrollTop === 0 && scrollY === 0);
	await page.mouse.wheel(0, 900);
	await until(page, () => document.querySelector('#preview').scrollTop > 300 && scrollY > 100);
	ok(true, '... and the text where the preview is.');
	await page.evaluate(() => scrollTo(0, 0));
	await page.fill('[name=markdown]', 'High _water_.');
	for (const colorScheme of ['light', 'dark']) {
		await page.emulateMedia({ colorScheme });
		await look(page, wrong, axe, `The editor with its preview, ${colorScheme}`, path.join(shots, `editor-1280-${colorScheme}`));
	}
	await page.emulateMedia({ colorScheme: 'light' });
	await page.click('text=Close the preview');
	ok(!(await pane.isVisible()), 'It is closed,');
	await page.reload();
	ok(!(await pane.isVisible()), '... and stays so');
	await page.click('.deeds [value=preview]');
	await pane.waitFor();
	ok(await text.isVisible(), '... until one asks for it.');
	await page.click('.tools [aria-label="Full screen"]');
	ok(!(await page.locator('.masthead').isVisible()) && !(await pane.isVisible()), 'On a full screen the text is alone,');
	await look(page, wrong, axe, 'The text alone', path.join(shots, 'alone-1280'));
	await page.keyboard.press('Escape');
	ok(await page.locator('.masthead').isVisible(), '... until Escape.');
	await page.setViewportSize({ width: 390, height: 800 });
	await pane.waitFor({ state: 'hidden' });
	ok(await text.isVisible(), 'On a phone there is the text,');
	await page.click('.deeds [value=preview]');
	await pane.waitFor();
	ok(!(await text.isVisible()), '... or the preview,');
	await look(page, wrong, axe, 'The preview on a phone', path.join(shots, 'preview-390'));
	await page.click('.deeds >> text=Write');
	ok((await text.isVisible()) && !(await pane.isVisible()), '... or the text again.');
	await look(page, wrong, axe, 'The editor on a phone', path.join(shots, 'editor-390'));
	await page.setViewportSize({ width: 320, height: 256 });
	is(await page.evaluate(() => getComputedStyle(document.querySelector('.deeds')).position), 'static', 'At 400 % the buttons give way.');
	await page.setViewportSize({ width: 1280, height: 720 });
}

// Pictures with captions, side by side, and wider than the text.
async function figures(page, wrong) {
	const wide = (selector) => page.evaluate((s) => document.querySelector(s).getBoundingClientRect().width, selector);

	await page.goto('/write/article');
	const [one, two] = await page.locator('.covers [name=thumbnail_url]').evaluateAll((all) => all.slice(1).map(({ value }) => value));
	await page.fill('[name=title]', 'Figures');
	await page.fill('[name=markdown]', `High water.\n\n![One](${one} "Of one")\n\n![Two](${two}#wide)\n*Of [two](/archive)*\n\n` +
		`![One](${one} "Left") ![Two](${two} "Right")\n*Of both*\n\nLow water.`);
	await page.click('.deeds [value=save]');
	await page.waitForURL('**/edit/figures**');
	await page.goto('/post/figures');
	ok(await all_there(page), 'Pictures in figures are shown.');
	for (const [width, most] of [[1280, 1.3], [390, 1]]) {
		await page.setViewportSize({ width, height: 800 });
		ok((await wide('.wide')) > most * (await wide('.prose > p')), `At ${width} a wide one is wider than the text.`);
		await look(page, wrong, tools.axe, `Figures at ${width}`, path.join(shots, `figures-${width}`));
	}
	await page.setViewportSize({ width: 1280, height: 720 });
	await valid_html(tools.validator, { 'A page with figures': await (await page.request.get('/post/figures')).text() });
}

async function with_script(browser) {
	const { context, page, complaints } = await open(browser, {});

	await previews(page);
	await takes_pictures(page);
	await takes_a_cover(page);
	await page.click('.deeds [value=preview]');
	await until(page, () => document.querySelectorAll('#preview .prose img').length === 4);
	ok(await all_there(page), 'Every picture is shown.');
	await page.click('.deeds [value=save]');
	await page.waitForURL('**/edit/dawn**');
	is(complaints.filter((text) => !/status of 422|ERR_FAILED/.test(text)).join('\n'), '',
		'Nothing breaks the policy of what may run.');
	complaints.length = 0; // that of a picture which is none was wanted
	await takes_a_portrait(page);
	is(complaints.filter((text) => !/status of 422/.test(text)).join('\n'), '', 'Nor does that of portraits.');
	complaints.length = 0;
	await formats(page);
	await pastes(page);
	await tags(page);
	await looks_on(page, complaints);
	await figures(page, complaints);
	await keeps_order(page);
	await keeps(browser, page);
	await context.close();
}

// The site's picture is dropped into the settings, as a drawing, and shown as an image alone.
async function takes_a_nameplate(browser) {
	const { context, page, complaints } = await open(browser, {}, 'marta');
	const svg = '<svg viewBox="0 0 6 1" onload="parent.ran = 1"><script>parent.ran = 1</script><path d="M0 0h6v1z" fill="#246"/></svg>';
	await page.goto('/admin/settings');
	await page.fill('[name=tagline]', 'Half a tag');
	await page.evaluate(() => document.activeElement.blur());
	await give(page, 'paste', [picture('plate.png', 600, 24)], 'body');
	ok(!(await sends(page, '#nameplate')), 'What is pasted beside it is no nameplate.');
	await give(page, 'drop', [{ name: 'plate.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(svg) }], '#nameplate');
	await page.waitForSelector('#nameplate .plate');
	is(await page.inputValue('[name=tagline]'), 'Half a tag', 'A nameplate is dropped, and what was typed above it stays.');
	await page.goto('/');
	ok((await all_there(page)) && /\.svg$/.test(await page.getAttribute('h1 .plate', 'src')), 'It is on the front page.');
	await page.goto(await page.getAttribute('h1 .plate', 'src'));
	ok(await page.evaluate(() => document.documentElement.localName === 'svg' && !document.querySelector('script') && !window.ran),
		'Whoever opens it by itself runs nothing.');
	await page.goto('/admin/settings');
	await page.click('#nameplate [value=remove]');
	await page.waitForFunction(() => !document.querySelector('#nameplate .plate'), null, { timeout: PATIENCE });
	is(complaints.join('\n'), '', '(No script complains.)');
	await context.close();
}

// Who may write no more can only remove the cover; its form goes with it, and the next one says so.
async function loses_a_cover(browser, stack) {
	const { context, page } = await open(browser, {}, 'noor');
	stack.command('user', 'role', 'noor', 'reader');
	await page.goto('/account');
	is(await page.locator('#cover input[type=file]').count(), 0, 'A reader is asked for no cover.');
	await page.click('#cover [value=remove]');
	await page.waitForFunction(() => !document.querySelector('#cover'), null, { timeout: PATIENCE });
	const said = await page.textContent('#portrait [role=status]');
	ok(said.includes('removed') && await page.evaluate(() => document.activeElement.closest('#portrait') !== null),
		'The one that is there is removed, which is said where the focus is.', said);
	await context.close();
}

// --- All of it ---------------------------------------------------------------------------------------------

with_site(async ({ stack, browser, output, ...site }) => {
	({ origin, tools } = site);
	shots = output('editor');
	given = { noor: '', marta: '' };
	for (const name in given) given[name] = stack.command('user', 'reset', name).split(/\s/)[1];
	await without(browser);
	await with_script(browser);
	await takes_a_nameplate(browser);
	await loses_a_cover(browser, stack);
}, { pictures: true });
