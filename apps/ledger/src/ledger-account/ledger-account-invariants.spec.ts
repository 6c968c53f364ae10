import {
  NOW,
  A,
  brl,
  holdFor,
  deposit,
  place,
  release,
  exchange,
  reverse,
  after,
  balances,
  holdsInvariants,
} from './ledger-account.testing';
import fc from 'fast-check';
import type { LedgerAccountCommand } from './ledger-account.commands';
import { balanced } from './postings.domain';
import { RecentIds, REMEMBERED_MS } from '../recent-ids/recent-ids.domain';

describe('A ledger account', () => {
  it('cannot have an entry that does not balance', () => {
    expect(() => balanced([{ account: 'customer:a1', asset: 'fiat/brl', amount: '1.00' }])).toThrow(/does not balance/);
    expect(() =>
      balanced([
        { account: 'customer:a1', asset: 'fiat/brl', amount: '1.00' },
        { account: 'house:issuance', asset: 'eth-base/brlv', amount: '-1.000000000000000000' },
      ]),
    ).toThrow(/does not balance/);
  });

  it('keeps its invariants under any commands: sums of zero, available ≥ 0, held = open holds', () => {
    const id = fc.integer({ min: 1, max: 6 }).map(String);
    const amount = fc
      .integer({ min: 0, max: 8000 })
      .map((minor) => `${Math.floor(minor / 100)}.${String(minor % 100).padStart(2, '0')}`);
    const command: fc.Arbitrary<LedgerAccountCommand> = fc.oneof(
      fc.tuple(id, amount).map(([d, a]) => deposit(`d${d}`, a)),
      fc.tuple(id, id, amount).map(([d, o, a]) => deposit(`c${d}`, a, holdFor(`o${o}`, a, `paid-${d}`))),
      fc.tuple(id, amount).map(([o, a]) => place(holdFor(`o${o}`, a))),
      id.map((o) => release(`hold-o${o}`)),
      fc.tuple(id, amount, fc.boolean()).map(([o, a, custody]) => exchange(`o${o}`, a, { custody })),
      fc.tuple(id, id, amount).map(([o, d, a]) => exchange(`o${o}`, a, { holdId: `paid-${d}` })),
      id.map((d) => reverse(`c${d}`, `paid-${d}`)),
      fc
        .tuple(id, amount)
        .map(([t, a]) => place({ holdId: `move-${t}`, owner: { kind: 'transfer', id: t }, ...brl(a) })),
      id.map((t) => release(`move-${t}`)),
      fc.tuple(id, amount, fc.constantFrom(null, A, 'a2')).map(([t, a, receiverAccountId]): LedgerAccountCommand => ({
        kind: 'post-token-movement',
        accountId: A,
        movementId: t,
        owner: { kind: 'transfer', id: t },
        holdId: `move-${t}`,
        debit: brl(a),
        receiverAccountId,
        now: NOW,
      })),
    );
    fc.assert(fc.property(fc.array(command, { maxLength: 60 }), holdsInvariants), { numRuns: 1_500 });
  });
});

describe('The state of a ledger account', () => {
  it('folds each event of a busy account in constant time', () => {
    const holds = Array.from({ length: 20_000 }, (_, at) => place(holdFor(`o${at}`, '0.01')));
    const { state } = after(deposit('d1', '1000.00'), ...holds);
    expect(balances(state).held).toBe(20_000n);
    expect(state.holds.get('hold-o77')?.owner.id).toBe('o77');
  });

  it('remembers ids for at least 30 days, and not forever', () => {
    const start = Date.parse(NOW);
    const day = 86_400_000;
    let ids = RecentIds.none.with('first', start);
    for (let at = 1; at <= 30; at += 1) ids = ids.with(`day-${at}`, start + at * day);
    expect([ids.has('first'), ids.forgotBefore]).toEqual([true, null]);
    for (let at = 31; at <= 80; at += 1) {
      ids = ids.with(`day-${at}`, start + at * day);
      expect(ids.has(`day-${at - Math.floor(REMEMBERED_MS / day)}`)).toBe(true);
    }
    expect(ids.has('first')).toBe(false);
    expect(ids.has('day-20')).toBe(false);
    // It knows how far back it remembers, even after a snapshot.
    const { head, parts } = ids.encode();
    const { forgotBefore } = RecentIds.decode(head, parts);
    const oldest = Array.from({ length: 80 }, (_, at) => at + 1).find((at) => ids.has(`day-${at}`));
    expect(forgotBefore).toBe(start + (oldest ?? 0) * day);
  });
});
