import { Inject, Injectable } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import type { Checkpoints } from '@ponte/event-sourcing';
import { failureText, safeError } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { isoTime } from '@ponte/kernel';
import { LOGGER, METRICS, SYSTEM_CLOCK } from '@ponte/nest';
import type { Metrics } from '@ponte/observability';
import type { Logger } from 'pino';
import { JournalCheckpoints } from '../journal/journal-checkpoints.service';
import { OUTBOX_READER } from './reader-progress.service';
import type { AccountWorkEvents } from './scheduling';
import type { PublishingEvents } from './publishing';

/** How often a failure that goes on is reported again, in milliseconds. Retries are made every second. */
const REPEAT_REPORT_MS = 60_000;

/** What can fail for one account while all others work. */
const KINDS = {
  outbox: {
    metric: 'ponte_webhook_outboxes_failing',
    subject: 'the outbox of account',
    fails: 'the outbox of an account cannot be written; its events wait, and this will be retried',
    works: 'the outbox of an account is written again',
  },
  schedule: {
    metric: 'ponte_webhook_schedules_failing',
    subject: 'the webhooks of account',
    fails: 'the webhooks of an account cannot be scheduled; they wait, and this will be retried',
    works: 'the webhooks of an account are scheduled again',
  },
} as const;
type Kind = keyof typeof KINDS;

/**
 * Reports accounts whose outbox cannot be written, or whose deliveries cannot be scheduled, to operators: in the log,
 * as a metric, and as trouble of the reader. It has no `ReportLimit`: an account that fails again after it has worked
 * is reported at once, and the accounts whose failure was reported are those that the metric counts.
 */
@Injectable()
export class OutboxTroubles implements OnModuleInit {
  readonly ofOutboxes: PublishingEvents = {
    fails: (accountId, error) => this.fails('outbox', accountId, error),
    works: (accountId, isBehind) => {
      this.works('outbox', accountId);
      if (isBehind) this.readAgain();
    },
  };
  readonly ofSchedules: AccountWorkEvents = {
    fails: (accountId, error) => this.fails('schedule', accountId, error),
    works: (accountId) => this.works('schedule', accountId),
  };
  /** When each failing account was reported last. */
  private readonly reported = { outbox: new Map<string, number>(), schedule: new Map<string, number>() };
  private current: string | null = null;
  private startAgain = (): void => undefined;

  constructor(
    @Inject(JournalCheckpoints) private readonly checkpoints: Pick<Checkpoints, 'trouble'>,
    @Inject(SYSTEM_CLOCK) private readonly clock: Clock,
    @Inject(METRICS) private readonly metrics: Metrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    for (const kind of ['outbox', 'schedule'] as const)
      this.metrics.measure(KINDS[kind].metric, async () => [{ value: this.reported[kind].size }]);
  }

  /** `startAgain` makes the reader start again at its checkpoint. */
  whenBehind(startAgain: () => void): void {
    this.startAgain = startAgain;
  }

  /** The last reported trouble; null when all accounts work. */
  get currentTrouble(): string | null {
    return this.current;
  }

  /** Call when an account works again and lacks something that is only in the log. */
  readAgain(): void {
    this.startAgain();
  }

  private fails(kind: Kind, accountId: string, error: unknown): void {
    const now = this.clock.now();
    if (now - (this.reported[kind].get(accountId) ?? -Infinity) < REPEAT_REPORT_MS) return;
    this.reported[kind].set(accountId, now);
    this.logger.error({ accountId, error: safeError(error) }, KINDS[kind].fails);
    this.report(`${KINDS[kind].subject} ${accountId}: ${failureText(error)}`);
  }

  private works(kind: Kind, accountId: string): void {
    this.reported[kind].delete(accountId);
    this.logger.info({ accountId }, KINDS[kind].works);
    if (this.reported.outbox.size + this.reported.schedule.size === 0) this.report(null);
  }

  /** A failed report is ignored: the next one follows within a minute. */
  private report(trouble: string | null): void {
    this.current = trouble;
    this.checkpoints.trouble?.(OUTBOX_READER, trouble, isoTime(this.clock.now())).catch(() => undefined);
  }
}
