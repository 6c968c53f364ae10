import type { Pair, PaymentMethod } from '@ponte/contracts';
import { PAIRS } from '@ponte/contracts';
import { isToken } from '@ponte/kernel';
import type { Answer, ErrorBody } from './testing/client';
import { succeeded } from './testing/client';
import type { Order } from './testing/customer';
import type { Customer } from './testing/customer';
import { Operator } from './testing/operator';
import type { Running } from './testing/program';
import { ANVIL, CLUSTERED, SUITE_MS } from './testing/program';
import { signInStaff } from './testing/staff';
import { until } from './testing/waiting';
import { SandboxSuite } from './testing/sandbox-suite';

// Runs one order per cell, one after another.
jest.setTimeout(CLUSTERED ? 2 * SUITE_MS : SUITE_MS);

/**
 * The places to which an order may deliver. Wallets registered by an approved account request are on the whitelist,
 * like those added by operators.
 */
const WALLETS = ['own wallet', 'whitelisted wallet', 'FX-whitelisted wallet', 'unknown wallet', 'Pix key'] as const;
const BRL_PLACES = ['balance', 'Pix key'] as const;
type Place = (typeof WALLETS)[number] | (typeof BRL_PLACES)[number];
const METHODS: readonly PaymentMethod[] = ['account-balance', 'brcode'];

const AMOUNT = '20.00';
const DAY_MS = 86_400_000;
const HOLDER_KEY = '52998224725';
const addressOf = (byte: string): string => `0x${byte.repeat(20)}`;
const ADDRESSES = { 'whitelisted wallet': 'a1', 'FX-whitelisted wallet': 'a2', 'unknown wallet': 'a3' } as const;

type Members = Record<string, string>;
type Row = Readonly<Record<string, string | number>>;

interface Cell {
  readonly pair: Pair;
  readonly method: PaymentMethod;
  readonly place: Place;
}
const CELLS: readonly Cell[] = PAIRS.flatMap((pair) =>
  METHODS.flatMap((method) => (isToken(pair.target) ? WALLETS : BRL_PLACES).map((place) => ({ pair, method, place }))),
);

/** The result according to the table of pairs: the code of the refusal, or null if the order is executed. */
function refusalOf({ pair, method, place }: Cell): string | null {
  if (!pair.paymentMethods.includes(method)) return 'payment-method-not-allowed-for-pair';
  if (place === 'Pix key' && !pair.pixKey) return 'pix-key-not-allowed-for-pair';
  if (place === 'unknown wallet') return 'wallet-not-allowed';
  return place === 'whitelisted wallet' && pair.fxWhitelist ? 'wallet-not-fx-whitelisted' : null;
}

let running: Running;
let suite: SandboxSuite;
let customer: Customer;
const ownWallets = new Map<string, string>();

beforeAll(async () => {
  suite = await SandboxSuite.start(ANVIL);
  ({ running, customer } = suite);
  await customer.fund('20000.00');
  const operator = Operator.of(running);
  const list = (address: string, fx: boolean) =>
    operator.api.post(`/staff/accounts/${customer.accountId}/whitelisted-wallets`, { address, fx });
  await list(addressOf(ADDRESSES['whitelisted wallet']), false);
  await list(addressOf(ADDRESSES['FX-whitelisted wallet']), true);
  await operator.api.close();
  for (const { source, target } of PAIRS) {
    if (!isToken(target)) continue;
    const { wallets } = await customer.api.get<{ wallets: { address: string }[] }>(
      customer.path(`/wallets?assets=${target}`),
    );
    ownWallets.set(target, wallets[0]?.address ?? '');
    const { order } = succeeded(await accept(await quoted(source, target, { 'source-amount': '200.00' }), {}));
    expect((await customer.ended(order.id)).state).toBe('completed');
  }
});
afterAll(() => suite.close());

async function quoted(source: string, target: string, amount: Record<string, string>): Promise<string> {
  const fx = /usd/.test(source + target) ? { 'trade-reason': 'transfer-between-same-entity-accounts' } : {};
  const request = { 'source-asset': source, 'target-asset': target, ...amount, ...fx };
  return succeeded(await customer.api.persist<{ id: string }>(customer.path('/quotes'), request)).id;
}
const accept = (quoteId: string, members: Record<string, string>): Promise<Answer<{ readonly order: Order }>> =>
  customer.api.send('POST', customer.path('/orders'), { 'quote-id': quoteId, ...members });

