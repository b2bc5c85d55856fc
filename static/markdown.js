/*
 * Help with writing Markdown: buttons and keys that put its signs around what is selected, addresses and rich text that are
 * pasted, how many words there are, and a screen with the text alone. Every change can be undone, as what is typed.
 */
(() => {
	'use strict';
	const WORDS_A_MINUTE = 230, COUNT_MS = 200; /* as src/pages/shared/words.c */
	const PASTE_MAX = 200000; /* letters: as FORM_TEXT_MAX, src/web/form/form.h */
	const find = (what, where = document) => where.querySelector(what);
	const form = find('#write'), text = find('.text textarea', form), status = find('.deeds [role=status]', form);
	const say = (what) => status && (status.textContent = what);

	/* Replaces a part of a text, and selects a part of what is there now. */
	const put = (area, from, to, now, begin = now.length, end = begin) => {
		area.focus();
		area.setSelectionRange(from, to);
		if (area.value.slice(from, to) !== now && !document.execCommand(now ? 'insertText' : 'delete', false, now)) {
			area.setRangeText(now, from, to);
			area.dispatchEvent(new Event('input', { bubbles: true }));
		}
		area.setSelectionRange(from + begin, from + end);
	};

	/* --- Signs --- */

	/* What is selected, without the space at its ends: signs stand next to words. */
	const selected = ({ value, selectionStart, selectionEnd }) => {
		const all = value.slice(selectionStart, selectionEnd), words = all.trim();
		const from = selectionStart + (words ? all.indexOf(words) : 0);
		return { from, to: from + words.length, words };
	};
	/* Around the words, or no longer. */
	const around = (sign) => (area) => {
		const { from, to, words } = selected(area), { value } = area, n = sign.length;
		if (value.slice(from - n, from) === sign && value.slice(to, to + n) === sign)
			put(area, from - n, to + n, words, 0, words.length);
		else put(area, from, to, sign + words + sign, n, n + words.length);
	};
	/* Before each line that is selected, or no longer. */
	const before = (sign, is, other = is) => (area) => {
		const { value, selectionStart: from, selectionEnd: to } = area;
		const start = value.lastIndexOf('\n', from - 1) + 1, end = `${value}\n`.indexOf('\n', Math.max(start, to - 1));
		const all = value.slice(start, end).split('\n');
		const now = (all.every((line) => is.test(line)) ? all.map((line) => line.replace(is, ''))
			: all.map((line, i) => sign(i) + line.replace(other, ''))).join('\n');
		put(area, start, end, now, all.length > 1 ? 0 : now.length, now.length);
	};
	const code = (area) => {
		const { value, selectionStart: from, selectionEnd: to } = area;
		if (!value.slice(from, to).includes('\n')) return around('`')(area);
		const now = `\`\`\`\n${value.slice(from, to).replace(/\n$/, '')}\n\`\`\``;
		put(area, from, to, now, 3);
	};
	const ADDRESS = /^https?:\/\/\S+$/;
	const link_of = (words, address) => `[${words}](${/[()]/.test(address) ? `<${address}>` : address})`;
	/* The part that is missing is selected. */
	const link = (area) => {
		const { from, to, words } = selected(area);
		if (ADDRESS.test(words)) return put(area, from, to, link_of('', words), 1);
		put(area, from, to, `[${words}](https://)`, words ? words.length + 3 : 1, words ? words.length + 11 : 1);
	};
	/* The pictures of the line become wider than the text, or no longer. */
	const wide = (area) => {
		const { value, selectionStart: at } = area, start = value.lastIndexOf('\n', at - 1) + 1;
		const end = `${value}\n`.indexOf('\n', at), line = value.slice(start, end);
		const now = line.includes('#wide') ? line.replace(/(!\[[^\]]*\]\([^\s)]+?)#wide/g, '$1')
			: line.replace(/!\[[^\]]*\]\([^\s)#]+/g, '$&#wide');
		if (now === line) return say('Put the cursor on the line of a picture first.');
		put(area, start, end, now, at - start);
	};
	const ITEM = /^([-*+]|\d+[.)]) /;
	const acts = [
		['Bold', 'B', around('**'), 'b'],
		['Italic', 'I', around('_'), 'i'],
		['Link', 'Link', link, 'k'],
		['Heading', 'H', before(() => '## ', /^#{1,6} /)],
		['Quote', '”', before(() => '> ', /^> ?/)],
		['List', '•', before(() => '- ', /^[-*+] /, ITEM)],
		['Numbered list', '№', before((i) => `${i + 1}. `, /^\d+[.)] /, ITEM)],
		['Code', '</>', code],
		['Wide picture', '↔', wide],
	];

	/* --- Buttons and keys --- */

	const mac = /Mac|iP/.test(navigator.platform), key_name = mac ? '⌘' : 'Ctrl+';
	const tell_key = (button, key, name) => {
		const named = key.length === 1 ? key.toUpperCase() : key;
		button.title = `${name} (${key_name}${named})`;
		button.setAttribute('aria-keyshortcuts', `${mac ? 'Meta' : 'Control'}+${named}`);
	};
	const button_of = (name, label, act) => {
		const button = Object.assign(document.createElement('button'), { type: 'button', textContent: label, title: name });
		button.setAttribute('aria-label', name);
		button.addEventListener('click', act);
		return button;
	};
	const bar = document.createElement('div');
	bar.className = 'tools';
	bar.setAttribute('role', 'group');
	bar.setAttribute('aria-label', 'Format the text');
	for (const [name, label, act, key] of acts) {
		const button = button_of(name, label, () => act(text));
		if (key) tell_key(button, key, name);
		bar.append(button);
	}
	text.before(bar);

	const deed = (value) => find(`.deeds [value=${value}]`, form);
	const keys = { s: deed('save'), Enter: deed('preview'), 'Shift+Enter': deed('publish') };
	for (const [key, button] of Object.entries(keys)) if (button) tell_key(button, key, button.textContent);
	addEventListener('keydown', (event) => {
		if (!(mac ? event.metaKey : event.ctrlKey) || event.altKey || event.isComposing) return;
		const key = event.key === 'Enter' ? (event.shiftKey ? 'Shift+Enter' : 'Enter') : event.shiftKey ? '' : event.key.toLowerCase();
		const act = acts.find((a) => a[3] === key), area = event.target.closest('#write textarea');
		if (!keys[key] && !(act && area)) return;
		event.preventDefault();
		if (event.repeat) return;
		if (act) act[2](area);
		else keys[key].click();
	});

	/* --- A screen with the text alone --- */

	const alone = button_of('Full screen', 'Full', () => {
		const on = document.body.classList.toggle('alone');
		alone.setAttribute('aria-pressed', on);
		text.focus();
	});
	alone.setAttribute('aria-pressed', 'false');
	bar.append(alone);
	addEventListener('keydown', (event) => event.key === 'Escape' && !event.isComposing && alone.ariaPressed === 'true' && alone.click());

	/* Who saves goes on where they were. */
	const areas = () => [...form.querySelectorAll('input[type=text], textarea')];
	form.addEventListener('submit', ({ submitter }) => {
		const field = document.activeElement, at = areas().indexOf(field);
		if (submitter?.value !== 'save' || at < 0) return;
		sessionStorage.setItem('caret', JSON.stringify([at, field.selectionStart, field.selectionEnd, scrollY, alone.ariaPressed]));
	});
	const was = JSON.parse(sessionStorage.getItem('caret'));
	sessionStorage.removeItem('caret');
	if (was && /[?&]done=saved\b/.test(location.search)) {
		const [at, from, to, y, full] = was, field = areas()[at];
		if (full === 'true') alone.click();
		field?.focus({ preventScroll: true });
		field?.setSelectionRange(from, to);
		scrollTo(0, y);
	}

	/* --- How much it is --- */

	const words = find('#words', form);
	const count = () => {
		const n = text.value.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length, minutes = Math.round(n / WORDS_A_MINUTE);
		words.textContent = `${n.toLocaleString('en')} ${n === 1 ? 'word' : 'words'}${minutes ? `, ${minutes} min read` : ''}`;
	};
	let counting;
	text.addEventListener('input', () => {
		clearTimeout(counting);
		counting = setTimeout(count, COUNT_MS);
	});
	count();

	/* --- What is pasted --- */

	/* In text, what Markdown would take for its own signs. */
	const plain = (words) => words.replace(/\s+/g, ' ').replace(/[\\`*_[\]<]/g, '\\$&');
	const SIGNS = { B: '**', STRONG: '**', I: '_', EM: '_', DEL: '~~', S: '~~', STRIKE: '~~' };
	const BLOCK = /^(P|DIV|H\d|[UO]L|LI|BLOCKQUOTE|PRE|TABLE|HR|SECTION|ARTICLE|FIG.*|D[LTD])$/;
	const DROPPED = /^(STYLE|SCRIPT|TITLE|NOSCRIPT|BUTTON|SELECT|TEXTAREA)$/;
	/* An office program says how words look, and not what they are; and that all of a copy is a <b> that is not bold. */
	const looks = (node, what) => node.getAttribute('data-style')?.match(what);
	const sign_of = (node) => {
		if (looks(node, /font-weight:\s*(bold|[67]00)/)) return '**';
		if (looks(node, /font-style:\s*italic/)) return '_';
		return looks(node, /font-weight:\s*(normal|400)/) ? '' : SIGNS[node.tagName] ?? '';
	};
	const inline = (node) => {
		if (node.nodeType === Node.TEXT_NODE) return plain(node.data);
		if (node.nodeType !== Node.ELEMENT_NODE || DROPPED.test(node.tagName)) return '';
		const inner = () => [...node.childNodes].map(inline).join('');
		switch (node.tagName) {
		case 'BR': return '\\\n';
		case 'CODE': case 'KBD': case 'TT': return node.textContent.trim() && `\`${node.textContent.trim()}\``;
		case 'IMG': return /^https:/.test(node.getAttribute('src')) ? `![${plain(node.alt)}](${node.getAttribute('src')})` : '';
		case 'A': {
			const address = node.getAttribute('href') ?? '', says = inner();
			return says.trim() && /^(https?:|mailto:)/.test(address) ? link_of(says.trim(), address) : says;
		}
		}
		const all = inner(), sign = all.trim() && sign_of(node);
		return sign ? all.replace(all.trim(), () => sign + all.trim() + sign) : all;
	};
	const indented = (block, first, rest) => first + block.replace(/\n(?=.)/g, `\n${rest}`);
	const table = (node) => {
		const rows = [...node.querySelectorAll('tr')].map((row) =>
			`| ${[...row.cells].map((cell) => inline(cell).replace(/\\?\n/g, ' ').replace(/\|/g, '\\|').trim()).join(' | ')} |`);
		const columns = node.querySelector('tr')?.cells.length ?? 0;
		return [rows[0], `|${' --- |'.repeat(columns)}`, ...rows.slice(1)].join('\n');
	};
	const block_of = (node) => {
		const { tagName } = node, level = /^H([1-6])$/.exec(tagName);
		if (level) return `${'#'.repeat(Math.max(2, level[1]))} ${blocks(node).join(' ')}`;
		switch (tagName) {
		case 'HR': return '---';
		case 'PRE': return `\`\`\`\n${node.textContent.replace(/\n$/, '')}\n\`\`\``;
		case 'BLOCKQUOTE': return indented(blocks(node).join('\n\n'), '> ', '> ').replace(/\n\n/g, '\n>\n');
		case 'TABLE': return table(node);
		case 'FIGURE': {
			const caption = find('figcaption', node), pictures = [...node.querySelectorAll('img')].map(inline).filter(Boolean);
			if (!pictures.length || find('figure, table, pre, blockquote', node)) break;
			const words = caption ? blocks(caption).join(' ').replace(/\\?\n/g, ' ').replace(/^_([^_]+)_$/, '$1') : '';
			return pictures.join(' ') + (words && `\n*${words}*`);
		}
		case 'UL': case 'OL':
			return [...node.children].map((item, i) => {
				const sign = /^[UO]L$/.test(item.tagName) ? '  ' : tagName === 'UL' ? '- ' : `${i + 1}. `;
				if (sign === '  ') return indented(block_of(item), sign, sign);
				return indented(blocks(item).join('\n'), sign, ' '.repeat(sign.length));
			}).join('\n');
		}
		return blocks(node).join('\n\n');
	};
	/* The blocks of a node; words between them are paragraphs. */
	function blocks(node) {
		const all = [];
		let words = '';
		const end = () => {
			const paragraph = words.replace(/(\\\n\s*)+$/, '').trim();
			if (paragraph) all.push(paragraph.replace(/^(#{1,6}|[-+>]|\d+[.)])(?= )/, '\\$1'));
			words = '';
		};
		for (const child of node.childNodes) {
			const holds = BLOCK.test(child.tagName) || (child.nodeType === Node.ELEMENT_NODE && find('p, div, ul, ol, h1, h2, h3, table, pre', child));
			if (!holds) words += inline(child);
			else {
				end();
				const block = block_of(child);
				if (block) all.push(block);
			}
		}
		end();
		return all;
	}
	/* Rich text as Markdown; nothing where it is but text, as an editor of code copies it. */
	const rich = (html) => {
		/* Styles are read and not applied, and handlers neither: the page's policy forbids them. */
		const named = html.replace(/<[a-z][^>]*>/gi, (tag) => tag.replace(/\s(style|on\w+)=/gi, ' data-$1=')).replace(/<style[\s\S]*?<\/style>/gi, '');
		const { body } = new DOMParser().parseFromString(named, 'text/html');
		if (!find('a[href], b, strong, i, em, h1, h2, h3, h4, ul, ol, blockquote, table, img, p code', body)) return '';
		return blocks(body).join('\n\n');
	};
	const size = (letters) => (letters < 1e6 ? `${Math.round(letters / 1e3)} KB` : `${(letters / 1e6).toFixed(1)} MB`);
	form.addEventListener('paste', (event) => {
		const area = event.target.closest('textarea'), data = event.clipboardData, words = data.getData('text/plain');
		if (!area || event.defaultPrevented) return;
		const html = data.getData('text/html'), { from, to, words: marked } = selected(area);
		let now = '';
		if (words.length > PASTE_MAX) {
			event.preventDefault();
			return say(`Not pasted: this is ${size(words.length)}, and a text has ${size(PASTE_MAX)} at most. What you wrote is as it was.`);
		}
		if (ADDRESS.test(words.trim()) && marked && !marked.includes('\n') && !ADDRESS.test(marked)) {
			event.preventDefault();
			return put(area, from, to, link_of(marked, words.trim()));
		}
		if (area === text && words.trim() && html && html.length < 20 * PASTE_MAX) now = rich(html);
		if (!now) return;
		event.preventDefault();
		put(area, area.selectionStart, area.selectionEnd, now);
		say('Pasted as Markdown.');
	});
})();
