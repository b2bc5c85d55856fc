/* Words that begin as what is typed into a search box, offered by the browser's own list. Without it, the box is a box. */
(() => {
	'use strict';
	const PAUSE_MS = 150, LEAST = 2;
	const known = new Map();
	let number = 0;

	for (const box of document.querySelectorAll('input[name=q][data-suggest]')) {
		const list = document.createElement('datalist');
		let timer;

		list.id = `words-${++number}`;
		box.after(list);
		box.setAttribute('list', list.id);
		const offer = async () => {
			const typed = box.value, at = typed.lastIndexOf(' ') + 1, word = typed.slice(at).toLowerCase();

			if (word.length < LEAST || /[":*-]/.test(word)) return;
			if (!known.has(word)) {
				try {
					const answer = await fetch(`/search/suggest?q=${encodeURIComponent(word)}`);

					known.set(word, answer.ok ? (await answer.json())[1] : []);
				} catch {
					return; /* Not reachable: nothing is offered. */
				}
			}
			if (box.value !== typed) return;
			list.replaceChildren(...known.get(word).map(w => new Option(typed.slice(0, at) + w)));
		};
		box.addEventListener('input', () => {
			clearTimeout(timer);
			timer = setTimeout(offer, PAUSE_MS);
		});
	}
})();
