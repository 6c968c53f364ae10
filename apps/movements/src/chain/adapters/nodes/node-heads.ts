import type { Chain } from '@ponte/kernel';
import type { Metrics } from '@ponte/observability';
import type { Head } from '../../chain.port';
import { firstAnswer } from '../rpc/first-answer';

/** Minimum interval between two reads of the newest blocks, ms. */
const LOOK_MS = 10_000;
/** A node is behind if its newest block is older than that of another node by more than this, ms. */
const BEHIND_MS = 60_000;
/** A node whose newest block is later than the clock by more than this is not compared with others, ms. */
const AHEAD_MS = 60_000;

interface ReadNode {
  existingBlock(at: 'latest'): Promise<Pick<Head, 'time'>>;
}

/**
 * Reads from the first node that answers. A node that stands still answers too, so those that are behind are asked
 * last. The newest blocks are read in the background: no read waits for a slow node.
 */
export class NodeHeads<N extends ReadNode> {
  /** The time of the newest block of each node that has answered, epoch ms. */
  private readonly times = new Map<N, number>();
  private lookedAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly nodes: readonly N[],
    private readonly now: () => number = Date.now,
  ) {}

  /** As {@link firstAnswer}, with the nodes that are behind last. */
  answer<T>(ask: (node: N) => Promise<T>): Promise<T> {
    return firstAnswer(this.inOrder(), ask);
  }

  /** The nodes that are not behind. */
  upToDate(): readonly N[] {
    if (this.nodes.length > 1) this.look();
    const now = this.now();
    const known = [...this.times.values()].filter((time) => time <= now + AHEAD_MS);
    // At most now: no node comes first because it claims that its block is of a later time.
    const oldest = Math.min(now, Math.max(...known)) - BEHIND_MS;
    return this.nodes.filter((node) => (this.times.get(node) ?? Number.POSITIVE_INFINITY) >= oldest);
  }

  /**
   * The age of the newest block of each node, seconds: that of the last known one if the node does not answer, infinite
   * if it never did.
   */
  measure(chain: Chain, metrics: Metrics): void {
    metrics.measure('ponte_node_head_age_seconds', async () => {
      this.look();
      return this.nodes.map((node, at) => ({
        labels: { chain, node: String(at + 1) },
        value: Math.max(0, this.now() - (this.times.get(node) ?? Number.NEGATIVE_INFINITY)) / 1_000,
      }));
    });
  }

  private look(): void {
    // The clock may have been set back.
    if (Math.abs(this.now() - this.lookedAt) < LOOK_MS) return;
    this.lookedAt = this.now();
    for (const node of this.nodes)
      void node.existingBlock('latest').then(
        ({ time }) => this.times.set(node, time),
        () => undefined,
      );
  }

  private inOrder(): readonly N[] {
    const first = this.upToDate();
    return [...first, ...this.nodes.filter((node) => !first.includes(node))];
  }
}
