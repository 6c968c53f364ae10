import { LowWatermark } from '@ponte/bus-in-process';

/** A paused partition is resumed at a quarter of the limit that pauses it. */
const RESUME_AT = 4;

/** Messages that this member has taken from one partition, and which of them are finished, in any order. */
export class PartitionWork {
  private readonly mark = new LowWatermark(undefined);
  private last = -1n;
  private committed: string | undefined;
  /** Set when another member may process the partition: waiting messages are dropped and nothing is committed. */
  abandoned = false;
  /** Whether the consumer has paused the partition. */
  paused = false;
  /** The offset after the newest message in the partition, as of the last fetch. */
  end = 0n;

  constructor(
    readonly topic: string,
    readonly partition: number,
  ) {}

  get unfinished(): number {
    return this.mark.unfinished;
  }
  /** Number of messages, finished or not, from the lowest unfinished one on. */
  get behind(): number {
    return this.mark.behind;
  }
  /** Number of unfinished messages in the partition. */
  get lag(): number {
    const next = this.mark.finished === undefined ? undefined : BigInt(this.mark.finished) + 1n;
    return next === undefined ? this.unfinished : Number(this.end - next);
  }

  /**
   * False if the message was taken before. After a rebalance, a partition that stays assigned is fetched again from the
   * committed offset.
   */
  isNew(offset: string): boolean {
    return BigInt(offset) > this.last;
  }

  /** True if the partition is shorter than what was read of it: it was deleted and recreated. */
  isAnother(end: string): boolean {
    return BigInt(end) <= this.last;
  }

  begin(offset: string): () => void {
    this.last = BigInt(offset);
    return this.mark.begin(offset);
  }

  /**
   * Whether the partition should be paused or resumed. The two limits differ, so that it does not alternate quickly.
   */
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

  /** The offset to commit, which is the lowest unfinished one. Undefined if it is already committed. */
  due(): string | undefined {
    const { finished } = this.mark;
    if (this.abandoned || finished === undefined || finished === this.committed) return undefined;
    return String(BigInt(finished) + 1n);
  }

  /** Commits the same offset again, because it is unknown what the previous consumer committed. */
  commitAgain(): void {
    this.committed = undefined;
  }

  wasCommitted(offset: string): void {
    this.committed = String(BigInt(offset) - 1n);
  }
}
