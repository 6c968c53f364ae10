import { setTimeout as pause } from 'node:timers/promises';
import type { Appended, EventStore } from '@ponte/event-sourcing';
import { AppendOutcomeUnknown, NO_STREAM } from '@ponte/event-sourcing';
import { anEvent, freshId } from '@ponte/testing';

/** One writer of a stream that repeats unacknowledged appends, as aggregates do. */
export class Writer {
  readonly stream: string;
  /** Times of the acknowledgements, in milliseconds of the process. */
  readonly acknowledged: number[] = [];
  private isStopped = false;
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly store: EventStore,
    readonly category: string,
  ) {
    this.stream = `${category}-${freshId()}`;
  }

  begin(): void {
    this.running = this.run();
  }

  async end(): Promise<void> {
    this.isStopped = true;
    await this.running;
  }

  private async run(): Promise<void> {
    for (let at = 0; !this.isStopped; at += 1) {
      await this.append(at);
      this.acknowledged.push(performance.now());
      await pause(5);
    }
  }

  /** Repeats the append with the same ids until it is acknowledged. */
  private async append(at: number): Promise<Appended> {
    const events = anEvent({ at });
    for (;;) {
      try {
        return await this.store.append(this.stream, at === 0 ? NO_STREAM : at - 1, events);
      } catch (error) {
        await pause(error instanceof AppendOutcomeUnknown ? 0 : 50);
      }
    }
  }
}

/** The longest time without any acknowledgement after the moment `from`, in milliseconds. */
export function longestSilence(writers: readonly Writer[], from: number): number {
  const times = [from, ...writers.flatMap(({ acknowledged }) => acknowledged).filter((time) => time > from)].sort(
    (a, b) => a - b,
  );
  return Math.max(...times.slice(1).map((time, at) => time - (times[at] as number)));
}
