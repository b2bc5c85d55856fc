/*
 * Every form works without it. With it, the preview follows what is typed, which is kept, and pictures are dropped
 * or pasted. It posts as the forms do.
 */
(() => {
	'use strict';
	const KEEP_MS = 5000, AGAIN_MS = 20000, PREVIEW_MS = 1000;
	const find = (what, where = document) => where.querySelector(what);
	const form = find('#write'), status = document.createElement('span');
	let typed = 0, kept = 0, leaving = false, keeping = 0, previewing = 0, asked = 0, uploads = 0;

	for (const input of document.querySelectorAll('.copy')) input.addEventListener('focus', () => input.select());
	if (!form) return;
	const say = (text) => (status.textContent = text);
	status.className = 'hint';
	status.setAttribute('role', 'status');
	find('.deeds', form).append(status);

	const post = async (address, data) => {
		const answer = await fetch(address, { method: 'POST', body: data });
		if (answer.ok || answer.headers.get('Content-Type') === 'application/json') return answer;
		throw Error(answer.status === 413 ? 'It is too large.' : answer.status < 429
			? 'Sign in anew, in another window.' : 'The site can’t take it now.');
	};
	const send = async (what) => {
		const data = new FormData(form), now = typed;
		data.append('do', what);
		const text = await (await post(form.getAttribute('action'), data)).text();
		kept = Math.max(kept, now);
		return text;
	};

	/* What is typed is kept. */
	const keep = async () => {
		let next = KEEP_MS;
		try {
			if (typed !== kept) say(`Kept: ${await send('autosave')}`);
		} catch (why) {
			say(`Not kept, but nothing is lost while this window is open. ${why.message}`);
			next = AGAIN_MS;
		}
		keeping = typed !== kept ? setTimeout(keep, next) : 0;
	};
	addEventListener('beforeunload', (event) => {
		if (typed !== kept && !leaving) event.preventDefault();
	});
	addEventListener('pageshow', () => (leaving = false));

	/* A preview follows what is typed. */
	const preview = async () => {
		const mine = ++asked, page = new DOMParser().parseFromString(await send('preview'), 'text/html');
		if (mine !== asked) return;
		find('#write-title').value ||= find('#write-title', page).value;
		for (const id of ['#preview', '#write-tag']) {
			const from = find(id, page), to = find(id);
			if (from && !to) form.before(from);
			else if (from && !to.contains(document.activeElement)) to.replaceWith(from);
		}
	};
	form.addEventListener('submit', async (event) => {
		leaving = event.submitter?.value !== 'preview';
		if (leaving) return;
		event.preventDefault();
		try {
			await preview();
			find('#preview').scrollIntoView();
		} catch (why) {
			say(`No preview. ${why.message}`);
		}
	});
	form.addEventListener('input', () => {
		typed++;
		keeping ||= setTimeout(keep, KEEP_MS);
		clearTimeout(previewing);
		if (find('#preview')) previewing = setTimeout(() => preview().catch(() => {}), PREVIEW_MS);
	});

	/* A mark stands in the text until they are there. */
	const upload = async (area, files) => {
		const mark = `![Uploading ${++uploads} …]()`, data = new FormData(form);
		let sent = [], wrong = '';
		for (const name of new Set(data.keys())) if (name !== 'csrf') data.delete(name);
		data.append('answer', 'json');
		for (const file of files) data.append('files', file);
		area.setRangeText(mark, area.selectionStart, area.selectionEnd, 'end');
		try {
			sent = (await (await post('/uploads', data)).json()).files;
			wrong = sent.flatMap((file) => file.error ?? []).join(' ');
		} catch (why) {
			wrong = `Nothing was uploaded. ${why.message}`;
		}
		const at = area.value.indexOf(mark), text = sent.flatMap((file) => file.markdown ?? []).join('\n\n');
		if (at >= 0) area.setRangeText(text, at, at + mark.length, 'end');
		say(wrong || 'Uploaded. Say between the brackets what it shows.');
		area.dispatchEvent(new Event('input', { bubbles: true }));
	};
	for (const [name, from] of [['drop', 'dataTransfer'], ['paste', 'clipboardData']])
		form.addEventListener(name, (event) => {
			const area = event.target.closest('textarea');
			const files = [...event[from].files].filter((file) => file.type.startsWith('image/'));
			/* Text that comes with a picture of itself, as from an office program, is text. */
			if (!area || !files.length || event[from].types.includes('text/plain')) return;
			event.preventDefault();
			upload(area, files);
		});
	const area = find('.text textarea', form), button = document.createElement('button');
	const chooser = Object.assign(document.createElement('input'), { type: 'file', multiple: true, accept: 'image/*' });
	chooser.addEventListener('change', () => upload(area, [...chooser.files]).then(() => (chooser.value = '')));
	Object.assign(button, { type: 'button', className: 'quiet', textContent: 'Add pictures' });
	button.addEventListener('click', () => chooser.click());
	find('#pictures').replaceChildren(button, ' or drop them into the text.');

	/* What came back with errors is not stored. */
	if (find('.errors, .meanwhile')) form.dispatchEvent(new Event('input'));
})();
