import {
  AcceptanceAbandoned,
  NO_CHARGES,
  OrderCompleted,
  OrderPlaced,
  OrderProcessingStarted,
  OrderRolledBack,
  OrderSettled,
  orderMachine,
} from '@ponte/contracts';
import type { Delivery, OrderEvent, OrderState } from '@ponte/contracts';
import { scenario } from '@ponte/event-sourcing';
import { Refusal } from '@ponte/kernel';
import { PIX_TARGET } from '../testing/fixtures';
import { NOT_SETTLED, chargeFailure } from './order-failures.domain';
import { deliveryHoldIdOf, newFundingId, orderIdOf, payoutIdOf, settlementIdOf } from './order-ids.domain';
import type { OrderCommand, OrderTerms } from './order.state';
import { order } from './order.decider';
import { placed } from './order.state';
import { FundingAbandoned } from './order.errors';
import { recordOf } from './order.record';

const AT = '2026-03-02T12:00:00.000Z';
const LATER = '2026-03-02T12:00:05.000Z';
const terms: OrderTerms = {
  orderId: 'order-1',
  quoteId: 'quote-1',
  accountId: 'account-1',
  parentId: 'partner-1',
  createdBy: 'partner-1',
  createdByApiKey: 'ak_test_1',
  externalId: 'ref-1',
  createdAt: AT,
  sourceAsset: 'fiat/brl',
  targetAsset: 'eth-base/brlv',
  sourceAmount: '100.00',
  targetAmount: '100.000000000000000000',
  baseRate: '1.0000000000',
  effectiveRate: '1.0000000000',
  feeAmount: '0.00',
  feeAsset: 'fiat/brl',
  rateLock: null,
  sourceWalletAddress: null,
  charges: NO_CHARGES,
  settlement: 'mint',
  pixDelivery: null,
  target: { address: '0x00000000000000000000000000000000000000aa', custody: true },
  funding: { kind: 'account-balance', holdId: 'hold-1' },
};
const brcodeTerms: OrderTerms = {
  ...terms,
  funding: { kind: 'brcode', txid: 'txid-1', brcode: '0002…', expiration: '2026-03-02T12:15:00.000Z' },
};
const place = (
  over: Partial<{ terms: OrderTerms; quoteExpiresAt: string; callerAccountId: string }> = {},
): OrderCommand => ({ kind: 'place', terms, quoteExpiresAt: LATER, callerAccountId: 'account-1', ...over });
const placedEvent = new OrderPlaced(terms);
const brcodePlaced = new OrderPlaced(brcodeTerms);
const abandoned = (fundingId: string) =>
  new AcceptanceAbandoned({ orderId: 'order-1', accountId: 'account-1', fundingId });
const startedAtOnce = new OrderProcessingStarted({
  orderId: 'order-1',
  accountId: 'account-1',
  startedAt: AT,
  holdId: 'hold-1',
  depositId: null,
});
const started = new OrderProcessingStarted({
  orderId: 'order-1',
  accountId: 'account-1',
  startedAt: LATER,
  holdId: 'hold-1',
  depositId: null,
});
const completed = new OrderCompleted({
  orderId: 'order-1',
  accountId: 'account-1',
  createdBy: 'partner-1',
  createdByApiKey: 'ak_test_1',
  sourceAsset: 'fiat/brl',
  targetAsset: 'eth-base/brlv',
  sourceAmount: '100.00',
  targetAmount: '100.000000000000000000',
  effectiveRate: '1.0000000000',
  completedAt: LATER,
  txHash: '0xabc',
  txTimestamp: AT,
  sourceWalletAddress: null,
  targetWalletAddress: terms.target?.address ?? null,
  delivery: null,
});
const failure = NOT_SETTLED;
const rolledBack = (previousState: 'created' | 'processing', why = failure) =>
  new OrderRolledBack({ orderId: 'order-1', accountId: 'account-1', rolledBackAt: LATER, previousState, failure: why });
const start: OrderCommand = { kind: 'start', fundingId: 'hold-1', holdId: 'hold-1', depositId: null, at: LATER };
const complete: OrderCommand = { kind: 'settle', at: LATER, txHash: '0xabc', txTimestamp: AT };
const abandon = (fundingId: string): OrderCommand => ({
  kind: 'abandon',
  orderId: 'order-1',
  accountId: 'account-1',
  fundingId,
});
const rollBack = (from: 'created' | 'processing', fundingId = 'hold-1', why = failure): OrderCommand => ({
  kind: 'roll-back',
  from,
  fundingId,
  at: LATER,
  failure: why,
});
const given = (...past: OrderEvent[]) => scenario(order).given(...past);
const refusal = (past: OrderEvent[], command: OrderCommand) =>
  given(...past)
    .when(command)
    .refusal() as Refusal;

