/*
 * A portrait, a cover or a nameplate that is chosen, dropped or pasted is sent at once, and its form alone comes anew: what is typed beside it stays.
 * What is pasted is for the form that has the focus; where nothing has it, for the first, if that is not the nameplate of the whole site.
 */
(() => {
	'use strict';
	const forms = (where = document) => [...where.querySelectorAll('form.picture-form')];
	const same = (form, where = document) => forms(where).find(({ id }) => id === form.id);
	const file_of = (form) => form.querySelector('[type=file]');
	const told = (form) => form.querySelector('[role=status]');

	const send = async (form, data) => {
		form.inert = true;
		told(form).textContent = 'Sending …';
		try {
			const answer = await fetch(form.getAttribute('action'), { method: 'POST', body: data }).catch(() => {
				throw Error('The site can’t be reached.');
			});
			const page = new DOMParser().parseFromString(await answer.text(), 'text/html'), now = same(form, page);
			/* A cover that its author may have no more goes with its form. */
			if (!now && answer.ok && new URL(answer.url).pathname === location.pathname) return form.remove();
			if (!now) throw Error(answer.status === 413 ? 'It is too large.' : answer.status < 429
				? 'Sign in anew, in another window.' : 'The site can’t take it now.');
			form.replaceWith(document.adoptNode(now));
			equip(now);
			if (answer.ok) told(now).textContent = page.querySelector('.notice[role=status]')?.textContent ?? '';
			now.querySelector('input[type=file], button').focus();
		} catch (why) {
			form.inert = false;
			told(form).textContent = `Nothing was changed. ${why.message}`;
		}
	};
	const send_file = (form, file) => {
		const data = new FormData(form);
		data.delete('picture');
		data.set('files', file);
		send(form, data);
	};
	const equip = (form) => {
		const input = file_of(form);
		const status = Object.assign(document.createElement('p'), { className: 'hint' });
		status.setAttribute('role', 'status');
		form.append(status);
		form.addEventListener('submit', (event) => {
			event.preventDefault();
			send(form, new FormData(form, event.submitter));
		});
		if (!input) return;
		form.querySelector('[id$=-file-hint]').append(' Or drop or paste it here.');
		input.addEventListener('change', () => input.files.length && send_file(form, input.files[0]));
		form.addEventListener('dragover', (event) => event.preventDefault());
		form.addEventListener('drop', (event) => taken(form, event, event.dataTransfer));
	};
	/* Text that comes with a picture of itself is text. */
	const taken = (form, event, { files, types }) => {
		const file = [...files].find(({ type }) => type.startsWith('image/'));
		if (!file || types.includes('text/plain')) return;
		event.preventDefault();
		send_file(form, file);
	};
	addEventListener('paste', (event) => {
		const focus = document.activeElement;
		const form = focus.closest('form.picture-form') ?? (focus === document.body && forms().find(({ id }) => id !== 'nameplate'));
		if (form && file_of(form)) taken(form, event, event.clipboardData);
	});
	forms().forEach(equip);
})();
