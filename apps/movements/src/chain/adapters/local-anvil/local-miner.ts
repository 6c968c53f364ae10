import type { Pace } from '../heads/pace';
import { askNodeOne } from './json-rpc';

/**
 * Mines the blocks of a local chain: one per interval while transactions are pending, then some empty blocks to confirm
 * them. An idle chain does not grow. (anvil's own interval mining adds 1.7 kB a second to a state file that it rewrites
 * each second: 150 MB after a day.)
 */
export class LocalMiner {
  private readonly ending = new AbortController();
  private readonly running: Promise<void>;
  private owed = 0;

  constructor(
    private readonly url: string,
    private readonly pace: Pick<Pace, 'moved' | 'next'>,
    private readonly emptyBlocksAfter: number,
    private readonly followers: Pick<Pace, 'moved'>,
  ) {
    this.running = this.run();
  }

  async stop(): Promise<void> {
    this.ending.abort();
    await this.running;
  }

  private async run(): Promise<void> {
    for (;;) {
      await this.pace.next(this.ending.signal);
      if (this.ending.signal.aborted) return;
      await this.tick();
    }
  }

  /** Errors are ignored: other callers notice an outage of the node, and the next tick tries again. */
  private async tick(): Promise<void> {
    try {
      const { pending } = (await askNodeOne(this.url, 'txpool_status')) as { pending: string };
      const waiting = Number(pending) > 0;
      if (!waiting && this.owed === 0) return;
      this.pace.moved();
      await askNodeOne(this.url, 'evm_mine');
      this.followers.moved();
      this.owed = waiting ? this.emptyBlocksAfter : this.owed - 1;
    } catch {
      this.owed = Math.max(this.owed, 0);
    }
  }
}
