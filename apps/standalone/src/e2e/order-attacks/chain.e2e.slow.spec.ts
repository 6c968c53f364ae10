import { setTimeout as wait } from 'node:timers/promises';
import type { Env } from '../testing/program';
import { SUITE_MS } from '../testing/program';
import { until } from '../testing/waiting';
import { AttackedCluster, minor } from './testing/attacked-cluster';
import { BalancesOnChain } from './testing/balances-on-chain';

jest.setTimeout(SUITE_MS);

const PRICE = { 'source-amount': '50.00' };
const BRCODE = { 'source-payment-method': 'brcode' };
const MINTED = 'eth-base/brlv';
const USDC = 'eth-base/usdc';
const SHARES = 'eth-base/wbrly';
/** The token that backs the vault's shares. */
const BACKING = 'eth-base/brly';
/** Longer than a payment takes. */
const WAITS_MS = 1_500;
/** For orders that give up soon while the treasury cannot pay. By default they wait half an hour. */
const IMPATIENT: Env = { MOVEMENTS_LIQUIDITY_MS: '6000' };
const TOKENS = [MINTED, USDC, SHARES];
const SYMBOLS = ['brl', 'brlv', 'wbrly', 'usdc'];

let attacked: AttackedCluster;
let chain: BalancesOnChain;
let wallet: string;
let treasury: string;

/** Starts a cluster whose customer has BRL and each token. */
async function start(env: Env = {}): Promise<void> {
  attacked = await AttackedCluster.start(env);
  chain = BalancesOnChain.of(attacked.cluster.dataDirectory);
  wallet = attacked.cluster.sandbox['wallet-address'];
  await attacked.customer.fund('2000.00');
  for (const token of TOKENS) {
    const { id } = await attacked.order('fiat/brl', token, { 'source-amount': '200.00' });
    const { state, 'tx-hash': hash } = await attacked.customer.ended(id);
    expect(state).toBe('completed');
    if (token === USDC) treasury = await chain.payerIn(hash ?? '', USDC);
  }
}
beforeAll(() => start(IMPATIENT));
afterAll(() => attacked.close());

const balances = () => Promise.all(SYMBOLS.map((symbol) => attacked.customer.balance(symbol)));
const nothing = (): bigint => 0n;
/** Whether a transaction of the order reverted on the chain. */
const isReverted = async (orderId: string): Promise<boolean> =>
  (await attacked.log()).some(
    ({ type, data }) => type === 'TransactionReverted' && JSON.stringify(data).includes(orderId),
  );
const failed = (code: string) => ({ state: 'rolled-back', failure: { code } });

describe('a sale whose tokens are no longer in the wallet on the chain', () => {
  it.each(TOKENS)('of %s is rolled back, and the tokens are available again', async (token) => {
    const before = await balances();
    const ended = await chain.during(token, wallet, nothing, async () => {
      const amount = { 'target-amount': '20.00' };
      const { id } = await attacked.order(token, 'fiat/brl', amount, { 'source-wallet-address': wallet });
      return attacked.customer.ended(id);
    });
    expect(ended).toMatchObject(failed('settlement-failed'));
    expect(await isReverted(ended.id)).toBe(true);
    await until(async () => expect(await balances()).toEqual(before));
    await attacked.expectSettled();
  });
});

describe('an order whose mint reverts', () => {
  it.each([
    ['from the balance, and the BRL is available again', {}],
    ['by brcode, and the payment is returned to the payer’s bank', BRCODE],
  ])('is rolled back when it is paid %s', async (_how, members) => {
    const [before, kept] = [await balances(), await attacked.kept()];
    const ended = await chain.whileReverting(MINTED, async () => {
      const { id, brcode } = await attacked.order('fiat/brl', MINTED, PRICE, members);
      if (brcode !== undefined) await attacked.pay(brcode);
      return attacked.customer.ended(id);
    });
    expect(ended).toMatchObject(failed('settlement-failed'));
    expect(await isReverted(ended.id)).toBe(true);
    await until(async () => expect([await balances(), await attacked.kept()]).toEqual([before, kept]));
    await attacked.expectSettled();
  });
});

describe('an order for USDC while the treasury is empty', () => {
  it('is rolled back if it is paid from the balance, and the BRL is available again', async () => {
    const before = await balances();
    const ended = await chain.during(USDC, treasury, nothing, async () => {
      const { id } = await attacked.order('fiat/brl', USDC, PRICE);
      return attacked.customer.ended(id);
    });
    expect(ended).toMatchObject(failed('liquidity-unavailable'));
    await until(async () => expect(await balances()).toEqual(before));
    await attacked.expectSettled();
  });

  it('is rolled back if it is paid by brcode, and the payment is returned to the payer’s bank', async () => {
    const [before, kept] = [await balances(), await attacked.kept()];
    const ended = await chain.during(USDC, treasury, nothing, async () => {
      const { id, brcode } = await attacked.order('fiat/brl', USDC, PRICE, BRCODE);
      await attacked.pay(brcode);
      return attacked.customer.ended(id);
    });
    expect(ended).toMatchObject(failed('liquidity-unavailable'));
    await until(async () => expect(await attacked.kept()).toBe(kept));
    expect(await balances()).toEqual(before);
    await attacked.expectSettled();
  });
});

describe('an order for vault shares whose price has risen since the quote', () => {
  it('is rolled back, and the BRL is available again', async () => {
    const before = await balances();
    const quoteId = await attacked.quoted('fiat/brl', SHARES, PRICE);
    const ended = await chain.during(
      BACKING,
      chain.addressOf(SHARES),
      (units) => 2n * units,
      async () => attacked.customer.ended((await attacked.accept(quoteId)).body.order.id),
    );
    expect(ended).toMatchObject(failed('settlement-failed'));
    expect(await isReverted(ended.id)).toBe(true);
    await until(async () => expect(await balances()).toEqual(before));
    await attacked.expectSettled();
  });
});

// The last one, because it needs a cluster in which orders wait as long as the refill takes.
describe('an order for USDC for which the treasury is refilled in time', () => {
  beforeAll(async () => {
    await attacked.close();
    await start();
  });

  it('is delivered once', async () => {
    const before = await attacked.customer.balance('usdc');
    const id = await chain.during(USDC, treasury, nothing, async () => {
      const placed = await attacked.order('fiat/brl', USDC, PRICE);
      const isProcessing = async () => expect((await attacked.customer.order(placed.id)).state).toBe('processing');
      await until(isProcessing);
      await wait(WAITS_MS);
      await isProcessing();
      return placed.id;
    });
    const { state, 'target-amount': delivered } = await attacked.customer.ended(id);
    expect(state).toBe('completed');
    const after = await attacked.customer.balance('usdc');
    expect(minor(after.running) - minor(before.running)).toBe(minor(delivered as string));
    await attacked.expectSettled();
  });
});
