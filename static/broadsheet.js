/*
 * Every form works without it. With it, the preview follows what is typed, which is kept, and pictures are dropped
 * or pasted, as are a portrait, a cover or a nameplate. It posts as the forms do.
 */
(() => {
	'use strict';
	const KEEP_MS = 5000, AGAIN_MS = 20000;
	/* Of large texts the site renders a few in a while only: src/web/http/large.h. */
	const PREVIEW_MS = 1000, SMALL = 7000, LARGE_PREVIEW_MS = 10000;
	const find = (what, where = document) => where.querySelector(what);
	const form = find('#write'), status = document.createElement('span');
	let typed = 0, kept = 0, leaving = false, keeping = 0;

	for (const input of document.querySelectorAll('.copy')) input.addEventListener('focus', () => input.select());

	const reach = (address, data) => fetch(address, { method: 'POST', body: data }).catch(() => {
		throw Error('The site can’t be reached.');
	});
	const refusal = ({ status }) => Error(status === 413 ? 'It is too large.' : status < 429
		? 'Sign in anew, in another window.' : 'The site can’t take it now.');

	/*
	 * A portrait, a cover or a nameplate is sent at once, and its form alone comes anew: what is typed beside it stays. What is
	 * pasted is for the form that has the focus; where nothing has it, for the first, if that is not the nameplate of the whole site.
	 */
	const picture_forms = (where = document) => [...where.querySelectorAll('form.picture-form')];
	const told = (form) => find('[role=status]', form);
	const send_picture = async (form, data) => {
		form.inert = true;
		told(form).textContent = 'Sending …';
		try {
			const answer = await reach(form.getAttribute('action'), data);
			const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
			const now = picture_forms(page).find(({ id }) => id === form.id);
			/* A cover that its author may have no more goes with its form: the next one says so. */
			const gone = !now && answer.ok && new URL(answer.url).pathname === location.pathname;
			const next = gone ? picture_forms().find((other) => other !== form) : now;
			if (!next) throw refusal(answer);
			if (gone) form.remove();
			else {
				form.replaceWith(document.adoptNode(now));
				equip(now);
			}
			if (answer.ok) told(next).textContent = find('.notice[role=status]', page)?.textContent ?? '';
			find('input[type=file], button', next)?.focus();
		} catch (why) {
			form.inert = false;
			told(form).textContent = `Nothing was changed. ${why.message}`;
		}
	};
	const send_file = (form, file) => {
		const data = new FormData(form);
		data.delete('picture');
		data.set('files', file);
		send_picture(form, data);
	};
	/* Text that comes with a picture of itself is text. */
	const taken = (form, event, { files, types }) => {
		const file = [...files].find(({ type }) => type.startsWith('image/'));
		if (!file || types.includes('text/plain')) return;
		event.preventDefault();
		send_file(form, file);
	};
	const equip = (form) => {
		const input = find('[type=file]', form), note = document.createElement('p');
		note.className = 'hint';
		note.setAttribute('role', 'status');
		form.append(note);
		form.addEventListener('submit', (event) => {
			event.preventDefault();
			send_picture(form, new FormData(form, event.submitter));
		});
		if (!input) return;
		find('[id$=-file-hint]', form).append(' Or drop or paste it here.');
		input.addEventListener('change', () => input.files.length && send_file(form, input.files[0]));
		form.addEventListener('dragover', (event) => event.preventDefault());
		form.addEventListener('drop', (event) => taken(form, event, event.dataTransfer));
	};
	picture_forms().forEach(equip);
	if (picture_forms().length) {
		addEventListener('paste', (event) => {
			const focus = document.activeElement, first = picture_forms().find(({ id }) => id !== 'nameplate');
			const form = focus.closest('form.picture-form') ?? (focus === document.body && first);
			if (form && find('[type=file]', form)) taken(form, event, event.clipboardData);
		});
	}

	if (!form) return;
	const say = (text) => (status.textContent = text);
	status.className = 'hint';
	status.setAttribute('role', 'status');
	find('.deeds', form).append(status);

	const post = async (address, data) => {
		const answer = await reach(address, data);
		if (answer.ok || answer.headers.get('Content-Type') === 'application/json') return answer;
		throw refusal(answer);
	};
	const send = async (what, live) => {
		const data = new FormData(form);
		data.append('do', what);
		if (live) data.append('live', 1);
		if (kept) data.append('again', 1);
		return (await post(form.getAttribute('action'), data)).text();
	};

	/* What is typed is kept. */
	const keep = async () => {
		const now = typed;
		let next = KEEP_MS;
		try {
			if (now !== kept) say(`Kept: ${await send('autosave')}`);
			kept = now;
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

	/*
	 * A preview follows what is typed, one request at a time. Where there is room it stands beside the text, unless it was
	 * closed; elsewhere it takes the text's place for a while.
	 */
	const main = form.parentElement, wide = matchMedia('(min-width: 64em)');
	const text = find('.text textarea', form), look = find('.deeds [value=preview]', form);
	const came = find('#preview'), pane = came ?? Object.assign(document.createElement('section'), { id: 'preview', className: 'preview' });
	let stale = false, asked = false, running = null, following = 0;

	const take = (page) => {
		const from = find('#preview', page), open = find('.elsewhere[open]', pane);
		find('#write-title').value ||= find('#write-title', page).value;
		if (!from || (pane.contains(document.activeElement) && document.activeElement !== pane)) return;
		pane.replaceChildren(close, ...from.childNodes);
		if (open) find('.elsewhere', pane).open = true;
	};
	/* Who asks for it gets advice, too. */
	const preview = (by_button) => {
		stale = true;
		asked ||= by_button;
		return (running ??= (async () => {
			try {
				while (stale) {
					const live = !asked;
					stale = asked = false;
					take(new DOMParser().parseFromString(await send('preview', live), 'text/html'));
				}
			} finally {
				running = null;
			}
		})());
	};
	const shown = () => main.classList.contains('beside') || main.classList.contains('looking');
	const follow = () => {
		const bytes = new Blob([...form.querySelectorAll('textarea')].map(({ value }) => value)).size;
		const pause = bytes < SMALL ? PREVIEW_MS : LARGE_PREVIEW_MS;
		if (shown()) following ||= setTimeout(() => (following = 0, preview(false).catch(() => {})), pause);
	};
	const beside = (on) => {
		main.classList.toggle('beside', on);
		pane.hidden = !on;
	};
	let back = 0;
	const looking = (on) => {
		if (on) back = scrollY;
		main.classList.toggle('looking', on);
		look.textContent = on ? 'Write' : 'Preview';
		pane.hidden = !on;
		scrollTo(0, on ? main.offsetTop : back);
	};
	const close = Object.assign(document.createElement('button'), { type: 'button', className: 'quiet close', textContent: 'Close the preview' });
	close.addEventListener('click', () => {
		if (main.classList.contains('looking')) looking(false);
		else localStorage.setItem('preview', 'closed');
		beside(false);
		look.focus();
	});
	/* What it says of a field leads there. */
	pane.addEventListener('click', ({ target }) => {
		const link = target.closest('a[href^="#write"]');
		if (link && main.classList.contains('looking')) looking(false);
	});
	const arrange = () => {
		if (main.classList.contains('looking')) looking(false);
		beside(wide.matches && localStorage.getItem('preview') !== 'closed');
	};
	pane.setAttribute('aria-label', 'Preview');
	pane.tabIndex = -1;
	if (!came) {
		pane.append(close, Object.assign(document.createElement('p'), { className: 'hint', textContent: 'What you write appears here as others will see it.' }));
		form.before(pane);
	} else pane.prepend(close);
	wide.addEventListener('change', arrange);
	arrange();
	if (came) pane.hidden = false;
	if (shown() && text.value) follow();

	form.addEventListener('submit', async (event) => {
		leaving = event.submitter?.value !== 'preview';
		if (leaving) return;
		event.preventDefault();
		if (main.classList.contains('looking')) return looking(false);
		try {
			await preview(true);
			if (wide.matches) {
				localStorage.removeItem('preview');
				beside(true);
			} else {
				looking(true);
				pane.focus({ preventScroll: true });
			}
		} catch (why) {
			say(`No preview. ${why.message}`);
		}
	});
	form.addEventListener('input', () => {
		typed++;
		keeping ||= setTimeout(keep, KEEP_MS);
		follow();
	});
	/*
	 * Scrolled together: to the text, and then by the part of it. One of the two leads, which somebody touched last, so that
	 * neither answers to what the other one made of it.
	 */
	let led = false; /* by the preview */
	for (const name of ['wheel', 'touchstart', 'pointerdown', 'keydown', 'focusin'])
		addEventListener(name, ({ target }) => (led = pane.contains(target)), { passive: true, capture: true });
	const together = (by_preview) => {
		const body = find('.body, .prose', pane);
		if (!main.classList.contains('beside') || !body || by_preview !== led) return;
		const box = text.getBoundingClientRect(), top = Math.max(1, scrollY + box.top), own = text.scrollHeight - text.clientHeight;
		const begin = Math.max(1, pane.scrollTop + body.getBoundingClientRect().top - pane.getBoundingClientRect().top);
		const room = Math.max(1, box.height - innerHeight), rest = Math.max(1, body.offsetHeight - pane.clientHeight);
		if (by_preview) {
			const part = Math.min(1, (pane.scrollTop - begin) / rest);
			if (own > 1) text.scrollTop = part * own;
			scrollTo(0, part < 0 ? (top * pane.scrollTop) / begin : own > 1 ? top : top + part * room);
		} else {
			const part = own > 1 ? text.scrollTop / own : Math.min(1, -box.top / room);
			pane.scrollTop = part <= 0 && box.top > 0 ? (begin * scrollY) / top : begin + Math.max(0, part) * rest;
		}
	};
	for (const [what, by_preview] of [[window, false], [text, false], [pane, true]])
		what.addEventListener('scroll', () => together(by_preview), { passive: true });

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
	/* A cover is one more picture to choose from, and chosen. What becomes of it is said there, too. */
	const covers = find('.covers', form), beside_covers = document.createElement('span');
	const tell = (text) => say((beside_covers.textContent = text));
	for (const image of covers.querySelectorAll('img')) {
		const gone = () => image.replaceWith('A picture that is not there any more');
		if (image.complete && !image.naturalWidth) gone();
		else image.addEventListener('error', gone);
	}
	const cover = async ([file]) => {
		tell('Uploading …');
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
		tell(wrong || 'Uploaded. Say what it shows.');
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
	find('#cover').replaceChildren(chooser('Choose a file', false, cover), ' or drop or paste it here. ', beside_covers);

	/* What came back with errors is not stored. */
	if (find('.errors, .meanwhile')) form.dispatchEvent(new Event('input'));
})();
