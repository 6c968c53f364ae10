import { LowWatermark } from '@ponte/bus-in-process';

/** At a quarter of what pauses a partition it is resumed. */
const RESUME_AT = 4;

/** What this member has taken from one partition and how far it has finished, in whatever order it finishes. */
export class PartitionWork {
  private readonly mark = new LowWatermark(undefined);
  private last = -1n;
  private committed: string | undefined;
  /** Another member may be at work on it: what still waits here is dropped, and nothing is committed. */
  abandoned = false;
  /** Whether the consumer has paused it. */
  paused = false;
  /** One beyond the newest offset in the partition, as of the last fetch. */
  end = 0n;

  constructor(
    readonly topic: string,
    readonly partition: number,
  ) {}

  get unfinished(): number {
    return this.mark.unfinished;
  }
  /** Messages, finished or not, from the lowest unfinished one on. */
  get behind(): number {
    return this.mark.behind;
  }
  /** Messages of the partition that are not finished. */
  get lag(): number {
    const next = this.mark.finished === undefined ? undefined : BigInt(this.mark.finished) + 1n;
    return next === undefined ? this.unfinished : Number(this.end - next);
  }

  /**
   * False when the message was taken before: after a rebalance a partition that stays is fetched again from what was
   * committed.
   */
  isNew(offset: string): boolean {
    return BigInt(offset) > this.last;
  }

  /** True when the partition is shorter than what was seen of it: it was deleted and rebuilt. */
  isAnother(end: string): boolean {
    return BigInt(end) <= this.last;
  }

  begin(offset: string): () => void {
    this.last = BigInt(offset);
    return this.mark.begin(offset);
  }

  /** Whether it should be paused or resumed, with room between the two so that it does not flutter. */
  balance({
    unfinished,
    ahead,
  }: {
    readonly unfinished: number;
    readonly ahead: number;
  }): 'pause' | 'resume' | undefined {
    if (!this.paused && (this.unfinished >= unfinished || this.behind >= ahead)) return 'pause';
    if (this.paused && this.unfinished <= unfinished / RESUME_AT && this.behind < ahead) return 'resume';
    return undefined;
  }

  /** The offset to commit: that of the lowest message which is not finished. Undefined when it is committed already. */
  due(): string | undefined {
    const { finished } = this.mark;
    if (this.abandoned || finished === undefined || finished === this.committed) return undefined;
    return String(BigInt(finished) + 1n);
  }

  /** The same again, for a consumer of which it is not known what it still committed. */
  commitAgain(): void {
    this.committed = undefined;
  }

  wasCommitted(offset: string): void {
    this.committed = String(BigInt(offset) - 1n);
  }
}
