import { Unavailable } from '@ponte/kernel';
import { custom } from 'viem';
import type { Hex } from '../../chain.port';
import { simulatedDeployment } from '../simulated/simulated-deployment';
import { ChainNode } from '../rpc/node';

const HASH: Hex = `0x${'1'.repeat(64)}`;
const ADDRESS: Hex = `0x${'ab'.repeat(20)}`;
const BLOCK = { number: '0x7', hash: HASH, timestamp: '0x10', baseFeePerGas: '0x5' };
/** Seconds after the year 9999. */
const BEYOND_DATES = '0x3afff44180';
const RECEIPT = {
  status: '0x1',
  transactionHash: HASH,
  blockNumber: '0x7',
  blockHash: HASH,
  gasUsed: '0x5208',
  effectiveGasPrice: '0x2',
  logs: [],
};
/** What a healthy node answers. */
const ANSWERS = {
  eth_chainId: '0x2105',
  eth_blockNumber: '0x9',
  eth_getTransactionCount: '0x3',
  eth_getCode: '0x60',
  eth_getBalance: '0x64',
  eth_maxPriorityFeePerGas: '0x1',
  eth_getBlockByNumber: BLOCK,
  eth_getBlockByHash: BLOCK,
  eth_getTransactionReceipt: RECEIPT,
  eth_getTransactionByHash: { hash: HASH },
};
type Method = keyof typeof ANSWERS;

const READS: Readonly<Record<string, (node: ChainNode) => Promise<unknown>>> = {
  chainId: (node) => node.chainId(),
  headNumber: (node) => node.headNumber(),
  existingBlock: (node) => node.existingBlock('latest'),
  transactionCount: (node) => node.transactionCount(ADDRESS, 'latest'),
  hasCode: (node) => node.hasCode(ADDRESS, 'latest'),
  coinBalance: (node) => node.coinBalance(ADDRESS),
  feeQuote: (node) => node.feeQuote(),
  transaction: (node) => node.transaction(HASH),
  logsOf: (node) => node.logsOf(HASH),
};

const nodeWith = (changes: Readonly<Record<string, unknown>>): ChainNode => {
  const answers: Readonly<Record<string, unknown>> = { ...ANSWERS, ...changes };
  const transport = custom({ request: async ({ method }: { method: string }) => answers[method] });
  return new ChainNode({ transport, deployment: simulatedDeployment('eth-base'), finality: 'finalized-tag' });
};

describe('An answer of a node that is not what the method returns', () => {
  it.each<[keyof typeof READS, Method, readonly unknown[]]>([
    ['chainId', 'eth_chainId', [null, undefined, '', 8453]],
    ['headNumber', 'eth_blockNumber', [null, undefined, '0x', {}]],
    ['existingBlock', 'eth_getBlockByNumber', [null, undefined, {}, 'x', { ...BLOCK, timestamp: BEYOND_DATES }]],
    ['transactionCount', 'eth_getTransactionCount', [null, undefined, '0x', 'many']],
    ['hasCode', 'eth_getCode', [null, undefined, '', '0x6']],
    ['coinBalance', 'eth_getBalance', [null, undefined, '0x', '1']],
    ['feeQuote', 'eth_getBlockByNumber', [null, undefined, { ...BLOCK, baseFeePerGas: 'x' }]],
    ['feeQuote', 'eth_maxPriorityFeePerGas', [null, undefined, {}]],
    ['transaction', 'eth_blockNumber', [null, undefined]],
    ['transaction', 'eth_getTransactionByHash', [undefined]],
    ['transaction', 'eth_getBlockByHash', [null, undefined, {}, { ...BLOCK, timestamp: BEYOND_DATES }]],
    ['transaction', 'eth_getTransactionReceipt', [undefined, {}, 'x', ...broken()]],
    ['logsOf', 'eth_getTransactionReceipt', [undefined, {}, { ...RECEIPT, logs: null }]],
  ])('makes %s an outage (%s)', async (read, method, wrong) => {
    // A healthy node is understood: otherwise the refusals below would prove nothing.
    expect(await READS[read]?.(nodeWith({}))).toEqual(expect.anything());
    for (const answer of wrong)
      await expect(READS[read]?.(nodeWith({ [method]: answer }))).rejects.toBeInstanceOf(Unavailable);
  });

  it('is not null where null means that the node has nothing', async () => {
    await expect(nodeWith({ eth_getTransactionReceipt: null }).transaction(HASH)).resolves.toEqual({
      status: 'pooled',
    });
    const none = { eth_getTransactionReceipt: null, eth_getTransactionByHash: null };
    await expect(nodeWith(none).transaction(HASH)).resolves.toEqual({ status: 'missing' });
    await expect(nodeWith({ eth_getBlockByNumber: null }).block(7)).resolves.toBeNull();
  });
});

/** Receipts with one wrong field each. */
function broken(): readonly unknown[] {
  const members = Object.keys(RECEIPT).filter((name) => name !== 'logs');
  return members.map((name) => ({ ...RECEIPT, [name]: null }));
}
