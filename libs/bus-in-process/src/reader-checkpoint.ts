import type { Checkpoints, EngineLogger, Position } from '@ponte/event-sourcing';
import { safeError } from '@ponte/event-sourcing';

interface Step {
  readonly position: Position;
  done: boolean;
}

const CUT = 1_024;

/** Knows the lowest unfinished place of a reader that finishes its events in any order. */
export class LowWatermark {
  private readonly steps: Step[] = [];
  private from = 0;
  /** Steps that have not ended. */
  unfinished = 0;
  /** Everything up to here is finished; undefined at the beginning. */
  finished: Position | undefined;

  constructor(position: Position | undefined) {
    this.finished = position;
  }

  /** Begins a step; the function that is returned ends it. Positions come in log order. */
  begin(position: Position): () => void {
    const step: Step = { position, done: false };
    this.steps.push(step);
    this.unfinished += 1;
    return () => {
      step.done = true;
      this.unfinished -= 1;
      this.advance();
    };
  }

  /** Steps, ended or not, behind the lowest that has not: so many come again after a crash. */
  get behind(): number {
    return this.steps.length - this.from;
  }

  private advance(): void {
    for (let step = this.steps[this.from]; step?.done; step = this.steps[this.from]) {
      this.finished = step.position;
      this.from += 1;
    }
    // Cutting off the front now and then keeps both the memory and the cost of a step small.
    if (this.from > CUT || this.from === this.steps.length) {
      this.steps.splice(0, this.from);
      this.from = 0;
    }
  }
}

/** Each save is a write to a file on this thread; what was handled since the last one comes again after a crash. */
const SAVE_EVERY_MS = 250;

/** The durable place of one reader, written a few times a second while it moves. */
export class KeptCheckpoint {
  private saved: Position | undefined;
  private saving: NodeJS.Timeout | undefined;
  private saves: Promise<void> = Promise.resolve();

  constructor(
    private readonly parts: { readonly checkpoints: Checkpoints; readonly logger: EngineLogger },
    private readonly reader: string,
    /** Where the reader is now. */
    private readonly finished: () => Position | undefined,
  ) {}

  async load(): Promise<Position | undefined> {
    return (this.saved = await this.parts.checkpoints.load(this.reader));
  }

  /** The place has moved: it is saved in a moment. */
  moved(): void {
    this.saving ??= setTimeout(() => void this.save(), SAVE_EVERY_MS);
  }

  /** Saves one place after the other, so that an older one never overwrites a newer one. */
  save(): Promise<void> {
    clearTimeout(this.saving);
    this.saving = undefined;
    return (this.saves = this.saves.then(() => this.saveNow()));
  }

  private async saveNow(): Promise<void> {
    const finished = this.finished();
    if (finished === undefined || finished === this.saved) return;
    try {
      await this.parts.checkpoints.save(this.reader, finished);
      this.saved = finished;
    } catch (error) {
      this.parts.logger.error(
        { reader: this.reader, error: safeError(error) },
        'a checkpoint could not be saved; its events may be redelivered',
      );
    }
  }
}