describe('an order is placed', () => {
  // Balance orders go on by themselves, brcode orders are "created (waiting for the Pix)".
  it('from an open quote: processing at once when its money is held, waiting when it is to be paid', () => {
    given().when(place()).then(placedEvent, startedAtOnce);
    given()
      .when(place({ terms: brcodeTerms }))
      .then(brcodePlaced);
  });

  // Quote rule 1: valid until its expires-at; reliability A5: one clock reading decides, acceptable iff decided-at <
  // expires-at.
  it.each([
    ['1 ms before', '2026-03-02T12:00:00.001Z', true],
    ['at', AT, false],
    ['1 ms after', '2026-03-02T11:59:59.999Z', false],
  ])('%s the expiry of the quote: allowed or not', (_, quoteExpiresAt, allowed) => {
    if (allowed) given().when(place({ quoteExpiresAt })).then(placedEvent, startedAtOnce);
    else
      expect(refusal([], place({ quoteExpiresAt })).violations).toEqual([
        expect.objectContaining({ code: 'quote-expired', path: 'quote-id' }),
      ]);
  });

  // "A second acceptance […] is 422 quote-already-accepted, whose details[0] carries order-id when the caller may see
  // that order."
  it.each([
    ['its account', 'account-1', true],
    ['the parent of its account', 'partner-1', true],
    ['anybody else', 'account-2', false],
  ])('once: %s is refused', (_, callerAccountId, reported) => {
    for (const past of [
      [placedEvent],
      [placedEvent, started],
      [placedEvent, started, completed],
      [placedEvent, rolledBack('created')],
    ]) {
      const {
        violations: [violation],
      } = refusal(
        past,
        place({ callerAccountId, terms: { ...terms, funding: { kind: 'account-balance', holdId: 'hold-2' } } }),
      );
      expect(violation).toMatchObject({ code: 'quote-already-accepted', path: 'quote-id' });
      expect(violation?.['order-id']).toBe(reported ? 'order-1' : undefined);
    }
  });

  it('a second acceptance is refused as accepted before it is refused as expired', () => {
    expect(refusal([placedEvent], place({ quoteExpiresAt: AT })).code).toBe('quote-already-accepted');
  });
});

describe('an acceptance is given up', () => {
  it('while no order was placed, once for what it had taken', () => {
    given().when(abandon('hold-1')).then(abandoned('hold-1'));
    given(abandoned('hold-1')).when(abandon('hold-1')).then();
    given(abandoned('hold-1')).when(abandon('hold-2')).then(abandoned('hold-2'));
  });

  it('never once the order was placed', () => {
    given(placedEvent).when(abandon('hold-1')).then();
    given(placedEvent, rolledBack('created')).when(abandon('hold-2')).then();
  });

  it('and no order can be placed with what was given up; with another it can', () => {
    const past = [abandoned('hold-1'), abandoned('txid-9')];
    expect(
      given(...past)
        .when(place())
        .refusal(),
    ).toBeInstanceOf(FundingAbandoned);
    const other = { ...terms, funding: { kind: 'account-balance', holdId: 'hold-2' } as const };
    given(...past)
      .when(place({ terms: other }))
      .then(new OrderPlaced(other), new OrderProcessingStarted({ ...startedAtOnce.data, holdId: 'hold-2' }));
  });

  it('and its retry takes a new funding, the same at every try', () => {
    const first = newFundingId('account-balance', 'order-1', 'command-1', new Set());
    const second = newFundingId('account-balance', 'order-1', 'command-1', new Set([first]));
    expect(second).not.toBe(first);
    expect(newFundingId('account-balance', 'order-1', 'command-1', new Set([first]))).toBe(second);
    expect(newFundingId('account-balance', 'order-1', 'command-2', new Set([first]))).not.toBe(second);
    expect(newFundingId('brcode', 'order-1', 'command-1', new Set())).toMatch(/^[a-zA-Z0-9]{26,35}$/);
  });
});

