/* The pages of the staff: a button copies a link, and the browser's time zone is suggested. Both work without it. */
(() => {
	'use strict';
	for (const input of document.querySelectorAll('.copy')) {
		input.addEventListener('focus', () => input.select());
		if (input.autofocus) input.select();
		if (!navigator.clipboard) continue;
		const button = Object.assign(document.createElement('button'), { type: 'button', textContent: 'Copy' });
		button.addEventListener('click', async () => {
			try {
				await navigator.clipboard.writeText(input.value);
				button.textContent = 'Copied';
			} catch {
				input.focus(); /* the browser forbids it: it is marked, to be copied by hand */
			}
		});
		input.after(button);
	}
	const zone = document.querySelector('select[name=time_zone]'), here = Intl.DateTimeFormat().resolvedOptions().timeZone;
	if (zone?.value === '' && [...zone.options].some(({ value }) => value === here)) zone.value = here;
})();
