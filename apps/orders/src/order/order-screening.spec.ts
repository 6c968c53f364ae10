import type { OrderEvent } from '@ponte/contracts';
import { OrderCompleted, OrderPlaced, OrderSettled, OrderTargetScreened } from '@ponte/contracts';
import {
  LATER,
  complete,
  completed,
  given,
  placedEvent,
  rolledBack,
  startedAtOnce,
  terms,
} from './order-events.testing';
import type { OrderCommand } from './order.commands';
import type { Order } from './order.state';
import { needsScreening } from './order.state';

const outside = { address: '0x00000000000000000000000000000000000000bb', custody: false };
const outsidePlaced = new OrderPlaced({ ...terms, target: outside });
const screened = (outcome: 'clear' | 'refused') =>
  new OrderTargetScreened({ orderId: 'order-1', accountId: 'account-1', outcome, screenedAt: LATER });
const note = (outcome: 'clear' | 'refused'): OrderCommand => ({ kind: 'note-screening', outcome, at: LATER });
const outcomeOf = (state: Order) => (state.status === 'processing' ? (state.screened?.outcome ?? null) : undefined);

describe('the screening of the wallet that an order sends tokens to', () => {
  it('is needed for a wallet outside our custody only', () => {
    expect(needsScreening({ ...terms, target: outside })).toBe(true);
    expect(needsScreening(terms)).toBe(false);
    expect(needsScreening({ ...terms, target: null })).toBe(false);
  });

  it('is recorded once: the first outcome is kept', () => {
    const past = [outsidePlaced, startedAtOnce];
    expect(outcomeOf(given(...past).state())).toBeNull();
    for (const [outcome, other] of [
      ['clear', 'refused'],
      ['refused', 'clear'],
    ] as const) {
      given(...past)
        .when(note(outcome))
        .then(screened(outcome));
      expect(outcomeOf(given(...past, screened(outcome)).state())).toBe(outcome);
      given(...past, screened(outcome))
        .when(note(other))
        .then();
    }
  });

  it('is not recorded for a wallet in our custody, nor unless the order is processing', () => {
    given(placedEvent, startedAtOnce).when(note('refused')).then();
    for (const past of [[], [outsidePlaced], [outsidePlaced, rolledBack('created')]])
      given(...past)
        .when(note('refused'))
        .then();
    given(outsidePlaced, startedAtOnce, completed).when(note('refused')).then();
  });

  it('does not end the settlement of the order', () => {
    given(outsidePlaced, startedAtOnce, screened('clear'))
      .when(complete)
      .then(new OrderCompleted({ ...completed.data, targetWalletAddress: outside.address }));
  });
});

it('an order whose events are out of order cannot be read', () => {
  const settled = new OrderSettled({
    ...{ orderId: 'order-1', accountId: 'account-1', settledAt: LATER, txHash: '0xabc', txTimestamp: LATER },
    ...{ withdrawalId: 'withdrawal-1', deliveryHoldId: 'hold-2' },
  });
  const damaged: OrderEvent[][] = [
    [startedAtOnce],
    [rolledBack('created')],
    ...[screened('clear'), settled, completed].flatMap((event) => [
      [event],
      [placedEvent, event],
      [placedEvent, rolledBack('created'), event],
    ]),
  ];
  for (const past of damaged) expect(() => given(...past).state()).toThrow(/only a processing order|never placed/);
});
