import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@ponte/kernel';
import { addSeconds, isoTime } from '@ponte/kernel';
import { CLOCK } from '@ponte/nest';
import type { JournalKey } from './row-settler.service';
import { OPEN_SECONDS, RowSettler } from './row-settler.service';

/** How often rows that are behind the journal are rewritten, in milliseconds. */
export const SETTLE_EVERY_MS = 30_000;
/** How often the last week is checked again, in milliseconds: a rebuild that a crash interrupts leaves rows out. */
const WEEK_EVERY_MS = 3_600_000;
/** How long an event may be written after its own time: its append may wait for the log, and clocks differ. */
const LATE_SECONDS = 600;
/** Pages of the whole journal per run, besides those of recent events. */
const PAGES_A_RUN = 20;

/**
 * Rewrites rows that are behind the journal. Each run checks the events since the last one; the first run, and one each
 * hour, those of the last week. It also checks the next part of the whole journal, from the beginning again after the
 * end, for rows that a crash during a rebuild left out. So the duration of a run does not depend on the size of the
 * journal.
 */
@Injectable()
export class SettleJournal {
  /** The newest event up to which rows have been checked in the order of time. */
  private newest: JournalKey | undefined;
  /** When the last week was checked, by business time. */
  private weekAt = -Infinity;
  /** The event up to which the current round over the whole journal has come; undefined at its beginning. */
  private reached: JournalKey | undefined;

  constructor(
    private readonly settler: RowSettler,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async run(signal?: AbortSignal): Promise<void> {
    const failures: unknown[] = [];
    if (Math.abs(this.clock.now() - this.weekAt) >= WEEK_EVERY_MS) {
      this.newest = undefined;
      this.weekAt = this.clock.now();
    }
    const recent = { since: this.since(), signal, passed: (last?: JournalKey) => this.passed(last) };
    await this.settler.settle(recent).catch((error: unknown) => failures.push(error));
    await this.settler.settle({
      ...{ after: this.reached, pages: PAGES_A_RUN, signal },
      passed: (last, isEnd) => (this.reached = isEnd ? undefined : last),
    });
    if (failures.length > 0) throw failures[0];
  }

  private since(): string {
    const now = isoTime(this.clock.now());
    if (this.newest === undefined) return addSeconds(now, -OPEN_SECONDS);
    // An event of a process whose clock was ahead must not hide later ones.
    return addSeconds(this.newest.at < now ? this.newest.at : now, -LATE_SECONDS);
  }

  private passed(last: JournalKey | undefined): void {
    if (last && (this.newest === undefined || last.at > this.newest.at)) this.newest = last;
  }
}
