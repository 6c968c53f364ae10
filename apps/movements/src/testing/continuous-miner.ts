import { pause } from '@ponte/concurrency';
import { askNodeOne } from '../chain/adapters/local-anvil/json-rpc';

const BLOCK_MS = 30;

/** Mines a block of a node at a constant interval, until it is stopped. */
export class ContinuousMiner {
  private readonly ending = new AbortController();
  private readonly running: Promise<void>;
  private mining: Promise<unknown> = Promise.resolve();
  private paused = false;

  constructor(private readonly url: string) {
    this.running = this.run();
  }

  /** When it resolves, no block is being mined, and the test alone mines blocks until it resumes the miner. */
  async pause(): Promise<void> {
    this.paused = true;
    await this.mining;
  }

  resume(): void {
    this.paused = false;
  }

  async stop(): Promise<void> {
    this.ending.abort();
    await this.running;
  }

  /** A block that could not be mined is left out. */
  private async run(): Promise<void> {
    while (!this.ending.signal.aborted) {
      if (!this.paused) await (this.mining = askNodeOne(this.url, 'evm_mine').catch(() => undefined));
      await pause(BLOCK_MS, this.ending.signal);
    }
  }
}
