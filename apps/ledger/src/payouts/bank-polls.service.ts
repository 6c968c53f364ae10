import { Inject, Injectable } from '@nestjs/common';
import type { Checkpoints, RequestContext } from '@ponte/event-sourcing';
import { logged } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { Unavailable, fromIso, isoTime } from '@ponte/kernel';
import { CHECKPOINTS, CLOCK, LOGGER, METRICS } from '@ponte/nest';
import type { Metrics, Sample } from '@ponte/observability';
import type { Logger } from 'pino';
import { LEDGER_SETTINGS } from '../ledger-settings.port';
import type { LedgerSettings } from '../ledger-settings.port';
import type { BankList, Round } from './bank-reading';
import { BankReading } from './bank-reading';
import { callRepeatable } from './rail';

/** How far back the first poll starts. */
const FIRST_LOOK_BACK_MS = 24 * 60 * 60 * 1000;

/** How one run reads the lists of a poll. */
export interface PollRun {
  /** The fencing number of the lease under which the bank is polled. */
  readonly fence: number;
  /** Reads further back, for entries that the bank listed so late that the regular runs missed them. */
  readonly late?: boolean;
}

/** Lists of the bank that are polled together at an interval. */
interface BankPoll extends PollRun {
  /** The checkpoint that stores the time up to which the bank was polled. */
  readonly reader: string;
  /** Read one after the other, always in the same order. */
  readonly lists: readonly BankList[];
  /** The longest window that the bank lists, in milliseconds. Unlimited by default. */
  readonly periodMs?: number;
  /** How far back each poll reads, in milliseconds. `LEDGER_BANK_OVERLAP_MS` by default. */
  readonly lookBackMs?: number;
  /** The time from one read of the lists to the next, in milliseconds. In between, only failed entries are retried. */
  readonly everyMs?: number;
  /** Called when the lists were read to their end, which may take several polls. */
  readonly ended?: () => void;
}

const LATE = '-late';
/** The reader that reads the lists of another one again, for late entries. */
export const lateReader = (reader: string): string => `${reader}${LATE}`;
/** How often the lists are read for late entries. */
const LATE_EVERY_MS = 60 * 60 * 1000;

/** Reads what the bank has listed since the last poll, in case callbacks are late or lost. */
@Injectable()
export class BankPolls {
  private readonly readings = new Map<string, BankReading>();

  constructor(
    @Inject(CHECKPOINTS) private readonly checkpoints: Checkpoints,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LEDGER_SETTINGS) private readonly settings: LedgerSettings,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(METRICS) metrics: Metrics,
  ) {
    metrics.measure('ponte_bank_entries_failing', async () => this.samples(({ failing }) => failing));
    metrics.measure('ponte_bank_oldest_failing_seconds', async () => this.samples(({ oldestMs }) => oldestMs / 1_000));
    // Late entries are read only now and then, so the age of that position is meaningless.
    metrics.measure('ponte_bank_poll_age_seconds', async () =>
      this.samples(({ ageMs }) => ageMs / 1_000).filter(({ labels }) => !labels?.reader?.endsWith(LATE)),
    );
  }

  /**
   * One poll. An entry that fails does not hold up the others and is tried again at each poll. The checkpoint is saved
   * only while none fails, so a restart reads the failed ones again. Throws `Unavailable` at the end if the bank did
   * not answer.
   */
  async poll(
    { fence, late = false, lists, periodMs = Infinity, lookBackMs, everyMs = 0, ended, ...poll }: BankPoll,
    context: RequestContext,
  ): Promise<void> {
    const now = this.clock.now();
    const reader = late ? lateReader(poll.reader) : poll.reader;
    const { bankOverlapMs, bankLateMs } = this.settings;
    const reading = await this.reading(reader, fence, late ? bankLateMs : (lookBackMs ?? bankOverlapMs), now);
    const before = reading.complete;
    const isDue = reading.isDue(now, late ? LATE_EVERY_MS : everyMs);
    let outage: Unavailable | undefined;
    const failed = (error: unknown, id: string): void => {
      const failure = error instanceof Error ? error.name : typeof error;
      if (error instanceof Unavailable) outage ??= error;
      this.logger.error(
        { ...logged(context), reader, endToEndId: id, failure },
        'a payment at the bank could not be recorded; it is retried at each poll',
      );
    };
    const round: Round = {
      lists: lists.map(({ page, record }) => ({ record, page: (window) => callRepeatable(() => page(window)) })),
      clock: this.clock,
      periodMs,
      failed,
      ...(ended && { ended }),
    };
    await (isDue ? reading.round(round) : reading.retry(round));
    const { complete } = reading;
    if (complete !== undefined && complete !== before) await this.checkpoints.save(reader, isoTime(complete), fence);
    if (outage) throw outage;
  }

  /** Clears the progress and the failures, so that they are no longer reported: another process reads from now on. */
  forget(): void {
    this.readings.clear();
  }

  private async reading(reader: string, fence: number, lookBackMs: number, now: number): Promise<BankReading> {
    const known = this.readings.get(reader);
    if (known?.fence === fence) return known;
    const mark = await this.checkpoints.load(reader);
    const position = mark === undefined ? now - FIRST_LOOK_BACK_MS : fromIso(mark);
    const fresh = new BankReading(fence, position, lookBackMs);
    this.readings.set(reader, fresh);
    return fresh;
  }

  private samples(value: (measured: ReturnType<BankReading['measured']>) => number): readonly Sample[] {
    const now = this.clock.now();
    return [...this.readings].map(([reader, one]) => ({ labels: { reader }, value: value(one.measured(now)) }));
  }
}
