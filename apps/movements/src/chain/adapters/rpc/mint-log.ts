import { Unavailable } from '@ponte/kernel';
import type { Hex, ReferenceTaker } from '../../chain.port';
import type { Deployment } from '../deployment';
import { outageOf } from './broadcast-outcome';
import type { JsonRpcNode } from './json-rpc-node';
import { hexOf } from './json-rpc-node';
import { isRangeTooWide } from './log-range';
import type { MintLog } from './mint-search';
import { takenLogFilter } from './references';

/** Searches the logs of one node for the transaction in which a contract took a reference. */
export const mintLogOf = (node: JsonRpcNode, deployment: Deployment, by: ReferenceTaker): MintLog => ({
  head: () => node.headNumber(),
  timeOf: async (block) => (await node.existingBlock(block)).time,
  async takenIn(reference, from, to) {
    const filter = { ...takenLogFilter(deployment, by, reference), fromBlock: hexOf(from), toBlock: hexOf(to) };
    try {
      const [first] = await node.ask<readonly { readonly transactionHash: Hex }[]>('eth_getLogs', [filter]);
      return first?.transactionHash ?? null;
    } catch (error) {
      // Providers reject a range that is too wide with many different messages and codes, some of them with an HTTP
      // error or a timeout.
      if (isRangeTooWide(error)) return 'too-much';
      throw new Unavailable('chain-unavailable', outageOf(error));
    }
  },
});
