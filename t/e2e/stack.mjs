// The whole of Broadsheet for tests that need a browser: the program, with the seed or empty, behind an nginx.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const source = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
export const build =
	process.env.BROADSHEET_BUILD ??
	['build/test', 'build/dev'].map((d) => join(source, d)).find((d) => existsSync(join(d, 'broadsheet')));

export function sleep(ms) {
	return new Promise((done) => setTimeout(done, ms));
}

// For two minutes: a busy machine is no failure.
async function wait_for(what, test, pause = 50) {
	for (let i = 0; i < 2400; i++) {
		if (await test()) return;
		await sleep(pause);
	}
	throw new Error(`${what} did not come`);
}

// A port that is free now, from below those that the kernel gives to whoever asks for any, so that it seldom is taken
// before it is used.
function free_port() {
	return new Promise((done) => {
		const port = 20000 + Math.floor(Math.random() * 12000);
		const server = createServer();
		server.once('error', () => done(free_port()));
		server.listen(port, '127.0.0.1', () => server.close(() => done(port)));
	});
}

async function answers(url) {
	try {
		return (await fetch(url)).status === 200;
	} catch {
		return false;
	}
}

// The first line that a program says, which ends when its input does, as it will with us.
export function first_line(program, args) {
	return new Promise((done, fail) => {
		const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
		child.stdout.once('data', (line) => {
			for (const handle of [child, child.stdin, child.stdout]) handle.unref();
			done(String(line).trim());
		});
		child.once('exit', () => fail(new Error(`${program} ended`)));
	});
}

let stores = 0;

// What leads the program to an empty store: a file in the folder, or, with TEST_STORE=dynamodb, a table of
// DynamoDB Local, of which a test has one; t/dynamodb.t runs this so once more.
async function store_for_test(dir) {
	if (process.env.TEST_STORE !== 'dynamodb') return { BROADSHEET_STORE: `sqlite:${dir}/broadsheet.db` };
	process.env.AWS_ENDPOINT_URL_DYNAMODB ??= await first_line(join(source, 't/lib/dynamodb-local'), []);
	return {
		AWS_REGION: 'eu-central-1',
		AWS_ACCESS_KEY_ID: process.env.AWS_ACCESS_KEY_ID ?? `local${process.pid}t${Date.now()}`,
		AWS_SECRET_ACCESS_KEY: 'local',
		AWS_ENDPOINT_URL_DYNAMODB: process.env.AWS_ENDPOINT_URL_DYNAMODB,
		BROADSHEET_STORE: `dynamodb:test-${process.pid}-${++stores}`,
		BROADSHEET_SECRET_FILE: `${dir}/secret`,
	};
}

// The end of what was complained of in these logs, for whoever sees a test fail on another machine.
function complaints(dir) {
	const end = (name, which) =>
		readFileSync(join(dir, name), 'utf8').split('\n').filter((line) => which.test(line)).slice(-20);
	return [...end('log', /^<[0-4]>/), ...end('nginx.log', /./)].map((line) => `# ${line}`).join('\n');
}

// With the seed, or with nothing at all: not even an admin. Without a worker nothing is derived.
export async function start_stack({ empty = false, worker = true } = {}) {
	// In memory, where there is any to be had as files: on a busy disk a page waits for longer than it may.
	const memory = process.env.TEST_MEMORY ?? (existsSync('/dev/shm') ? '/dev/shm' : '/tmp');
	const dir = mkdtempSync(join(memory, 'broadsheet-e2e-'));
	const port = await free_port();
	const children = [];
	const env = {
		...process.env,
		PATH: `${process.env.PATH}:/usr/sbin`,
		...(await store_for_test(dir)),
		BROADSHEET_MEDIA: `${dir}/media`,
		BROADSHEET_TABLE_TIMEOUT: '120', // a busy machine is no failure
		BROADSHEET_ORIGIN: `http://127.0.0.1:${port}`,
		BROADSHEET_STREAM_WORKER: worker ? 'yes' : 'no',
		BROADSHEET_TEMPLATES: join(source, 'templates'),
		BROADSHEET_STATIC: join(source, 'static'),
	};
	const run = (program, args, log) => {
		const out = openSync(join(dir, log), 'w');
		// Whoever outlives the test, however it ends, is ended by the kernel.
		children.push(
			spawn('setpriv', ['--pdeathsig', 'TERM', program, ...args], { env, stdio: ['ignore', out, out] }),
		);
	};
	const program = join(build, 'broadsheet');

	mkdirSync(join(dir, 'media'));
	if (empty || env.BROADSHEET_STORE.startsWith('dynamodb:')) execFileSync(program, ['table', 'create'], { env });
	if (!empty) execFileSync(program, ['seed', join(source, 'migrations-free-seed')], { env, stdio: 'ignore' });
	run(program, ['serve', '--socket', `${dir}/socket`], 'log');
	await wait_for('the server', () => readFileSync(join(dir, 'log'), 'utf8').includes('is ready'));
	execFileSync(join(source, 'script/nginx-config'), [dir, `${dir}/socket`, String(port)], { env });
	// All of a test's people come from one address, and do in a minute what others do in a day.
	const limits = join(dir, 'broadsheet/broadsheet_http.conf');
	writeFileSync(limits, readFileSync(limits, 'utf8').replace(/rate=\S+;/g, 'rate=100r/s;'));
	run('nginx', ['-e', 'stderr', '-p', dir, '-c', 'nginx.conf'], 'nginx.log');
	await wait_for('nginx', () => answers(`http://127.0.0.1:${port}/healthz`));
	// What the program says when it is called with these words.
	const command = (...words) => execFileSync(program, words, { env, encoding: 'utf8' });
	return {
		url: `http://127.0.0.1:${port}`,
		dir,
		command,
		// Until everything is derived once, which begins with the start: before, pages change by themselves.
		// To ask takes a process, which the worker would wait for.
		derived: () =>
			wait_for('what is derived', () => !/not yet made|^Rebuild/m.test(command('work', '--status')), 1000),
		async stop() {
			for (const child of children) child.kill('SIGTERM');
			for (const child of children)
				if (child.exitCode === null && child.signalCode === null)
					await new Promise((done) => child.once('exit', done));
			const said = complaints(dir);
			process.on('exit', (status) => status !== 0 && said && console.error(said));
			rmSync(dir, { recursive: true, force: true });
		},
	};
}

// A folder for what people may look at afterwards: the test's own, as others run at the same time, also the same
// one on another store.
export function output(name) {
	const store = process.env.TEST_STORE ?? 'sqlite';
	const dir = join(build, 'screenshots', store === 'sqlite' ? name : `${name}-${store}`);
	rmSync(dir, { recursive: true, force: true });
	mkdirSync(dir, { recursive: true });
	return dir;
}
