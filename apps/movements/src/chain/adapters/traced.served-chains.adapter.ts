import { instrument } from '@ponte/kernel';
import type { Tracing } from '@ponte/observability';
import { portTraces } from '@ponte/observability';
import type { ServedChain, ServedChains } from '../served-chains.port';

const CALLS = [
  'broadcast',
  'transaction',
  'nextNonce',
  'minedCount',
  'atFinality',
  'blockAt',
  'minedAnywhere',
  'agreedMined',
  'agreedMovement',
  'feeQuote',
  'tokenBalance',
  'sharePrice',
  'taken',
  'takenAnywhere',
  'takenIn',
  'isOperator',
  'gasBalance',
] as const;

/** Wraps the chains so that each call to a node within a trace has a span. */
export function tracedChains(chains: ServedChains, tracing: Tracing): ServedChains {
  if (!tracing.on) return chains;
  const traced = (served: ServedChain): ServedChain => ({
    ...served,
    evm: instrument(served.evm, [
      portTraces('chain', CALLS, { 'rpc.system.name': 'jsonrpc', 'ponte.chain': served.evm.chain }, tracing),
    ]),
  });
  const known = new Map(chains.all.map((served) => [served, traced(served)]));
  return { all: [...known.values()], of: (chain) => known.get(chains.of(chain)) ?? chains.of(chain) };
}
