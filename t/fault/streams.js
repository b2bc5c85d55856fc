'use strict';
/*
 * DynamoDB Streams as the real ones are and the local one is not: shards that close, split and join, trimmed records,
 * iterators that expire. It holds no items; a test tells it what has happened.
 *
 *	node t/fault/streams.js
 *
 * It prints its port, then obeys the lines on its input, answering each with "ok":
 *
 *	shard ID [PARENT]   a new shard
 *	close ID            it takes no more records
 *	put ID SORT         the item "P" / SORT changes: a record with the next sequence number
 *	trim ID COUNT       its first records are gone, so many of them
 *	drop ID             it is gone
 *	strict              a reading may begin only at a number that a record has
 *	expire              all iterators handed out so far have expired
 *	label TEXT          the stream was switched off and on again
 *	asked               answers "ok" and the number of requests for iterators so far
 */
const http = require('http');
const readline = require('readline');

const SHARDS_A_PAGE = 2;
const shards = new Map();
let label = '2026-11-18T09:30:00.000', sequence = 100, generation = 0, asked = 0, strict = false;

class Refusal extends Error {
	constructor(code) { super(code); this.code = code; }
}

function shard_of(id) {
	const shard = shards.get(id);
	if (!shard) throw new Refusal('ResourceNotFoundException');
	return shard;
}

const keys = (n) => [{ AttributeName: n ? `GSI${n}PK` : 'PK', KeyType: 'HASH' }, { AttributeName: n ? `GSI${n}SK` : 'SK', KeyType: 'RANGE' }];
const arn = () => `arn:aws:dynamodb:eu-central-1:1:table/stream/stream/${label}`;

const operations = {
	DescribeTable: () => ({ Table: {
		TableName: 'stream', TableStatus: 'ACTIVE', KeySchema: keys(0), LatestStreamArn: arn(),
		StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
		AttributeDefinitions: [0, 1, 2, 3, 4].flatMap(keys).map(({ AttributeName }) => ({ AttributeName, AttributeType: 'S' })),
		GlobalSecondaryIndexes: [1, 2, 3, 4].map((n) => ({
			IndexName: `GSI${n}`, IndexStatus: 'ACTIVE', KeySchema: keys(n), Projection: { ProjectionType: 'ALL' } })),
	} }),
	DescribeTimeToLive: () => ({ TimeToLiveDescription: { TimeToLiveStatus: 'ENABLED', AttributeName: 'ExpiresAt' } }),
	DescribeStream: ({ ExclusiveStartShardId: after }) => {
		const ids = [...shards.keys()];
		const from = after ? ids.indexOf(after) + 1 : 0;
		const page = ids.slice(from, from + SHARDS_A_PAGE);
		return { StreamDescription: {
			Shards: page.map((id) => ({
				ShardId: id, ...(shards.get(id).parent && { ParentShardId: shards.get(id).parent }),
				SequenceNumberRange: { StartingSequenceNumber: String(shards.get(id).first), ...(shards.get(id).closed && { EndingSequenceNumber: '999' }) },
			})),
			...(from + SHARDS_A_PAGE < ids.length && { LastEvaluatedShardId: page.at(-1) }),
		} };
	},
	GetShardIterator: ({ ShardId, ShardIteratorType, SequenceNumber }) => {
		const shard = shard_of(ShardId);
		asked++;
		if (ShardIteratorType === 'AFTER_SEQUENCE_NUMBER' && Number(SequenceNumber) < shard.trimmed)
			throw new Refusal('TrimmedDataAccessException');
		if (ShardIteratorType === 'AT_SEQUENCE_NUMBER') {
			if (strict && !shard.records.some((record) => record.sequence === Number(SequenceNumber)))
				throw new Refusal('ValidationException');
			if (Number(SequenceNumber) <= shard.trimmed)
				throw new Refusal('TrimmedDataAccessException');
		}
		const at = { TRIM_HORIZON: 0, LATEST: sequence, AFTER_SEQUENCE_NUMBER: Number(SequenceNumber),
			AT_SEQUENCE_NUMBER: Number(SequenceNumber) - 1 }[ShardIteratorType];
		return { ShardIterator: [ShardId, at, generation].join('|') };
	},
	GetRecords: ({ ShardIterator, Limit }) => {
		const [id, at, made] = ShardIterator.split('|');
		if (Number(made) !== generation) throw new Refusal('ExpiredIteratorException');
		const shard = shard_of(id);
		const left = shard.records.filter((record) => record.sequence > Number(at));
		const page = left.slice(0, Limit);
		const next = page.length > 0 ? page.at(-1).sequence : Number(at);
		return {
			Records: page.map(({ sequence, sort }) => ({ eventName: 'INSERT', dynamodb: {
				Keys: { PK: { S: 'P' }, SK: { S: sort } }, SequenceNumber: String(sequence), ApproximateCreationDateTime: 1795000000,
				NewImage: { PK: { S: 'P' }, SK: { S: sort }, N: { N: String(sequence) } } } })),
			...(!(shard.closed && page.length === left.length) && { NextShardIterator: [id, next, generation].join('|') }),
		};
	},
};

const commands = {
	shard: (id, parent) => shards.set(id, { parent, first: sequence + 1, closed: false, records: [], trimmed: 0 }),
	close: (id) => { shard_of(id).closed = true; },
	put: (id, sort) => shard_of(id).records.push({ sequence: ++sequence, sort }),
	trim: (id, count) => { for (const record of shard_of(id).records.splice(0, Number(count))) shard_of(id).trimmed = record.sequence; },
	drop: (id) => shards.delete(id),
	strict: () => { strict = true; },
	expire: () => { generation++; },
	label: (text) => { label = text; },
	asked: () => String(asked),
};

const server = http.createServer(async (request, response) => {
	const parts = [];
	for await (const part of request) parts.push(part);
	let status = 200, said;
	try {
		const operation = operations[request.headers['x-amz-target'].split('.')[1]];
		said = operation(JSON.parse(Buffer.concat(parts)));
	} catch (error) {
		status = 400;
		said = { __type: `com.amazonaws.dynamodb.v20120810#${error.code ?? 'ValidationException'}`, message: String(error) };
	}
	response.writeHead(status, { 'Content-Type': 'application/x-amz-json-1.0' });
	response.end(JSON.stringify(said));
});

server.listen(0, '127.0.0.1', async () => {
	console.log(server.address().port);
	for await (const line of readline.createInterface({ input: process.stdin })) {
		const [name, ...words] = line.trim().split(/\s+/);
		const said = commands[name](...words);
		console.log(typeof said === 'string' ? `ok ${said}` : 'ok');
	}
	process.exit(0);
});
