import type { FaultKind } from '@ponte/testing';
import { eventually } from '@ponte/testing';
import { paymentIdOf } from '../withdrawal/withdrawal.state';
import { WITHDRAWAL, payoutsForEachTest } from '../testing/order-payouts';

const { ledger, orders } = payoutsForEachTest();

const KINDS: readonly FaultKind[] = ['refuse', 'lose-reply', 'crash-after-append'];
const WAY = ['WithdrawalCreated', 'WithdrawalProcessingStarted', 'WithdrawalPosted', 'WithdrawalCompleted'];
const BACK = ['WithdrawalRolledBack', 'HoldReleased'];
const CASES = [
  ...WAY.flatMap((type) => KINDS.map((kind) => [kind, type, '10.00', 'completed'] as const)),
  ...BACK.flatMap((type) => KINDS.map((kind) => [kind, type, '10.95', 'rolled-back'] as const)),
];

describe('The payout of an order, after a fault at an append', () => {
  it.each(CASES)('%s at %s with %s BRL ends %s, once', async (kind, type, amount, state) => {
    const target = await orders.ownKey();
    await orders.sold(amount);
    const { struck } = ledger.store.faults.next({
      kind,
      match: (_, events) => events.some((one) => one.type === type),
    });
    const restarted = struck.then(async () => {
      if (kind === 'crash-after-append') await ledger.restart();
    });
    await orders.payOut(amount, target).catch(() => undefined);
    await eventually(() => orders.payOut(amount, target));
    await restarted;
    await eventually(async () => {
      await ledger.tick();
      expect(await ledger.withdrawal(WITHDRAWAL)).toMatchObject({ state });
      expect((await ledger.balance()).held).toBe('0.00');
    });
    expect((await ledger.balance()).available).toBe(state === 'completed' ? '990.00' : '1000.00');
    expect(ledger.payouts.totals().completed).toEqual(state === 'completed' ? [paymentIdOf(WITHDRAWAL)] : []);
    expect((await ledger.types('withdrawal-')).filter((one) => one === 'WithdrawalCreated')).toHaveLength(1);
    await eventually(() => ledger.assertTrialBalance());
  });
});
