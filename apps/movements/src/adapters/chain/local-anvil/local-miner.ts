import { askNodeOne } from './json-rpc';

/**
 * Mines a local chain's blocks: one each interval while transactions wait, and some empty ones after them for their
 * confirmations. A chain that nobody uses stays as it is. (anvil's own interval mining adds 1.7 kB a second to a state file
 * that it rewrites each second: 150 MB after a day.)
 */
export class LocalMiner {
  private readonly timer: NodeJS.Timeout;
  private busy: Promise<void> | undefined;
  private owed = 0;

  constructor(
    private readonly url: string,
    blockMs: number,
    private readonly emptyBlocksAfter: number,
  ) {
    this.timer = setInterval(() => {
      this.busy ??= this.tick().finally(() => (this.busy = undefined));
    }, blockMs).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.busy;
  }

  /** A node that does not answer is noticed by those who ask it something; the miner comes again. */
  private async tick(): Promise<void> {
    try {
      const { pending } = (await askNodeOne(this.url, 'txpool_status')) as { pending: string };
      const waiting = Number(pending) > 0;
      if (!waiting && this.owed === 0) return;
      await askNodeOne(this.url, 'evm_mine');
      this.owed = waiting ? this.emptyBlocksAfter : this.owed - 1;
    } catch {
      this.owed = Math.max(this.owed, 0);
    }
  }
}
