import { Unavailable } from '@ponte/kernel';
import { custom } from 'viem';
import type { Hex } from '../chain/block.port';
import type { Deployment } from '../chain/adapters/deployment';
import { ChainNode } from '../chain/adapters/rpc/node';
import { NFT_MOVED_TOPIC as NFT_MOVED, RpcLogNode, TRANSFER_TOPIC } from './rpc-transfer-logs.adapter';

const addressOf = (digit: string): Hex => `0x${digit.repeat(40)}`;
const wordOf = (digits: string): Hex => `0x${digits.padStart(64, '0')}`;
const USDC = addressOf('5');
const deployment: Deployment = {
  chain: 'eth-base',
  minter: addressOf('1'),
  custody: addressOf('2'),
  tokens: { 'eth-base/usdc': USDC },
};
const BLOCK = wordOf('b7');

/** A transfer of 9 units in block 7, as a node returns it. */
const raw = (changes: Readonly<Record<string, unknown>> = {}) => ({
  address: USDC,
  topics: [TRANSFER_TOPIC, wordOf('f'), wordOf('a')],
  data: wordOf('9'),
  blockNumber: '0x7',
  blockHash: BLOCK,
  transactionHash: wordOf('e'),
  logIndex: '0x2',
  removed: false,
  ...changes,
});

/** A node that gives these answers, and the block 7. */
function node(answers: Readonly<Record<string, unknown>>): RpcLogNode {
  const blocks = { eth_getBlockByNumber: { number: '0x7', hash: BLOCK, timestamp: '0x10' } };
  const all: Readonly<Record<string, unknown>> = { ...blocks, ...answers };
  const transport = custom({ request: async ({ method }: { method: string }) => all[method] });
  return new RpcLogNode(new ChainNode({ transport, deployment, finality: 'finalized-tag' }), deployment);
}
const logsOf = (...logs: readonly unknown[]) => node({ eth_getLogs: logs }).transferLogs(1, 9, null);
const receiptOf = (receipt: unknown) => node({ eth_getTransactionReceipt: receipt }).loggedTransaction(wordOf('e'));
const outage = expect.any(Unavailable);

describe('the logs of a node', () => {
  it('are decoded', async () => {
    await expect(logsOf(raw({ removed: undefined }))).resolves.toEqual([
      {
        asset: 'eth-base/usdc',
        from: '0x000000000000000000000000000000000000000f',
        to: '0x000000000000000000000000000000000000000a',
        units: 9n,
        blockNumber: 7,
        blockHash: BLOCK,
        txHash: wordOf('e'),
        logIndex: 2,
      },
    ]);
  });

  it.each<[string, unknown]>([
    ['is of another contract', raw({ address: addressOf('6') })],
    ['has no contract', raw({ address: null })],
    ['has another topic', raw({ topics: [wordOf('1'), wordOf('f'), wordOf('a')] })],
    ['has no topics', raw({ topics: null })],
    [
      'has an address that is too long',
      raw({ topics: [TRANSFER_TOPIC, wordOf('f'), `0x01${'0'.repeat(22)}${'a'.repeat(40)}`] }),
    ],
    ['has a short address', raw({ topics: [TRANSFER_TOPIC, '0xf', wordOf('a')] })],
    ['has data that is not a number', raw({ data: `0x${'g'.repeat(64)}` })],
    ['has no data', raw({ data: '0x' })],
    ['is in no block', raw({ blockNumber: null, blockHash: null })],
    ['has an empty number of its block', raw({ blockNumber: '0x' })],
    ['has no hash of its block', raw({ blockHash: null })],
    ['has no index', raw({ logIndex: null })],
    ['has no transaction', raw({ transactionHash: null })],
    ['is of a block that was not requested', raw({ blockNumber: '0xa' })],
    ['is no log', null],
  ])('count as an outage when one of them %s', async (_, log) => {
    await expect(logsOf(raw(), log)).rejects.toEqual(outage);
  });

  it('count as an outage when they are not a list', async () => {
    await expect(node({ eth_getLogs: null }).transferLogs(1, 9, null)).rejects.toEqual(outage);
    await expect(node({ eth_getLogs: {} }).transferLogs(1, 9, null)).rejects.toEqual(outage);
  });
});