describe('an order moves', () => {
  it('created → processing when its own money is certain', () => {
    const payment: OrderCommand = {
      kind: 'start',
      fundingId: 'txid-1',
      holdId: 'hold-7',
      depositId: 'deposit-7',
      at: LATER,
    };
    given(brcodePlaced)
      .when(payment)
      .then(
        new OrderProcessingStarted({
          orderId: 'order-1',
          accountId: 'account-1',
          startedAt: LATER,
          holdId: 'hold-7',
          depositId: 'deposit-7',
        }),
      );
  });

  it('not for the money of another acceptance', () =>
    given(brcodePlaced)
      .when({ ...start, fundingId: 'txid-2' } as OrderCommand)
      .then());

  it('processing → completed when the tokens are minted', () =>
    given(placedEvent, started).when(complete).then(completed));

  it('created or processing → rolled-back', () => {
    const expired = chargeFailure('brcode-expired');
    given(brcodePlaced)
      .when(rollBack('created', 'txid-1', expired))
      .then(rolledBack('created', expired));
    given(placedEvent, started).when(rollBack('processing')).then(rolledBack('processing'));
  });

  it('not back because of a charge that failed, when the money came before', () =>
    given(placedEvent, started).when(rollBack('created')).then());
  it('not because of the charge of another acceptance', () =>
    given(brcodePlaced).when(rollBack('created', 'txid-2')).then());

  it('once, however often the event is repeated', () => {
    given(placedEvent, started).when(start).then();
    given(placedEvent, started, completed).when(start).then();
    given(placedEvent, started, completed).when(complete).then();
    given(placedEvent, rolledBack('created')).when(start).then();
    given(placedEvent, started, rolledBack('processing')).when(rollBack('processing')).then();
    given().when(start).then();
    given().when(rollBack('created')).then();
  });

  it('by the table alone: anything else is a fault of ours and no refusal', () => {
    const faults: [OrderEvent[], OrderCommand][] = [
      [[], complete],
      [[placedEvent], complete],
      [[placedEvent, rolledBack('created')], complete],
      [[placedEvent, started, completed], rollBack('processing')],
    ];
    for (const [past, command] of faults) {
      const thrown = given(...past)
        .when(command)
        .refusal();
      expect(thrown).toBeInstanceOf(Error);
      expect(thrown).not.toBeInstanceOf(Refusal);
    }
  });

  it('every decision of every state is a move of the table', () => {
    const states: [OrderState, OrderEvent[]][] = [
      ['created', [placedEvent]],
      ['processing', [placedEvent, started]],
      ['completed', [placedEvent, started, completed]],
      ['rolled-back', [placedEvent, rolledBack('created')]],
    ];
    for (const [from, past] of states) {
      for (const command of [start, complete, rollBack('created'), rollBack('processing')]) {
        const { state, next } = attempt(past, command);
        expect(state).toBe(from);
        if (next !== undefined && next !== from) expect(orderMachine[from]).toContain(next);
      }
    }
  });
});

describe('the record of an order', () => {
  const recordAfter = (...past: OrderEvent[]) => {
    const state = placed(given(...past).state());
    return state && recordOf(state);
  };

  it('follows its state', () => {
    expect(recordAfter()).toBeUndefined();
    expect(recordAfter(abandoned('hold-1'))).toBeUndefined();
    expect(recordAfter(placedEvent)).toMatchObject({
      id: 'order-1',
      state: 'created',
      stateUpdatedAt: AT,
      createdAt: AT,
      txHash: null,
      failure: null,
      brcode: null,
      expiration: null,
      paymentMethod: 'account-balance',
    });
    expect(recordAfter(brcodePlaced)).toMatchObject({
      paymentMethod: 'brcode',
      brcode: '0002…',
      expiration: '2026-03-02T12:15:00.000Z',
    });
    expect(recordAfter(placedEvent, started)).toMatchObject({ state: 'processing', stateUpdatedAt: LATER });
    expect(recordAfter(placedEvent, started, completed)).toMatchObject({ state: 'completed', txHash: '0xabc' });
    expect(recordAfter(placedEvent, started, rolledBack('processing'))).toMatchObject({
      state: 'rolled-back',
      failure,
    });
  });

  it('is one per quote, with one mint', () => {
    expect(orderIdOf('quote-1')).toBe(orderIdOf('quote-1'));
    expect(orderIdOf('quote-1')).not.toBe(orderIdOf('quote-2'));
    expect(settlementIdOf('order-1')).not.toBe(orderIdOf('order-1'));
    const [quoteId, time] = ['0190a5e0-7c3b-7a1e-9f00-000000000001', '0190a5e0-7c3b-8'];
    expect([orderIdOf(quoteId), settlementIdOf(orderIdOf(quoteId))]).toEqual([
      expect.stringMatching(`^${time}`),
      expect.stringMatching(`^${time}`),
    ]);
  });
});

function attempt(past: OrderEvent[], command: OrderCommand): { state: string; next: string | undefined } {
  const { status: state } = given(...past).state();
  try {
    const [event] = order.decide(command, given(...past).state());
    return { state, next: event && order.evolve(given(...past).state(), event).status };
  } catch {
    return { state, next: undefined };
  }
}

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

  it('is settled first, once, and stays processing until the payout ends', () => {
    given(pixPlaced, startedAtOnce).when(complete).then(settled);
    given(pixPlaced, startedAtOnce, settled).when(complete).then();
    const state = placed(given(pixPlaced, startedAtOnce, settled).state());
    expect(state && recordOf(state)).toMatchObject({
      state: 'processing',
      txHash: '0xabc',
      delivery: { state: 'pending', reason: null },
    });
  });

  it.each([
    ['the payout', delivered],
    ['keeping the BRL in the balance', kept],
  ])('completes with %s', (_what, delivery) => {
    expect(paidOut(delivery)).toMatchObject({ txHash: '0xabc', targetWalletAddress: null, delivery });
    const done = new OrderCompleted(paidOut(delivery));
    given(pixPlaced, startedAtOnce, settled, done).when(deliver(delivery)).then();
    const state = placed(given(pixPlaced, startedAtOnce, settled, done).state());
    expect(state && recordOf(state)).toMatchObject({ state: 'completed', delivery });
  });

  it('does not roll back once it is settled, and is not delivered before', () => {
    expect(() => given(pixPlaced, startedAtOnce, settled).when(rollBack('processing')).events()).toThrow('settled');
    expect(() => given(pixPlaced, startedAtOnce).when(deliver(delivered)).events()).toThrow('settled');
  });
});
