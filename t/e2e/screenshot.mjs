// node t/e2e/screenshot.mjs: takes README.md's picture of the front page, docs/screenshot.png, anew.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { source, start_stack } from './stack.mjs';

const { chromium } = createRequire(join(source, 'build/node/'))('playwright-core');
const stack = await start_stack();
try {
	const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--headless'] });
	const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, colorScheme: 'light' });
	await page.goto(stack.url);
	await page.screenshot({ path: join(source, 'docs/screenshot.png') });
	await browser.close();
} finally {
	await stack.stop();
}
