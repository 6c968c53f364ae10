import { Unavailable } from '@ponte/kernel';
import { BaseError, custom } from 'viem';
import type { Hex } from '../chain/block.port';
import type { Deployment } from '../chain/adapters/deployment';
import { ChainNode } from '../chain/adapters/rpc/node';
import { TRANSFER_TOPIC } from './raw-logs.adapter';
import { RpcLogNode } from './rpc.transfer-logs.adapter';

const addressOf = (digit: string): Hex => `0x${digit.repeat(40)}`;
const wordOf = (digits: string): Hex => `0x${digits.padStart(64, '0')}`;
const topicOf = (address: Hex): Hex => wordOf(address.slice(2));
const [USDC, WALLET, OTHER, STRANGER] = ['5', 'a', 'b', 'c'].map(addressOf) as [Hex, Hex, Hex, Hex];
const deployment: Deployment = {
  chain: 'eth-base',
  minter: addressOf('1'),
  custody: addressOf('2'),
  tokens: { 'eth-base/usdc': USDC },
};
const BLOCK = wordOf('b7');
/** Transactions of the block: more than are read at once. */
const HASHES = Array.from({ length: 120 }, (_, at) => wordOf((at + 1).toString(16)));
const [FIRST] = HASHES as [Hex];

type Changes = Readonly<Record<string, unknown>>;
const logTo = (to: Hex, at: number, changes: Changes = {}) => ({
  address: USDC,
  topics: [TRANSFER_TOPIC, topicOf(addressOf('f')), topicOf(to)],
  data: wordOf('9'),
  blockNumber: '0x7',
  blockHash: BLOCK,
  transactionHash: HASHES[at],
  logIndex: `0x${at.toString(16)}`,
  removed: false,
  ...changes,
});
const receiptOf = (hash: Hex, logs: readonly unknown[] = [], changes: Changes = {}) => ({
  status: '0x1',
  from: addressOf('f'),
  transactionHash: hash,
  blockNumber: '0x7',
  blockHash: BLOCK,
  gasUsed: '0x5208',
  effectiveGasPrice: '0x1',
  logs,
  ...changes,
});

/** A node that refuses all logs that exist. `receipts` are those of transactions that are not empty. */
function node(receipts: Readonly<Record<Hex, unknown>>, { block = {} as Changes | null, refusesAll = false } = {}) {
  const asked: string[] = [];
  const listed = block && { number: '0x7', hash: BLOCK, timestamp: '0x10', transactions: HASHES, ...block };
  const request = async ({ method, params }: { method: string; params: readonly unknown[] }) => {
    asked.push(method);
    if (method === 'eth_getTransactionReceipt') {
      const [hash] = params as [Hex];
      return hash in receipts ? receipts[hash] : receiptOf(hash);
    }
    if (method !== 'eth_getLogs') return listed;
    const [{ topics }] = params as [{ topics: readonly (readonly Hex[])[] }];
    if (refusesAll || topics[2]?.some((topic) => topic.startsWith('0x00'))) throw new BaseError('too many results');
    return [];
  };
  const rpc = new ChainNode({ transport: custom({ request }), deployment, finality: 'finalized-tag' });
  return Object.assign(new RpcLogNode(rpc, deployment), { asked });
}
const outage = expect.any(Unavailable);

describe('the transfers in the receipts of a block', () => {
  const receipts = {
    [FIRST]: receiptOf(FIRST, [
      logTo(WALLET, 0),
      logTo(STRANGER, 0),
      logTo(WALLET, 0, { address: addressOf('6') }),
      logTo(WALLET, 0, { topics: [] }),
    ]),
    [HASHES[119] as Hex]: receiptOf(HASHES[119] as Hex, [logTo(OTHER, 119, { data: wordOf('1') })]),
  };

  it.each([7, BLOCK])('are those of known tokens to the recipients (block %s)', async (block) => {
    const expected = { asset: 'eth-base/usdc', from: addressOf('f'), blockNumber: 7, blockHash: BLOCK };
    await expect(node(receipts).receiptTransfers(block, [WALLET, OTHER])).resolves.toEqual([
      { ...expected, to: WALLET, units: 9n, txHash: FIRST, logIndex: 0 },
      { ...expected, to: OTHER, units: 1n, txHash: HASHES[119], logIndex: 119 },
    ]);
  });

  it('are not read from a node that refuses every search for logs', async () => {
    const refusing = node(receipts, { refusesAll: true });
    await expect(refusing.receiptTransfers(7, [WALLET])).rejects.toEqual(outage);
    expect(refusing.asked).not.toContain('eth_getTransactionReceipt');
  });

  it.each<[string, unknown]>([
    ['is missing', null],
    ['is of another block', receiptOf(FIRST, [], { blockHash: wordOf('dead') })],
    ['is of another transaction', receiptOf(HASHES[1] as Hex)],
    ['has no logs', receiptOf(FIRST, [], { logs: null })],
    ['has something else than a log', receiptOf(FIRST, [null])],
    ['has a log without a contract', receiptOf(FIRST, [logTo(WALLET, 0, { address: null })])],
    ['has a log without topics', receiptOf(FIRST, [logTo(WALLET, 0, { topics: null })])],
    ['has a malformed transfer', receiptOf(FIRST, [logTo(WALLET, 0, { data: '0x' })])],
    ['has a removed transfer', receiptOf(FIRST, [logTo(WALLET, 0, { removed: true })])],
    ['has a transfer of another transaction', receiptOf(FIRST, [logTo(WALLET, 1)])],
    ['has a transfer of another block', receiptOf(FIRST, [logTo(WALLET, 0, { blockHash: wordOf('dead') })])],
  ])('count as an outage when a receipt %s', async (_, receipt) => {
    await expect(node({ [FIRST]: receipt }).receiptTransfers(7, [WALLET])).rejects.toEqual(outage);
  });

  it.each<[string, Changes | null]>([
    ['is missing', null],
    ['is another one', { number: '0x8', hash: wordOf('b8') }],
    ['has no transactions', { transactions: null }],
    ['lists transactions without their hashes', { transactions: [{ hash: FIRST }] }],
  ])('count as an outage when the block %s', async (_, block) => {
    for (const at of [7, BLOCK])
      await expect(node(receipts, { block }).receiptTransfers(at as number, [WALLET])).rejects.toEqual(outage);
  });
});
