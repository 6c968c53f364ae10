import type { LedgerAccountEvent } from '@ponte/contracts';
import { HoldReleased } from '@ponte/contracts';
import { IdsForgotten, idsTakenBy } from './forgotten-ids.domain';
import type { LedgerAccountCommand } from './ledger-account.commands';
import { ledgerAccount } from './ledger-account.decider';
import { A, NOW, after, brl, deposit, exchange, holdFor, place, reverse, takeBack } from './ledger-account.testing';

describe('The ids of a ledger account', () => {
  const DAY = 86_400_000;
  const start = Date.parse(NOW);
  const at = (day: number) => new Date(start + day * DAY).toISOString();
  /** An account that has forgotten the ids of its first days. */
  const { state } = after(
    ...Array.from(
      { length: 81 },
      (_, day) => ({ ...deposit(`d${day}`, '1.00'), now: at(day) }) as LedgerAccountCommand,
    ),
  );
  const before = state.taken.forgotBefore ?? 0;
  const since = (time: number) => ({ since: new Date(time).toISOString() });
  const missing = (command: LedgerAccountCommand, account = state) => {
    try {
      ledgerAccount.decide(command, account);
    } catch (error) {
      if (error instanceof IdsForgotten) return { ids: error.ids, before: error.before };
      throw error;
    }
    return 'decided';
  };

  it('are looked up if the cause is older than what the account remembers', () => {
    const old = { ...deposit('d0', '1.00'), ...since(before - 1) } as LedgerAccountCommand;
    expect(before).toBeGreaterThan(start);
    expect(missing(old)).toEqual({ ids: ['deposit:d0', 'taken-back:d0'], before });
    expect(missing({ ...old, ...since(before) } as LedgerAccountCommand)).toBe('decided');
    expect(missing(takeBack('d0', since(before - 1)))).toEqual({
      ids: ['taken-back:d0', 'reversal:d0', 'deposit:d0'],
      before,
    });
    const found = (...ids: string[]) =>
      ledgerAccount.decide({ kind: 'recalling', command: deposit('d0', '1.00'), found: ids }, state);
    expect(found()).toHaveLength(1);
    expect([found('deposit:d0'), found('taken-back:d0')]).toEqual([[], []]);
  });

  it('include a hold that is known to have been placed, and the posting that uses it up', () => {
    expect(missing({ ...exchange('o1', '1.00') })).toEqual({ ids: ['hold-o1', 'exchange:o1'], before });
    const placed = { kind: 'release-hold', accountId: A, holdId: 'hold-o1', reason: 'r', placed: true } as const;
    expect(missing(placed)).toEqual({ ids: ['hold-o1'], before });
  });

  it('include a take-back since the hold of a payment was placed, which must not be debited twice', () => {
    const reversal = reverse('old', 'hold-o1');
    const days = Array.from({ length: 81 }, (_, day) => ({ ...deposit(`d${day}`, '1.00'), now: at(day) }));
    const heldDeposit = deposit('old', '50.00', holdFor('o1', '50.00'));
    const past = [heldDeposit, takeBack('old', { credit: brl('50.00') }), ...days] as LedgerAccountCommand[];
    expect(missing(reversal, after(...past).state)).toEqual({ ids: ['taken-back:old'], before });
    const recalling = { kind: 'recalling', command: reversal, found: ['taken-back:old'] } as const;
    const [released] = ledgerAccount.decide(recalling, after(...past).state);
    expect(released).toBeInstanceOf(HoldReleased);
    // The hold has ended long ago.
    expect(missing(reversal)).toEqual({ ids: ['hold-o1', 'reversal:old', 'taken-back:old'], before });
    expect(ledgerAccount.decide({ ...recalling, found: ['hold-o1', 'taken-back:old'] }, state)).toEqual([]);
  });

  it('of each event are those that the account has taken after it', () => {
    const delivery = { holdId: 'delivery-o1', owner: { kind: 'order', id: 'o1' }, asset: 'eth-base/brlv' } as const;
    const { past } = after(
      deposit('d1', '100.00'),
      place(holdFor('o1', '60.00')),
      exchange('o1', '60.00', { deliveryHold: { ...delivery, amount: '60.000000000000000000' } }),
      deposit('d2', '50.00', holdFor('o2', '50.00')),
      takeBack('d2', { credit: brl('50.00') }),
      reverse('d2', 'hold-o2'),
      takeBack('d3', { credited: false }),
    );
    const taken = (event: LedgerAccountEvent) => [event.type, ...idsTakenBy(event)];
    expect(past.map(taken)).toEqual([
      ['DepositPosted', 'deposit:d1'],
      ['HoldPlaced', 'hold-o1'],
      ['ExchangePosted', 'exchange:o1', 'delivery-o1'],
      ['DepositPostedAndHeld', 'deposit:d2', 'hold-o2'],
      ['DepositReversed', 'taken-back:d2'],
      ['HoldReleased'],
      ['DepositPostingBarred', 'taken-back:d3'],
    ]);
    past.reduce((state, event) => {
      const next = ledgerAccount.evolve(state, event);
      for (const id of idsTakenBy(event)) expect([state.taken.has(id), next.taken.has(id)]).toEqual([false, true]);
      return next;
    }, ledgerAccount.initial);
  });
});
