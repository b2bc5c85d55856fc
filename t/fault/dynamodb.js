'use strict';
/*
 * A server in front of DynamoDB Local that behaves as badly as a network can, and checks what the local
 * one does not: the signature of every request.
 *
 *	node t/fault/dynamodb.js http://127.0.0.1:8000 [KEY.pem CERTIFICATE.pem]
 *
 * It prints its port, then obeys the lines on its input, answering each with "ok":
 *
 *	fault NAME PERCENT    that many of the requests from now on meet with this (0: none)
 *	once NAME             the next request meets with this
 *	calm                  none meet with anything
 *	seed NUMBER           chance begins anew
 *	gone                  nobody listens any more; connections are cut
 *	back                  somebody listens again, on the same port
 *	count                 answers "ok" and how many faults there were
 *	held                  answers "ok" and how many requests the network still keeps
 *	key ID SECRET [TOKEN] from the first of these on only such keys are known; else all with one secret
 *	expire ID             that key has expired
 *	who                   answers "ok" and the key of the last request that was let in
 *
 * GET /role gives credentials, as a container's host does. The end of the input is its end.
 */
const crypto = require('crypto');
const fs = require('fs');
const http = require('http');
const https = require('https');
const readline = require('readline');

const upstream = new URL(process.argv[2]);
const secure = process.argv[3] !== undefined;
const agent = new http.Agent({ keepAlive: true, maxSockets: 256 });
const KEY = process.env.AWS_ACCESS_KEY_ID || 'local';
const SECRET = process.env.AWS_SECRET_ACCESS_KEY || 'local';
const STALL_MS = 10 * 60 * 1000; /* more than anybody waits */
const LATE_MS = 5000; /* more than a page waits, on a busy machine too */
const HELD_MS = 3000; /* more than whoever sends a request again needs for it */
const TRICKLE_MS = 100;

/* --- Chance ------------------------------------------------------------------------------------ */

let state = 1;
function chance() {
	state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
	return state / 2 ** 32;
}

const percent = new Map();
let faults = 0, next;

function draw() {
	if (next) {
		const name = next;
		next = undefined;
		return name;
	}
	let at = chance() * 100;
	for (const [name, share] of percent) {
		if (at < share) {
			faults++;
			return name;
		}
		at -= share;
	}
	return 'none';
}

/* --- The signature, by a second implementation ---------------------------------------------------- */

const hmac = (key, text) => crypto.createHmac('sha256', key).update(text).digest();
const sha256 = (bytes) => crypto.createHash('sha256').update(bytes).digest('hex');

const keys = new Map();
let who = '';

/* Why whoever signed the request is sent away; nothing when they are let in. */
function stranger(request, body) {
	const header = request.headers.authorization || '';
	const match = /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/dynamodb\/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/.exec(header);
	if (!match)
		return 'IncompleteSignatureException';
	const [, id, date, region, names, signature] = match;
	const known = keys.size ? keys.get(id) : { secret: SECRET, token: request.headers['x-amz-security-token'] };
	if (!known || known.token !== request.headers['x-amz-security-token'])
		return 'UnrecognizedClientException';
	for (const must of ['host', 'x-amz-date', 'x-amz-target', ...(known.token ? ['x-amz-security-token'] : [])])
		if (!names.split(';').includes(must))
			return 'IncompleteSignatureException';
	const lines = names.split(';').map((name) => `${name}:${request.headers[name].trim()}\n`);
	const canonical = ['POST', '/', '', lines.join(''), names, sha256(body)].join('\n');
	const stamp = request.headers['x-amz-date'];
	const scope = `${date}/${region}/dynamodb/aws4_request`;
	const text = ['AWS4-HMAC-SHA256', stamp, scope, sha256(canonical)].join('\n');
	const key = [date, region, 'dynamodb', 'aws4_request'].reduce(hmac, `AWS4${known.secret}`);
	if (hmac(key, text).toString('hex') !== signature)
		return { code: 'InvalidSignatureException', message: `The signature does not match.\n\nThe Canonical String should be\n'${canonical}'\n\nThe String-to-Sign\n'${text}'` };
	if (known.expired)
		return 'ExpiredTokenException';
	who = id;
}

/* --- Answers -------------------------------------------------------------------------------------- */

function crc32(bytes) {
	let crc = ~0;
	for (const byte of bytes) {
		crc ^= byte;
		for (let i = 0; i < 8; i++)
			crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
	}
	return ~crc >>> 0;
}

