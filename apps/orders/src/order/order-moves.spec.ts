import {
  AT,
  LATER,
  placedEvent,
  brcodePlaced,
  abandoned,
  started,
  completed,
  failure,
  rolledBack,
  start,
  complete,
  rollBack,
  given,
  attempt,
} from './order-events.testing';
import { OrderProcessingStarted, orderMachine } from '@ponte/contracts';
import type { OrderEvent, OrderState } from '@ponte/contracts';
import { Refusal } from '@ponte/kernel';
import { chargeFailure } from './order-failures.domain';
import { orderIdOf, settlementIdOf } from './order-ids.domain';
import type { OrderCommand } from './order.commands';
import { placed } from './order.state';
import { recordOf } from './orders.read-model';

describe('an order', () => {
  it('moves from created to processing when its own payment is certain', () => {
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

  it('does not move for the payment of another acceptance', () =>
    given(brcodePlaced)
      .when({ ...start, fundingId: 'txid-2' } as OrderCommand)
      .then());

  it('moves from processing to completed when the tokens are minted', () =>
    given(placedEvent, started).when(complete).then(completed));

  it('moves from created or processing to rolled-back', () => {
    const expired = chargeFailure('brcode-expired');
    given(brcodePlaced)
      .when(rollBack('created', 'txid-1', expired))
      .then(rolledBack('created', expired));
    given(placedEvent, started).when(rollBack('processing')).then(rolledBack('processing'));
  });

  it('is not rolled back by a failed charge when the money came before', () =>
    given(placedEvent, started).when(rollBack('created')).then());
  it('is not rolled back by the charge of another acceptance', () =>
    given(brcodePlaced).when(rollBack('created', 'txid-2')).then());

  it('moves once, however often the command is repeated', () => {
    given(placedEvent, started).when(start).then();
    given(placedEvent, started, completed).when(start).then();
    given(placedEvent, started, completed).when(complete).then();
    given(placedEvent, rolledBack('created')).when(start).then();
    given(placedEvent, started, rolledBack('processing')).when(rollBack('processing')).then();
    given().when(start).then();
    given().when(rollBack('created')).then();
  });

  it('throws an error, not a refusal, on a move that the state machine does not have', () => {
    const violations: [OrderEvent[], OrderCommand][] = [
      [[], complete],
      [[placedEvent], complete],
      [[placedEvent, rolledBack('created')], complete],
      [[placedEvent, started, completed], rollBack('processing')],
    ];
    for (const [past, command] of violations) {
      const thrown = given(...past)
        .when(command)
        .refusal();
      expect(thrown).toBeInstanceOf(Error);
      expect(thrown).not.toBeInstanceOf(Refusal);
    }
  });

  it('decides only moves of the state machine in every state', () => {
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

  it('names the deposit that paid its brcode, or that was refused and is returned', () => {
    const paid = new OrderProcessingStarted({ ...started.data, depositId: 'deposit-7' });
    const depositAfter = (...past: OrderEvent[]) => recordAfter(brcodePlaced, ...past)?.depositId;
    expect(depositAfter()).toBeNull();
    expect(depositAfter(paid)).toBe('deposit-7');
    const [done] = given(brcodePlaced, paid).when(complete).events();
    expect(done?.data).toMatchObject({ depositId: 'deposit-7' });
    expect(depositAfter(paid, done as OrderEvent)).toBe('deposit-7');
    const [failed] = given(brcodePlaced, paid).when(rollBack('processing', 'txid-1')).events();
    expect(failed?.data).toMatchObject({ depositId: 'deposit-7' });
    expect(depositAfter(paid, failed as OrderEvent)).toBe('deposit-7');
    const [refused] = given(brcodePlaced)
      .when({ ...rollBack('created', 'txid-1'), depositId: 'deposit-8' } as OrderCommand)
      .events();
    expect(depositAfter(refused as OrderEvent)).toBe('deposit-8');
    const [unpaid] = given(brcodePlaced).when(rollBack('created', 'txid-1')).events();
    expect(unpaid?.data).not.toHaveProperty('depositId');
    expect(depositAfter(unpaid as OrderEvent)).toBeNull();
    expect(recordAfter(placedEvent, started, completed)).toMatchObject({ depositId: null, withdrawalId: null });
  });

  it('keeps the deposit of events that did not name it', () => {
    const paid = new OrderProcessingStarted({ ...started.data, depositId: 'deposit-7' });
    expect(recordAfter(brcodePlaced, paid, completed)?.depositId).toBe('deposit-7');
    expect(recordAfter(brcodePlaced, paid, rolledBack('processing'))?.depositId).toBe('deposit-7');
  });

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

  it('has an id derived from its quote, and one mint', () => {
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
