import type { OnApplicationBootstrap } from '@nestjs/common';
import { Inject, Injectable } from '@nestjs/common';
import type { HoldCursor } from '@ponte/contracts';
import { ListOpenHolds } from '@ponte/contracts';
import type { Lease, MessageBus, ReplyOf, RequestContext } from '@ponte/event-sourcing';
import { logged, systemContext } from '@ponte/event-sourcing';
import type { Clock, Ids } from '@ponte/kernel';
import { isoTime } from '@ponte/kernel';
import type { Timers } from '@ponte/concurrency';
import { LeasedJobs, SweepCount, each } from '@ponte/concurrency';
import { CLOCK, IDS, LEASE, LOGGER, MESSAGE_BUS, METRICS, SYSTEM_CLOCK, TIMERS } from '@ponte/nest';
import type { Metrics } from '@ponte/observability';
import type { Logger } from 'pino';
import type { TransferTerms } from '../transfer/transfer.decider';
import { Transfers } from '../transfer/transfer.repository';
import { GiveUpHold } from './give-up-hold.service';
import { TransferHolds } from './release-transfer-hold.command';

/** Interval between two sweeps. */
const EVERY_MS = 15_000;
/**
 * A request that placed a hold this long ago has either created its transfer or never will: requests have a deadline of
 * ten seconds.
 */
const FORGOTTEN_MS = 60_000;
/** Holds per run, oldest first. While a chain is down, transfers may need very many, and each is read with a stream. */
const AT_ONCE = 1_000;
const NAME = 'movements-timers';

type OpenHold = ReplyOf<typeof ListOpenHolds>['holds'][number];

/**
 * Releases the holds of transfers that a crash kept from being created, and of those that have failed. Runs on one
 * process at a time.
 */
@Injectable()
export class SweepTransferHolds implements OnApplicationBootstrap {
  private readonly jobs: LeasedJobs;
  /** The last hold that the last run looked at; null when the next run begins with the oldest. */
  private after: HoldCursor | null = null;
  /** Holds that the last run could not release. */
  private unreleased: readonly OpenHold[] = [];
  private readonly unneeded: SweepCount;

  constructor(
    private readonly transfers: Transfers,
    private readonly giveUp: GiveUpHold,
    private readonly holds: TransferHolds,
    @Inject(MESSAGE_BUS) private readonly bus: MessageBus,
    @Inject(TIMERS) timers: Timers,
    @Inject(LEASE) lease: Lease,
    @Inject(IDS) private readonly ids: Ids,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(SYSTEM_CLOCK) systemClock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(METRICS) private readonly metrics: Metrics,
  ) {
    this.jobs = new LeasedJobs(lease, NAME, timers);
    this.unneeded = new SweepCount(systemClock);
  }

  onApplicationBootstrap(): void {
    this.metrics.measure('ponte_holds_without_transfer', async () => [{ value: this.unneeded.value() }]);
    this.jobs.every({
      name: 'movements-sweep-transfer-holds',
      everyMs: EVERY_MS,
      run: () => this.sweep(systemContext(this.ids, 'sweep-transfer-holds')),
    });
  }

  /**
   * One run; tests call it directly. It looks at the page after the one of the last run, and at the holds that the last
   * run could not release. Every page has its turn, because old holds that are needed could fill the first one.
   */
  sweep(context: RequestContext): Promise<void> {
    return this.unneeded.run((found) => this.sweepPage(found, context));
  }

  private async sweepPage(found: () => void, context: RequestContext): Promise<void> {
    const placedBefore = isoTime(this.clock.now() - FORGOTTEN_MS);
    const { holds } = await this.bus.request(
      ListOpenHolds,
      { ownerKind: 'transfer', placedBefore, limit: AT_ONCE, after: this.after },
      context,
    );
    const last = holds.length < AT_ONCE ? undefined : holds.at(-1);
    this.after = last ? { placedAt: last.placedAt, holdId: last.holdId } : null;
    const due = new Map([...this.unreleased, ...holds].map((hold) => [hold.holdId, hold]));
    await this.releaseUnneeded([...due.values()], found, context);
  }

  /** Releases the holds that no transfer needs, and calls `found` for each. */
  private async releaseUnneeded(holds: readonly OpenHold[], found: () => void, context: RequestContext): Promise<void> {
    const unreleased: OpenHold[] = [];
    await each(
      holds,
      async (hold) => {
        const state = await this.transfers.load(hold.owner.id);
        const isOwned = state.status !== 'absent' && state.terms.holdId === hold.holdId;
        if (isOwned && state.status !== 'failed') return;
        found();
        await this.release(hold, isOwned ? state.terms : null, context);
      },
      (error, hold) => {
        unreleased.push(hold);
        this.logger.warn(
          { ...logged(context), err: error, transferId: hold.owner.id, holdId: hold.holdId },
          'a hold that no transfer needs could not be released; the next run retries',
        );
      },
    );
    // Those that are left out are found again on their page.
    this.unreleased = unreleased.slice(0, AT_ONCE);
  }

  /** `failed`: the terms of the failed transfer that owns the hold; null if none was created with it. */
  private async release(
    { holdId, accountId, owner }: OpenHold,
    failed: TransferTerms | null,
    context: RequestContext,
  ): Promise<void> {
    this.logger.warn({ ...logged(context), transferId: owner.id, holdId }, 'a hold that no transfer needs is released');
    if (failed) await this.holds.release(failed, context);
    else await this.giveUp.execute({ transferId: owner.id, accountId, holdId }, context);
  }
}
