/*
 * A portrait that is chosen, dropped or pasted is sent at once, and its form alone comes anew: what is typed beside it stays.
 */
(() => {
	'use strict';
	const find = (where = document) => where.querySelector('#portrait');
	let status;

	const send = async (data) => {
		const form = find();
		form.inert = true;
		status.textContent = 'Sending …';
		try {
			const answer = await fetch(form.getAttribute('action'), { method: 'POST', body: data });
			const page = new DOMParser().parseFromString(await answer.text(), 'text/html'), now = find(page);
			if (!now) throw Error(answer.status === 413 ? 'It is too large.' : answer.status < 429
				? 'Sign in anew, in another window.' : 'The site can’t take it now.');
			form.replaceWith(document.adoptNode(now));
			equip();
			if (answer.ok) status.textContent = page.querySelector('.notice[role=status]')?.textContent ?? '';
			find().querySelector('input[type=file], button').focus();
		} catch (why) {
			form.inert = false;
			status.textContent = `Nothing was changed. ${why.message}`;
		}
	};
	const send_file = (file) => {
		const data = new FormData(find());
		data.delete('picture');
		data.set('files', file);
		send(data);
	};
	const equip = () => {
		const form = find(), input = form.querySelector('[type=file]');
		status = Object.assign(document.createElement('p'), { className: 'hint' });
		status.setAttribute('role', 'status');
		form.append(status);
		form.addEventListener('submit', (event) => {
			event.preventDefault();
			send(new FormData(form, event.submitter));
		});
		if (!input) return;
		form.querySelector('#portrait-file-hint').append(' Or drop or paste it here.');
		input.addEventListener('change', () => input.files.length && send_file(input.files[0]));
		form.addEventListener('dragover', (event) => event.preventDefault());
		form.addEventListener('drop', (event) => taken(event, event.dataTransfer));
	};
	/* Text that comes with a picture of itself is text. */
	const taken = (event, { files, types }) => {
		const file = [...files].find(({ type }) => type.startsWith('image/'));
		if (!file || types.includes('text/plain')) return;
		event.preventDefault();
		send_file(file);
	};
	if (!find()) return;
	addEventListener('paste', (event) => find().querySelector('[type=file]') && taken(event, event.clipboardData));
	equip();
})();
