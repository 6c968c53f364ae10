import { NameFilter } from './name-filter';

/**
 * Names taken in by one run, some tenths of a millisecond; and the pause before the next: at the most a few hundredths
 * of the thread.
 */
const NAMES_AT_ONCE = 128;
const PAUSE_MS = 20;

/**
 * The streams of the log by name, in memory: whether a stream begins with what is about to be written is asked for each
 * order, and a look into the file costs more than a decision. What the file holds already is taken in bit by bit while
 * the process works; until that is done, and for the few names that only seem to be there, the file is asked.
 */
export class StreamNames {
  private readonly filter = new NameFilter();
  private complete = false;
  private last = '';
  private pausing: NodeJS.Timeout | undefined;

  /** `after` answers the first so many names of the file behind a name, in their order. */
  constructor(private readonly after: (name: string, limit: number) => readonly string[]) {
    this.takeIn();
  }

  /** A stream that was written to. Whatever was not in the file when this was made must come here. */
  add(name: string): void {
    this.filter.add(name);
  }

  /** True: there is no such stream. False: the file has to be asked. */
  lacks(name: string): boolean {
    return this.complete && !this.filter.mayHave(name);
  }

  /** Something may have been written that is not known here. */
  relearn(): void {
    this.complete = false;
    this.last = '';
    this.pausing ??= this.soon();
  }

  end(): void {
    clearTimeout(this.pausing);
  }

  private soon(): NodeJS.Timeout {
    return setTimeout(() => this.takeIn(), PAUSE_MS).unref();
  }

  private takeIn(): void {
    this.pausing = undefined;
    let names: readonly string[];
    try {
      names = this.after(this.last, NAMES_AT_ONCE);
    } catch {
      // The next reader of a stream gets the error of an unreadable file; here the names only stay unknown.
      return;
    }
    for (const name of names) this.filter.add(name);
    this.last = names.at(-1) ?? this.last;
    this.complete = names.length < NAMES_AT_ONCE;
    if (!this.complete) this.pausing = this.soon();
  }
}
