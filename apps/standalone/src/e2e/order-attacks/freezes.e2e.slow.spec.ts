import { setTimeout as wait } from 'node:timers/promises';
import { succeeded } from '../testing/client';
import { SUITE_MS } from '../testing/program';
import { until } from '../testing/waiting';
import { AttackedCluster, minor } from './testing/attacked-cluster';
import { nextEvent } from './testing/next-event';
import { codeOf } from '../testing/client';

jest.setTimeout(2 * SUITE_MS);

const PRICE = { 'source-amount': '50.00' };
const BRCODE = { 'source-payment-method': 'brcode' };
const TOKENS = ['eth-base/brlv', 'eth-base/usdc'];
const HOLDER_KEY = '52998224725';
/** Anything that should not happen would have happened within this time. */
const QUIET_MS = 3_000;

let attacked: AttackedCluster;
let wallet: string;

beforeAll(async () => {
  attacked = await AttackedCluster.start();
  wallet = attacked.cluster.sandbox['wallet-address'];
  await attacked.customer.fund('1000.00');
  for (const token of TOKENS) {
    const { id } = await attacked.order('fiat/brl', token, { 'source-amount': '200.00' });
    expect((await attacked.customer.ended(id)).state).toBe('completed');
  }
});
afterAll(() => attacked.close());

const brl = () => attacked.customer.balance('brl');
const symbolOf = (token: string): string => token.split('/')[1] ?? '';
const sale = (token: string): Promise<string> => attacked.quoted(token, 'fiat/brl', { 'target-amount': '40.00' });
const TO_PIX_KEY = { 'target-end-user-pix-key': HOLDER_KEY };
const fromWallet = () => ({ 'source-wallet-address': wallet });

describe('an account that is frozen between a quote and its acceptance', () => {
  it.each([
    ['from the balance', 'fiat/brl', 'eth-base/brlv', () => ({})],
    ['by brcode', 'fiat/brl', 'eth-base/brlv', () => BRCODE],
    ['from a wallet', 'eth-base/brlv', 'fiat/brl', fromWallet],
  ])('is refused an order paid %s without a hold, and can place it after its release', async (...row) => {
    const [, source, target, members] = row;
    const quoteId = await attacked.quoted(source, target, PRICE);
    const before = await Promise.all(['brl', 'brlv'].map((asset) => attacked.customer.balance(asset)));
    await attacked.freeze();
    expect(codeOf(await attacked.accept(quoteId, members()))).toBe('403 account-not-active');
    expect(await Promise.all(['brl', 'brlv'].map((asset) => attacked.customer.balance(asset)))).toEqual(before);
    await attacked.expectSettled();
    await attacked.release();
    const { id, brcode } = (await attacked.accept(quoteId, members())).body.order;
    if (brcode !== undefined) await attacked.pay(brcode);
    expect((await attacked.customer.ended(id)).state).toBe('completed');
    await attacked.expectSettled();
  });
});

describe.each(TOKENS)(
  'an account that is frozen between the acceptance of an order for %s and its payment',
  (token) => {
    it('has the payment kept in suspense and the agreed amount delivered after its release', async () => {
      const before = await attacked.customer.balance(symbolOf(token));
      const placed = await attacked.order('fiat/brl', token, PRICE, BRCODE);
      await attacked.freeze();
      const { endToEndId } = await attacked.pay(placed.brcode);
      await attacked.customer.deposited(endToEndId, 'confirmed');
      // The expiry timer sees no payment in time, but the bank settled it in time.
      attacked.cluster.clock.pass(placed.expiration ?? '');
      await wait(QUIET_MS);
      expect((await attacked.customer.order(placed.id)).state).not.toMatch(/completed|rolled-back/);
      expect(await attacked.customer.balance(symbolOf(token))).toEqual(before);
      await attacked.release();
      const { state, 'target-amount': delivered } = await attacked.customer.ended(placed.id);
      expect(state).toBe('completed');
      const after = await attacked.customer.balance(symbolOf(token));
      expect(minor(after.running) - minor(before.running)).toBe(minor(delivered as string));
      await attacked.expectSettled();
    });

    it('gets nothing for a late payment, which is returned to the payer’s bank', async () => {
      const [before, kept] = [await attacked.customer.balance(symbolOf(token)), await attacked.kept()];
      const { id, brcode, expiration } = await attacked.order('fiat/brl', token, PRICE, BRCODE);
      await attacked.freeze();
      attacked.cluster.clock.pass(expiration ?? '');
      const { endToEndId } = await attacked.pay(brcode);
      await wait(QUIET_MS);
      await attacked.release();
      expect((await attacked.customer.ended(id)).state).toBe('rolled-back');
      await attacked.customer.deposited(endToEndId, 'voided');
      await until(async () => expect(await attacked.kept()).toBe(kept));
      expect(await attacked.customer.balance(symbolOf(token))).toEqual(before);
      await attacked.expectSettled();
    });
  },
);

