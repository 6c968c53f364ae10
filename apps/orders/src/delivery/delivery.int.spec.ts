import type { ResolvedPixKey } from '@ponte/contracts';
import { Unavailable } from '@ponte/kernel';
import type { Policies } from '@ponte/nest';
import { policiesOf } from '@ponte/nest';
import type { FaultKind } from '@ponte/testing';
import { MemoryEventStore, eventually, freshId } from '@ponte/testing';
import { deliveryHoldIdOf, orderIdOf, payoutIdOf } from '../order/order-ids.domain';
import type { Tools } from '../testing/cluster';
import { Cluster } from '../testing/cluster';
import { ACCOUNT, OWN_WALLET } from '../testing/fixtures';
import { PIX_TARGET } from '../testing/pix-target';

const tools: Tools<MemoryEventStore> = {
  open: (soleWriter, before) => new MemoryEventStore({ soleWriter, log: before?.log }),
  eventually,
  freshId,
};
const KEY = 'sealed:v1:key:1' as const;
const RETRY = 301_000;
const WAY = ['OrderPlaced', 'OrderProcessingStarted', 'OrderSettled', 'OrderCompleted'];
let cluster: Cluster<MemoryEventStore>;
beforeEach(async () => {
  cluster = new Cluster(tools);
  cluster.services.wallets.set(`${ACCOUNT} eth-base ${OWN_WALLET}`, {
    kind: 'internal',
    walletId: 'wallet-1',
    address: OWN_WALLET,
  });
  key({ ownedByHolder: true, target: PIX_TARGET });
  await cluster.boot();
});
afterEach(() => cluster.stop());

const key = (resolved: ResolvedPixKey) => cluster.services.pixKeys.set(KEY, resolved);
const SALE = { sourceAsset: 'eth-base/brlv', targetAsset: 'fiat/brl' } as const;
const sale = () =>
  cluster.quote({ ...SALE, sourceAmount: '10.000000000000000000', targetAmount: '10.00', tradeReason: null });
const TO_KEY = { sourceWalletAddress: OWN_WALLET, targetEndUserPixKey: KEY } as const;

/** An order whose payout the ledger has accepted. */
async function settled(): Promise<{ id: string; payout: string }> {
  const { id } = await cluster.place(sale(), TO_KEY);
  await cluster.settles(id);
  await eventually(() => expect(cluster.services.payouts.has(payoutIdOf(id))).toBe(true));
  return { id, payout: payoutIdOf(id) };
}

describe('an order to a Pix key', () => {
  it('is paid out from the hold that its exchange placed, and completes when the bank has paid', async () => {
    const { id, payout } = await settled();
    expect(cluster.services.payouts.get(payout)).toMatchObject({
      orderId: id,
      accountId: ACCOUNT,
      holdId: deliveryHoldIdOf(id),
      amount: '10.00',
      target: PIX_TARGET,
    });
    expect(await cluster.get(id)).toMatchObject({ state: 'processing', delivery: { state: 'pending' } });
    await cluster.services.endPayout(payout, 'completed');
    expect(await cluster.reaches(id, 'completed')).toMatchObject({ delivery: { state: 'delivered', reason: null } });
    expect(await cluster.facts(id)).toEqual(WAY);
  });

  it('completes with the BRL in the available balance when the bank refuses permanently', async () => {
    const { id, payout } = await settled();
    const before = cluster.services.available(ACCOUNT);
    await cluster.services.endPayout(payout, 'rolled-back');
    expect(await cluster.reaches(id, 'completed')).toMatchObject({
      delivery: { state: 'kept-in-balance', reason: 'bank-refused' },
    });
    expect(cluster.services.available(ACCOUNT) - before).toBe(10_00n);
  });

  it.each([
    ['of another person', { ownedByHolder: false }, 'pix-key-tax-id-mismatch'],
    ['that is not registered', null, 'pix-key-not-found'],
  ] as const)('is refused for a key %s, and nothing is held', async (_which, resolved, code) => {
    if (resolved === null) cluster.services.pixKeys.clear();
    else key(resolved);
    await expect(cluster.place(sale(), TO_KEY)).rejects.toMatchObject({ code });
    expect(cluster.services.holds.size).toBe(0);
  });

  it('is rolled back when its burn reverts: nothing is paid out, and the tokens are available again', async () => {
    const { id } = await cluster.place(sale(), TO_KEY);
    expect(cluster.services.available(ACCOUNT)).toBe(990_00n);
    await cluster.services.revert(await eventually(() => cluster.settlementOf(id)));
    expect(await cluster.reaches(id, 'rolled-back')).toMatchObject({
      failure: { code: 'settlement-failed', retryable: true },
      delivery: null,
    });
    expect(cluster.services.available(ACCOUNT)).toBe(1_000_00n);
    expect(cluster.services.payouts.size).toBe(0);
  });

  it('is not changed by a withdrawal that the account requested', async () => {
    const { id } = await settled();
    await cluster.services.completeOther(ACCOUNT);
    await eventually(() =>
      expect(cluster.store.log.slice(0, 1_000).some(({ type }) => type === 'WithdrawalCompleted')).toBe(true),
    );
    expect(await cluster.get(id)).toMatchObject({ state: 'processing' });
  });
});

