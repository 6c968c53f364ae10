import type { Checkpoints, EngineLogger, Position } from '@ponte/event-sourcing';
import { safeError } from '@ponte/event-sourcing';

interface Step {
  readonly position: Position;
  done: boolean;
}

const CUT = 1_024;

/** Tracks the lowest unfinished position of a reader that finishes its events in any order. */
export class LowWatermark {
  private readonly steps: Step[] = [];
  private from = 0;
  /** Number of steps that have not ended. */
  unfinished = 0;
  /** All positions up to this one are finished; undefined at the beginning. */
  finished: Position | undefined;

  constructor(position: Position | undefined) {
    this.finished = position;
  }

  /** Starts a step and returns the function that ends it. Positions must be in log order. */
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

  /** Number of steps, ended or not, behind the lowest one that has not ended. They are repeated after a crash. */
  get behind(): number {
    return this.steps.length - this.from;
  }

  private advance(): void {
    for (let step = this.steps[this.from]; step?.done; step = this.steps[this.from]) {
      this.finished = step.position;
      this.from += 1;
    }
    // Removing finished steps from time to time keeps both the memory and the cost per step small.
    if (this.from > CUT || this.from === this.steps.length) {
      this.steps.splice(0, this.from);
      this.from = 0;
    }
  }
}

/** Each save is a file write on this thread. Events handled since the last save are delivered again after a crash. */
const SAVE_EVERY_MS = 250;

/** Stores the position of one reader durably, a few times a second while it moves. */
export class KeptCheckpoint {
  private saved: Position | undefined;
  private saving: NodeJS.Timeout | undefined;
  private saves: Promise<void> = Promise.resolve();

  constructor(
    private readonly parts: { readonly checkpoints: Checkpoints; readonly logger: EngineLogger },
    private readonly reader: string,
    /** The current position of the reader. */
    private readonly finished: () => Position | undefined,
  ) {}

  async load(): Promise<Position | undefined> {
    return (this.saved = await this.parts.checkpoints.load(this.reader));
  }

  /** Notes that the position has moved; it is saved shortly after. */
  moved(): void {
    this.saving ??= setTimeout(() => void this.save(), SAVE_EVERY_MS);
  }

  /** Saves one position after the other, so that an older one never overwrites a newer one. */
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
