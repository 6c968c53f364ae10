import type { Checkpoints, Position, EventStore } from '@ponte/event-sourcing';
import { Inject, Injectable } from '@nestjs/common';
import { EVENT_STORE } from '@ponte/nest';

/** The name of the outbox projector, of its checkpoint, and of the group under which it parks events. */
export const OUTBOX_READER = 'webhook-outbox';

/** A processed slice of the log whose work is still running. */
interface OpenSlice {
  /** The checkpoint from which the slice is read again; undefined at the beginning of the log. */
  readonly before: Position | undefined;
  left: number;
}

interface RequestedSave {
  readonly reader: string;
  readonly position: Position;
  readonly fence: number | undefined;
}

/**
 * The checkpoint of one reader that reads on while the work of earlier slices is still running. The saved position
 * never passes a slice with unfinished work, so that work is repeated after a crash.
 */
export class CheckpointTracker implements Checkpoints {
  /** The slices with unfinished work, oldest first. */
  private readonly slices = new Set<OpenSlice>();
  /** Whether the newest slice never ends, so that no later one has to be remembered. */
  private isHeld = false;
  /** Position of the last added slice, or the loaded checkpoint. */
  private last: Position | undefined;
  private pendingSave: RequestedSave | undefined;
  private saves: Promise<unknown> = Promise.resolve();

  /**
   * `begins` is called whenever reading starts from a loaded checkpoint. `currentTrouble`: the trouble of earlier
   * slices, which goes on although the reader itself works.
   */
  constructor(
    private readonly kept: Checkpoints,
    private readonly begins: () => void = () => undefined,
    private readonly currentTrouble: () => string | null = () => null,
  ) {}

  /** Starts reading from the saved checkpoint, which is before all unfinished work of the previous run. */
  async load(reader: string): Promise<Position | undefined> {
    this.last = await this.kept.load(reader);
    this.slices.clear();
    this.isHeld = false;
    this.pendingSave = undefined;
    this.begins();
    return this.last;
  }

  /**
   * Like any checkpoint, returns whether the reader still holds its lease. The saved position may be an earlier one.
   */
  async save(reader: string, position: Position, fence?: number): Promise<boolean> {
    const [first] = this.slices;
    this.pendingSave = first ? { reader, position, fence } : undefined;
    const safe = first ? first.before : position;
    return safe === undefined || this.saveNext({ reader, position: safe, fence });
  }

  /** Saves one position after the other, so that a slow save never overwrites a newer position. */
  private saveNext({ reader, position, fence }: RequestedSave): Promise<boolean> {
    const saved = this.saves.then(() => this.kept.save(reader, position, fence));
    this.saves = saved.catch(() => undefined);
    return saved;
  }

  async trouble(reader: string, trouble: string | null, at: string): Promise<void> {
    await this.kept.trouble?.(reader, trouble ?? this.currentTrouble(), at);
  }

  /**
   * Registers a slice up to this position with its work. It is done when all its work has resolved. Work that rejects
   * keeps it open until the next `load`, as does work that is missing (`isComplete` is false).
   */
  add(position: Position, work: readonly Promise<void>[], isComplete = true): void {
    if (!this.isHeld && (work.length > 0 || !isComplete)) {
      const slice: OpenSlice = { before: this.last, left: isComplete ? work.length : Infinity };
      this.isHeld = !isComplete;
      this.slices.add(slice);
      for (const one of work)
        one.then(
          () => this.end(slice),
          () => undefined,
        );
    }
    this.last = position;
  }

  private end(slice: OpenSlice): void {
    slice.left -= 1;
    if (slice.left > 0) return;
    this.slices.delete(slice);
    if (this.slices.size > 0 || !this.pendingSave) return;
    // The reader has already asked to save this position, and does not ask again while the log is quiet.
    const { pendingSave } = this;
    this.pendingSave = undefined;
    this.saveNext(pendingSave).catch(() => undefined);
  }
}

/** A point in the log; `position` is undefined at its beginning. */
interface LogPosition {
  readonly position: Position | undefined;
}

/**
 * Determines which events cannot have been delivered yet: those that were appended after the current reader started,
 * under its lease, and that it reads for the first time. For these, no existing delivery has to be looked up. If a
 * previous holder that was thought dead did create such a delivery, the conflict is found when the second one is
 * recorded.
 */
@Injectable()
export class UndeliveredWatermark {
  private begun: Promise<LogPosition | undefined> = Promise.resolve(undefined);
  /** The furthest event read since the start, or the end of the log at that time. */
  private passed: LogPosition | undefined;

  constructor(@Inject(EVENT_STORE) private readonly store: Pick<EventStore, 'head' | 'comparePositions'>) {}

  /** Call when reading starts under the lease. If the head cannot be read, every event counts as possibly delivered. */
  begins(): void {
    this.passed = undefined;
    this.begun = this.store.head().then(
      (position) => ({ position }),
      () => undefined,
    );
  }

  /**
   * Returns a predicate for the positions of a slice. It is false for all events of a slice that is processed again.
   */
  async in(positions: readonly Position[]): Promise<(position: Position) => boolean> {
    const end = await this.begun;
    if (end === undefined) return () => false;
    const before = this.passed ?? end;
    this.passed = positions.reduce<LogPosition>(
      (furthest, position) => (this.isBehind(position, furthest) ? { position } : furthest),
      before,
    );
    return (position) => this.isBehind(position, before);
  }

  private isBehind(position: Position, { position: place }: LogPosition): boolean {
    return place === undefined || this.store.comparePositions(position, place) > 0;
  }
}