function answer(response, status, body, wrongSum) {
	const sum = crc32(body) ^ (wrongSum ? 1 : 0);
	response.writeHead(status, {
		'Content-Type': 'application/x-amz-json-1.0',
		'Content-Length': body.length,
		'x-amz-crc32': String(sum >>> 0),
	});
	response.end(body);
}

function refuse(response, status, code, more) {
	const body = { __type: `com.amazonaws.dynamodb.v20120810#${code}`, message: `a fault: ${code}`, ...more };
	answer(response, status, Buffer.from(JSON.stringify(body)));
}

/* What the local server says to the request. It keeps the tables of each key apart, so all go by one. */
function forward(request, body) {
	const authorization = request.headers.authorization.replace(/Credential=[^/]+/, `Credential=${KEY}`);
	const headers = { ...request.headers, authorization, 'content-length': Buffer.byteLength(body) };
	return new Promise((resolve, reject) => {
		const out = http.request(upstream, { method: 'POST', agent, headers }, (from) => {
			const parts = [];
			from.on('data', (part) => parts.push(part));
			from.on('end', () => resolve({ status: from.statusCode, body: Buffer.concat(parts) }));
			from.on('error', reject);
		});
		out.on('error', reject);
		out.end(body);
	});
}

function trickle(response, said) {
	response.writeHead(said.status, { 'Content-Length': said.body.length });
	let at = 0;
	const timer = setInterval(() => {
		if (at >= said.body.length || response.destroyed) {
			clearInterval(timer);
			response.end();
			return;
		}
		response.write(said.body.subarray(at, ++at));
	}, TRICKLE_MS);
}

function truncate(response, said) {
	response.writeHead(said.status, { 'Content-Length': said.body.length + 1 });
	response.write(said.body, () => response.destroy());
}

/* A connection that breaks as they do, without a farewell. */
function reset(response) {
	(response.socket?._parent ?? response.socket)?.resetAndDestroy();
	response.destroy();
}

/* The network keeps the first request, and lets it go long after whoever sent it has sent it again. */
let held = 0;
function hold(request, response, body) {
	reset(response);
	held++;
	setTimeout(() => forward(request, body).catch(() => {}).then(() => held--), HELD_MS);
}

/* Of a batch's keys some are left, and every other time all. */
let batches = 0;
async function leave_keys(request, response, body, all) {
	const asked = JSON.parse(body);
	const [[table, { Keys: keys, ...rest }]] = Object.entries(asked.RequestItems);
	const some = all || batches++ % 2 === 0 ? 0 : 1 + Math.floor(chance() * 3);
	const said = { Responses: { [table]: [] } };
	if (some > 0)
		Object.assign(said, JSON.parse((await forward(request, JSON.stringify({ ...asked, RequestItems: { [table]: { ...rest, Keys: keys.slice(0, some) } } }))).body));
	said.UnprocessedKeys = keys.length > some ? { [table]: { ...rest, Keys: keys.slice(some) } } : {};
	answer(response, 200, Buffer.from(JSON.stringify(said)));
}
/* The same of a batch's writes. */
async function leave_writes(request, response, body, all) {
	const asked = JSON.parse(body);
	const [[table, writes]] = Object.entries(asked.RequestItems);
	const some = all || batches++ % 2 === 0 ? 0 : 1 + Math.floor(chance() * 3);
	const said = some > 0
		? JSON.parse((await forward(request, JSON.stringify({ ...asked, RequestItems: { [table]: writes.slice(0, some) } }))).body)
		: {};
	said.UnprocessedItems = writes.length > some ? { [table]: writes.slice(some) } : {};
	answer(response, 200, Buffer.from(JSON.stringify(said)));
}
const unprocessed = (all) => async (request, response, body) => {
	const operation = request.headers['x-amz-target'].split('.')[1];
	if (operation === 'BatchGetItem') return leave_keys(request, response, body, all);
	if (operation === 'BatchWriteItem') return leave_writes(request, response, body, all);
	return after.none(response, await forward(request, body));
};

/* As Amazon's answers to what it can't make out: they repeat what was signed, and by what. */
const echo = (code) => (request, response) => refuse(response, 400, code, {
	message: `'${request.headers['x-amz-security-token'] ?? ''}' not a valid key=value pair in Authorization header: '${request.headers.authorization}'.` });

function conflict(request, response, body) {
	if (!request.headers['x-amz-target'].endsWith('TransactWriteItems'))
		return refuse(response, 400, 'TransactionConflictException');
	const reasons = JSON.parse(body).TransactItems.map((_, i) => ({ Code: i === 0 ? 'TransactionConflict' : 'None' }));
	return refuse(response, 400, 'TransactionCanceledException', { CancellationReasons: reasons });
}

