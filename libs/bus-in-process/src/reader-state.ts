import type {
  Checkpoints,
  EngineLogger,
  MayRelease,
  ParkedEvent,
  ParkedEvents,
  Position,
  Recorded,
} from '@ponte/event-sourcing';
import { PARKED_BEHIND, safeError } from '@ponte/event-sourcing';
import { isByOutage } from './outages';

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

/** The parked streams and events of one group. Several processes may consume for the group. */
export class ParkedStreams {
  private keys = new Set<string>();
  /** Ids of the discarded events, as far as this process knows. */
  private readonly discarded = new Set<string>();

  constructor(
    private readonly parked: ParkedEvents,
    private readonly group: string,
    private readonly systemNow: () => number,
  ) {}

  /** Reads which streams are parked. */
  async load(): Promise<void> {
    this.keys = new Set(await this.parked.keys(this.group));
    await this.loadDiscarded();
  }

  async park(event: Recorded, reason: string): Promise<void> {
    const parkedAt = new Date(this.systemNow()).toISOString();
    await this.parked.add({ group: this.group, key: event.stream, event, reason, parkedAt });
    this.keys.add(event.stream);
  }

  /**
   * Parks an event if others of its stream are parked. False if there are none: another process may have released the
   * stream without this process knowing. A discarded event is finished, as a parked one is.
   */
  async parkedBehind(event: Recorded, reason = PARKED_BEHIND): Promise<boolean> {
    if (this.discarded.has(event.id)) return true;
    if (!this.keys.has(event.stream)) return false;
    const before = await this.waiting(event.stream);
    if (before.some((one) => one.event.id === event.id)) return true;
    if (before.length > 0) {
      await this.park(event, reason);
      // The earlier events may have been released just now. Nothing would then release this one.
      const after = await this.waiting(event.stream);
      if (after.some((one) => one.event.id !== event.id)) return true;
    }
    // An operator's process may have discarded events of the stream, and each may be delivered again.
    await this.loadDiscarded(event.stream);
    if (this.discarded.has(event.id)) return true;
    if (before.length > 0) await this.parked.remove(this.group, event.id);
    this.keys.delete(event.stream);
    return false;
  }

  /**
   * Handles the parked events of a stream again, in order. Rejects if one of them fails again. False if it stopped at
   * events that `mayRelease` does not accept, such as one behind a gap that was parked after the release was decided.
   */
  async replay(
    key: string,
    handOver: (event: Recorded) => Promise<void>,
    mayRelease: MayRelease = () => true,
  ): Promise<boolean> {
    // Repeats until no event is left: another process may park further events of the stream meanwhile.
    let isFirst = true;
    for (let waiting = await this.waiting(key); waiting.length > 0; waiting = await this.waiting(key)) {
      // Those that an event waited behind are handled now.
      const asked = isFirst ? waiting : waiting.filter(({ reason }) => reason !== PARKED_BEHIND);
      if (asked.length > 0 && !mayRelease(asked)) return false;
      isFirst = false;
      // Sorted by revision, so that an event that was published late is still handled in its order.
      for (const { event } of [...waiting].sort((a, b) => a.event.revision - b.event.revision)) {
        await handOver(event);
        await this.parked.remove(this.group, event.id);
      }
    }
    this.keys.delete(key);
    return true;
  }

  /** The parked streams accepted by `isAsked` whose events were all parked because of an outage, or behind others. */
  async outages(isAsked: (key: string) => boolean): Promise<readonly string[]> {
    const found: string[] = [];
    for (const key of [...this.keys].filter(isAsked)) {
      const waiting = await this.waiting(key);
      if (waiting.length > 0 && isByOutage(waiting)) found.push(key);
    }
    return found;
  }

  private async loadDiscarded(key?: string): Promise<void> {
    for (const { event } of await this.parked.discarded(this.group, key)) this.discarded.add(event.id);
  }

  private waiting(key: string): Promise<readonly ParkedEvent[]> {
    return this.parked.list(this.group, key);
  }
}
