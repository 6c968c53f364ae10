import type { Checkpoints, Position } from '@ponte/event-sourcing';

/** A slice of the log that is done but for the work that it began. */
interface OpenSlice {
  /** Where a reader has to begin again to see the slice once more; undefined: at the beginning. */
  readonly before: Position | undefined;
  left: number;
}

interface Wanted {
  readonly reader: string;
  readonly position: Position;
  readonly fence: number | undefined;
}

/**
 * The checkpoint of one reader that goes on reading while work of earlier slices is still under way: what is kept never
 * lies behind a slice whose work is not recorded, so a crash makes that work again.
 */
export class CheckpointTracker implements Checkpoints {
  private slices: OpenSlice[] = [];
  /** Of the last slice that was added, or of the checkpoint that was loaded. */
  private last: Position | undefined;
  private wanted: Wanted | undefined;

  /** `begins` is called when a new reading does. */
  constructor(
    private readonly kept: Checkpoints,
    private readonly begins: () => void = () => undefined,
  ) {}

  /** A new reading begins: what an earlier one left open is found by it again. */
  async load(reader: string): Promise<Position | undefined> {
    this.last = await this.kept.load(reader);
    this.slices = [];
    this.wanted = undefined;
    this.begins();
    return this.last;
  }

  /**
   * Answers whether the reader still holds its lease, as any checkpoint does; the place that is kept may be an earlier
   * one.
   */
  async save(reader: string, position: Position, fence?: number): Promise<boolean> {
    const [first] = this.slices;
    this.wanted = first ? { reader, position, fence } : undefined;
    const safe = first ? first.before : position;
    return safe === undefined || this.kept.save(reader, safe, fence);
  }

  async trouble(reader: string, trouble: string | null, at: string): Promise<void> {
    await this.kept.trouble?.(reader, trouble, at);
  }

  /**
   * The slice up to this position is done when all of it has resolved. What rejects is open for good, until the next
   * reading.
   */
  add(position: Position, work: readonly Promise<void>[]): void {
    if (work.length > 0) {
      const slice: OpenSlice = { before: this.last, left: work.length };
      this.slices.push(slice);
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
    while (this.slices[0]?.left === 0) this.slices.shift();
    if (this.slices.length > 0 || !this.wanted) return;
    // The reader has asked before and need not ask again while the log is quiet.
    const { reader, position, fence } = this.wanted;
    this.wanted = undefined;
    this.kept.save(reader, position, fence).catch(() => undefined);
  }
}