function late(response, said) {
	setTimeout(() => answer(response, said.status, said.body), LATE_MS);
}

/* Is it asked what the table is, not what it holds? */
const describes = (request) => request.headers['x-amz-target'].includes('.Describe');

const writes = (request) => /\.(Put|Update|Delete|TransactWrite|BatchWrite)/.test(request.headers['x-amz-target']);

/* All but the first answer about items on each connection. */
function awake(request) {
	const { socket } = request;
	const is = socket.awake || describes(request);
	socket.awake ||= !is;
	return is;
}

/* Faults that meet a request before it is carried out, and those that meet its answer. */
const before = {
	throttle: (request, response) => refuse(response, 400, 'ProvisionedThroughputExceededException'),
	error: (request, response) => refuse(response, 500, 'InternalServerError'),
	unavailable: (request, response) => { response.writeHead(503); response.end('<html>out of order</html>'); },
	expired: (request, response) => refuse(response, 400, 'ExpiredTokenException'),
	denied: (request, response) => refuse(response, 400, 'AccessDeniedException'),
	conflict,
	reset: (request, response) => reset(response),
	held: hold,
	unprocessed: unprocessed(false),
	starved: unprocessed(true),
	incomplete: echo('IncompleteSignatureException'),
	confused: echo('ValidationException'),
	told: (request, response) => refuse(response, 400, 'AccessDeniedException', { message: `Who has the token ${request.headers['x-amz-security-token']} may not.` }),
	stall: (request, response) => setTimeout(() => response.destroy(), STALL_MS),
};
const after = {
	none: (response, said) => answer(response, said.status, said.body),
	lost: (response) => reset(response),
	late,
	drowsy: (response, said, request) => (awake(request) ? after.none : late)(response, said),
	hang: (response) => setTimeout(() => response.destroy(), STALL_MS),
	failed: (response) => refuse(response, 500, 'InternalServerError'),
	broken: (response, said, request) => (describes(request) ? after.none : after.failed)(response, said),
	/* What was written is told as failed, what was refused as it is. */
	untold: (response, said, request) => (writes(request) && said.status === 200 ? after.failed : after.none)(response, said),
	trickle,
	truncate,
	checksum: (response, said) => answer(response, said.status, said.body, true),
};

async function serve(request, response) {
	const parts = [];
	for await (const part of request)
		parts.push(part);
	const body = Buffer.concat(parts);
	if (request.url === '/role')
		return response.end(JSON.stringify({ AccessKeyId: 'local', SecretAccessKey: SECRET, Token: 'local', Expiration: '2099-01-01T00:00:00Z' }));
	const why = stranger(request, body);
	if (why)
		return refuse(response, 400, why.code ?? why, why.message && { message: why.message });
	const fault = draw();
	if (before[fault])
		return before[fault](request, response, body);
	return after[fault](response, await forward(request, body), request);
}

/* --- Life ------------------------------------------------------------------------------------------ */

const sockets = new Set();
let server, port = 0;

function listen() {
	const handler = (request, response) => serve(request, response).catch(() => response.destroy());
	server = secure
		? https.createServer({ key: fs.readFileSync(process.argv[3]), cert: fs.readFileSync(process.argv[4]) }, handler)
		: http.createServer(handler);
	server.keepAliveTimeout = 60000;
	server.on('connection', (socket) => {
		sockets.add(socket);
		socket.on('close', () => sockets.delete(socket));
		socket.on('error', () => {});
	});
	return new Promise((resolve) => server.listen(port, '127.0.0.1', () => {
		port = server.address().port;
		resolve();
	}));
}

function leave() {
	return new Promise((resolve) => {
		server.close(resolve);
		for (const socket of sockets)
			socket.destroy();
	});
}

function known(name) {
	if (!before[name] && !after[name])
		throw new Error(`no fault ${name}`);
	return name;
}

const commands = {
	fault: (name, share) => percent.set(known(name), Number(share)) && undefined,
	once: (name) => { next = known(name); },
	calm: () => percent.clear(),
	seed: (number) => { state = Number(number) >>> 0; },
	gone: leave,
	back: listen,
	count: () => String(faults),
	held: () => String(held),
	key: (id, secret, token) => keys.set(id, { secret, token }) && undefined,
	expire: (id) => { keys.get(id).expired = true; },
	who: () => who,
};

async function main() {
	await listen();
	console.log(port);
	for await (const line of readline.createInterface({ input: process.stdin })) {
		const [name, ...words] = line.trim().split(/\s+/);
		const said = await commands[name](...words);
		console.log(said === undefined ? 'ok' : `ok ${said}`);
	}
	process.exit(0);
}

main();
