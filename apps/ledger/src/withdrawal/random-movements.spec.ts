import fc from 'fast-check';
import { ledgerAccount } from '../domain/ledger-account/ledger-account';
import { CheckedBooks } from '../testing/checked-books';
import { commandOf, movement } from '../testing/random-movements';

const RUNS = 400;

describe('random mixes of deposits, token deposits, charges, exchanges, deliveries, transfers, withdrawals and reversals', () => {
  it('keep the sum of the books of all accounts at zero at every prefix, and only a take-back makes a balance negative', () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(fc.array(movement, { minLength: 60, maxLength: 200 }), (movements) => {
        const books = new CheckedBooks();
        for (const one of movements) {
          const fault = books.act(commandOf(one));
          if (fault !== null) throw new Error(fault);
        }
        for (const type of books.seen.keys()) seen.add(type);
        for (const [line, minor] of books.lines) if (line.startsWith('house:clearing ')) expect(minor).toBe(0n);
      }),
      { numRuns: RUNS },
    );
    expect([...seen].sort()).toEqual(ledgerAccount.events.map(({ type }) => type).sort());
  });
});
