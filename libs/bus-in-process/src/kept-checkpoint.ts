import type { Checkpoints, EngineLogger, Position } from '@ponte/event-sourcing';
import { safeError } from '@ponte/event-sourcing';

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
        'a checkpoint could not be kept; its events may come again',
      );
    }
  }
}
