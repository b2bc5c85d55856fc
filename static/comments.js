/*
 * Comments where they are read: forms, errors, previews and threads of pages that work without it, in the page that is
 * there. What is typed is kept as a draft.
 */
(() => {
	'use strict';
	const FIRST_MS = 5000, NEXT_MS = 20000;
	const find = (what, where = document) => where?.querySelector(what);
	const form_of = (where) => find('form#comment', where);
	const on = (what, act) => document.addEventListener(what, act);
	const parse = (text) => new DOMParser().parseFromString(text, 'text/html');
	let opener = null, typed = 0, kept = 0, when = 0, timer = 0, busy = false;

	const say = (text) => {
		const form = form_of();
		if (!form) return;
		if (!find('[role=status]', form)) form.insertAdjacentHTML('beforeend', '<p class="hint" role="status"></p>');
		find('[role=status]', form).textContent = text;
	};
	const post = (form, what, keepalive = false) => {
		const body = new URLSearchParams(new FormData(form));
		body.append('do', what);
		body.append('answer', 'address');
		return fetch(form.getAttribute('action'), { method: 'POST', body, keepalive });
	};
	const is_plain = (answer) => answer.headers.get('Content-Type')?.startsWith('text/plain');

	/* --- Drafts: at most three a minute */
	const keep = async (leaving) => {
		const form = form_of(), now = typed;
		clearTimeout(timer);
		timer = 0;
		if (!form || busy || typed === kept) return;
		when = Date.now();
		kept = now;
		try {
			const answer = await post(form, 'draft', leaving);
			if (!is_plain(answer)) throw Error();
			say(`Draft kept: ${await answer.text()}`);
		} catch {
			kept = -1;
			say('The draft is not kept just now, but nothing is lost while this window is open.');
		}
		wait();
	};
	const wait = () => {
		if (typed !== kept) timer ||= setTimeout(keep, Math.max(FIRST_MS, when + NEXT_MS - Date.now()));
	};
	on('input', ({ target }) => {
		if (target.form?.id !== 'comment') return;
		typed++;
		wait();
	});
	on('visibilitychange', () => document.hidden && keep(true));
	addEventListener('pagehide', () => keep(true));

	/* --- A form in its place */
	const close = () => {
		const place = find('.here');
		if (!place) return;
		keep(true);
		place.remove();
		opener?.focus();
	};
	const focus = (element) => {
		element.tabIndex = -1;
		element.focus();
	};
	const show = (old, page) => {
		const next = find('.remark', page), here = old.classList.contains('here');
		if (!form_of(next)) {
			throw Error(find('#login', page) ? 'Sign in anew, in another window, and send it again.'
				: find('h1', page)?.textContent ?? '');
		}
		if (here) {
			next.className = 'remark here';
			next.setAttribute('role', 'group');
			next.setAttribute('aria-label', find('h1', page).textContent);
			const answered = find('.answered', next);
			answered?.replaceWith(find('.hint', answered));
		}
		const area = find('textarea', next), preview = find('#preview', next);
		area?.removeAttribute('autofocus');
		old.replaceWith(next);
		if (preview) focus(preview);
		else area?.focus();
		area?.setSelectionRange(area.value.length, area.value.length);
		next.scrollIntoView({ block: 'nearest' });
	};
	const get = async (address) => parse(await (await fetch(address)).text());
	const open = async (link) => {
		const place = document.createElement('div');
		if (opener === link && find('.here')) return find('.here textarea').focus();
		try {
			const page = await get(link.href);
			close();
			opener = link;
			place.className = 'here';
			(link.closest('article') ?? link.parentElement).after(place);
			show(place, page);
			typed = kept = 0;
		} catch {
			location.assign(link.href);
		}
	};
	/* What is quoted stands before what is typed, which the server has as a draft. */
	const quote = async (link) => {
		const form = form_of();
		try {
			await post(form, 'draft');
			find('textarea', form).value = find('textarea', form_of(await get(link.href))).value;
			find('textarea', form).focus();
		} catch {
			say('It can’t be quoted just now.');
		}
	};
	on('click', (event) => {
		const link = event.target.closest?.('a[href]');
		if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
		const { pathname, search, origin } = link, here = link.closest('.here');
		const writes = origin === location.origin && /^\/post\/[^/]+\/comment$/.test(pathname);
		if (writes && find('textarea', form_of()) && /[?&]quote=/.test(search)) quote(link);
		else if (writes && link.closest('.comments') && !here) open(link);
		else if (here && link.matches('.hint a')) close();
		else return;
		event.preventDefault();
	});
	on('keydown', (event) => {
		if (event.key === 'Escape' && !event.isComposing && event.target.closest?.('.here')) close();
	});

	/* --- Sending */
	const arrived = async (address) => {
		const at = new URL(address, location), page = await get(location.href);
		const from = find('section.comments', page), to = find('section.comments');
		typed = kept = 0;
		if (!from || !to || !find(at.hash, from)) {
			location.assign(at);
			if (at.pathname === location.pathname && at.search === location.search) location.reload();
			return;
		}
		to.replaceWith(from);
		history.replaceState(null, '', at.hash);
		focus(find(at.hash));
	};
	const send = async (form, what) => {
		const area = find('textarea', form);
		if (busy) return;
		busy = area.readOnly = true;
		try {
			const answer = await post(form, what), text = await answer.text();
			if (answer.ok && is_plain(answer)) await arrived(text);
			else show(form.closest('.remark'), parse(text));
			kept = typed;
		} catch (why) {
			say(`Nothing is lost, but it is not sent. ${why instanceof TypeError ? 'The site can’t be reached.' : why.message}`);
		}
		busy = area.readOnly = false;
	};
	on('submit', (event) => {
		const form = event.target, what = event.submitter?.value ?? 'send';
		if (form.id !== 'comment') return;
		if (what !== 'preview' && !form.closest('.here')) {
			kept = typed;
			return;
		}
		event.preventDefault();
		send(form, what);
	});
})();
