import {
  holdFor,
  deposit,
  place,
  release,
  exchange,
  reverse,
  after,
  given,
  codeOf,
  balances,
} from './ledger-account.testing';
import { Refusal } from '@ponte/kernel';
import { ledgerAccount } from './ledger-account.decider';

describe('A ledger account', () => {
  it('makes a deposit available once', () => {
    const { state } = after(deposit('d1', '100.00'), deposit('d1', '100.00'));
    expect(balances(state)).toEqual({ running: 10000n, held: 0n, available: 10000n });
  });

  it('subtracts a hold from available, not from running', () => {
    const { state } = after(deposit('d1', '100.00'), place(holdFor('o1', '60.00')));
    expect(balances(state)).toEqual({ running: 10000n, held: 6000n, available: 4000n });
  });

  it('refuses a hold that exceeds available, at the path of the requested amount', () => {
    const story = given(deposit('d1', '100.00'), place(holdFor('o1', '60.00')));
    expect(codeOf(story.when(place(holdFor('o2', '40.01'))).refusal())).toEqual(['insufficient-balance', 'quote-id']);
    expect(story.when(place(holdFor('o2', '40.00'))).events()).toHaveLength(1);
    expect(
      codeOf(story.when(place({ ...holdFor('w1', '40.01'), owner: { kind: 'withdrawal', id: 'w1' } })).refusal()),
    ).toEqual(['insufficient-balance', 'amount']);
    expect(codeOf(story.when(place({ ...holdFor('o2', '1.00'), asset: 'fiat/usd' })).refusal())).toEqual([
      'insufficient-balance',
      'quote-id',
    ]);
  });

  it('places a hold once per id, and refuses another hold under its id or under an ended one', () => {
    const placed = given(deposit('d1', '100.00'), place(holdFor('o1', '60.00')));
    expect(placed.when(place(holdFor('o1', '60.00'))).events()).toEqual([]);
    expect(codeOf(placed.when(place(holdFor('o1', '30.00'))).refusal())[0]).toBe('hold-not-open');
    expect(codeOf(placed.when(place({ ...holdFor('o2', '60.00'), holdId: 'hold-o1' })).refusal())[0]).toBe(
      'hold-not-open',
    );
    const released = given(deposit('d1', '100.00'), place(holdFor('o1', '60.00')), release('hold-o1'));
    expect(codeOf(released.when(place(holdFor('o1', '60.00'))).refusal())[0]).toBe('hold-not-open');
  });

  it('ignores the release of a hold that is not open', () => {
    const story = given(deposit('d1', '100.00'), place(holdFor('o1', '60.00')), release('hold-o1'));
    expect(story.when(release('hold-o1')).events()).toEqual([]);
    expect(balances(story.state())).toEqual({ running: 10000n, held: 0n, available: 10000n });
  });

  it("accepts only positive decimals at the asset's scale as amounts", () => {
    for (const amount of ['0.00', '-1.00', '1.001', '1e2', '']) {
      expect(() => ledgerAccount.decide(place(holdFor('o1', amount)), ledgerAccount.initial)).toThrow(Refusal);
      expect(() => ledgerAccount.decide(deposit('d1', amount), ledgerAccount.initial)).toThrow(Refusal);
    }
  });

  it('holds a Pix that pays a charge in the same event, and never makes it available', () => {
    const paid = [deposit('d1', '50.00', holdFor('o1', '50.00'))] as const;
    expect(after(...paid).past).toHaveLength(1);
    expect(balances(after(...paid).state)).toEqual({ running: 5000n, held: 5000n, available: 0n });
    expect(
      given(...paid)
        .when(release('hold-o1'))
        .events(),
    ).toEqual([]);
    expect(
      codeOf(
        given(...paid)
          .when(place(holdFor('o2', '0.01')))
          .refusal(),
      )[0],
    ).toBe('insufficient-balance');
    expect(balances(after(...paid, exchange('o1', '50.00')).state)).toEqual({ running: 0n, held: 0n, available: 0n });
  });

  it('takes the payment of an order that rolls back out of the books once, and not after its exchange', () => {
    const paid = [deposit('d1', '50.00', holdFor('o1', '50.00')), deposit('d2', '5.00')] as const;
    const { state } = after(...paid, reverse('d1', 'hold-o1'), reverse('d1', 'hold-o1'));
    expect(balances(state)).toEqual({ running: 500n, held: 0n, available: 500n });
    expect(
      codeOf(
        given(...paid, exchange('o1', '50.00'))
          .when(reverse('d1', 'hold-o1'))
          .refusal(),
      )[0],
    ).toBe('hold-not-open');
    expect(
      codeOf(
        given(...paid)
          .when(reverse('d2', 'hold-o1'))
          .refusal(),
      )[0],
    ).toBe('hold-not-open');
  });
});
