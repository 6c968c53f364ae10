import {
  NOW,
  A,
  brl,
  brlv,
  holdFor,
  deposit,
  place,
  release,
  exchange,
  after,
  given,
  codeOf,
  balances,
} from './ledger-account.testing';
import type { AmountOf, Posting } from '@ponte/contracts';
import { StateBehindEvent } from '@ponte/event-sourcing';
import { Unavailable } from '@ponte/kernel';
import type { LedgerAccountCommand } from './ledger-account.commands';
import { ledgerAccount } from './ledger-account.decider';

describe('A ledger account', () => {
  it('moves held BRL to the reserve and gets the tokens, once per order', () => {
    const story = given(deposit('d1', '100.00'), place(holdFor('o1', '60.00')));
    const [posted] = story.when(exchange('o1', '60.00')).events() as {
      data: { postings: Posting[]; credit: AmountOf | null };
    }[];
    expect(posted?.data.postings).toEqual([
      { account: 'customer:a1', asset: 'fiat/brl', amount: '-60.00' },
      { account: 'house:reserve', asset: 'fiat/brl', amount: '60.00' },
      { account: 'house:issuance', asset: 'eth-base/brlv', amount: '-60.000000000000000000' },
      { account: 'customer:a1', asset: 'eth-base/brlv', amount: '60.000000000000000000' },
    ]);
    const { state } = after(
      deposit('d1', '100.00'),
      place(holdFor('o1', '60.00')),
      exchange('o1', '60.00'),
      exchange('o1', '60.00'),
      release('hold-o1'),
    );
    expect(balances(state)).toEqual({ running: 4000n, held: 0n, available: 4000n });
    expect(balances(state, 'eth-base/brlv').available).toBe(60n * 10n ** 18n);
  });

  it('never has tokens of external wallets in a balance', () => {
    const { state, past } = after(
      deposit('d1', '60.00'),
      place(holdFor('o1', '60.00')),
      exchange('o1', '60.00', { custody: false }),
    );
    expect(balances(state, 'eth-base/brlv').running).toBe(0n);
    expect((past.at(-1)?.data as { credit: AmountOf | null }).credit).toBeNull();
    expect((past.at(-1)?.data as unknown as { postings: Posting[] }).postings.map(({ account }) => account)).toContain(
      'house:external',
    );
  });

  it('accepts an exchange only for its own hold, its exact amount, and one to one', () => {
    const story = given(deposit('d1', '100.00'), place(holdFor('o1', '60.00')), place(holdFor('o2', '10.00')));
    const refused = (command: LedgerAccountCommand) => codeOf(story.when(command).refusal())[0];
    expect(refused(exchange('o1', '59.99'))).toBe('hold-not-open');
    expect(refused(exchange('o1', '60.00', { holdId: 'hold-o2' }))).toBe('hold-not-open');
    // An unknown hold was placed after this account was read.
    expect(() => ledgerAccount.decide(exchange('o3', '60.00'), story.state())).toThrow(StateBehindEvent);
    expect(refused(exchange('o1', '60.00', { credit: brlv('60.000000000000000001') }))).toBe(
      'asset-pair-not-supported',
    );
    expect(refused(exchange('o1', '60.00', { credit: brlv('59.999999999999999999') }))).toBe(
      'asset-pair-not-supported',
    );
    expect(
      refused(exchange('o1', '60.00', { credit: { asset: 'eth-base/brly', amount: '60.000000000000000000' } })),
    ).toBe('asset-pair-not-supported');
  });

  describe('for a token movement', () => {
    const owner = { kind: 'transfer', id: 't1' } as const;
    const tokens = brlv('5.000000000000000000');
    const funded = {
      kind: 'post-deposit',
      accountId: A,
      depositId: 'd1',
      credit: brlv('8.000000000000000000'),
      hold: null,
      from: 'external',
      now: NOW,
    } as const;
    const hold: LedgerAccountCommand = place({ holdId: 'hold-t1', owner, ...tokens });
    const move = (receiverAccountId: string | null, change: object = {}) =>
      ({
        kind: 'post-token-movement',
        accountId: A,
        movementId: 'm1',
        owner,
        holdId: 'hold-t1',
        debit: tokens,
        receiverAccountId,
        now: NOW,
        ...change,
      }) as const;
    const accounts = (commands: LedgerAccountCommand[]) =>
      (after(...commands).past.at(-1)?.data as unknown as { postings: Posting[] }).postings.map(
        ({ account }) => account,
      );

    it('uses up the hold once, and posts to where the tokens went', () => {
      expect(accounts([funded])).toEqual(['house:external', 'customer:a1']);
      for (const [receiver, account] of [
        [null, 'house:external'],
        ['a2', 'house:clearing'],
      ] as const) {
        expect(accounts([funded, hold, move(receiver)])).toEqual(['customer:a1', account]);
        expect(balances(after(funded, hold, move(receiver), move(receiver)).state, 'eth-base/brlv')).toEqual({
          running: 3n * 10n ** 18n,
          held: 0n,
          available: 3n * 10n ** 18n,
        });
      }
    });

    it('changes no balance if the tokens go to a wallet of the same account', () => {
      expect(accounts([funded, hold, move(A)])).toEqual(['customer:a1', 'customer:a1']);
      expect(balances(after(funded, hold, move(A)).state, 'eth-base/brlv')).toEqual({
        running: 8n * 10n ** 18n,
        held: 0n,
        available: 8n * 10n ** 18n,
      });
    });

    it("accepts only the movement's own hold, in full", () => {
      const story = given(funded, hold);
      for (const change of [
        { owner: { kind: 'withdrawal', id: 't1' } },
        { owner: { kind: 'transfer', id: 't2' } },
        { debit: brlv('4.000000000000000000') },
        { debit: brl('5.00') },
      ]) {
        expect(codeOf(story.when(move(null, change) as LedgerAccountCommand).refusal())[0]).toBe('hold-not-open');
      }
      expect(() => story.when(move(null, { holdId: 'never placed' })).events()).toThrow(Unavailable);
    });

    it('debits the clearing account for tokens from another Ponte account', () => {
      expect(accounts([{ ...funded, from: 'clearing' }])).toEqual(['house:clearing', 'customer:a1']);
    });
  });
});
