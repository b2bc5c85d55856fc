/*
 * Every form works without it. With it, the preview follows what is typed, which is kept, and pictures are dropped
 * or pasted. It posts as the forms do.
 */
(() => {
	'use strict';
	const KEEP_MS = 5000, AGAIN_MS = 20000, PREVIEW_MS = 1000;
	const find = (what, where = document) => where.querySelector(what);
	const form = find('#write'), status = document.createElement('span');
	let typed = 0, kept = 0, leaving = false, keeping = 0, previewing = 0, asked = 0;

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
		if ((typed !== kept || places.length) && !leaving) event.preventDefault();
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

	/*
	 * Each upload has a place in a text, which moves with what is typed before it, and is waited for by the next: so they
	 * come in order. Never within a line, and by a command that can be undone.
	 */
	const places = [];
	let last = Promise.resolve();
	form.addEventListener('input', ({ target }) => {
		for (const place of places) {
			const { area, at, was } = place, now = area.value;
			let same = 0;
			if (area !== target) continue;
			while (same < at && now[same] === was[same]) same++;
			if (same < at) place.at = Math.max(same, at + now.length - was.length);
			place.was = now;
		}
	});
	const insert = ({ area, at }, text) => {
		const { value, selectionStart: from, selectionEnd: to } = area, focus = document.activeElement;
		const start = value.lastIndexOf('\n', at - 1) + 1, end = at > start ? `${value}\n`.indexOf('\n', at) : at;
		const apart = (lines) => '\n'.repeat(2 - lines[0].length), rest = value.slice(end);
		const begin = end + (end ? apart(/\n{0,2}$/.exec(value.slice(0, end))).length : 0);
		const all = '\n'.repeat(begin - end) + text + (rest && apart(/^\n{0,2}/.exec(rest)));
		const moved = (caret) => caret + (caret > end ? all.length : 0);
		area.focus();
		area.setSelectionRange(end, end);
		if (!document.execCommand('insertText', false, all)) {
			area.setRangeText(all);
			area.dispatchEvent(new Event('input', { bubbles: true }));
		}
		for (const other of places)
			if (other.area === area && other.at >= start && other.at <= end) other.at = begin + text.length;
		/* Who went on elsewhere is left there; who waits says what it shows. */
		if (focus === button || focus === document.body || (focus === area && to === at))
			return area.setSelectionRange(begin + 2, begin + 2);
		area.setSelectionRange(moved(from), moved(to));
		focus.focus();
	};
	/* What became pictures of these files, and what is wrong with the others. */
	const send_up = async (files) => {
		const data = new FormData(form);
		for (const name of new Set(data.keys())) if (name !== 'csrf') data.delete(name);
		data.append('answer', 'json');
		for (const file of files) data.append('files', file);
		try {
			const sent = (await (await post('/uploads', data)).json()).files;
			return [sent.filter((file) => file.address), sent.flatMap((file) => file.error ?? []).join(' ')];
		} catch (why) {
			return [[], `Nothing was uploaded. ${why.message}`];
		}
	};
	const send_files = async (place, files) => {
		const [sent, wrong] = await send_up(files);
		places.splice(places.indexOf(place), 1);
		if (sent.length) insert(place, sent.map((file) => file.markdown).join('\n\n'));
		say(wrong || 'Uploaded. Say between the brackets what it shows.');
	};
	const upload = (area, files) => {
		const place = { area, at: area.selectionEnd, was: area.value };
		places.push(place);
		say('Uploading …');
		last = last.catch(() => {}).then(() => send_files(place, files));
	};
	/* A cover is one more picture to choose from, and chosen. */
	const covers = find('.covers', form);
	const cover = async ([file]) => {
		say('Uploading …');
		const [[sent], wrong] = await send_up([file]);
		if (sent) {
			let input = [...covers.querySelectorAll('input')].find(({ value }) => value === sent.address);
			if (!input) {
				const label = document.createElement('label');
				input = Object.assign(document.createElement('input'), { type: 'radio', name: 'thumbnail_url', value: sent.address });
				label.append(input, Object.assign(new Image(), { src: sent.address, alt: sent.name }));
				covers.firstElementChild.after(label);
			}
			input.click();
			find('#write-thumbnail_alt').focus();
		}
		say(wrong || 'Uploaded. Say what it shows.');
	};
	const place = '#write-thumbnail_url';
	for (const [name, from] of [['drop', 'dataTransfer'], ['paste', 'clipboardData']])
		form.addEventListener(name, (event) => {
			const area = event.target.closest(`textarea, ${place}`);
			const files = [...event[from].files].filter((file) => file.type.startsWith('image/'));
			/* Text that comes with a picture of itself, as from an office program, is text. */
			if (!area || !files.length || event[from].types.includes('text/plain')) return;
			event.preventDefault();
			if (area.matches(place)) cover(files);
			else upload(area, files);
		});
	form.addEventListener('dragover', (event) => event.target.closest(place) && event.preventDefault());
	const chooser = (text, multiple, take) => {
		const input = Object.assign(document.createElement('input'), { type: 'file', multiple, accept: 'image/*' });
		const button = Object.assign(document.createElement('button'), { type: 'button', className: 'quiet', textContent: text });
		input.addEventListener('change', () => {
			take([...input.files]);
			input.value = '';
		});
		button.addEventListener('click', () => input.click());
		return button;
	};
	const button = chooser('Add pictures', true, (files) => upload(find('.text textarea', form), files));
	find('#pictures').replaceChildren(button, ' or drop them into the text.');
	find('#cover').replaceChildren(chooser('Choose a file', false, cover), ' or drop or paste it here.');

	/* What came back with errors is not stored. */
	if (find('.errors, .meanwhile')) form.dispatchEvent(new Event('input'));
})();
