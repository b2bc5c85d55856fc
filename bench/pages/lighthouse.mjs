// node bench/pages/lighthouse.mjs [ADDRESS...]: Lighthouse's scores of the main pages, or of these, on a phone and on a desk
// (performance, accessibility, best practices, search engines), and what those below 100 lost them for.
//
//	script/bootstrap --bench && script/build server && BROADSHEET_BUILD=$PWD/build/server node bench/pages/lighthouse.mjs
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { source, start_stack } from '../../t/e2e/stack.mjs';

const { CHROMIUM, FLAGS } = createRequire(import.meta.url)('../../t/e2e/checks.js');
const { default: lighthouse, desktopConfig } = await import(createRequire(join(source, 'build/bench/')).resolve('lighthouse'));
const { launch } = await import(createRequire(createRequire(join(source, 'build/bench/')).resolve('lighthouse')).resolve('chrome-launcher'));

const MAIN = ['/', '/post/the-tide-in-forty-lines-of-c', '/post/noaa-tides-and-currents', '/post/whip-a-ropes-end', '/post/first-brent-geese',
	'/category/workshop', '/author/kofi', '/archive', '/search?q=tide', '/collections'];

// The best of three, as a busy machine takes from the performance alone.
async function audit(address, port, config) {
	let best;
	for (let i = 0; i < 3; i++) {
		const { lhr } = await lighthouse(address, { port, logLevel: 'silent' }, config);
		const { score } = lhr.categories.performance;
		if (!best || score > best.categories.performance.score) best = lhr;
		if (score === 1) break;
	}
	return best;
}

const stack = await start_stack(), profile = mkdtempSync(join(tmpdir(), 'broadsheet-lighthouse-'));
const chrome = await launch({ chromePath: CHROMIUM, chromeFlags: FLAGS, userDataDir: profile, logLevel: 'silent' });
try {
	await stack.derived();
	const [, collection] = /href="(\/collection\/[^"]+)"/.exec(await (await fetch(`${stack.url}/collections`)).text());
	const given = process.argv.slice(2);
	for (const address of given.length ? given : [...MAIN, collection])
		for (const [device, config] of [['phone', undefined], ['desk', desktopConfig]]) {
			const { categories, audits } = await audit(stack.url + address, chrome.port, config);
			const scores = Object.values(categories).map(({ score }) => String(Math.round(score * 100)).padStart(3));
			console.log(`${device.padEnd(5)} ${scores.join(' ')}  ${address}`);
			for (const { title, score, auditRefs } of Object.values(categories))
				for (const { id, weight } of auditRefs)
					if (score < 1 && weight > 0 && audits[id].score !== null && audits[id].score < 1)
						console.log(`      ${title}: ${audits[id].title} (${audits[id].displayValue ?? audits[id].score})`);
		}
} finally {
	chrome.kill();
	await stack.stop();
	rmSync(profile, { recursive: true, force: true });
}