function membersOf({ pair, method, place }: Cell): Members {
  const source: Members = isToken(pair.source) ? { 'source-wallet-address': ownWallets.get(pair.source) ?? '' } : {};
  const target: Members =
    place === 'Pix key'
      ? { 'target-end-user-pix-key': HOLDER_KEY }
      : place in ADDRESSES
        ? { 'target-wallet-address': addressOf(ADDRESSES[place as keyof typeof ADDRESSES]) }
        : {};
  return { 'source-payment-method': method, ...source, ...target };
}

const named = CELLS.map((cell) => {
  const { pair, method, place } = cell;
  const expected = refusalOf(cell) ?? 'executed';
  return [pair.source, pair.target, method, place, expected, cell] as const;
});

describe('an order of every pair, payment method and place of delivery', () => {
  it('has one cell per combination', () => {
    expect(CELLS).toHaveLength(8 * METHODS.length * (WALLETS.length + BRL_PLACES.length));
  });

  it.each(named)('from %s to %s by %s to the %s: %s', async (source, target, method, place, expected, cell) => {
    const brl: Members = isToken(source) ? { 'target-amount': AMOUNT } : { 'source-amount': AMOUNT };
    const answer = await accept(await quoted(source, target, brl), membersOf(cell));
    if (expected !== 'executed') {
      expect([answer.status, (answer.body as unknown as ErrorBody).error.code]).toEqual([422, expected]);
      return;
    }
    const { order } = succeeded(answer);
    if (method === 'brcode') await customer.api.post('/api/v1/sandbox/pix-payments', { brcode: order.brcode });
    const ended = await customer.ended(order.id);
    expect(ended).toMatchObject({ state: 'completed', 'tx-hash': expect.stringMatching(/^0x[0-9a-f]{64}$/) });
    expect(ended['delivery']).toEqual(place === 'Pix key' ? { state: 'delivered' } : undefined);
  });

  it('uses a pair that GET /api/v1/pairs lists as in the table', async () => {
    const { pairs } = await customer.api.get<{ pairs: Record<string, unknown>[] }>('/api/v1/pairs');
    const shown = pairs.map((one) => [
      ...[one['source-asset'], one['target-asset'], one['payment-methods']],
      ...[one['pix-key-allowed'], one['fx-whitelist-required']],
    ]);
    expect(shown).toEqual(
      PAIRS.map((one) => [one.source, one.target, one.paymentMethods, one.pixKey, one.fxWhitelist]),
    );
  });

  it('is counted in the reports on FX and IOF, which are the same as JSON and CSV', async () => {
    const { sandbox } = running;
    const auditor = await signInStaff(
      sandbox['base-url'],
      sandbox.staff.find(({ name }) => name.includes('auditor')) ?? { name: '', password: '' },
    );
    const day = (shift: number) => new Date(Date.now() + shift * DAY_MS).toISOString().slice(0, 10);
    const period = `from=${day(-1)}&to=${day(1)}`;
    const isFx = ({ pair }: Pick<Cell, 'pair'>) => /usd/.test(pair.source + pair.target);
    const bought = PAIRS.filter((pair) => isToken(pair.target) && isFx({ pair })).length;
    const trades = bought + CELLS.filter((cell) => isFx(cell) && refusalOf(cell) === null).length;
    const total = (rows: readonly Row[]) => rows.reduce((sum, row) => sum + Number(row['trades']), 0);
    for (const [report, members] of [
      ['fx-days', 'fx-days'],
      ['iof-payable', 'iof-periods'],
    ] as const) {
      const rows = await until(async () => {
        const json = await auditor.get<Record<string, Row[]>>(`/staff/v1/reports/${report}?${period}`);
        const found = json[members] ?? [];
        expect([report, total(found)]).toEqual([report, trades]);
        return found;
      });
      const csv = await auditor.send('GET', `/staff/v1/reports/${report}.csv?${period}`);
      expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8');
      expect(csv.headers['content-disposition']).toBe(`attachment; filename="${report}.csv"`);
      const lines = [Object.keys(rows[0] ?? {}), ...rows.map((row) => Object.values(row).map(String))];
      expect(csv.text).toBe(lines.map((line) => `${line.join(',')}\r\n`).join(''));
    }
    await auditor.close();
  });

  it('leaves nothing held', async () => {
    for (const asset of ['brl', 'brlv', 'wbrly', 'usdc', 'usdt']) {
      expect([asset, Number((await customer.balance(asset)).held)]).toEqual([asset, 0]);
    }
  });
});
