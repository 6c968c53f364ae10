import { Unavailable } from '@ponte/kernel';
import { custom } from 'viem';
import { simulatedDeployment } from '../simulated/simulated-deployment';
import { ChainNode } from '../rpc/node';
import { proposedFees } from './proposed-fees';

const GWEI = 1_000_000_000n;
const hexOf = (gwei: bigint): string => `0x${(gwei * GWEI).toString(16)}`;

/** A node that proposes these fees, in gwei. */
const nodeWith = (baseFee: bigint, tip: bigint): ChainNode => {
  const answers: Readonly<Record<string, unknown>> = {
    eth_maxPriorityFeePerGas: hexOf(tip),
    eth_getBlockByNumber: { number: '0x7', timestamp: '0x10', baseFeePerGas: hexOf(baseFee) },
  };
  return over(async ({ method }) => answers[method]);
};
const over = (request: (call: { method: string }) => Promise<unknown>): ChainNode =>
  new ChainNode({
    transport: custom({ request }, { retryCount: 0 }),
    deployment: simulatedDeployment('eth-base'),
    finality: 'finalized-tag',
  });
const silent = over(() => new Promise(() => undefined));
const failing = over(() => Promise.reject(new Error('down')));

const fees = async (nodes: readonly ChainNode[], othersMs?: number) => {
  const { maxFeePerGas, maxPriorityFeePerGas: tip } = await proposedFees(nodes, (node) => node.feeQuote(), othersMs);
  return { baseFee: (maxFeePerGas - tip) / 3n / GWEI, tip: tip / GWEI };
};

describe('the fees that the nodes of a chain propose', () => {
  it.each([
    ['of one node are its own', [nodeWith(10n, 2n)], { baseFee: 10n, tip: 2n }],
    [
      'of three nodes are those in the middle, whichever node is asked first',
      [nodeWith(9_000n, 4_000n), nodeWith(10n, 2n), nodeWith(11n, 3n)],
      { baseFee: 11n, tip: 3n },
    ],
    [
      'of three nodes are not those of one that proposes too little',
      [nodeWith(0n, 0n), nodeWith(11n, 3n), nodeWith(10n, 2n)],
      { baseFee: 10n, tip: 2n },
    ],
    [
      'of two nodes are the higher base fee and the higher tip',
      [nodeWith(1n, 4_000n), nodeWith(10n, 2n)],
      { baseFee: 10n, tip: 4_000n },
    ],
    ['are those of the nodes that answer', [failing, nodeWith(10n, 2n)], { baseFee: 10n, tip: 2n }],
  ])('%s', async (_, nodes, expected) => {
    expect(await fees(nodes)).toEqual(expected);
  });

  it('are not waited for once a node has answered and the others have had their time', async () => {
    expect(await fees([silent, nodeWith(10n, 2n)], 1)).toEqual({ baseFee: 10n, tip: 2n });
  });

  it('are unavailable when no node answers', async () => {
    await expect(fees([failing, failing])).rejects.toBeInstanceOf(Unavailable);
    await expect(fees([])).rejects.toBeInstanceOf(Unavailable);
  });
});
