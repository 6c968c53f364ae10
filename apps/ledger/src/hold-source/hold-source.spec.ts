import type { Hold, SourceFunds } from '@ponte/contracts';
import { HoldPlaced } from '@ponte/contracts';
import type { LedgerAccountCommand } from '../ledger-account/ledger-account.commands';
import { A, NOW, after, balances, brlv, codeOf, given, release } from '../ledger-account/ledger-account.testing';
import { ledgerAccountSnapshots } from '../ledger-account/ledger-account.snapshot';
import { openHoldsOf } from './hold-source.domain';

const TOKENS = 'eth-base/brlv';
const units = (amount: number) => `${amount}.${'0'.repeat(18)}`;
const funds = (available: number, held = 0): SourceFunds => ({ available: units(available), held: units(held) });
const holdOf = (id: string, amount: number, walletId = 'main', kind: Hold['owner']['kind'] = 'order'): Hold => ({
  ...{ holdId: `hold-${id}`, owner: { kind, id }, ...brlv(units(amount)) },
  source: { walletId, movementId: `movement-${id}` },
});
const withdrawalOf = (id: string, amount: number): Hold => {
  const { source: _, ...hold } = holdOf(id, amount, 'any', 'withdrawal');
  return hold;
};
const place = (hold: Hold, walletFunds?: SourceFunds): LedgerAccountCommand => ({
  ...{ kind: 'place-hold', accountId: A, hold, now: NOW },
  funds: walletFunds,
});
/** The account holds 100 tokens in all. */
const endowed: LedgerAccountCommand = {
  ...{ kind: 'post-deposit', accountId: A, depositId: 'd1', credit: brlv(units(100)), hold: null, now: NOW },
  from: 'external',
};
const outcome = (...commands: LedgerAccountCommand[]) => {
  const last = commands.pop() as LedgerAccountCommand;
  const attempt = given(endowed, ...commands).when(last);
  try {
    return codeOf(attempt.refusal());
  } catch {
    return 'placed';
  }
};

describe('A hold whose tokens one wallet pays', () => {
  it('records that wallet and the movement', () => {
    given(endowed)
      .when(place(holdOf('o1', 10), funds(10)))
      .then(new HoldPlaced({ accountId: A, hold: holdOf('o1', 10), placedAt: NOW }));
  });

  it('is placed up to what the wallet can pay', () => {
    expect(outcome(place(holdOf('o1', 10), funds(10)))).toBe('placed');
    expect(outcome(place(holdOf('o1', 11), funds(10)))).toEqual(['insufficient-balance', 'source-wallet-address']);
    expect(outcome(place(holdOf('t1', 11, 'main', 'transfer'), funds(10)))).toEqual(['insufficient-balance', 'amount']);
  });

  it('may have fewer decimals in the request than the asset has', () => {
    const { past } = after(endowed, place({ ...holdOf('o1', 10), amount: '10' }, funds(10)));
    expect(past.at(-1)?.data).toEqual({ accountId: A, hold: holdOf('o1', 10), placedAt: NOW });
  });

  it('is refused if a hold that was placed since leaves too little in the wallet', () => {
    const first = place(holdOf('o1', 6), funds(10));
    expect(outcome(first, place(holdOf('o2', 5), funds(10)))).toEqual([
      'insufficient-balance',
      'source-wallet-address',
    ]);
    expect(outcome(first, place(holdOf('o2', 4), funds(10)))).toBe('placed');
  });

  it('is not refused because of holds that are in the funds already, of another wallet, or of another asset', () => {
    const first = place(holdOf('o1', 6), funds(10));
    expect(outcome(first, place(holdOf('o2', 4), funds(4, 6)))).toBe('placed');
    expect(outcome(first, place(holdOf('o2', 10, 'savings'), funds(10)))).toBe('placed');
    const { source, ...unsourced } = holdOf('o1', 6);
    expect([source, outcome(place(unsourced), place(holdOf('o2', 10), funds(10)))]).toEqual([
      expect.anything(),
      'placed',
    ]);
  });

  it('is not refused because of a hold that has ended, whether before or after the funds were read', () => {
    const first = place(holdOf('o1', 6), funds(10));
    expect(outcome(first, release('hold-o1'), place(holdOf('o2', 10), funds(10)))).toBe('placed');
    expect(outcome(first, release('hold-o1'), place(holdOf('o2', 10), funds(10, 6)))).toBe('placed');
  });

  it('is refused if a withdrawal whose hold was placed since may take the tokens', () => {
    const known = (available: number, withdrawals?: number): SourceFunds => ({
      ...funds(available),
      ...(withdrawals !== undefined && { withdrawals: units(withdrawals) }),
    });
    const first = place(withdrawalOf('w1', 6));
    const refused = ['insufficient-balance', 'source-wallet-address'];
    expect(outcome(first, place(holdOf('o2', 5), known(10, 0)))).toEqual(refused);
    expect(outcome(first, place(holdOf('o2', 4), known(10, 0)))).toBe('placed');
    expect(outcome(first, place(holdOf('o2', 10), known(10, 6)))).toBe('placed');
    expect(outcome(first, place(holdOf('o1', 1, 'savings'), known(5, 6)), place(holdOf('o2', 5), known(5, 6)))).toBe(
      'placed',
    );
    // What earlier versions of the other services know does not include withdrawals.
    expect(outcome(first, place(holdOf('o2', 10), known(10)))).toBe('placed');
    // One that has ended does not make up for a hold with this source.
    const ended = [first, release('hold-w1'), place(holdOf('o1', 6))];
    expect(outcome(...ended, place(holdOf('o2', 5), known(10, 6)))).toEqual(refused);
  });

  it('is placed once, even if the wallet could not pay it again', () => {
    expect(after(endowed, place(holdOf('o1', 6), funds(6)), place(holdOf('o1', 6), funds(0, 6))).past).toHaveLength(2);
  });

  it('is limited only by the balance of the account if nothing is known about the wallet', () => {
    const { state } = after(endowed, place(holdOf('o1', 60)), place(holdOf('o2', 40)));
    expect(balances(state, TOKENS).available).toBe(0n);
  });

  it('keeps its wallet in a snapshot', () => {
    const { state } = after(endowed, place(holdOf('o1', 6)));
    const { head, parts } = ledgerAccountSnapshots.encode(state);
    const restored = ledgerAccountSnapshots.decode({ head: JSON.parse(JSON.stringify(head)) as object, parts });
    expect(restored.holds.get('hold-o1')?.source).toEqual({ walletId: 'main', movementId: 'movement-o1' });
  });
});

test('open holds are listed oldest first, and those of one moment in the same order for every request', () => {
  const [late, ...early] = [holdOf('o1', 1), holdOf('o2', 1), holdOf('o3', 1)] as const;
  const listed = (...holds: Hold[]) => {
    const later = { ...place(late), now: '2026-11-20T12:00:00.001Z' };
    const { state } = after(endowed, later, ...holds.map((hold) => place(hold)));
    return openHoldsOf(state, TOKENS).map(({ owner }) => owner.id);
  };
  expect([listed(...early), listed(...early.toReversed())]).toEqual([
    ['o2', 'o3', 'o1'],
    ['o2', 'o3', 'o1'],
  ]);
});
