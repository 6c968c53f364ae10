import type { Hold } from '@ponte/contracts';
import { HoldReleased, WithdrawalPosted } from '@ponte/contracts';
import { StateBehindEvent } from '@ponte/event-sourcing';
import {
  NOW,
  A,
  after,
  balances,
  brl,
  brlv,
  codeOf,
  deposit,
  exchange,
  given,
  holdFor,
  place,
  release,
} from './ledger-account.testing';
import type { LedgerAccountCommand } from './ledger-account.commands';

const SIXTY = '60.000000000000000000';
const codeFor = (command: LedgerAccountCommand, ...before: LedgerAccountCommand[]) =>
  codeOf(
    given(...before)
      .when(command)
      .refusal(),
  )[0];

describe('The hold of a ledger account', () => {
  it('is another hold under the same id if its owner or its asset differs', () => {
    const before = [deposit('d1', '100.00'), place(holdFor('o1', '60.00'))];
    for (const change of [{ owner: { kind: 'withdrawal', id: 'o1' } }, { asset: 'fiat/usd' }] as const)
      expect(codeFor(place({ ...holdFor('o1', '60.00'), ...change }), ...before)).toBe('hold-not-open');
  });

  it('is released once, if it was placed', () => {
    const placed = given(deposit('d1', '100.00'), place(holdFor('o1', '60.00')));
    placed
      .when(release('hold-o1'))
      .then(new HoldReleased({ accountId: A, holdId: 'hold-o1', reason: 'order-rolled-back' }));
    placed.when(release('hold-o2')).then();
    expect(() => placed.when({ ...release('hold-o2'), placed: true } as LedgerAccountCommand).events()).toThrow(
      StateBehindEvent,
    );
  });

  it('of a payment covers all of it, under a new id', () => {
    const before = [deposit('d1', '100.00'), place(holdFor('o1', '60.00'))];
    expect(codeFor(deposit('d2', '60.00', holdFor('o1', '60.00')), ...before)).toBe('hold-not-open');
    expect(codeFor(deposit('d2', '60.00', holdFor('o2', '59.99')), ...before)).toBe('hold-not-open');
    expect(after(...before, deposit('d2', '60.00', holdFor('o2', '60.00'))).past).toHaveLength(3);
  });

  it('pays only the exchange of its own order, in its own asset', () => {
    const before = [deposit('d1', '200.00'), place(holdFor('o1', '60.00'))];
    const owners = [
      { kind: 'order', id: 'o2' },
      { kind: 'withdrawal', id: 'o1' },
    ] as const;
    for (const owner of owners) {
      const theirs = place({ ...holdFor('o1', '60.00', 'theirs'), owner });
      expect(codeFor(exchange('o1', '60.00', { holdId: 'theirs' }), ...before, theirs)).toBe('hold-not-open');
    }
    const sold = { debit: brlv(SIXTY), credit: brl('60.00') };
    expect(codeFor(exchange('o1', '60.00', sold), ...before)).toBe('hold-not-open');
  });
});

describe('The delivery hold of an exchange', () => {
  const before = [deposit('d1', '100.00'), place(holdFor('o1', '60.00')), place(holdFor('o2', '10.00'))];
  const delivery: Hold = { holdId: 'delivery-o1', owner: { kind: 'order', id: 'o1' }, ...brlv(SIXTY) };

  it('holds the whole credit in the same event, until it is released', () => {
    const exchanged = [...before, exchange('o1', '60.00', { deliveryHold: delivery })];
    const [running, credit] = [6n * 10n ** 19n, after(...exchanged).past];
    expect(credit).toHaveLength(4);
    expect(balances(after(...exchanged).state, 'eth-base/brlv')).toEqual({ running, held: running, available: 0n });
    expect(balances(after(...exchanged, release('delivery-o1')).state, 'eth-base/brlv')).toEqual({
      running,
      held: 0n,
      available: running,
    });
  });

  it.each<[string, Partial<Hold>, boolean]>([
    ['a credit that leaves our custody', {}, false],
    ['another asset', { asset: 'tempo/brlv' }, true],
    ['another amount', { amount: '59.000000000000000000' }, true],
    ['the id of the hold that pays', { holdId: 'hold-o1' }, true],
    ['the id of another hold', { holdId: 'hold-o2' }, true],
  ])('is refused for %s', (_, change, custody) => {
    const command = exchange('o1', '60.00', { custody, deliveryHold: { ...delivery, ...change } });
    expect(codeFor(command, ...before)).toBe('hold-not-open');
  });
});

describe('The posting of a withdrawal', () => {
  const post = (change: object = {}) =>
    ({
      kind: 'post-withdrawal',
      accountId: A,
      withdrawalId: 'w1',
      holdId: 'hold-w1',
      now: NOW,
      ...change,
    }) as LedgerAccountCommand;
  const owner = { kind: 'withdrawal', id: 'w1' } as const;
  const holding = (change: Partial<Hold> = {}) =>
    place({ holdId: 'hold-w1', owner, ...brl('60.00'), ...change } as Hold);
  const tokens: LedgerAccountCommand = {
    kind: 'post-deposit',
    accountId: A,
    depositId: 'd2',
    credit: brlv(SIXTY),
    hold: null,
    from: 'external',
    now: NOW,
  };

  it('debits what its hold has, once', () => {
    const withHold = given(deposit('d1', '100.00'), holding());
    withHold.when(post()).then(
      new WithdrawalPosted({
        accountId: A,
        postingId: 'withdrawal:w1',
        holdId: 'hold-w1',
        withdrawalId: 'w1',
        debit: brl('60.00'),
        postings: [
          { account: 'customer:a1', asset: 'fiat/brl', amount: '-60.00' },
          { account: 'house:settlement', asset: 'fiat/brl', amount: '60.00' },
        ],
        postedAt: NOW,
      }),
    );
    const posted = [deposit('d1', '100.00'), holding(), post()];
    given(...posted)
      .when(post())
      .then();
    expect(balances(after(...posted).state)).toEqual({ running: 4000n, held: 0n, available: 4000n });
  });

  it.each([
    [null, 'house:external'],
    ['a2', 'house:clearing'],
  ])('of tokens for %p credits %s', (receiverAccountId, account) => {
    const { past } = after(tokens, holding(brlv(SIXTY)), post({ receiverAccountId }));
    expect((past.at(-1) as WithdrawalPosted).data.postings).toEqual([
      { account: 'customer:a1', asset: 'eth-base/brlv', amount: `-${SIXTY}` },
      { account, asset: 'eth-base/brlv', amount: SIXTY },
    ]);
  });

  it('is refused for the hold of something else, and for a wallet of the same account', () => {
    for (const other of [
      { kind: 'order', id: 'w1' },
      { kind: 'withdrawal', id: 'w2' },
    ] as const)
      expect(codeFor(post(), deposit('d1', '100.00'), holding({ owner: other }))).toBe('hold-not-open');
    expect(codeFor(post({ receiverAccountId: A }), tokens, holding(brlv(SIXTY)))).toBe('hold-not-open');
  });
});
