import { PAIRS } from '@ponte/contracts';
import { isToken } from '@ponte/kernel';
import { trialBalanceOf, ofType, readLog } from './testing/trial-balance';
import type { Answer, ErrorBody } from './testing/client';
import { succeeded } from './testing/client';
import type { Order } from './testing/customer';
import type { Customer } from './testing/customer';
import type { Running } from './testing/program';
import { ANVIL, CLUSTERED, SUITE_MS } from './testing/program';
import { SandboxSuite } from './testing/sandbox-suite';

// 25,000 acceptances and 500 settlements on a chain.
jest.setTimeout(CLUSTERED ? 3_600_000 : 15 * SUITE_MS);

const QUOTES = countOf(process.env['PAIR_RACES_QUOTES'], CLUSTERED ? 96 : 500);
const ACCEPTERS = 50;
/** The number of quotes that are raced for in parallel. */
const AT_ONCE = 4;
const AMOUNT = '11.00';

function countOf(text: string | undefined, otherwise: number): number {
  const count = Number(text || otherwise);
  if (!Number.isSafeInteger(count) || count < 1) throw new Error('PAIR_RACES_QUOTES must be a whole number above zero');
  return count;
}

let running: Running;
let suite: SandboxSuite;
let customer: Customer;
const ownWallets = new Map<string, string>();
/** Orders that were placed to have tokens to sell. */
const prepared: string[] = [];
const placed: string[] = [];

beforeAll(async () => {
  suite = await SandboxSuite.start(ANVIL);
  ({ running, customer } = suite);
  await customer.fund('60000.00');
  for (const { source, target } of PAIRS) {
    if (!isToken(target)) continue;
    const path = customer.path(`/wallets?assets=${target}`);
    const { wallets } = await customer.api.get<{ wallets: { address: string }[] }>(path);
    ownWallets.set(target, wallets[0]?.address ?? '');
    const { order } = succeeded(await accept(await quoted(source, target, { 'source-amount': '1000.00' }), {}));
    expect((await customer.ended(order.id)).state).toBe('completed');
    prepared.push(order.id);
  }
});
afterAll(() => suite.close());

async function quoted(source: string, target: string, amount: Record<string, string>): Promise<string> {
  const fx = /usd/.test(source + target) ? { 'trade-reason': 'transfer-between-same-entity-accounts' } : {};
  const request = { 'source-asset': source, 'target-asset': target, ...amount, ...fx };
  return succeeded(await customer.api.persist<{ id: string }>(customer.path('/quotes'), request)).id;
}
type Accepted = Answer<{ readonly order: Order }>;
const accept = (quoteId: string, members: Record<string, string>, key?: string): Promise<Accepted> =>
  customer.api.persist(customer.path('/orders'), { 'quote-id': quoteId, ...members }, key);

/** Accepts one quote {@link ACCEPTERS} times in parallel. Returns the id of its one order. */
async function race(at: number): Promise<string> {
  const { source, target } = PAIRS[at % PAIRS.length] ?? { source: '', target: '' };
  const selling = ownWallets.has(source);
  const quoteId = await quoted(source, target, selling ? { 'target-amount': AMOUNT } : { 'source-amount': AMOUNT });
  const members: Record<string, string> = selling ? { 'source-wallet-address': ownWallets.get(source) ?? '' } : {};
  const keys = Array.from({ length: ACCEPTERS }, (_, caller) => `race-${at}-${caller}`);
  const answers = await Promise.all(keys.map((key) => accept(quoteId, members, key)));
  const winners = answers.filter(({ status }) => status === 200);
  expect([source, target, winners.length]).toEqual([source, target, 1]);
  const codes = answers
    .filter(({ status }) => status !== 200)
    .map(({ body }) => (body as unknown as ErrorBody).error.code);
  expect(new Set(codes)).toEqual(new Set(['quote-already-accepted']));
  return winners[0]?.body.order.id ?? '';
}

describe('quotes of every pair that are accepted many times in parallel:', () => {
  it(`${QUOTES} quotes with ${ACCEPTERS} acceptances each give exactly ${QUOTES} orders`, async () => {
    for (let at = 0; at < QUOTES; at += AT_ONCE) {
      const round = Array.from({ length: Math.min(AT_ONCE, QUOTES - at) }, (_, beside) => race(at + beside));
      placed.push(...(await Promise.all(round)));
    }
    expect(new Set(placed).size).toBe(QUOTES);
    for (const id of placed) expect((await customer.ended(id)).state).toBe('completed');
  });

  it('are in the log once each, with no hold left and books that sum to zero', async () => {
    await running.stop();
    const log = await readLog(running.dataDirectory);
    const orders = [...prepared, ...placed].sort();
    for (const type of ['OrderPlaced', 'ExchangePosted', 'OrderCompleted']) {
      const ids = ofType<{ orderId: string }>(log, type).map(({ data }) => data.orderId);
      expect({ type, ids: ids.sort() }).toEqual({ type, ids: orders });
    }
    const { unbalancedAt, openHolds } = trialBalanceOf(log);
    expect({ unbalancedAt, openHolds }).toEqual({ unbalancedAt: null, openHolds: [] });
  });
});
