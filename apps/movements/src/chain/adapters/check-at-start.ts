import { setTimeout as sleep } from 'node:timers/promises';
import type { Chain } from '@ponte/kernel';
import { Unavailable } from '@ponte/kernel';
import type { Logger } from 'pino';
import type { EvmChain } from '../chain.port';
import type { UnmetRequirement } from './nodes/node-requirements';

export interface CheckAtStart {
  /** Ends the checks. */
  readonly signal: AbortSignal;
  /** Interval between two checks of a chain whose nodes did not answer, ms. */
  readonly everyMs: number;
  readonly logger?: Logger | undefined;
  /** What the nodes of the chain do not provide. Asked when the chain is first used. */
  readonly unmet: () => Promise<readonly UnmetRequirement[]>;
}

/**
 * Checks a chain. While no node answers, the chain is not used and is checked again in the background, so that it does
 * not keep the others from being served. Rejects with an Error when a node or a contract is not the configured
 * one. If that is found only later, the chain stays unused, and the error is logged. Once the chain is used, what its
 * nodes do not provide is logged, in the background. It is no reason not to start: a node that lags or synchronizes
 * refuses the same calls for a while, and other nodes may provide everything.
 */
export async function checkAtStart(
  evm: Pick<EvmChain, 'chain' | 'check'>,
  { signal, everyMs, logger, unmet }: CheckAtStart,
): Promise<void> {
  const chain = evm.chain;
  try {
    await evm.check();
    void reportUnmet(chain, unmet, logger);
    return;
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    logger?.error({ chain, err: error }, 'no node of the chain answers: it is not served until one does');
  }
  void checkAgain(evm, { signal, everyMs, logger, unmet });
}

async function checkAgain(
  evm: Pick<EvmChain, 'chain' | 'check'>,
  { signal, everyMs, logger, unmet }: CheckAtStart,
): Promise<void> {
  const { chain } = evm;
  let reported = '';
  for (;;) {
    try {
      await sleep(everyMs, undefined, { signal, ref: false });
    } catch {
      return;
    }
    try {
      await evm.check();
      logger?.info({ chain }, 'the nodes of the chain answer again: it is served');
      void reportUnmet(chain, unmet, logger);
      return;
    } catch (error) {
      const { message } = error as Error;
      if (!(error instanceof Unavailable) && message !== reported) {
        reported = message;
        logger?.error({ chain, err: error }, 'the chain is not served: it is not as configured');
      }
    }
  }
}

async function reportUnmet(chain: Chain, unmet: CheckAtStart['unmet'], logger: Logger | undefined): Promise<void> {
  for (const { node, lacks, reason } of await unmet()) {
    if (lacks === null) logger?.warn({ chain, node, reason }, 'a node does not answer, so what it provides is unknown');
    else logger?.error({ chain, node, lacks, reason }, 'a node does not provide what movements reads from it');
  }
}
