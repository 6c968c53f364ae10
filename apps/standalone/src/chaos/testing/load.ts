import { setTimeout as wait } from 'node:timers/promises';
import type { Answer, Json } from '../../e2e/testing/client';
import type { Customer, Order } from '../../e2e/testing/customer';
import type { Acknowledged, Moved } from './answered';
import type { MovementKind, OrderAction, Party } from './mix';
import { until } from '../../e2e/testing/waiting';
import type { Retries } from './patient-caller';
import { PATIENCE_MS, PatientCaller } from './patient-caller';
import { MIX, ORDER_AMOUNT, referenceIn, requestOf } from './mix';

interface LoadOptions {
  readonly parties: readonly Party[];
  readonly rate: number;
  /**
   * The largest number of requests in progress. Requests beyond it are skipped, so that a machine that cannot keep up
   * is not overloaded further.
   */
  readonly maxRequests: number;
  /** A prefix of every idempotency key, so that the keys of two runs differ. */
  readonly run: string;
}

/** The interval at which a certificate is polled. */
const POLL_MS = 250;

/**
 * Sends orders and movements at a fixed rate, whether or not earlier ones are answered. Each quote and each acceptance
 * has its own idempotency key and is repeated under that key until it has a final answer.
 */
export class Load {
  readonly acknowledged: Acknowledged[] = [];
  readonly moved: Moved[] = [];
  /** Final answers that are neither an order nor a movement. */
  readonly refused: { readonly quoteId: string; readonly answer: string }[] = [];
  /** Commands that never got a final answer. */
  readonly lost: string[] = [];
  begun = 0;
  /** Requests that were due but skipped, because too many were in progress. */
  leftOut = 0;
  private readonly caller = new PatientCaller();
  private readonly open = new Set<Promise<void>>();
  private running = false;
  private ticking: Promise<void> = Promise.resolve();

  constructor(private readonly options: LoadOptions) {}

  start(): void {
    this.running = true;
    this.ticking = this.tick();
  }

  /** Sends no further requests and waits for those in progress. */
  async stop(): Promise<void> {
    this.running = false;
    await this.ticking;
    await Promise.all(this.open);
  }

  get retries(): Retries {
    return this.caller.retries;
  }

  get inFlight(): number {
    return this.open.size;
  }

  /** Repeats an acceptance under its key. */
  repeat({ customer, quoteId, key, members }: Acknowledged): Promise<Answer<{ readonly order: Order }>> {
    return this.accept(customer, quoteId, members, key);
  }

  /** Repeats a movement under its key. */
  moveAgain({ customer, path, body, key }: Moved): Promise<Answer<unknown>> {
    return this.post(customer, path, body, key);
  }

  private accept(customer: Customer, quoteId: string, members: Json, key: string) {
    return this.post<{ readonly order: Order }>(
      customer,
      customer.path('/orders'),
      { 'quote-id': quoteId, ...members },
      key,
    );
  }

  private post<T>(customer: Customer, path: string, body: Json, key: string): Promise<Answer<T>> {
    return this.caller.insist(() => customer.api.send<T>('POST', path, body, { 'idempotency-key': key }));
  }

  private async tick(): Promise<void> {
    const { rate, maxRequests } = this.options;
    for (const from = Date.now(); this.running; await wait(1)) {
      const due = Math.floor(((Date.now() - from) * rate) / 1_000);
      for (; this.begun + this.leftOut < due && this.open.size < maxRequests; this.begun += 1) this.begin(this.begun);
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
    const { parties } = this.options;
    const action = MIX[request % MIX.length] ?? { kind: 'brl-deposit' };
    // Shifts the account by one after each round of the mix, so that each account makes every kind of request.
    const party = parties[(request + Math.floor(request / MIX.length)) % parties.length] as Party;
    await (action.kind === 'order' ? this.order(request, party, action) : this.move(request, party, action.kind));
  }

  private async order(request: number, { customer, wallet }: Party, { source, target }: OrderAction): Promise<void> {
    const { run } = this.options;
    const isSale = target === 'fiat/brl';
    const wanted = {
      'source-asset': source,
      'target-asset': target,
      ...(isSale ? { 'target-amount': ORDER_AMOUNT } : { 'source-amount': ORDER_AMOUNT }),
      ...(`${source} ${target}`.includes('usd') ? { 'trade-reason': 'transfer-between-same-entity-accounts' } : {}),
    };
    const path = customer.path('/quotes');
    const quoted = await this.post<{ id: string }>(customer, path, wanted, `${run}-quote-${request}`);
    if (quoted.status !== 200) throw new Error(`no quote: HTTP ${quoted.status} ${quoted.text}`);
    const quoteId = quoted.body.id;
    const members = isSale ? { 'source-wallet-address': wallet } : {};
    const key = `${run}-order-${request}`;
    const sentAt = Date.now();
    const answer = await this.accept(customer, quoteId, members, key);
    if (answer.status !== 200) this.refused.push({ quoteId, answer: `HTTP ${answer.status} ${answer.text}` });
    else
      this.acknowledged.push({
        request,
        customer,
        key,
        quoteId,
        members,
        orderId: answer.body.order.id,
        sentAt,
        at: Date.now(),
        text: answer.text,
      });
  }

  private async move(request: number, party: Party, kind: MovementKind): Promise<void> {
    const { customer } = party;
    const key = `${this.options.run}-${kind}-${request}`;
    const certificateId = kind === 'nft-transfer' ? await this.certificateOf(party, `${key}-certificate`) : '';
    const { path, body } = requestOf(kind, party, certificateId);
    const answer = await this.post<unknown>(customer, path, body, key);
    if (answer.status !== 200) {
      this.refused.push({ quoteId: key, answer: `${kind}: HTTP ${answer.status} ${answer.text}` });
      return;
    }
    this.moved.push({ kind, customer, key, path, body, reference: referenceIn(answer.body), request });
  }

  /** Issues a reward certificate to the account and waits until it can be transferred. */
  private async certificateOf({ customer, wallet }: Party, key: string): Promise<string> {
    const wanted = { 'account-id': customer.accountId, 'wallet-address': wallet, amount: '10' };
    const issued = await this.post<{ readonly 'reward-certificate': { readonly id: string } }>(
      customer,
      '/api/v1/sandbox/reward-certificates',
      wanted,
      key,
    );
    if (issued.status !== 200) throw new Error(`no certificate: HTTP ${issued.status} ${issued.text}`);
    const { id } = issued.body['reward-certificate'];
    await until(
      async () => {
        const { 'reward-certificates': newestFirst } = await customer.api.get<{
          'reward-certificates': readonly { readonly id: string; readonly status: string }[];
        }>(customer.path('/reward-certificates'));
        const status = newestFirst.find((one) => one.id === id)?.status;
        if (status !== 'active') throw new Error(`the certificate is ${status ?? 'not listed'}`);
      },
      PATIENCE_MS,
      POLL_MS,
    );
    return id;
  }
}
