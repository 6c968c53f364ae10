import type { Position } from '@ponte/event-sourcing';
import { PositionBeyondLog } from '@ponte/event-sourcing';
import { reportedFailure } from '../failures';
import type { EventStoreDbLimits } from '../options';
import type { ReaderParts } from './wait-for-skip';
import { isAtLeast } from './position';
import type { Session } from './session';

const RETRY_MS = 1_000;

/** Verifies that a reader's position is in the log: beyond the end, the reader would wait and then miss events. */
export class VerifiedPlace {
  constructor(
    private readonly reader: Pick<ReaderParts, 'name' | 'logger' | 'faults' | 'signal' | 'isClosed'>,
    private readonly parts: {
      readonly limits: EventStoreDbLimits;
      readonly leaderEnd: () => Promise<Position | undefined>;
    },
  ) {}

  /**
   * False if it could not be determined: the end of the log is unknown, or the reader was closed. Throws {@link
   * PositionBeyondLog} if the position is past the end.
   */
  async isInLog(session: Session, position: Position | undefined): Promise<boolean> {
    const { name, faults, signal, isClosed } = this.reader;
    if (position !== undefined && !isAtLeast(session.known, position)) {
      // The node may lag, and a former leader may claim to lead for a moment.
      let end = await this.leaderEnd();
      if (end !== 'unknown' && !isAtLeast(end, position)) {
        await signal.wait(this.parts.limits.confirmMs);
        end = await this.leaderEnd();
      }
      if (isClosed() || end === 'unknown') return false;
      if (!isAtLeast(end, position)) throw this.refused(position, end, 'is past the end of the log');
    }
    faults.clear(name, 'position');
    return true;
  }

  refused(position: Position, end: Position | undefined, what: string): PositionBeyondLog {
    const { faults, logger, name } = this.reader;
    const text =
      `the position ${position} of ${name} ${what}: the log was deleted, or restored from an older backup. ` +
      'Stop the services, restore the log and the databases from matching backups, then start again';
    if (faults.raise({ kind: 'position', reader: name, text })) logger.error({ reader: name, position, end }, text);
    return new PositionBeyondLog(position, end);
  }

  private async leaderEnd(): Promise<Position | undefined | 'unknown'> {
    try {
      return await this.parts.leaderEnd();
    } catch (error) {
      this.reader.logger.warn(
        { reader: this.reader.name, ...reportedFailure(error) },
        'the end of the log could not be read; this will be retried',
      );
      await this.reader.signal.wait(RETRY_MS);
      return 'unknown';
    }
  }
}
