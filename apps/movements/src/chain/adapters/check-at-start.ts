import { setTimeout as sleep } from 'node:timers/promises';
import { Unavailable } from '@ponte/kernel';
import type { Logger } from 'pino';
import type { EvmChain } from '../chain.port';

export interface CheckAtStart {
  /** Ends the checks. */
  readonly signal: AbortSignal;
  /** Interval between two checks of a chain whose nodes did not answer, ms. */
  readonly everyMs: number;
  readonly logger?: Logger | undefined;
}

/**
 * Checks a chain. While no node answers, the chain is not used and is checked again in the background, so that it does
 * not keep the others from being served. Rejects with an Error when a node or a contract is not the configured
 * one. If that is found only later, the chain stays unused, and the error is logged.
 */
export async function checkAtStart(evm: EvmChain, { signal, everyMs, logger }: CheckAtStart): Promise<void> {
  const chain = evm.chain;
  try {
    return await evm.check();
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    logger?.error({ chain, err: error }, 'no node of the chain answers: it is not served until one does');
  }
  void checkAgain(evm, { signal, everyMs, logger });
}

async function checkAgain(evm: EvmChain, { signal, everyMs, logger }: CheckAtStart): Promise<void> {
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
