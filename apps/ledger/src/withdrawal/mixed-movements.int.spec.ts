import fc from 'fast-check';
import type { LedgerAccountFact } from '@ponte/contracts';
import { NO_CHARGES, PlaceHold, PostExchange, ReleaseHold } from '@ponte/contracts';
import { fold } from '@ponte/event-sourcing';
import { Money, Refusal, Unavailable, derivedId } from '@ponte/kernel';
import { MemoryEventStore, eventually, temporaryFolder } from '@ponte/testing';
import type { LedgerAccountCommand } from '../domain/ledger-account/ledger-account';
import { ledgerAccount } from '../domain/ledger-account/ledger-account';
import type { LedgerAccount } from '../domain/ledger-account/ledger-account.state';
import { availableOf } from '../domain/ledger-account/ledger-account.state';
import { sumsOf } from '../domain/ledger-account/postings';
import { LedgerModule } from '../ledger.module';
import { ACCOUNT, LedgerUnderTest, STRANGER_CPF } from '../testing/ledger-under-test';

const NOW = '2027-03-01T12:00:00.000Z';
const OWNERS = ['order', 'withdrawal', 'transfer'] as const;
const brl = (centavos: number): string => Money.of('fiat/brl', BigInt(centavos)).toString();
const brlv = (centavos: number): string => Money.of('eth-base/brlv', BigInt(centavos) * 10n ** 16n).toString();

/** Movements of one account; each names its owner by a small number, so that they meet. */
const movement = fc.oneof(
  fc.record({ kind: fc.constant('deposit' as const), id: fc.nat(20), centavos: fc.integer({ min: 1, max: 100_000 }) }),
  fc.record({ kind: fc.constant('hold' as const), id: fc.nat(20), owner: fc.constantFrom(...OWNERS), centavos: fc.integer({ min: 1, max: 100_000 }) }),
  fc.record({ kind: fc.constant('release' as const), id: fc.nat(20), owner: fc.constantFrom(...OWNERS) }),
  fc.record({ kind: fc.constant('post-withdrawal' as const), id: fc.nat(20) }),
  fc.record({ kind: fc.constant('exchange' as const), id: fc.nat(20), centavos: fc.integer({ min: 1, max: 100_000 }), custody: fc.boolean() }),
);
type Movement = typeof movement extends fc.Arbitrary<infer T> ? T : never;

function commandOf(one: Movement): LedgerAccountCommand {
  const holdId = 'owner' in one ? `${one.owner}-${one.id}` : one.kind === 'exchange' ? `order-${one.id}` : `withdrawal-${one.id}`;
  switch (one.kind) {
    case 'deposit': return { kind: 'post-deposit', accountId: 'a', depositId: String(one.id), credit: { asset: 'fiat/brl', amount: brl(one.centavos) }, hold: null, now: NOW };
    case 'hold': return { kind: 'place-hold', accountId: 'a', hold: { holdId, owner: { kind: one.owner, id: String(one.id) }, asset: 'fiat/brl', amount: brl(one.centavos) }, now: NOW };
    case 'release': return { kind: 'release-hold', accountId: 'a', holdId, reason: 'test' };
    case 'post-withdrawal': return { kind: 'post-withdrawal', accountId: 'a', withdrawalId: String(one.id), holdId, now: NOW };
    case 'exchange': return {
      kind: 'post-exchange', accountId: 'a', orderId: String(one.id), holdId, debit: { asset: 'fiat/brl', amount: brl(one.centavos) },
      credit: { asset: 'eth-base/brlv', amount: brlv(one.centavos) }, custody: one.custody, charges: NO_CHARGES, deliveryHold: null, now: NOW,
    };
  }
}

describe('random mixes of all movements of an account', () => {
  it('keep the sum of the books at zero at every prefix, and never make the available balance negative', () => {
    fc.assert(fc.property(fc.array(movement, { maxLength: 120 }), (movements) => {
      let state: LedgerAccount = ledgerAccount.initial;
      for (const one of movements) {
        let events: readonly LedgerAccountFact[] = [];
        try {
          events = ledgerAccount.decide(commandOf(one), state);
        } catch (error) {
          // A hold that was never placed counts as an old state of the account.
          if (!(error instanceof Refusal) && !(error instanceof Unavailable)) throw error;
        }
        for (const event of events) if ('postings' in event.data) for (const sum of sumsOf(event.data.postings).values()) if (sum !== 0n) return false;
        state = fold(ledgerAccount, state, events);
        for (const balance of Object.values(state.balances)) if (availableOf(balance) < 0n || balance.held < 0n) return false;
      }
      return true;
    }), { numRuns: 300 });
  });
});

const ROUNDS = Number(process.env['ROUNDS'] ?? 3);
const SPENDS = 64;

describe(`${SPENDS} spends of one balance at once, by withdrawals, orders and transfers`, () => {
  let place: ReturnType<typeof temporaryFolder>;
  let ledger: LedgerUnderTest<MemoryEventStore>;
  beforeEach(async () => {
    place = temporaryFolder();
    ledger = new LedgerUnderTest({ module: LedgerModule, folder: place.path, open: (before) => new MemoryEventStore({ log: before?.log }) });
    await ledger.boot();
  });
  afterEach(async () => {
    await ledger.stop();
    place.remove();
  });

  const spend = async (round: number, index: number): Promise<boolean> => {
    const id = derivedId('spend', String(round), String(index));
    const [amount, asset] = ['10.00', 'fiat/brl'] as const;
    try {
      if (index % 3 === 0) await ledger.withdraw(amount, { pixKey: STRANGER_CPF });
      else await ledger.ask(PlaceHold, { accountId: ACCOUNT, hold: { holdId: id, owner: { kind: index % 3 === 1 ? 'order' : 'transfer', id }, asset, amount } });
      if (index % 3 === 1) {
        const credit = { asset: 'eth-base/brlv', amount: brlv(1_000) } as const;
        await ledger.ask(PostExchange, { accountId: ACCOUNT, orderId: id, holdId: id, debit: { asset, amount }, credit, custody: true, charges: NO_CHARGES, deliveryHold: null });
      }
      return true;
    } catch (error) {
      if (error instanceof Refusal && error.code === 'insufficient-balance') return false;
      throw error;
    }
  };

  it.each(Array.from({ length: ROUNDS }, (_, round) => [round]))('exactly as many succeed as the balance covers (round %i)', async (round) => {
    const covered = 1 + ((round * 13) % (SPENDS - 1));
    await ledger.fund(brl(covered * 1_000));
    const won = await Promise.all(Array.from({ length: SPENDS }, (_, index) => spend(round, index)));
    expect(won.filter(Boolean)).toHaveLength(covered);
    await eventually(async () => {
      await ledger.tick();
      const transfers = won.filter((one, index) => one && index % 3 === 2).length;
      expect(await ledger.balance()).toEqual({ running: brl(transfers * 1_000), available: '0.00', held: brl(transfers * 1_000) });
    });
    for (const [index, one] of won.entries()) if (one && index % 3 === 2) await ledger.ask(ReleaseHold, { accountId: ACCOUNT, holdId: derivedId('spend', String(round), String(index)), reason: 'test' });
    await eventually(() => ledger.assertBooks());
  });
});
