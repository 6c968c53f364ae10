import type { KafkaMessage } from 'kafkajs';
import type { Position } from '@ponte/event-sourcing';
import { LowWatermark } from '@ponte/bus-in-process';
import type { KafkaLimits } from '../options';
import type { PartitionOffset } from './partition-offsets';
import type { PublishedLog } from './published-log';
import { laterOf } from './published-log';
import type { TakenMessage } from './taken-message';

/** A paused partition is resumed at a quarter of the limit that pauses it. */
const RESUME_AT = 4;

const nextOf = (offset: string): string => String(BigInt(offset) + 1n);

/** Messages that this member has taken from one partition, and which of them are finished, in any order. */
export class PartitionWork {
  private readonly mark = new LowWatermark(undefined);
  /** Number of unfinished messages that do not count towards the limit at which the partition is paused. */
  private waiting = 0;
  /** The offset of the newest message that was taken; -1 before the first one. */
  last = -1n;
  private committed: string | undefined;
  /** The offset that the brokers have acknowledged last; -1 without one. */
  acknowledged = -1n;
  /** The events whose offsets were not due yet, in the order of their offsets. */
  private positions: { readonly offset: bigint; readonly position: Position }[] = [];
  /** The greatest position among the messages before those. */
  private position: Position | undefined;
  /** Resolves when the offset is known from which the group reads. Nothing may be committed before. */
  readonly start: Promise<PartitionOffset | undefined>;
  /** That offset once it is known; -1 until then. */
  private startOffset = -1n;
  /** Set when another member may process the partition: waiting messages are dropped and nothing is committed. */
  abandoned = false;
  /** Whether the consumer has paused the partition. */
  paused = false;
  /** The offset after the newest message in the partition, as of the last fetch. */
  end = 0n;
  /** The same as of the first fetch; undefined before it. */
  backlogEnd: bigint | undefined;

  constructor(
    readonly topic: string,
    readonly partition: number,
    /** The offset from which the group reads; undefined if unknown. Never rejects. */
    start: Promise<PartitionOffset | undefined> = Promise.resolve(undefined),
    private readonly log?: PublishedLog,
    private readonly assignment: object = {},
  ) {
    this.start = start.then((readFrom) => {
      this.startOffset = readFrom?.offset ?? -1n;
      this.position = this.later(readFrom?.position, this.position);
      return readFrom;
    });
  }

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

  /** Notes the end of the partition as of a fetch. */
  fetched(end: string): void {
    this.end = BigInt(end);
    this.backlogEnd ??= this.end;
  }

  /** Begins the work on a message. `ended` is called when it is finished. */
  take(message: KafkaMessage, ended: () => void): TakenMessage {
    const { topic, partition, assignment, last } = this;
    const { offset } = message;
    const end = this.begin(offset);
    let waits = false;
    return {
      ...{ topic, partition, message, assignment },
      isBacklog: BigInt(offset) < (this.backlogEnd ?? 0n),
      isOurs: () => !this.abandoned,
      before: () => this.offsetAfter(last),
      notePosition: (position) => void this.positions.push({ offset: BigInt(offset), position }),
      forgetPosition: () => {
        this.positions = this.positions.filter((one) => one.offset !== BigInt(offset));
      },
      exemptFromLimit: () => {
        waits = true;
        this.waiting += 1;
      },
      done: () => {
        end();
        if (waits) this.waiting -= 1;
        ended();
      },
    };
  }

  begin(offset: string): () => void {
    this.last = BigInt(offset);
    return this.mark.begin(offset);
  }

  /**
   * Whether the partition should be paused or resumed. The two limits differ, so that it does not alternate quickly.
   */
  balance({ unfinished, ahead }: Pick<KafkaLimits, 'unfinished' | 'ahead'>): 'pause' | 'resume' | undefined {
    const counted = this.unfinished - this.waiting;
    if (!this.paused && (counted >= unfinished || this.behind >= ahead)) return 'pause';
    if (this.paused && counted <= unfinished / RESUME_AT && this.behind < ahead) return 'resume';
    return undefined;
  }

  /** The offset to commit, which is the lowest unfinished one. Undefined if it is already committed. */
  due(): string | undefined {
    const { finished } = this.mark;
    if (this.abandoned || finished === undefined || finished === this.committed) return undefined;
    return nextOf(finished);
  }

  /** The greatest known position before an offset that is due. */
  positionBefore(due: string): Position | undefined {
    const count = this.positions.findIndex(({ offset }) => offset >= BigInt(due));
    for (const { position } of this.positions.splice(0, count < 0 ? this.positions.length : count))
      this.position = this.later(this.position, position);
    return this.position;
  }

  /**
   * The offset after a message that was taken before any later one. Without one (-1), the offset from which the group
   * reads.
   */
  async offsetAfter(last: bigint): Promise<PartitionOffset | undefined> {
    if (last < 0n) return this.start;
    const taken = this.positions.reduce((all, { position }) => this.later(all, position), this.position);
    return { offset: last + 1n, position: this.later((await this.start)?.position, taken) };
  }

  /** Whether another member had the partition in between: the group has finished messages that this one has not. */
  isOvertakenBy(committed: PartitionOffset): boolean {
    const { finished } = this.mark;
    return committed.offset > (finished === undefined ? this.startOffset : BigInt(finished) + 1n);
  }

  /** Ends this work, and begins that of another assignment at the offset that the group has committed since. */
  regained(start: PartitionOffset | undefined): PartitionWork {
    this.abandoned = true;
    const work = new PartitionWork(this.topic, this.partition, Promise.resolve(start), this.log);
    // Messages of a fetch from before are skipped.
    if (start) work.last = start.offset - 1n;
    return work;
  }

  /** Ends this work, and begins that on a partition that replaces this one after its topic was deleted. */
  replacement(): PartitionWork {
    this.abandoned = true;
    return new PartitionWork(this.topic, this.partition, this.startOfReplacement(), this.log, this.assignment);
  }

  /**
   * The offset from which the group reads a partition that replaces this one. Unfinished messages are lost with this
   * one. An offset of -1 makes the loss noticed at the first message.
   */
  private async startOfReplacement(): Promise<PartitionOffset | undefined> {
    await this.start;
    const { finished } = this.mark;
    return { offset: -1n, position: finished === undefined ? this.position : this.positionBefore(nextOf(finished)) };
  }

  /** Commits the same offset again, because it is unknown what the previous consumer committed. */
  commitAgain(): void {
    this.committed = undefined;
  }

  wasCommitted(offset: string): void {
    this.acknowledged = BigInt(offset);
    this.committed = String(BigInt(offset) - 1n);
  }

  private later(a: Position | undefined, b: Position | undefined): Position | undefined {
    return this.log ? laterOf(this.log, a, b) : b;
  }
}
