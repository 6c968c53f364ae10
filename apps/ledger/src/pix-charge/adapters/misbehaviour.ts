import type { BankBehaviour, BankFault, BankOperation, PlannedFault } from '@ponte/contracts';
import { RailFailed, RailTimedOut } from '../pix-charges.port';
import type { BankBooks } from './bank-books';

/** The behaviour until it is changed. */
const PROMPT: BankBehaviour = { callbacks: 'prompt', returns: 'prompt', settlement: 'prompt' };

/**
 * The faults of the simulated bank. All are off by default. They are stored in the bank's own books, so that every
 * process sees the same bank and restarts do not reset them.
 */
export class Misbehaviour {
  constructor(
    private readonly books: Pick<
      BankBooks,
      'behaviour' | 'behave' | 'plan' | 'planned' | 'takePlanned' | 'clearPlanned'
    >,
  ) {}

  get callbacks(): BankBehaviour['callbacks'] {
    return this.of('callbacks');
  }
  set callbacks(how: BankBehaviour['callbacks']) {
    this.books.behave('callbacks', how);
  }
  get returns(): BankBehaviour['returns'] {
    return this.of('returns');
  }
  set returns(how: BankBehaviour['returns']) {
    this.books.behave('returns', how);
  }
  get settlement(): BankBehaviour['settlement'] {
    return this.of('settlement');
  }
  set settlement(how: BankBehaviour['settlement']) {
    this.books.behave('settlement', how);
  }

  /** Faults that have not occurred yet, in their order. */
  get faults(): readonly PlannedFault[] {
    return this.books.planned().map(({ operation, fault }) => ({ operation, fault }));
  }

  /** Makes the next calls of the operation fail, in this order. */
  fail(operation: BankOperation, ...faults: readonly BankFault[]): void {
    for (const fault of faults) this.books.plan(operation, fault);
  }

  /** Drops the faults that have not occurred yet. */
  clear(): void {
    this.books.clearPlanned();
  }

  async around<T>(operation: BankOperation, work: () => T | Promise<T>): Promise<T> {
    const fault = this.books.takePlanned(operation)?.fault;
    if (fault === 'error') throw new RailFailed(operation, 'out of order');
    if (fault === 'unheard') throw new RailTimedOut(operation);
    const result = await work();
    if (fault === 'done') throw new RailTimedOut(operation);
    return result;
  }

  private of<K extends keyof BankBehaviour>(field: K): BankBehaviour[K] {
    return (this.books.behaviour(field)?.how as BankBehaviour[K] | undefined) ?? PROMPT[field];
  }
}
