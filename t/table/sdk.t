#!/usr/bin/env node
// What Broadsheet writes to DynamoDB, read with Amazon's own client; and what that writes, read by Broadsheet. The
// items are of every type, with keys and names as hostile as they may be; and those of the seed.
'use strict';
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { spawnSync } = require('node:child_process');
const { createRequire } = require('node:module');
const { bail_out, finish, ok } = require('../e2e/checks.js');

const source = path.dirname(path.dirname(__dirname));

function skip_all(why) {
	console.log(`1..0 # SKIP ${why}`);
	process.exit(0);
}

function load_sdk() {
	try {
		return createRequire(path.join(source, 'build/node/'))('@aws-sdk/client-dynamodb');
	} catch (error) {
		if (!fs.existsSync(path.join(source, '.git'))) skip_all("Amazon's client is not installed");
		bail_out(`script/bootstrap --tests installs what this test needs: ${error.message.split('\n')[0]}`);
	}
}

// --- Items -------------------------------------------------------------------------------------------

const key = (pk, sk) => ({ PK: { S: pk }, SK: { S: sk } });
const one = (value) => ({ ...key('TYPES', `${Object.keys(value)[0]} ${JSON.stringify(value).slice(0, 60)}`), Value: value });
const deep = (levels) => (levels === 0 ? { S: 'at the bottom' } : levels % 2 ? { L: [deep(levels - 1)] } : { M: { x: deep(levels - 1) } });

const values = [
	{ S: '' }, { S: 'plain' }, { S: '"quotes", \\ and / and \b\f\n\r\t' }, { S: '\u0000\u0001\u001f\u007f\u0080' },
	{ S: 'ß 漢字 \u{1f980} \ufeff\ufffd\uffff\u2028\u2029' }, { S: 'e\u0301 is not é' }, { S: 'x'.repeat(100000) },
	{ N: '0' }, { N: '-1' }, { N: '9223372036854775807' }, { N: '-9223372036854775808' }, { N: '1795000000000' },
	{ BOOL: true }, { BOOL: false }, { NULL: true },
	{ B: '' }, { B: 'AA==' }, { B: Buffer.from(Array.from({ length: 256 }, (_, i) => i)).toString('base64') },
	{ L: [] }, { L: [{ S: 'a' }, { N: '1' }, { L: [{ NULL: true }] }, { M: {} }] },
	{ M: {} }, { M: { '': undefined, a: { S: 'x' }, 'ä': { B: '/w==' }, 'a.b[0]': { BOOL: false } } },
	{ SS: ['one'] }, { SS: ['', 'a', 'b', 'ß', '\u{1f980}', '\u0000'] }, deep(30),
];
delete values[21].M[''];

const sorts = ['\u0000', 'a\u0000b', '#', '#a', ':', ' ', '  ', '\n', '"', "'", '\\', '%00', '../..', 'null', 'é', 'e\u0301',
	'\u{1f980}', '\uffff', 'A', 'a', '1', '10', '2', 'x'.repeat(1024), 'é'.repeat(512)];
const names = ['a', 'A', 'size', 'Value', 'PK#', '#n', ':v', 'a b', 'a.b', '[0]', '"', '\\', '\u0001', 'é', '\u{1f980}', 'n'.repeat(300),
	'constructor', 'toString', 'ExpiresAtNot'];

const items = [
	...values.map(one),
	...sorts.map((sk, i) => ({ ...key('SORTS', sk), Number: { N: String(i) } })),
	...sorts.map((pk, i) => ({ ...key(pk, 'a partition'), Number: { N: String(i) } })),
	{ ...key('p'.repeat(2048), 's'.repeat(1024)), Long: { BOOL: true } },
	{ ...key('NAMES', 'all'), ...Object.fromEntries(names.map((name) => [name, { S: name }])) },
	{ ...key('INDEX', 'in all'), ...Object.fromEntries([1, 2, 3, 4].flatMap((n) =>
		[[`GSI${n}PK`, { S: 'SHELF' }], [`GSI${n}SK`, { S: `${n}\u0000#` }]])) },
	{ ...key('INDEX', 'in half'), GSI1PK: { S: 'SHELF' } },
	{ ...key('EXPIRES', 'late'), ExpiresAt: { N: '4102444800' } },
	{ ...key('EXPIRES', 'long ago'), ExpiresAt: { N: '1' } },
];