describe('the payout of an order after a fault', () => {
  const KINDS: FaultKind[] = ['refuse', 'lose-reply', 'drop', 'crash-after-append'];
  const ENDS = ['completed', 'rolled-back'] as const;
  const CASES = KINDS.flatMap((kind) =>
    ['OrderSettled', 'OrderCompleted'].flatMap((type) => ENDS.map((end) => [kind, type, end] as const)),
  );

  it.each(CASES)('%s at %s: a payout that ends as %s completes the order once', async (kind, type, end) => {
    const quoteId = sale();
    const id = orderIdOf(quoteId);
    const { struck } = cluster.store.faults.next({
      kind,
      match: (_, events) => events.some((event) => event.type === type),
    });
    const crash = struck.then(async () => {
      if (kind === 'crash-after-append') await cluster.restart();
    });
    await cluster.placePersistently(quoteId, TO_KEY, freshId());
    await cluster.settles(id);
    await eventually(() => expect(cluster.services.payouts.has(payoutIdOf(id))).toBe(true));
    await cluster.services.endPayout(payoutIdOf(id), end);
    await cluster.reaches(id, 'completed');
    await crash;
    expect(await cluster.facts(id)).toEqual(WAY);
    expect(cluster.services.payouts.size).toBe(1);
    expect(cluster.services.available(ACCOUNT)).toBe(end === 'completed' ? 990_00n : 1_000_00n);
  });

  it.each(['before', 'after'] as const)('is requested again when the ledger fails %s its work', async (when) => {
    let away = 1;
    cluster.services[when] = (pattern) => {
      if (!pattern.endsWith('pay-out-order') || away === 0) return;
      away -= 1;
      throw new Unavailable('service-unavailable');
    };
    const { id, payout } = await settled();
    await cluster.services.endPayout(payout, 'completed');
    await cluster.reaches(id, 'completed');
    expect(away).toBe(0);
  });

  it('is requested by the sweep when the request was lost', async () => {
    const { id, payout } = await settled();
    cluster.services.payouts.clear();
    cluster.services.forget();
    await cluster.requestMissingMints();
    expect(cluster.services.payouts.size).toBe(0);
    cluster.now += RETRY;
    await cluster.requestMissingMints();
    expect(cluster.services.payouts.has(payout)).toBe(true);
    expect(await cluster.shown('ponte_orders_without_settlement')).toBe(1);
    await cluster.requestMissingMints();
    expect(await cluster.shown('ponte_orders_without_settlement')).toBe(0);
    expect(await cluster.get(id)).toMatchObject({ state: 'processing' });
  });

  it.each([
    ['completed', { state: 'delivered', reason: null }],
    ['rolled-back', { state: 'kept-in-balance', reason: 'bank-refused' }],
  ] as const)('is finished by the sweep when the end of a withdrawal that is %s was lost', async (end, delivery) => {
    const { id, payout } = await settled();
    await cluster.services.endPayout(payout, end, false);
    cluster.now += RETRY;
    await cluster.requestMissingMints();
    expect(await cluster.get(id)).toMatchObject({ state: 'completed', delivery });
  });

  it('changes nothing when every event is delivered again in reverse order', async () => {
    const { id, payout } = await settled();
    await cluster.services.endPayout(payout, 'rolled-back');
    await cluster.reaches(id, 'completed');
    const log = cluster.store.log.slice(0, 1_000);
    const policies = cluster.running[0]?.app.get<Policies>(policiesOf('orders'));
    for (const event of [...log].reverse()) await policies?.dispatch(event);
    expect(cluster.store.log.length).toBe(log.length);
    expect(cluster.services.available(ACCOUNT)).toBe(1_000_00n);
  });

  it('is retried while the order is behind its event', async () => {
    const { id, payout } = await settled();
    await cluster.services.endPayout(payout, 'completed');
    await cluster.reaches(id, 'completed');
    const events = cluster.store.log
      .slice(0, 1_000)
      .filter(({ type }) => /OrderSettled|WithdrawalCompleted/.test(type));
    const late = new Cluster(tools);
    await late.boot();
    const policies = late.running[0]?.app.get<Policies>(policiesOf('orders'));
    expect(events).toHaveLength(2);
    for (const event of events) await expect(policies?.dispatch(event)).rejects.toBeInstanceOf(Unavailable);
    await late.stop();
  });
});
