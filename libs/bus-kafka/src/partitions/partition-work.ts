import { LowWatermark } from '@ponte/bus-in-process';

/** A paused partition is resumed at a quarter of the limit that pauses it. */
const RESUME_AT = 4;

/** Messages that this member has taken from one partition, and which of them are finished, in any order. */
export class PartitionWork {
  private readonly mark = new LowWatermark(undefined);
  private last = -1n;
  private committed: string | undefined;
  /** The offset after the last finished one that the brokers are known to have. */
  private known = 0n;
  /** After a rebalance, until a batch shows that the partition is still the same. */
  private isUnverified = false;
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

  /**
   * True if the partition was deleted and recreated: it is shorter than what was read of it, or a batch begins
   * (`first`) before the committed offset, which the brokers forget together with the partition.
   */
  isAnother(end: string, first?: string): boolean {
    return BigInt(end) <= this.last || (first !== undefined && BigInt(first) < this.known);
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
    if (this.abandoned || this.isUnverified || finished === undefined || finished === this.committed) return undefined;
    return String(BigInt(finished) + 1n);
  }

  /** Commits the same offset again, because it is unknown what the previous consumer committed. */
  commitAgain(): void {
    this.committed = undefined;
  }

  /**
   * Call after a rebalance. Nothing is committed until {@link verified}: if the partition was recreated, the offset
   * would skip its first messages. If it is the same, what is not committed yet is fetched again, so a batch arrives.
   */
  wasAssignedAgain(): void {
    this.isUnverified = true;
  }

  /** Call when a batch has shown that the partition is the same. */
  verified(): void {
    if (!this.isUnverified) return;
    this.isUnverified = false;
    this.commitAgain();
  }

  wasCommitted(offset: string): void {
    this.known = BigInt(offset);
    this.committed = String(BigInt(offset) - 1n);
  }
}
