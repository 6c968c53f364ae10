import { pause } from '@ponte/concurrency';
import type { Head, Hex } from '../../chain.port';
import type { NodeHeads } from '../nodes/node-heads';
import type { ChainNode } from '../rpc/node';
import { HeadFeed } from './head-feed';
import type { Pace } from './pace';

export interface Polling {
  /** Interval between two polls, ms. */
  readonly pollingMs: number;
  /** Replaces `pollingMs` for a chain that can be idle. */
  readonly pace: Pick<Pace, 'moved' | 'next'> | undefined;
}

/** The heads of one chain. All followers share the same polls, which last as long as there is a follower. */
export class PolledHeads {
  private feed = new HeadFeed();
  private polls = new AbortController();
  private followers = 0;

  constructor(
    private readonly reads: Pick<NodeHeads<Pick<ChainNode, 'existingBlock'>>, 'answer'>,
    private readonly polling: Polling,
  ) {}

  /** The newest block, and every later one that a poll finds, until aborted. Polls go on while no node answers. */
  async *follow(signal: AbortSignal): AsyncGenerator<Head> {
    if (signal.aborted) return;
    if (this.followers === 0) this.start();
    this.followers += 1;
    try {
      yield* this.feed.follow(signal);
    } finally {
      this.followers -= 1;
      if (this.followers === 0) this.polls.abort();
    }
  }

  /** Polls an idle chain more often for a while. */
  expectHead(): void {
    this.polling.pace?.moved();
  }

  /** With a new feed, because the last head of the old one may have been replaced since. */
  private start(): void {
    this.feed = new HeadFeed();
    this.polls = new AbortController();
    void this.poll(this.feed, this.polls.signal);
  }

  private async poll(feed: HeadFeed, signal: AbortSignal): Promise<void> {
    const { pollingMs, pace } = this.polling;
    let seen: Hex | undefined;
    while (!signal.aborted) {
      const head = await this.reads.answer((node) => node.existingBlock('latest')).catch(() => undefined);
      if (head !== undefined && head.hash !== seen && !signal.aborted) {
        if (seen !== undefined) pace?.moved();
        seen = head.hash;
        feed.push(head);
      }
      await (pace?.next(signal) ?? pause(pollingMs, signal));
    }
  }
}
