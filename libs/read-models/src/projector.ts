import { whileLeased } from '@ponte/concurrency';
import type { Position } from '@ponte/event-sourcing';
import { safeError } from '@ponte/event-sourcing';
import type { ProjectorOptions } from './projector-options';
import { waitToRetry } from './projector-options';
import { ProjectorTurn } from './projector-turn';

export interface Projector {
  /** Resolves once it has processed everything that was in the log when it got the lease. */
  readonly caughtUp: Promise<void>;
  /** Waits for the current slice to finish or, if it keeps failing, to give up; then saves the checkpoint. */
  stop(): Promise<void>;
  /**
   * Restarts from another position: `place` writes that position under the given fence, which is higher than this
   * holder's, and the next turn continues from there. False if this process does not hold the lease or stops meanwhile.
   */
  rewind(place: (fence: number) => Promise<void>): Promise<boolean>;
  /** Whether this process holds the lease and reads the log. */
  holds(): boolean;
}

/**
 * Follows the log under a lease and never skips events: a failed slice is retried until it succeeds. Processes update
 * their rows right after an append; the projector adds the rows that a crash prevented.
 */
export function runProjector(options: ProjectorOptions): Projector {
  const stopping = new AbortController();
  const running: { turn?: ProjectorTurn } = {};
  let ended = Promise.resolve();
  const caughtUp = new Promise<void>((resolve) => {
    ended = follow(options, stopping.signal, resolve, running);
  });
  return {
    holds: () => running.turn !== undefined,
    rewind: async (place) => (await running.turn?.rewind(place)) ?? false,
    caughtUp,
    stop: async () => {
      stopping.abort();
      await ended;
    },
  };
}

async function follow(
  options: ProjectorOptions,
  signal: AbortSignal,
  caughtUp: () => void,
  running: { turn?: ProjectorTurn },
): Promise<void> {
  const refused = new Set<Position>();
  let failures = 0;
  while (!signal.aborted) {
    try {
      await whileLeased(options.lease, options.name, signal, async (end, grant) => {
        running.turn = new ProjectorTurn(options, grant, end, caughtUp, refused);
        await running.turn.run().finally(() => {
          running.turn = undefined;
        });
      });
      failures = 0;
    } catch (error) {
      failures += 1;
      options.logger.error(
        { projector: options.name, error: safeError(error) },
        'a projector lost its connection to the log and is restarting',
      );
    }
    await waitToRetry(options, Math.max(failures, 1), signal);
  }
}
