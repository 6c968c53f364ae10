import { randomUUID } from 'node:crypto';
import { safeError } from '@ponte/event-sourcing';
import type { Connection } from '../connection';
import type { Postgres } from '../postgres';

/** A session lock: PostgreSQL releases it when the connection ends, however the process died. */
const BE_PRESENT = 'SELECT pg_advisory_lock(hashtextextended($1, 0))';
const STILL_THERE = 'SELECT 1';
/**
 * Interval between checks of the connection, in milliseconds. After a lost connection, a living process may count as
 * ended for that long, which costs a retry and no money.
 */
const CHECK_INTERVAL_MS = 2_000;

/** Shows other processes immediately when this one has ended. */
export class Presence {
  /** Identifies this run of the process; unique. */
  readonly run: string;
  private connection: Connection | undefined;
  private timer: NodeJS.Timeout | undefined;
  private recording: Promise<void> = Promise.resolve();
  private closed = false;

  private constructor(
    private readonly postgres: Postgres,
    instance: string,
  ) {
    this.run = `${instance}:${randomUUID()}`;
  }

  static async open(postgres: Postgres, instance: string): Promise<Presence> {
    const presence = new Presence(postgres.dedicated(1), instance);
    await presence.recordPresence();
    presence.timer = setInterval(() => {
      presence.recording = presence.recording.then(() => presence.recordPresence());
    }, CHECK_INTERVAL_MS).unref();
    return presence;
  }

  async close(): Promise<void> {
    this.closed = true;
    clearInterval(this.timer);
    await this.recording;
    this.dropConnection();
    await this.postgres.close();
  }

  /** Closes the connection, which releases the lock. */
  private dropConnection(): void {
    this.connection?.closeWhenFreed();
    this.connection?.free();
  }

  private async recordPresence(): Promise<void> {
    if (this.closed) return;
    const { connection } = this;
    try {
      this.connection ??= await this.postgres.take();
      await (connection ? connection.run(STILL_THERE) : this.connection.run(BE_PRESENT, [this.run]));
    } catch (error) {
      this.postgres.options.logger.warn(
        { error: safeError(error) },
        'the presence of this process could not be recorded; this will be retried',
      );
      this.dropConnection();
      this.connection = undefined;
    }
  }
}
