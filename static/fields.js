/*
 * Fields of a post that are lists. A how-to's rows come, move and go in the page, with the focus; tags are chips with a way to
 * remove each. What is sent is what is sent without it.
 */
(() => {
	'use strict';
	const ROWS_MAX = 50, TAGS_MAX = 10;
	const find = (what, where = document) => where.querySelector(what);
	const form = find('#write');
	/* What is changed by a button is typed as far as all others are concerned. */
	const changed = () => form.dispatchEvent(new Event('input', { bubbles: true }));
	const button_of = (label, name, act) => {
		const button = Object.assign(document.createElement('button'), { type: 'button', className: 'quiet', textContent: label });
		button.setAttribute('aria-label', name);
		button.addEventListener('click', act);
		return button;
	};

	/* --- Rows --- */

	for (const series of form.querySelectorAll('.series')) {
		const list = find('ol', series), add = find('button[value^=add-]', series);
		const field = (row) => find('input, textarea', row);
		const label = field(list).getAttribute('aria-label').replace(/ \d+$/, '');
		/* Each has its number and its buttons; a button that has the focus keeps it. */
		const settle = () => [...list.children].forEach((row, i, { length }) => {
			for (const input of row.querySelectorAll('input, textarea'))
				input.setAttribute('aria-label', input.getAttribute('aria-label').replace(/\d+$/, i + 1));
			const [up, down, remove] = find('.row-deeds', row).children;
			up.setAttribute('aria-label', `Move ${label} ${i + 1} up`);
			down.setAttribute('aria-label', `Move ${label} ${i + 1} down`);
			remove.setAttribute('aria-label', `Remove ${label} ${i + 1}`);
			up.disabled = i === 0;
			down.disabled = i === length - 1;
			add.disabled = length >= ROWS_MAX;
		});
		const move = (row, button, down) => {
			const other = down ? row.nextElementSibling : row.previousElementSibling;
			/* The other one is moved: what is taken out of the page would lose the focus. */
			if (down) row.before(other);
			else row.after(other);
			settle();
			if (button.disabled) find('button:enabled', row).focus();
			changed();
		};
		const equip = (row) => {
			const up = button_of('↑', '', () => move(row, up, false)), down = button_of('↓', '', () => move(row, down, true));
			const remove = button_of('×', '', () => {
				const next = row.nextElementSibling ?? row.previousElementSibling;
				if (next) row.remove();
				else for (const input of row.querySelectorAll('input, textarea')) input.value = '';
				settle();
				field(next ?? row).focus();
				changed();
			});
			find('.row-deeds', row).replaceChildren(up, down, remove);
		};
		add.addEventListener('click', (event) => {
			const row = list.lastElementChild.cloneNode(true);
			event.preventDefault();
			for (const input of row.querySelectorAll('input, textarea')) input.value = '';
			equip(row);
			list.append(row);
			settle();
			field(row).focus();
		});
		[...list.children].forEach(equip);
		settle();
	}

	/* --- Tags --- */

	/* The field has what is being typed; each tag before it is a chip with a hidden field of the same name. */
	const entry = find('#write-tag');
	if (!entry) return;
	const chips = document.createElement('span'), known = [...find('#known-tags').options].map(({ value }) => value);
	const names = () => [...chips.querySelectorAll('input')].map(({ value }) => value);
	const take = (name) => {
		const chip = document.createElement('span');
		chip.className = 'chip';
		chip.append(Object.assign(document.createElement('input'), { type: 'hidden', name: 'tag', value: name }), name,
			button_of('×', `Remove the tag ${name}`, () => {
				chip.remove();
				offer();
				entry.focus();
				changed();
			}));
		chips.append(chip);
	};
	/* What is chosen already is not offered. */
	const offer = () => {
		const there = names();
		find('#known-tags').replaceChildren(...known.filter((name) => !there.includes(name)).map((name) => new Option(name)));
		entry.placeholder = there.length < TAGS_MAX ? 'Add a tag' : 'Ten tags, which is all';
	};
	const split = (all) => {
		const parts = entry.value.split(/[,،、，]/), rest = all ? '' : parts.pop();
		if (!all && !parts.length) return false;
		for (const name of new Set(parts.map((part) => part.trim()))) if (name && !names().includes(name)) take(name);
		entry.value = rest.trimStart();
		offer();
		return true;
	};
	chips.className = 'chips';
	entry.after(chips);
	split(true);
	entry.addEventListener('input', (event) => {
		/* One that is chosen from the list comes whole. */
		const chosen = !event.inputType || event.inputType === 'insertReplacementText';
		split(chosen && known.includes(entry.value));
	});
	entry.addEventListener('change', () => split(true));
	entry.addEventListener('keydown', (event) => {
		if (event.isComposing) return;
		if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey && entry.value.trim()) {
			event.preventDefault();
			split(true);
			changed();
		} else if (event.key === 'Backspace' && !entry.value && chips.lastElementChild) {
			const last = chips.lastElementChild;
			event.preventDefault();
			entry.value = names().at(-1);
			last.remove();
			offer();
			changed();
		}
	});
})();