describe.each(TOKENS)('an account that is frozen while it sells %s to a Pix key', (token) => {
  /** The transaction of the order's settlement, and whether it is signed. */
  const settlementOf = async (orderId: string): Promise<{ readonly signed: boolean } | undefined> => {
    const log = await attacked.log();
    const intended = log.find(
      ({ type, data }) => type === 'TransactionIntended' && JSON.stringify(data).includes(orderId),
    );
    if (!intended) return undefined;
    return { signed: log.some(({ type, stream }) => type === 'TransactionSigned' && stream === intended.stream) };
  };
  const accepted = async (quoteId: string): Promise<string> =>
    succeeded(await attacked.accept(quoteId, { ...fromWallet(), ...TO_PIX_KEY })).order.id;

  it('before anything is signed sells nothing until its release, and is paid out then', async () => {
    const [before, tokens] = [await brl(), await attacked.customer.balance(symbolOf(token))];
    const quoteId = await sale(token);
    // While the nodes are suspended, nothing is signed, because the fees are unknown.
    const id = await attacked.whileNodesStandStill(async () => {
      const orderId = await accepted(quoteId);
      await until(async () => expect(await settlementOf(orderId)).toEqual({ signed: false }));
      await attacked.freeze();
      await wait(QUIET_MS);
      return orderId;
    });
    await wait(QUIET_MS);
    expect((await attacked.customer.order(id)).state).toBe('processing');
    expect(await settlementOf(id)).toEqual({ signed: false });
    expect((await attacked.customer.balance(symbolOf(token))).running).toBe(tokens.running);
    await attacked.release();
    expect(await attacked.customer.ended(id)).toMatchObject({ state: 'completed', delivery: { state: 'delivered' } });
    expect(await brl()).toEqual(before);
    await attacked.expectSettled();
  });

  it('between settlement and payout keeps the BRL in its balance, as the order states', async () => {
    const [before, tokens] = [await brl(), await attacked.customer.balance(symbolOf(token))];
    // A signed transaction is always completed. The nodes are suspended before they can mine it, so it is not confirmed
    // and nothing can be paid out.
    const frozen = nextEvent(attacked.cluster.store, 'TransactionSigned').then(() =>
      attacked.whileNodesStandStill(() => attacked.freeze()),
    );
    const [id] = await Promise.all([sale(token).then(accepted), frozen]);
    const ended = await attacked.customer.ended(id);
    expect(ended).toMatchObject({
      state: 'completed',
      delivery: { state: 'kept-in-balance', reason: 'account-not-active' },
    });
    const after = await brl();
    expect([minor(after.available) - minor(before.available), after.held]).toEqual([minor('40.00'), '0.00']);
    const sold = minor(tokens.running) - minor((await attacked.customer.balance(symbolOf(token))).running);
    expect(sold).toBe(minor(ended['source-amount'] as string));
    await attacked.expectSettled();
    await attacked.release();
    await wait(QUIET_MS);
    // The release pays nothing out a second time.
    expect(await brl()).toEqual(after);
    await attacked.expectSettled();
  });

  it('right after the acceptance ends with the BRL either at the bank or in its balance', async () => {
    const before = await brl();
    const accepted = await attacked.accept(await sale(token), { ...fromWallet(), ...TO_PIX_KEY });
    await attacked.freeze();
    await wait(QUIET_MS);
    await attacked.release();
    const ended = await attacked.customer.ended(accepted.body.order.id);
    expect(ended.state).toBe('completed');
    const kept = ended['delivery'] as { state: string };
    await until(async () => {
      const gained = minor((await brl()).available) - minor(before.available);
      expect([kept.state, gained]).toEqual(
        kept.state === 'delivered' ? ['delivered', 0n] : ['kept-in-balance', minor('40.00')],
      );
    });
    await attacked.expectSettled();
  });
});