// One text for equal items: attributes and members in order, bytes in base 64.
function canonical(value) {
	if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
	if (Array.isArray(value)) return value.map(canonical);
	if (value === null || typeof value !== 'object') return value;
	return Object.keys(value).sort().map((name) =>
		[name, name === 'SS' && value[name].every?.((m) => typeof m === 'string') ? [...value[name]].sort() : canonical(value[name])]);
}
const text_of = (item) => JSON.stringify(canonical(item));
const name_of = (item) => JSON.stringify([item.PK.S, item.SK.S]).slice(0, 90);

function same_items(got, wanted, sentence) {
	const left = new Map(wanted.map((item) => [text_of(item), item]));
	const strange = got.filter((item) => !left.delete(text_of(item)));

	ok(left.size === 0 && strange.length === 0 && got.length === wanted.length, sentence,
		`${got.length} items, wanted ${wanted.length}`,
		[...left.values()].slice(0, 5).map((item) => `missing: ${text_of(item)}`),
		strange.slice(0, 5).map((item) => `strange: ${text_of(item)}`));
}

// --- Both sides ---------------------------------------------------------------------------------------

let program, folder;

function broadsheet(words, input) {
	const ran = spawnSync(program, words, { input, encoding: 'utf8', maxBuffer: 1 << 28 });
	return { status: ran.status, out: ran.stdout, err: ran.stderr };
}

function must(words, input) {
	const ran = broadsheet(words, input);
	if (ran.status !== 0) throw new Error(`broadsheet ${words.join(' ')}: ${ran.status} ${ran.err}`);
	return ran.out;
}

const exported = (store) => must(['export', '--store', store]).split('\n').filter(Boolean).map((line) => JSON.parse(line));
const for_sdk = (value) => {
	if (Array.isArray(value)) return value.map(for_sdk);
	if (value === null || typeof value !== 'object') return value;
	return Object.fromEntries(Object.entries(value).map(([name, v]) =>
		[name, name === 'B' && typeof v === 'string' ? Buffer.from(v, 'base64') : for_sdk(v)]));
};

async function scanned(sdk, client, table) {
	const all = [];
	let from;
	do {
		const page = await client.send(new sdk.ScanCommand({ TableName: table, ConsistentRead: true, ExclusiveStartKey: from }));
		all.push(...page.Items);
		from = page.LastEvaluatedKey;
	} while (from);
	return all;
}

async function ours_read_by_sdk(sdk, client) {
	const file = path.join(folder, 'items.jsonl');

	fs.writeFileSync(file, items.map((item) => `${JSON.stringify(item)}\n`).join(''));
	must(['table', 'create', '--store', 'dynamodb:ours']);
	must(['import', '--store', 'dynamodb:ours', file]);
	for (const item of items) {
		const got = await client.send(new sdk.GetItemCommand({ TableName: 'ours', ConsistentRead: true, Key: key(item.PK.S, item.SK.S) }));
		ok(got.Item !== undefined && text_of(got.Item) === text_of(item), `the client reads what we wrote under ${name_of(item)}`,
			`   got ${got.Item && text_of(got.Item)}`, `wanted ${text_of(item)}`);
	}
	same_items(await scanned(sdk, client, 'ours'), items, 'the table holds these items and no other');
	for (const n of [1, 2, 3, 4]) {
		const got = await client.send(new sdk.QueryCommand({ TableName: 'ours', IndexName: `GSI${n}`,
			KeyConditionExpression: '#p = :p', ExpressionAttributeNames: { '#p': `GSI${n}PK` }, ExpressionAttributeValues: { ':p': { S: 'SHELF' } } }));
		same_items(got.Items, items.filter((item) => item[`GSI${n}SK`]), `index ${n} holds what has both of its keys`);
	}
}

