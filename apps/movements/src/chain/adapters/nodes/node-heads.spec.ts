import { once } from 'node:events';
import type { Server } from 'node:http';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import type { AddressInfo } from 'node:net';
import { Metrics } from '@ponte/observability';
import { eventually } from '@ponte/testing';
import { simulatedDeployment } from '../simulated/simulated-deployment';
import { ViemChain } from '../rpc/viem.chain.adapter';
import { NodeHeads } from './node-heads';

const BASE = 8453;
const ADDRESS = `0x${'ab'.repeat(20)}` as const;
const now = 1_800_000_000_000;
const hex = (number: number) => `0x${Math.floor(number).toString(16)}`;

/** Reads from nodes whose newest blocks are that old, seconds; undefined for one that does not answer. */
const readsOf = (...ages: (number | undefined)[]) => {
  const nodes = ages.map((age) => ({
    age,
    existingBlock: async () => {
      if (age === undefined) throw new Error('no answer');
      return { time: now - age * 1_000 };
    },
  }));
  return new NodeHeads(nodes, () => now);
};
/** The age of the newest block of the node that is asked first, once the newest blocks are known. */
const askedFirst = async (...ages: (number | undefined)[]) => {
  const reads = readsOf(...ages);
  await reads.answer(async ({ age }) => age);
  await new Promise(setImmediate);
  return reads.answer(async ({ age }) => age);
};

describe('A read asks first', () => {
  it('the first node, as long as no other is clearly ahead of it', async () => {
    expect(await askedFirst(50, 0, 0)).toBe(50);
    expect(await askedFirst(7_200, 7_201)).toBe(7_200);
    expect(await askedFirst(undefined, 0)).toBeUndefined();
  });

  it('the first one that is at most a minute behind the others', async () => {
    expect(await askedFirst(100, 30, 0)).toBe(30);
    expect(await askedFirst(7_200, 300, 0)).toBe(0);
  });

  it('the first node, even if another one has a block that is later than the clock', async () => {
    expect(await askedFirst(90, -3_600)).toBe(90);
    expect(await askedFirst(12, -59)).toBe(12);
  });
});

it('The nodes that are more than a minute behind another one are not up to date', async () => {
  const reads = readsOf(100, 30, undefined, 0);
  reads.upToDate();
  await new Promise(setImmediate);
  expect(reads.upToDate().map(({ age }) => age)).toEqual([30, undefined, 0]);
});

it('The age of the newest block of each node is reported, also of an only node and of one that never answered', async () => {
  const metrics = new Metrics();
  readsOf(7, undefined).measure('eth-base', metrics);
  readsOf(400).measure('tempo', metrics);
  await metrics.registry.metrics();
  await new Promise(setImmediate);
  const { values } = (await metrics.registry.getSingleMetric('ponte_node_head_age_seconds')?.get()) ?? { values: [] };
  expect(values.map(({ labels, value }) => [labels['chain'], labels['node'], value])).toEqual([
    ['eth-base', '1', 7],
    ['eth-base', '2', Number.POSITIVE_INFINITY],
    ['tempo', '1', 400],
  ]);
});

it('The newest blocks are read again soon after the clock was set back', async () => {
  let reads = 0;
  let time = now;
  const heads = new NodeHeads([{ existingBlock: async () => ({ time, reads: (reads += 1) }) }], () => time);
  const metrics = new Metrics();
  heads.measure('eth-base', metrics);
  await metrics.registry.metrics();
  expect(reads).toBe(1);
  time -= 3_600_000;
  await metrics.registry.metrics();
  expect(reads).toBe(2);
});

describe('When the first of three nodes stands still', () => {
  const heads = [100, 5_000, 5_000];
  let servers: readonly Server[];
  beforeEach(async () => {
    servers = heads.map((head) =>
      createServer(async (request, response) => {
        const calls = [JSON.parse(await text(request)) as object].flat() as { id: number; method: string }[];
        const time = Date.now() / 1_000 - (5_000 - head);
        const block = { number: hex(head), hash: `0x${'00'.repeat(32)}`, timestamp: hex(time) };
        const results: Record<string, unknown> = {
          eth_chainId: hex(BASE),
          eth_getTransactionCount: hex(head),
          eth_call: `0x${head.toString(16).padStart(64, '0')}`,
        };
        const answers = calls.map(({ id, method }) => ({ jsonrpc: '2.0', id, result: results[method] ?? block }));
        response.setHeader('content-type', 'application/json').end(JSON.stringify(answers));
      }).listen(0, '127.0.0.1'),
    );
    await Promise.all(servers.map((server) => once(server, 'listening')));
  });
  afterEach(() => {
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
  });

  it('the others are read', async () => {
    const urls = servers.map((server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const chain = new ViemChain({ deployment: simulatedDeployment('eth-base'), urls });
    await eventually(async () => expect((await chain.headBlock()).number).toBe(5_000));
    await expect(chain.nextNonce(ADDRESS, 'latest')).resolves.toBe(5_000);
    expect(Number(await chain.certificates.ownerOf('0x1'))).toBe(5_000);
  });
});
