import { setTimeout as wait } from 'node:timers/promises';
import type { Answer } from '../e2e/client';
import type { Customer, Order } from '../e2e/customer';

/** An order that was answered with 200. */
export interface Acknowledged {
  readonly request: number;
  readonly customer: Customer;
  readonly key: string;
  readonly quoteId: string;
  readonly orderId: string;
  /** Epoch milliseconds: when its acceptance was first sent, and when it was answered. */
  readonly sentAt: number;
  readonly at: number;
  /** The body as it came. */
  readonly text: string;
}

export interface LoadOptions {
  readonly customers: readonly Customer[];
  readonly rate: number;
  /**
   * Orders that may be under way: what would be begun beyond it is left out, so that a machine which cannot keep up is
   * not asked for ever more.
   */
  readonly most: number;
  /** Before every key, so that the keys of two runs differ. */
  readonly run: string;
}

/**
 * Waits before a request is sent again, doubling from the one to the other, and half of it at random; never shorter
 * than `Retry-After`.
 */
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 8_000;
/** Longer than any outage that a test allows, and than the 30 s of a locked key. */
const PATIENCE_MS = 240_000;
/** Heard when a retry makes sense: the first try still runs, too many, or the service is not there. */
const RETRIED = new Set([409, 429, 502, 503]);

/**
 * Partners that order at a fixed rate, whether the earlier orders are answered or not. Each quote and each acceptance
 * is sent under a key of its own and again under the same key, until it has a final answer.
 */
export class Load {
  readonly acknowledged: Acknowledged[] = [];
  /** Final answers that are no order. */
  readonly refused: { readonly quoteId: string; readonly answer: string }[] = [];
  /** Commands that never got a final answer. */
  readonly lost: string[] = [];
  /** Tries that had no answer, or one that asks for another try. */
  readonly retries = { unanswered: 0, busy: 0 };
  begun = 0;
  /** Orders that were due and were not begun, since too many were under way. */
  leftOut = 0;
  private readonly open = new Set<Promise<void>>();
  private running = false;
  private ticking: Promise<void> = Promise.resolve();

  constructor(private readonly options: LoadOptions) {}

  start(): void {
    this.running = true;
    this.ticking = this.tick();
  }

  /** Begins nothing more, and waits for what was begun. */
  async stop(): Promise<void> {
    this.running = false;
    await this.ticking;
    await Promise.all(this.open);
  }

  get inFlight(): number {
    return this.open.size;
  }

  /** The same acceptance under the same key, once more. */
  repeat({ customer, quoteId, key }: Acknowledged): Promise<Answer<{ readonly order: Order }>> {
    return this.insist(() => customer.accept(quoteId, { key }));
  }

  private async tick(): Promise<void> {
    const { rate, most } = this.options;
    for (const from = Date.now(); this.running; await wait(1)) {
      const due = Math.floor(((Date.now() - from) * rate) / 1_000);
      for (; this.begun + this.leftOut < due && this.open.size < most; this.begun += 1) this.begin(this.begun);
      this.leftOut = Math.max(this.leftOut, due - this.begun);
    }
  }

  private begin(request: number): void {
    const carried = this.carry(request)
      .catch((error: Error) => void this.lost.push(`command ${request}: ${error.message}`))
      .finally(() => this.open.delete(carried));
    this.open.add(carried);
  }

  private async carry(request: number): Promise<void> {
    const { customers, run } = this.options;
    const customer = customers[request % customers.length] as Customer;
    const wanted = { 'source-asset': 'fiat/brl', 'target-asset': 'eth-base/brlv', 'source-amount': '1.00' };
    const quoted = await this.insist(() =>
      customer.api.send<{ id: string }>('POST', customer.path('/quotes'), wanted, {
        'idempotency-key': `${run}-quote-${request}`,
      }),
    );
    if (quoted.status !== 200) throw new Error(`no quote: HTTP ${quoted.status} ${quoted.text}`);
    const quoteId = quoted.body.id;
    const key = `${run}-order-${request}`;
    const sentAt = Date.now();
    const answer = await this.insist(() => customer.accept(quoteId, { key }));
    if (answer.status !== 200) this.refused.push({ quoteId, answer: `HTTP ${answer.status} ${answer.text}` });
    else
      this.acknowledged.push({
        request,
        customer,
        key,
        quoteId,
        orderId: answer.body.order.id,
        sentAt,
        at: Date.now(),
        text: answer.text,
      });
  }

  private async insist<T>(send: () => Promise<Answer<T>>): Promise<Answer<T>> {
    for (let [end, tries] = [Date.now() + PATIENCE_MS, 0]; ; tries += 1) {
      const { answer, problem } = await attempt(send);
      if (answer && !RETRIED.has(answer.status)) return answer;
      if (answer) this.retries.busy += 1;
      else this.retries.unanswered += 1;
      if (Date.now() > end) throw new Error(`gave up: ${answer?.text ?? problem}`);
      const backOff = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** tries);
      const asked = Number(answer?.headers['retry-after'] ?? 0) * 1_000;
      await wait(Math.max(asked, backOff / 2) + (Math.random() * backOff) / 2);
    }
  }
}

/** What the connection throws is an error, but not always of this realm's class. */
const attempt = <T>(
  send: () => Promise<Answer<T>>,
): Promise<{ readonly answer?: Answer<T>; readonly problem?: string }> =>
  send().then(
    (answer) => ({ answer }),
    (error: { readonly message?: string }) => ({ problem: String(error.message) }),
  );
