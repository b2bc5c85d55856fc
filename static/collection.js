/* The order of a collection by dragging; its buttons do the same. It posts a row's form, whose place it sets. */
(() => {
	'use strict';
	const list = document.querySelector('.entries'), status = document.createElement('p');
	const rows = () => [...list.children];
	const field = (row, name) => row.querySelector(`[name=${name}]`);
	const first = Number(field(list, 'at').value);
	let busy = false;

	status.className = 'hint';
	status.setAttribute('role', 'status');
	list.before(status);

	/* What was typed and is not saved stays; numbers and buttons are those of the page that came back. */
	const take = (page) => {
		for (const row of rows()) {
			const is = [...page.querySelectorAll('.entries [name=post]') ].find(
			    (it) => it.value === field(row, 'post').value);
			if (!is)
				continue;
			for (const name of ['place', 'at'])
				field(row, name).value = is.form.elements[name].value;
			row.querySelector('.acts').replaceWith(is.form.querySelector('.acts'));
		}
	};
	const send = async (row, back) => {
		const place = first + rows().indexOf(row), form = row.querySelector('form'),
		      data = new FormData(form);
		data.set('place', place);
		data.set('do', 'save');
		busy = true;
		try {
			const answer = await fetch(form.getAttribute('action'),
			    {method : 'POST', body : new URLSearchParams(data)});
			if (!answer.ok)
				throw Error();
			take(new DOMParser().parseFromString(await answer.text(), 'text/html'));
			status.textContent = `Moved to place ${place}.`;
		} catch {
			list.insertBefore(row, back);
			status.textContent =
			    'It could not be moved. Try again, or load the page anew.';
		}
		busy = false;
	};
	for (const row of rows()) {
		const grip = document.createElement('span');
		let back, drags = false;

		grip.className = 'grip';
		grip.setAttribute('aria-hidden', 'true');
		grip.textContent = '⠿';
		row.querySelector('h2').prepend(grip);
		grip.addEventListener('pointerdown', (event) => {
			if (busy || event.button)
				return;
			event.preventDefault();
			grip.setPointerCapture(event.pointerId);
			back = row.nextElementSibling;
			drags = true;
			row.classList.add('dragged');
		});
		grip.addEventListener('pointermove', ({clientY}) => {
			if (!drags)
				return;
			const middle = (it) => it.getBoundingClientRect().top + it.offsetHeight / 2;
			const {previousElementSibling : above, nextElementSibling : below} = row;
			/* Its neighbour is moved: what is taken out of the page would lose the pointer. */
			if (above && clientY < middle(above))
				row.after(above);
			else if (below && clientY > middle(below))
				row.before(below);
		});
		const end = (event) => {
			if (!drags)
				return;
			drags = false;
			row.classList.remove('dragged');
			if (event.type === 'pointercancel')
				list.insertBefore(row, back);
			else if (row.nextElementSibling !== back)
				send(row, back);
		};
		grip.addEventListener('pointerup', end);
		grip.addEventListener('pointercancel', end);
	}
})();
