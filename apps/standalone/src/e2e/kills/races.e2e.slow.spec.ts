import { trialBalanceOf, ofType, readLog } from '../testing/trial-balance';
import type { Answer, ErrorBody } from '../testing/client';
import { complaintsIn } from '../testing/complaints';
import type { Order } from '../testing/customer';
import { Customer } from '../testing/customer';
import type { Running } from '../testing/program';
import { CLUSTERED, Program, SUITE_MS } from '../testing/program';
import { until } from '../testing/waiting';

// Thousands of requests take longer than other suites may.
jest.setTimeout(CLUSTERED ? 1_800_000 : 2 * SUITE_MS);

const SPENDERS = 64;
/**
 * Twelve rounds include each number of winners once. A machine that also runs a cluster of processes can do only that
 * many.
 */
const SPEND_ROUNDS = roundsOf(process.env['RACES_ROUNDS'], CLUSTERED ? 12 : 100);
const ACCEPTERS = 50;
const ACCEPT_ROUNDS = Math.max(1, Math.round(SPEND_ROUNDS / 5));
const PRICE = '1.00';
/** After a response that took this long, the gateway admits fewer requests. */
const FEWER_ADMITTED_MS = 5_000;

function roundsOf(text: string | undefined, otherwise: number): number {
  const rounds = Number(text || otherwise);
  if (!Number.isSafeInteger(rounds) || rounds < 1) throw new Error('RACES_ROUNDS must be a whole number above zero');
  return rounds;
}

let program: Program;
let running: Running;
let customer: Customer;
/** Ids of the orders placed in all rounds. */
const placed: string[] = [];

beforeAll(async () => {
  program = await Program.build();
  running = await program.start(program.dataFolder());
  customer = Customer.of(running.sandbox);
});
afterAll(async () => {
  await customer.api.close();
  await program.close();
});

type Accepted = Answer<{ readonly order: Order }>;
const problem = (answer: Accepted): ErrorBody['error'] => (answer as unknown as Answer<ErrorBody>).body.error;
const many = <T>(count: number, one: (at: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, at) => one(at)));

describe('parallel spends of one balance', () => {
  /** The numbers of winners, from none to all. */
  const COUNTS = [0, 1, 2, 3, 5, 8, 13, 21, 34, 55, SPENDERS - 1, SPENDERS];
  const winners = (round: number): number => COUNTS[round % COUNTS.length] ?? 0;

  it(`let exactly k of ${SPENDERS} win when the balance covers k, ${SPEND_ROUNDS} rounds`, async () => {
    for (let round = 0; round < SPEND_ROUNDS; round += 1) {
      const k = winners(round);
      const [quotes] = await Promise.all([
        many(SPENDERS, () => customer.quote(PRICE)),
        k > 0 ? customer.fund(`${k}.00`) : undefined,
      ]);
      const answers = await Promise.all(quotes.map((quote) => customer.settle(quote, `spend-${quote}`)));
      const won = answers.filter(({ status }) => status === 200);
      const lost = answers.filter(({ status }) => status !== 200);
      const why = [...new Set(lost.map((answer) => `${answer.status} ${problem(answer).code}`))];
      expect({ round, won: won.length, why }).toEqual({
        round,
        won: k,
        why: k === SPENDERS ? [] : ['422 insufficient-balance'],
      });
      expect((await customer.balance('brl')).available).toBe('0.00');
      placed.push(...won.map(({ body }) => body.order.id));
    }
  });
});

describe('parallel acceptances of one quote', () => {
  it(`of ${ACCEPTERS} callers place one order and refuse the others with its id, ${ACCEPT_ROUNDS} rounds`, async () => {
    for (let round = 0; round < ACCEPT_ROUNDS; round += 1) {
      // Covers all of them, so that only the quote can stop the others.
      await customer.fund('50.00');
      const quote = await customer.quote(PRICE);
      const answers = await many(ACCEPTERS, (at) => customer.settle(quote, `accept-${round}-${at}`));
      const [winner, ...others] = answers.filter(({ status }) => status === 200);
      expect(others).toEqual([]);
      const orderId = winner?.body.order.id ?? '';
      for (const loser of answers.filter((answer) => answer !== winner)) {
        expect(loser.status).toBe(422);
        expect(problem(loser)).toMatchObject({
          code: 'quote-already-accepted',
          details: [{ code: 'quote-already-accepted', 'order-id': orderId }],
        });
      }
      placed.push(orderId);
    }
  });

  // While the first request is running, the others get 409 and retry.
  it(`place one order with identical responses under one Idempotency-Key, ${ACCEPT_ROUNDS} rounds`, async () => {
    for (let round = 0; round < ACCEPT_ROUNDS; round += 1) {
      const quote = await customer.quote(PRICE);
      const answers = await many(ACCEPTERS, () => customer.settle(quote, `twins-${round}`));
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
      const [first] = answers.filter(({ headers }) => headers['idempotency-replayed'] === undefined);
      expect(answers.filter(({ headers }) => headers['idempotency-replayed'] === 'true')).toHaveLength(ACCEPTERS - 1);
      placed.push(first?.body.order.id ?? '');
      expect(await customer.accept(await customer.quote(PRICE), { key: `twins-${round}` })).toMatchObject({
        status: 422,
        body: { error: { type: 'idempotency', code: 'idempotency-key-reused' } },
      });
    }
  });
});

describe('after the races', () => {
  it('every answered order is executed once, nothing is held, and the books sum to zero', async () => {
    expect(new Set(placed).size).toBe(placed.length);
    const bought = `${placed.length}.000000000000000000`;
    await until(async () =>
      expect(await customer.balance('brlv')).toEqual({
        running: bought,
        available: bought,
        held: '0.000000000000000000',
      }),
    );
    const { available, running: total, held } = await customer.balance('brl');
    expect([available, held]).toEqual([total, '0.00']);
    await until(async () =>
      expect(await customer.api.get(customer.path('/orders?state=processing'))).toEqual({ orders: [] }),
    );
    await running.stop();

    const log = await readLog(running.dataDirectory);
    const { unbalancedAt, openHolds, lines } = trialBalanceOf(log);
    expect({ unbalancedAt, openHolds }).toEqual({ unbalancedAt: null, openHolds: [] });
    expect(lines.get(`customer:${customer.accountId} eth-base/brlv`)?.toString()).toBe(bought);
    expect(lines.get(`customer:${customer.accountId} fiat/brl`)?.toString()).toBe(total);
    for (const type of [
      'OrderPlaced',
      'OrderProcessingStarted',
      'TransactionIntended',
      'TransactionConfirmed',
      'ExchangePosted',
      'OrderCompleted',
    ]) {
      const orders = ofType<{ orderId?: string; purpose?: { orderId: string } }>(log, type).map(
        ({ data }) => data.orderId ?? data.purpose?.orderId,
      );
      expect({ type, orders: orders.sort() }).toEqual({ type, orders: [...placed].sort() });
    }
    expect(ofType(log, 'OrderRolledBack')).toEqual([]);
    expect(complaintsIn(running.log)).toEqual([]);
    // A single process never answers that it is busy, unless it is so slow that its gateway admits fewer requests. Some
    // of many processes on a busy machine may, and a retry under the same key then gets the one answer.
    const { unavailable, slowestMs } = customer.api;
    if (!CLUSTERED && slowestMs < FEWER_ADMITTED_MS) expect(unavailable).toBe(0);
  });
});
