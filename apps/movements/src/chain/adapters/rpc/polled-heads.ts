import { pause } from '@ponte/concurrency';
import type { Head, Hex } from '../../chain.port';
import type { NodeHeads } from '../nodes/node-heads';
import type { ChainNode } from './node';
import type { Pace } from './pace';

export interface Polling {
  /** Interval between two polls, ms. */
  readonly pollingMs: number;
  /** Replaces `pollingMs` for a chain that can be idle. */
  readonly pace: Pick<Pace, 'moved' | 'next'> | undefined;
}

/** The newest block now, and every later one that a poll finds, until aborted. Polls go on while no node answers. */
export async function* polledHeads(
  reads: NodeHeads<ChainNode>,
  { pollingMs, pace }: Polling,
  signal: AbortSignal,
): AsyncGenerator<Head> {
  let seen: Hex | undefined;
  while (!signal.aborted) {
    const head = await reads.answer((node) => node.existingBlock('latest')).catch(() => undefined);
    if (head !== undefined && head.hash !== seen && !signal.aborted) {
      if (seen !== undefined) pace?.moved();
      seen = head.hash;
      yield head;
    }
    await (pace?.next(signal) ?? pause(pollingMs, signal));
  }
}
