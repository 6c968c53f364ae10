import { SUITE_MS } from '../testing/program';
import type { Members } from './testing/attacked-cluster';
import { AttackedCluster, minor } from './testing/attacked-cluster';
import { codeOf } from '../testing/client';

jest.setTimeout(SUITE_MS);

interface Limit {
  readonly 'source-asset': string;
  readonly 'target-asset': string;
  readonly side: 'source' | 'target';
  readonly minimum: string;
  readonly maximum: string;
}

const BRCODE = { 'source-payment-method': 'brcode' };
const TOKENS = ['eth-base/brlv', 'eth-base/wbrly', 'eth-base/usdc', 'eth-base/usdt'];
/** More than the largest orders of all tokens together. */
const FUNDS = ['10000000.00', '10000000.00', '10000000.00'];

let attacked: AttackedCluster;
let limits: Limit[];

beforeAll(async () => {
  attacked = await AttackedCluster.start();
  const { customer } = attacked;
  for (const amount of FUNDS) await customer.fund(amount);
  ({ limits } = await customer.api.get<{ limits: Limit[] }>(customer.path('/limits')));
});
afterAll(() => attacked.close());

/** The limits for the source amount of a pair. */
function limitOf(source: string, target: string): Limit {
  const found = limits.find(
    (one) => one.side === 'source' && one['source-asset'] === source && one['target-asset'] === target,
  );
  if (!found) throw new Error(`${source} to ${target} has no limits`);
  return found;
}

/** The amount changed by a number of minor units. */
function plusUnits(amount: string, units: bigint): string {
  const scale = (amount.split('.')[1] ?? '').length;
  const digits = (minor(amount) + units).toString().padStart(scale + 1, '0');
  return scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

/** The amount plus one centavo's worth of the token, because BRLV is sold in whole centavos. */
function plusOneCentavo(amount: string): string {
  const scale = (amount.split('.')[1] ?? '').length;
  return plusUnits(amount, 10n ** BigInt(Math.max(0, scale - 2)));
}

const symbolOf = (asset: string): string => asset.split('/')[1] ?? '';
const running = async (asset: string): Promise<bigint> =>
  minor((await attacked.customer.balance(symbolOf(asset))).running);

/**
 * Expects that an order of this amount is completed, the source amount has left the balance, and the target amount has
 * arrived.
 */
async function expectCarriedOut(source: string, target: string, amount: string, members: Members): Promise<void> {
  const before = await Promise.all([running(source), running(target)]);
  const placed = await attacked.order(source, target, { 'source-amount': amount }, members);
  if (placed.brcode !== undefined) await attacked.pay(placed.brcode);
  const ended = await attacked.customer.ended(placed.id);
  expect([amount, ended.state, ended.failure]).toEqual([amount, 'completed', undefined]);
  const after = await Promise.all([running(source), running(target)]);
  const given = placed.brcode === undefined ? minor(ended['source-amount'] as string) : 0n;
  expect([(before[0] ?? 0n) - (after[0] ?? 0n), (after[1] ?? 0n) - (before[1] ?? 0n)]).toEqual([
    given,
    minor(ended['target-amount'] as string),
  ]);
  await attacked.expectSettled();
}

const refusalOf = async (source: string, target: string, amount: string): Promise<string> =>
  codeOf(await attacked.ask(source, target, { 'source-amount': amount }));

async function expectLimits(source: string, target: string): Promise<void> {
  const { minimum, maximum } = limitOf(source, target);
  const dust = plusUnits(`0.${'0'.repeat((minimum.split('.')[1] ?? '').length)}`, 1n);
  for (const amount of [dust, plusUnits(minimum, -1n)])
    expect([amount, await refusalOf(source, target, amount)]).toEqual([amount, '422 amount-below-minimum']);
  const above = plusUnits(maximum, 1n);
  expect([above, await refusalOf(source, target, above)]).toEqual([above, '422 amount-above-maximum']);
}

describe.each(TOKENS)('%s', (token) => {
  it('is not quoted for one minor unit, one unit below the minimum or one above the maximum', async () => {
    await expectLimits('fiat/brl', token);
    await expectLimits(token, 'fiat/brl');
  });

  it.each(['minimum', 'maximum'] as const)('is bought from the balance for the %s', async (end) => {
    await expectCarriedOut('fiat/brl', token, limitOf('fiat/brl', token)[end], {});
  });

  if (token !== 'eth-base/wbrly')
    it.each(['minimum', 'maximum'] as const)('is bought by brcode for the %s', async (end) => {
      await expectCarriedOut('fiat/brl', token, limitOf('fiat/brl', token)[end], BRCODE);
    });

  it('is sold from the wallet for the minimum, the maximum and the remaining balance', async () => {
    const wallet = { 'source-wallet-address': attacked.cluster.sandbox['wallet-address'] };
    const { minimum, maximum } = limitOf(token, 'fiat/brl');
    await expectCarriedOut(token, 'fiat/brl', minimum, wallet);
    for (;;) {
      const { available } = await attacked.customer.balance(symbolOf(token));
      if (minor(available) < minor(minimum)) break;
      await expectCarriedOut(token, 'fiat/brl', minor(available) < minor(maximum) ? available : maximum, wallet);
    }
  });

  it('is not sold for one unit more than the account has, and nothing is held', async () => {
    const wallet = { 'source-wallet-address': attacked.cluster.sandbox['wallet-address'] };
    const { minimum } = limitOf(token, 'fiat/brl');
    const { id } = await attacked.order('fiat/brl', token, { 'source-amount': '30.00' });
    expect((await attacked.customer.ended(id)).state).toBe('completed');
    const { available } = await attacked.customer.balance(symbolOf(token));
    expect(minor(available)).toBeGreaterThan(minor(minimum));
    const quoteId = await attacked.quoted(token, 'fiat/brl', { 'source-amount': plusOneCentavo(available) });
    expect(codeOf(await attacked.accept(quoteId, wallet))).toBe('422 insufficient-balance');
    await attacked.expectSettled();
  });
});
