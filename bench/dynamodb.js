'use strict';
/*
 * The other side of bench/dynamodb.c: the same requests by Amazon's client for JavaScript. Obeys lines of
 * "KIND WIDTH REQUESTS" and answers each with the CPU microseconds of a request.
 */
const path = require('node:path');
const readline = require('node:readline');
const { createRequire } = require('node:module');

process.removeAllListeners('warning');
const sdk = createRequire(path.join(__dirname, '../build/node/'))('@aws-sdk/client-dynamodb');

const TableName = process.argv[2];
const ITEMS = 400;
const client = new sdk.DynamoDBClient({ endpoint: process.env.AWS_ENDPOINT_URL_DYNAMODB });

let number = 0;
const kinds = {
	get: (n) => new sdk.GetItemCommand({
		TableName, ReturnConsumedCapacity: 'TOTAL',
		Key: { PK: { S: 'BENCH' }, SK: { S: `post-${String(n % ITEMS).padStart(4, '0')}` } },
	}),
	query: () => new sdk.QueryCommand({
		TableName, Limit: 21, ReturnConsumedCapacity: 'TOTAL',
		KeyConditionExpression: '#p = :p',
		ExpressionAttributeNames: { '#p': 'PK' }, ExpressionAttributeValues: { ':p': { S: 'BENCH' } },
	}),
	transact: (n) => new sdk.TransactWriteItemsCommand({
		ReturnConsumedCapacity: 'TOTAL',
		TransactItems: [0, 1, 2].map((i) => ({
			Update: {
				TableName, Key: { PK: { S: 'COUNT' }, SK: { S: `sdk-${n}-${i}` } },
				UpdateExpression: 'SET #l = :l',
				ExpressionAttributeNames: { '#l': 'Likes' }, ExpressionAttributeValues: { ':l': { N: String(n) } },
			},
		})),
	}),
};

async function measure(kind, width, requests) {
	let left = requests;
	const before = process.cpuUsage();
	await Promise.all(Array.from({ length: width }, async () => {
		while (left-- > 0) await client.send(kinds[kind](number++));
	}));
	const used = process.cpuUsage(before);
	return (used.user + used.system) / requests;
}

async function main() {
	for await (const line of readline.createInterface({ input: process.stdin })) {
		const [kind, width, requests] = line.split(' ');
		console.log((await measure(kind, Number(width), Number(requests))).toFixed(1));
	}
	process.exit(0);
}

main();
