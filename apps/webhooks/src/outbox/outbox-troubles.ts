import { Inject, Injectable } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import type { Checkpoints } from '@ponte/event-sourcing';
import { failureText, safeError } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { isoTime } from '@ponte/kernel';
import { LOGGER, METRICS, SYSTEM_CLOCK } from '@ponte/nest';
import type { Metrics } from '@ponte/observability';
import type { Logger } from 'pino';
import { JournalPlaces } from '../journal/journal-places';
import { OUTBOX_READER } from './outbox-projector';
import type { PublishingEvents } from './publishing';

/** How often a failure that goes on is reported again, in milliseconds. Retries are made every second. */
const AGAIN_MS = 60_000;

/** Reports outboxes that cannot be written to operators: in the log, as a metric, and as trouble of the reader. */
@Injectable()
export class OutboxTroubles implements PublishingEvents, OnModuleInit {
  /** When each failing outbox was reported last, by account. */
  private readonly reported = new Map<string, number>();
  private readAgain = (): void => undefined;

  constructor(
    @Inject(JournalPlaces) private readonly checkpoints: Pick<Checkpoints, 'trouble'>,
    @Inject(SYSTEM_CLOCK) private readonly clock: Clock,
    @Inject(METRICS) private readonly metrics: Metrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    this.metrics.measure('ponte_webhook_outboxes_failing', async () => [{ value: this.reported.size }]);
  }

  /** `readAgain` is called when an outbox works again and lacks publications that are only in the log. */
  whenBehind(readAgain: () => void): void {
    this.readAgain = readAgain;
  }

  fails(accountId: string, error: unknown): void {
    const now = this.clock.now();
    if (now - (this.reported.get(accountId) ?? -Infinity) < AGAIN_MS) return;
    this.reported.set(accountId, now);
    this.logger.error(
      { accountId, error: safeError(error) },
      'the outbox of an account cannot be written; its events wait, and this will be retried',
    );
    this.report(`the outbox of account ${accountId}: ${failureText(error)}`);
  }

  works(accountId: string, isBehind: boolean): void {
    this.reported.delete(accountId);
    this.logger.info({ accountId }, 'the outbox of an account is written again');
    if (this.reported.size === 0) this.report(null);
    if (isBehind) this.readAgain();
  }

  /** A failed report is ignored: the next one follows within a minute. */
  private report(trouble: string | null): void {
    this.checkpoints.trouble?.(OUTBOX_READER, trouble, isoTime(this.clock.now())).catch(() => undefined);
  }
}
