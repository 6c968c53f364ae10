import { terms, AT, LATER, startedAtOnce, complete, rollBack, rolledBack, given } from './order-events.testing';
import { OrderCompleted, OrderPlaced, OrderSettled } from '@ponte/contracts';
import type { Delivery } from '@ponte/contracts';
import { PIX_TARGET } from '../testing/pix-target';
import { deliveryHoldIdOf, payoutIdOf } from './order-ids.domain';
import type { OrderCommand } from './order.commands';
import type { OrderTerms } from './order.state';
import { placed } from './order.state';
import { recordOf } from './orders.read-model';

describe('an order to a Pix key', () => {
  const pixTerms: OrderTerms = {
    ...terms,
    sourceAsset: 'eth-base/usdc',
    targetAsset: 'fiat/brl',
    sourceAmount: '100.000000',
    targetAmount: '527.84',
    settlement: 'treasury-receipt',
    charges: { spread: '4.28', fee: '2.00', tax: '0.00' },
    sourceWalletAddress: '0x00000000000000000000000000000000000000aa',
    target: null,
    pixDelivery: PIX_TARGET,
  };
  const pixPlaced = new OrderPlaced(pixTerms);
  const settled = new OrderSettled({
    orderId: 'order-1',
    accountId: 'account-1',
    settledAt: LATER,
    txHash: '0xabc',
    txTimestamp: AT,
    withdrawalId: payoutIdOf('order-1'),
    deliveryHoldId: deliveryHoldIdOf('order-1'),
  });
  const delivered = { state: 'delivered', reason: null } as const;
  const kept = { state: 'kept-in-balance', reason: 'pix-key-owner-changed' } as const;
  const deliver = (delivery: Delivery): OrderCommand => ({ kind: 'deliver', at: LATER, delivery });
  const paidOut = (delivery: Delivery) =>
    given(pixPlaced, startedAtOnce, settled).when(deliver(delivery)).events()[0]?.data as OrderCompleted['data'];

  it('is settled once and stays processing until the payout ends', () => {
    given(pixPlaced, startedAtOnce).when(complete).then(settled);
    given(pixPlaced, startedAtOnce, settled).when(complete).then();
    const state = placed(given(pixPlaced, startedAtOnce, settled).state());
    expect(state && recordOf(state)).toMatchObject({
      state: 'processing',
      txHash: '0xabc',
      delivery: { state: 'pending', reason: null },
      withdrawalId: payoutIdOf('order-1'),
    });
    const unsettled = placed(given(pixPlaced, startedAtOnce).state());
    expect(unsettled && recordOf(unsettled).withdrawalId).toBeNull();
  });

  it.each([
    ['the payout', delivered],
    ['keeping the BRL in the balance', kept],
  ])('completes after %s', (_what, delivery) => {
    expect(paidOut(delivery)).toMatchObject({ txHash: '0xabc', targetWalletAddress: null, delivery });
    const completed = new OrderCompleted(paidOut(delivery));
    given(pixPlaced, startedAtOnce, settled, completed).when(deliver(delivery)).then();
    const state = placed(given(pixPlaced, startedAtOnce, settled, completed).state());
    const withdrawalId = payoutIdOf('order-1');
    expect(completed.data).toMatchObject({ withdrawalId });
    expect(state && recordOf(state)).toMatchObject({ state: 'completed', delivery, withdrawalId });
  });

  it('cannot be rolled back once it is settled, and cannot be delivered before', () => {
    expect(() => given(pixPlaced, startedAtOnce, settled).when(rollBack('processing')).events()).toThrow('settled');
    expect(() => given(pixPlaced, startedAtOnce).when(deliver(delivered)).events()).toThrow('settled');
  });

  it('is neither settled nor paid out before it is processing, nor after it was rolled back', () => {
    for (const past of [[pixPlaced], [pixPlaced, rolledBack('created')]])
      for (const command of [complete, deliver(delivered)])
        expect(() =>
          given(...past)
            .when(command)
            .events(),
        ).toThrow(/only a (processing|settled) order/);
  });
});
