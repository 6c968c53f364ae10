import { Unavailable } from '@ponte/kernel';
import { custom } from 'viem';
import type { Hex } from '../chain/block.port';
import type { Deployment } from '../chain/adapters/deployment';
import { ChainNode } from '../chain/adapters/rpc/node';
import { NFT_MOVED_TOPIC as NFT_MOVED, TRANSFER_TOPIC } from './raw-logs.adapter';
import { RpcLogNode } from './rpc.transfer-logs.adapter';

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
const inBlock = (...logs: readonly unknown[]) => node({ eth_getLogs: logs }).blockTransfers(BLOCK, [addressOf('a')]);
const minedOf = (mined: unknown) => node({ eth_getTransactionByHash: mined }).minedTransaction(wordOf('e'));
const movesOf = (...logs: readonly unknown[]) => node({ eth_getLogs: logs }).certificateMoves(BLOCK);
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

describe('the transfers of one block', () => {
  it('are decoded', async () => {
    await expect(inBlock(raw())).resolves.toMatchObject([{ blockHash: BLOCK, logIndex: 2 }]);
  });

  it('count as an outage when one of them is of another block', async () => {
    await expect(inBlock(raw({ blockHash: wordOf('dead') }))).rejects.toEqual(outage);
  });
});

describe('a transaction of a node', () => {
  const mined = { from: addressOf('f').toUpperCase().replace('X', 'x'), blockHash: BLOCK };

  it('has a sender and a block', async () => {
    await expect(minedOf(mined)).resolves.toEqual({ sender: addressOf('f'), blockHash: BLOCK });
  });

  it('is missing while it is in no block', async () => {
    await expect(minedOf(null)).resolves.toBeNull();
    await expect(minedOf({ ...mined, blockHash: null })).resolves.toBeNull();
  });

  it('counts as an outage without a sender or with something else than a block', async () => {
    for (const answer of [{ ...mined, from: null }, { ...mined, blockHash: '0x1' }, 'mined'])
      await expect(minedOf(answer)).rejects.toEqual(outage);
  });
});

describe('the transactions of a block that move a certificate', () => {
  const moved = raw({ address: deployment.custody, topics: [NFT_MOVED, wordOf('1')] });

  it('are those with a log of the custody contract that was not removed', async () => {
    await expect(movesOf(moved, { ...moved, transactionHash: wordOf('d'), removed: true })).resolves.toEqual([
      wordOf('e'),
    ]);
  });

  it.each<[string, unknown]>([
    ['is of another contract', { ...moved, address: USDC }],
    ['has another topic', { ...moved, topics: [TRANSFER_TOPIC] }],
    ['is of another block', { ...moved, blockHash: wordOf('dead') }],
    ['has no transaction', { ...moved, transactionHash: null }],
  ])('count as an outage when a log %s', async (_, log) => {
    await expect(movesOf(log)).rejects.toEqual(outage);
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
