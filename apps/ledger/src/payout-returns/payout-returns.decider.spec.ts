import fc from 'fast-check';
import { Money } from '@ponte/kernel';
import type { CountedReturns, ListReturns, ReturnedAmount } from './payout-returns.decider';
import { payoutReturns } from './payout-returns.decider';

const list = (listed: readonly ReturnedAmount[], deposited: readonly ReturnedAmount[] = []): ListReturns => ({
  kind: 'list',
  withdrawalId: 'w1',
  asset: 'fiat/brl',
  paid: '10.00',
  listed,
  deposited,
  now: '2027-03-01T12:00:00.000Z',
});
const of = (returnId: string, amount: string): ReturnedAmount => ({ returnId, amount });
const after = (state: CountedReturns, command: ListReturns): CountedReturns =>
  payoutReturns.decide(command, state).reduce(payoutReturns.evolve.bind(payoutReturns), state);
const shown = (state: CountedReturns): readonly string[] =>
  [...state].map(([returnId, { amount, exceeds }]) => `${returnId} ${amount}${exceeds ? ' exceeds' : ''}`);
const total = (counted: readonly { readonly amount: string }[]): Money =>
  counted.reduce((sum, { amount }) => sum.plus(Money.stored('fiat/brl', amount)), Money.zero('fiat/brl'));

describe('the returns of a payment', () => {
  const { initial } = payoutReturns;

  it('may add up to the payment, in any order and number', () => {
    const first = after(initial, list([of('D1', '4.00')]));
    expect(shown(after(first, list([of('D2', '6.00'), of('D1', '4.00')])))).toEqual(['D1 4.00', 'D2 6.00']);
  });

  it('exceed it by one cent, counting those that the bank lists no longer', () => {
    const first = after(initial, list([of('D1', '4.00')]));
    expect(shown(after(first, list([of('D2', '6.01')])))).toEqual(['D1 4.00', 'D2 6.01 exceeds']);
  });

  it('are decided once, by id', () => {
    const first = after(initial, list([of('D1', '4.00'), of('D1', '5.00')]));
    expect(shown(first)).toEqual(['D1 4.00']);
    expect(payoutReturns.decide(list([of('D1', '9.00')]), first)).toEqual([]);
  });

  it('count with the highest amount that the bank states', () => {
    const first = after(initial, list([of('D1', '4.00')]));
    expect(shown(after(first, list([of('D1', '5.00'), of('D2', '5.01')])))).toEqual(['D1 4.00', 'D2 5.01 exceeds']);
    expect(shown(after(first, list([of('D1', '3.00'), of('D2', '6.01')])))).toEqual(['D1 4.00', 'D2 6.01 exceeds']);
    expect(shown(after(first, list([of('D1', '3.00'), of('D2', '6.00')])))).toEqual(['D1 4.00', 'D2 6.00']);
  });

  it('include those that were credited before returns were counted, which never exceed it', () => {
    const deposited = [of('D1', '10.00'), of('D1', '10.00')];
    const state = after(initial, list([of('D2', '10.00'), of('D1', '10.00')], deposited));
    expect(shown(state)).toEqual(['D1 10.00', 'D2 10.00 exceeds']);
    expect(payoutReturns.decide(list([of('D2', '10.00')], deposited), state)).toEqual([]);
  });

  it('are recorded with the withdrawal and the time', () => {
    expect(payoutReturns.decide(list([of('D1', '4.00')]), initial)).toMatchObject([
      {
        type: 'PayoutReturnListed',
        data: { withdrawalId: 'w1', returnId: 'D1', amount: '4.00', exceeds: false, listedAt: list([]).now },
      },
    ]);
  });

  it('never leave more to credit than was paid, whatever the bank lists', () => {
    const one = fc.record({
      returnId: fc.constantFrom('D1', 'D2', 'D3', 'D4'),
      amount: fc.integer({ min: 1, max: 1_100 }).map((cents) => Money.of('fiat/brl', BigInt(cents)).toString()),
    });
    fc.assert(
      fc.property(fc.array(fc.array(one, { maxLength: 4 }), { maxLength: 6 }), (lists) => {
        const state = lists.reduce((before, listed) => after(before, list(listed)), initial);
        const credited = [...state.values()].filter(({ exceeds }) => !exceeds);
        expect(total(credited).compare(Money.stored('fiat/brl', '10.00'))).toBeLessThanOrEqual(0);
      }),
    );
  });
});