async function theirs_read_by_us(sdk, client) {
	must(['table', 'create', '--store', 'dynamodb:theirs']);
	for (const item of items) await client.send(new sdk.PutItemCommand({ TableName: 'theirs', Item: for_sdk(item) }));
	same_items(exported('dynamodb:theirs'), items, 'we read all that the client wrote');
	for (const item of items.filter((i) => /^(NAMES|INDEX|#|é|\u{1f980})$/u.test(i.PK.S))) {
		const got = broadsheet(['get', '--store', 'dynamodb:theirs', '--', item.PK.S, item.SK.S]);
		ok(got.status === 0 && text_of(JSON.parse(got.out)) === text_of(item), `we get what the client wrote under ${name_of(item)}`,
			`   got ${got.status} ${got.out} ${got.err}`, `wanted ${text_of(item)}`);
	}
	// What is beyond the contract is told as damage, and never taken for something else.
	for (const [name, value] of Object.entries({
		'a decimal': { N: '1.5' }, 'a number of 38 digits': { N: '9'.repeat(38) }, 'a set of numbers': { NS: ['1'] },
		'a set of binaries': { BS: [Buffer.from('x')] } })) {
		await client.send(new sdk.PutItemCommand({ TableName: 'theirs', Item: { ...key('BEYOND', name), Value: value } }));
		const got = broadsheet(['get', '--store', 'dynamodb:theirs', 'BEYOND', name]);
		ok(got.status === 4 && got.out === '' && /\n$/.test(got.err), `${name} is told as damage: ${got.err.trim()}`, got.status, got.out);
	}
}

// Items as the program writes them itself: the seed, and what commands and transactions make of people.
async function a_site(sdk, client) {
	const store = ['--store', 'dynamodb:site'];

	must(['table', 'create', ...store]);
	must(['seed', ...store, path.join(source, 'migrations-free-seed')]);
	must(['user', 'create', '--admin', ...store, 'ada', 'ada@example.org']);
	must(['user', 'role', ...store, 'ada', 'editor']);
	const ours = exported('dynamodb:site');
	ok(ours.length > 900, `a site of ${ours.length} items`);
	same_items(await scanned(sdk, client, 'site'), ours, 'the client reads the whole site as we do');
	const ada = ours.find((item) => item.PK.S === 'USER#ada' && item.SK.S === 'METADATA');
	ok(ada?.Role.S === 'editor' && ada.Username.S === 'ada', '... with the person that a command made and changed');
}

// It warns of a Node.js that it will want one day.
process.removeAllListeners('warning');

async function main() {
	const sdk = load_sdk();
	const { build, first_line } = await import('../e2e/stack.mjs');

	program = path.join(build, 'broadsheet');
	if (/without DynamoDB/.test(broadsheet(['table', 'describe', '--store', 'dynamodb:test']).err))
		skip_all('this is built without DynamoDB');
	folder = fs.mkdtempSync(path.join(os.tmpdir(), 'broadsheet-sdk-'));
	for (const name of Object.keys(process.env)) if (/^(BROADSHEET|AWS)_/.test(name)) delete process.env[name];
	const endpoint = await first_line(path.join(source, 't/lib/dynamodb-local'), []);
	const accessKeyId = `local${process.pid}t${Date.now()}`;
	Object.assign(process.env, { AWS_REGION: 'eu-central-1', AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: 'local',
		AWS_ENDPOINT_URL_DYNAMODB: endpoint, BROADSHEET_CONFIG: '/dev/null' });
	const client = new sdk.DynamoDBClient({ endpoint, region: 'eu-central-1', credentials: { accessKeyId, secretAccessKey: 'local' } });
	try {
		await ours_read_by_sdk(sdk, client);
		await theirs_read_by_us(sdk, client);
		await a_site(sdk, client);
	} finally {
		fs.rmSync(folder, { recursive: true, force: true });
	}
	finish();
	process.exit();
}

main().catch((error) => bail_out(error.stack));
