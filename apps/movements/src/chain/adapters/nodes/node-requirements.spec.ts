import { BaseError, HttpRequestError, custom } from 'viem';
import type { Hex } from '../../chain.port';
import type { Deployment } from '../deployment';
import { ChainNode } from '../rpc/node';
import { HISTORY_BLOCKS, unmetRequirements } from './node-requirements';

const wordOf = (digits: string): Hex => `0x${digits.padStart(64, '0')}`;
const deployment: Deployment = {
  chain: 'eth-base',
  minter: `0x${'1'.repeat(40)}`,
  custody: `0x${'2'.repeat(40)}`,
  tokens: {},
};
const FINAL = 50_000;
const TX = wordOf('7');

interface Call {
  readonly method: string;
  readonly params: readonly unknown[];
}
const isFor = (what: unknown) => JSON.stringify(what);

/** What a node answers that provides everything. */
function healthy({ method, params: [first] }: Call): unknown {
  switch (method) {
    case 'eth_getBlockByNumber': {
      const number = typeof first === 'string' && first.startsWith('0x') ? first : `0x${FINAL.toString(16)}`;
      return { number, hash: wordOf(number.slice(2)), timestamp: '0x10', baseFeePerGas: '0x1' };
    }
    case 'eth_getBlockByHash':
      return { hash: first, transactions: [TX] };
    case 'eth_getLogs':
      return [];
    case 'eth_getTransactionByHash':
      return { hash: TX };
    case 'eth_getTransactionReceipt': {
      const place = { blockNumber: '0x1', blockHash: wordOf('1') };
      return { status: '0x1', transactionHash: TX, ...place, gasUsed: '0x1', effectiveGasPrice: '0x1', logs: [] };
    }
    case 'eth_getCode':
      return '0x60';
    case 'eth_call':
      return wordOf('1');
    default:
      return '0x2105';
  }
}

function node(answer: (call: Call) => unknown = healthy): ChainNode {
  const request = async (call: Call) => answer(call);
  return new ChainNode({ transport: custom({ request }, { retryCount: 0 }), deployment, finality: 'finalized-tag' });
}
/** A node that provides everything else. */
const lacking = (lacks: (call: Call) => boolean, answer: unknown = new BaseError('pruned')) =>
  node((call) => {
    if (!lacks(call)) return healthy(call);
    if (answer instanceof Error) throw answer;
    return answer;
  });
const lacksOf = async (...nodes: readonly ChainNode[]) =>
  (await unmetRequirements(nodes, deployment)).map(({ node: at, lacks }) => [at, lacks]);

describe('what a node must provide', () => {
  it('is complete in a node that answers everything', async () => {
    await expect(unmetRequirements([node(), node()], deployment)).resolves.toEqual([]);
  });

  it.each<[string, (call: Call) => boolean]>([
    ['the final block (eth_getBlockByNumber)', ({ params }) => params[0] === 'finalized'],
    [
      'the state at the final block, by its hash (eth_call, eth_getCode, eth_getTransactionCount; EIP-1898)',
      ({ params }) => isFor(params).includes('requireCanonical'),
    ],
    [
      'logs by the hash of their block (eth_getLogs)',
      ({ method, params }) => method === 'eth_getLogs' && isFor(params).includes('blockHash'),
    ],
    [
      'logs of the last 10000 final blocks (eth_getLogs)',
      ({ method, params }) =>
        method === 'eth_getLogs' && isFor(params).includes(`0x${(FINAL - HISTORY_BLOCKS).toString(16)}`),
    ],
    [
      'blocks, transactions and receipts of the last 10000 final blocks',
      ({ method }) => method === 'eth_getTransactionReceipt',
    ],
    ['fees (eth_maxPriorityFeePerGas)', ({ method }) => method === 'eth_maxPriorityFeePerGas'],
  ])('includes %s', async (what, lacks) => {
    await expect(lacksOf(node(), lacking(lacks))).resolves.toEqual([[2, what]]);
  });

  it.each<[string, string]>([
    ['eth_getTransactionByHash', 'the node does not have the first transaction of block 40000'],
    ['eth_getTransactionReceipt', 'the node does not have the receipt of the first transaction of block 40000'],
    ['eth_getBlockByHash', 'the node does not have block 40000 by its hash'],
  ])('is not provided by a node whose answer to %s is null', async (method, reason) => {
    const pruned = lacking((call) => call.method === method, null);
    await expect(unmetRequirements([pruned], deployment)).resolves.toMatchObject([{ node: 1, reason }]);
  });

  it('is provided by a node whose final block is older than our contracts', async () => {
    const older = lacking(({ method }) => method === 'eth_getCode' || method === 'eth_call', '0x');
    await expect(unmetRequirements([older], deployment)).resolves.toEqual([]);
  });

  it('is unknown of a node that does not answer', async () => {
    const silent = lacking(() => true, new HttpRequestError({ url: 'https://node.example/secret', status: 503 }));
    await expect(unmetRequirements([silent, node()], deployment)).resolves.toEqual([
      { node: 1, lacks: null, reason: 'the node answered HTTP 503' },
    ]);
  });
});
