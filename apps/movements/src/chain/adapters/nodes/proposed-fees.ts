import { settledWithin } from '@ponte/concurrency';
import { Unavailable } from '@ponte/kernel';
import type { FeeQuote } from '../../chain.port';

/** How long other nodes may take once one has answered, ms: no transaction waits for a slow node. */
const OTHERS_MS = 500;

/**
 * The median of the fees that the nodes propose; of an even number, the higher one of the middle two. A node that
 * proposes too much costs money within the limits, and one that proposes too little would hold up a key. Rejects with
 * `Unavailable` when no node answers.
 */
export async function proposedFees<N>(
  nodes: readonly N[],
  ask: (node: N) => Promise<FeeQuote>,
  othersMs = OTHERS_MS,
): Promise<FeeQuote> {
  const quotes: FeeQuote[] = [];
  const asked = nodes.map(async (node) => void quotes.push(await ask(node)));
  await Promise.any(asked).catch(({ errors }: AggregateError) => {
    throw (
      errors.find((error) => !(error instanceof Unavailable)) ??
      errors.at(-1) ??
      new Unavailable('chain-unavailable', 'there is no node to ask')
    );
  });
  await settledWithin(othersMs, Promise.allSettled(asked));
  const tip = median(quotes.map(({ maxPriorityFeePerGas }) => maxPriorityFeePerGas));
  const withoutTip = median(quotes.map((quote) => quote.maxFeePerGas - quote.maxPriorityFeePerGas));
  return { maxFeePerGas: withoutTip + tip, maxPriorityFeePerGas: tip };
}

function median(fees: bigint[]): bigint {
  const sorted = fees.sort((a, b) => (a < b ? -1 : 1));
  return sorted[Math.floor(sorted.length / 2)] ?? 0n;
}
