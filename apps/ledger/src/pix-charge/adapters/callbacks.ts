import type { BankBooks } from './bank-books';
import type { Misbehaviour } from './misbehaviour';

type Listener = (endToEndIds: readonly string[]) => Promise<void>;

/** The largest number of payments in one callback. */
const BATCH = 100;

/** Sends callbacks about payments, asynchronously and in batches, with the configured misbehaviour. */
export class Callbacks {
  private listener: Listener | undefined;
  private waiting: string[] = [];
  private scheduled = false;

  constructor(
    private readonly misbehaviour: Misbehaviour,
    private readonly books: Pick<BankBooks, 'hold' | 'takeHeld'>,
  ) {}

  listen(listener: Listener): void {
    this.listener = listener;
  }

  add(endToEndId: string): void {
    switch (this.misbehaviour.callbacks) {
      case 'lost':
        return;
      case 'held':
        this.books.hold(endToEndId);
        return;
      case 'prompt':
        this.waiting.push(endToEndId);
        break;
      case 'repeated':
        this.waiting.push(endToEndId, endToEndId);
        break;
    }
    this.schedule();
  }

  /** Sends the held callbacks, also of payments that another process accepted. */
  releaseHeld(): void {
    this.waiting.push(...this.books.takeHeld().map((row) => row.end_to_end_id));
    this.schedule();
  }

  private schedule(): void {
    if (this.scheduled || this.waiting.length === 0) return;
    this.scheduled = true;
    setImmediate(() => {
      this.scheduled = false;
      const batch = this.waiting.splice(0, BATCH);
      // A callback that is not accepted is lost, so that a reader that relies on callbacks alone fails its tests.
      this.listener?.(batch).catch(() => undefined);
      this.schedule();
    });
  }
}
