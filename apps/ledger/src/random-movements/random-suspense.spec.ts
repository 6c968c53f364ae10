import { SUSPENSE_EVENTS } from '@ponte/contracts';
import fc from 'fast-check';
import type { DepositCommand } from '../deposit/deposit.state';
import { depositIdOf } from '../deposit/deposit.state';
import { confirm, propose, refusedReturn, reject, takeBack } from '../suspense/suspense.testing';
import { CheckedBooks } from '../testing/checked-books';
import { commandOf, movement } from '../testing/random-movements';

const AMOUNTS = ['10.00', '25.00', '0.01', '8000.00'];
const staff = fc.constantFrom('first', 'second', 'third');
const decision = fc.oneof(
  fc.tuple(staff, fc.constantFrom('E1', 'E2')).map(([by, reference]) => propose(by, reference)),
  fc.tuple(staff, fc.integer({ min: 1, max: 3 })).map(([by, proposal]) => confirm(by, proposal)),
  staff.map((by) => reject(by)),
  fc.constant(takeBack),
);
/** Few deposits, so that most decisions meet one whose money is in suspense. */
const suspense = fc.record({
  id: fc.nat(AMOUNTS.length - 1),
  commands: fc.oneof(
    { weight: 1, arbitrary: fc.constant(null) },
    { weight: 4, arbitrary: fc.array(decision, { maxLength: 4 }) },
  ),
});

const commandsOf = ({ id, commands }: { id: number; commands: DepositCommand[] | null }): DepositCommand[] =>
  commands ?? refusedReturn(`E${id}`, AMOUNTS[id]);

describe('Random movements between refused returns and their settlements', () => {
  it('keep the sum of all books at zero, and exactly the unsettled money in suspense', () => {
    const seen = new Set<string>();
    const either = fc.oneof(movement, suspense);
    fc.assert(
      fc.property(fc.array(either, { minLength: 40, maxLength: 150 }), (steps) => {
        const books = new CheckedBooks();
        for (const one of steps) {
          const faults =
            'commands' in one
              ? commandsOf(one).map((command) => books.actOnDeposit(depositIdOf(`E${one.id}`), command))
              : [books.act(commandOf(one))];
          for (const fault of faults) if (fault !== null) throw new Error(fault);
        }
        for (const type of books.seen.keys()) seen.add(type);
      }),
      { numRuns: 200 },
    );
    expect(SUSPENSE_EVENTS.map(({ type }) => type).filter((type) => !seen.has(type))).toEqual([]);
  });
});
