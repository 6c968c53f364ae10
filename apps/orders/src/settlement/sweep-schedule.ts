import type { OldOrder } from '../order/orders.read-model';

/** Orders of one chain per run. With a run every 30 s, an outage of a chain costs at most 1,000 requests per minute. */
export const MAX_ORDERS_PER_RUN = 500;
/** Pause before an order is examined again that lacked nothing twice in a row, ms. It doubles each time. */
const FIRST_PAUSE_MS = 60_000;
/** The longest pause, ms: how much later a lost event can be noticed after a long wait. */
const MAX_PAUSE_MS = 10 * 60_000;

interface Entry {
  readonly dueAt: number;
  /** How many times in a row the order lacked nothing. */
  readonly waits: number;
  /** Whether the order lacked its next step when it was last examined. */
  readonly lacks: boolean;
}
interface Candidate {
  readonly order: OldOrder;
  readonly dueAt: number;
}

/**
 * When the sweep examines each order again. It knows only what this process has found: after a restart, all orders are
 * examined in turn. On each chain, those that have been due the longest come first, so none is left out, and orders of
 * one chain never wait for those of another.
 */
export class SweepSchedule {
  private readonly entries = new Map<string, Entry>();

  constructor(private readonly retryMs: number) {}

  /** Begins a run at the given time (epoch ms). Every processing order must be offered to it. */
  run(now: number): SweepRun {
    return new SweepRun(this.entries, now, (order) => Date.parse(order.createdAt) + this.retryMs);
  }

  /** The order cannot lack anything before that time (epoch ms). */
  postpone(orderId: string, dueAt: number): void {
    this.entries.set(orderId, { dueAt, waits: 0, lacks: false });
  }

  /** The order lacks nothing: it waits for the chain, the bank or staff. */
  recordWaiting(orderId: string, now: number): void {
    const waits = (this.entries.get(orderId)?.waits ?? 0) + 1;
    const pause = waits === 1 ? 0 : Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(waits - 2, 10));
    this.entries.set(orderId, { dueAt: now + pause, waits, lacks: false });
  }

  /** The order lacked its next step. It is due in the next run, behind the orders that have been due for longer. */
  recordMissing(orderId: string, now: number): void {
    this.entries.set(orderId, { dueAt: now, waits: 0, lacks: true });
  }

  /** Nothing was learned. The order is due in the next run, as in {@link recordMissing}. */
  recordFailure(orderId: string, now: number): void {
    const { waits = 0, lacks = false } = this.entries.get(orderId) ?? {};
    this.entries.set(orderId, { dueAt: now, waits, lacks });
  }
}

/** One run of the sweep over all processing orders. */
class SweepRun {
  private readonly due = new Map<string | null, Candidate[]>();
  private readonly offered = new Set<string>();

  constructor(
    private readonly entries: Map<string, Entry>,
    private readonly now: number,
    private readonly firstDueAt: (order: OldOrder) => number,
  ) {}

  /** Offers one page, oldest order first. */
  offer(page: readonly OldOrder[]): void {
    for (const order of page) {
      this.offered.add(order.orderId);
      const dueAt = this.entries.get(order.orderId)?.dueAt ?? this.firstDueAt(order);
      if (dueAt > this.now) continue;
      const ofChain = this.due.get(order.chain) ?? [];
      this.due.set(order.chain, ofChain);
      ofChain.push({ order, dueAt });
    }
    // After each page, so that a long outage does not fill the memory.
    for (const [chain, ofChain] of this.due)
      if (ofChain.length > MAX_ORDERS_PER_RUN) this.due.set(chain, longestDue(ofChain));
  }

  /**
   * The orders to examine: first the one of each chain that has been due the longest, then the next of each. `left` is
   * the number of other orders that lacked something when they were last examined.
   */
  end(): { readonly orders: readonly OldOrder[]; readonly left: number } {
    for (const orderId of this.entries.keys()) if (!this.offered.has(orderId)) this.entries.delete(orderId);
    const ranked = [...this.due.values()].flatMap((ofChain) =>
      longestDue(ofChain).map(({ order }, rank) => ({ order, rank })),
    );
    const orders = ranked.sort((one, other) => one.rank - other.rank).map(({ order }) => order);
    const picked = new Set(orders.map(({ orderId }) => orderId));
    let left = 0;
    for (const [orderId, { lacks }] of this.entries) if (lacks && !picked.has(orderId)) left += 1;
    return { orders, left };
  }
}

/** Sorting is stable: of orders that have been due for equally long, the oldest come first. */
const longestDue = (candidates: readonly Candidate[]): Candidate[] =>
  [...candidates].sort((one, other) => one.dueAt - other.dueAt).slice(0, MAX_ORDERS_PER_RUN);