describe('a log that a node calls removed', () => {
  it('is left out when its block is not in the chain of the node', async () => {
    const replaced = raw({ removed: true, blockHash: wordOf('dead'), logIndex: '0x0' });
    await expect(logsOf(replaced, raw())).resolves.toMatchObject([{ blockHash: BLOCK, logIndex: 2 }]);
  });

  it('counts as an outage when its block is in the chain of the node', async () => {
    await expect(logsOf(raw({ removed: true }))).rejects.toEqual(outage);
  });

  it('counts as an outage when it was not requested', async () => {
    await expect(logsOf(raw({ removed: true, blockHash: wordOf('dead'), blockNumber: '0xa' }))).rejects.toEqual(outage);
  });
});

describe('a receipt of a node', () => {
  const receipt = {
    status: '0x1',
    from: addressOf('f'),
    blockHash: BLOCK,
    logs: [raw(), raw({ address: USDC.slice(2) })],
  };

  it('has the indices of its transfers', async () => {
    await expect(receiptOf(receipt)).resolves.toEqual({
      sender: addressOf('f'),
      blockHash: BLOCK,
      logIndices: [2],
      movesCertificate: false,
    });
  });

  it('shows whether the custody contract moved a certificate', async () => {
    const moved = { address: deployment.custody, topics: [NFT_MOVED, wordOf('1')] };
    const of = async (...logs: unknown[]) => (await receiptOf({ ...receipt, logs }))?.movesCertificate;
    await expect(of(raw(), moved)).resolves.toBe(true);
    await expect(of({ ...moved, address: USDC })).resolves.toBe(false);
    await expect(of({ ...moved, topics: [TRANSFER_TOPIC] })).resolves.toBe(false);
  });

  it('does not have a log that was removed', async () => {
    const removed = { ...receipt, logs: [raw({ removed: true })] };
    await expect(receiptOf(removed)).resolves.toMatchObject({ logIndices: [] });
  });

  it.each<[string, unknown]>([
    ['sender', { ...receipt, from: null }],
    ['block', { ...receipt, blockHash: null }],
    ['logs', { ...receipt, logs: null }],
  ])('counts as an outage without a %s', async (_, answer) => {
    await expect(receiptOf(answer)).rejects.toEqual(outage);
  });
});

describe('a block of a node', () => {
  it.each<[string, unknown]>([
    ['number', { number: null, hash: BLOCK, timestamp: '0x10' }],
    ['hash', { number: '0x7', hash: null, timestamp: '0x10' }],
    ['time', { number: '0x7', hash: BLOCK, timestamp: null }],
  ])('counts as an outage without a %s', async (_, block) => {
    const broken = node({ eth_getBlockByNumber: block });
    await expect(broken.blockWithTime(7)).rejects.toEqual(outage);
    await expect(broken.headBlock()).rejects.toEqual(outage);
    await expect(broken.finalBlock()).rejects.toEqual(outage);
  });
});

describe('the balances of a node', () => {
  const unitsHeld = (answer: unknown) =>
    node({ eth_call: answer }).unitsHeld({ number: 7, hash: BLOCK }, [addressOf('a')]);

  it('are numbers, or zero before the token exists', async () => {
    await expect(unitsHeld(wordOf('1f'))).resolves.toEqual([31n]);
    await expect(unitsHeld('0x')).resolves.toEqual([0n]);
  });

  it('count as an outage when they are not numbers', async () => {
    for (const answer of [null, '', '0xzz', `${wordOf('1')}00`])
      await expect(unitsHeld(answer)).rejects.toEqual(outage);
  });
});
