import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { Inject, Injectable } from '@nestjs/common';
import type { HoldPlace } from '@ponte/contracts';
import { ListOpenHolds } from '@ponte/contracts';
import type { Lease, MessageBus, ReplyOf, RequestContext } from '@ponte/event-sourcing';
import { logged, systemContext } from '@ponte/event-sourcing';
import type { Clock, Ids } from '@ponte/kernel';
import { isoTime } from '@ponte/kernel';
import type { Timers } from '@ponte/concurrency';
import { LeasedJobs, each } from '@ponte/concurrency';
import { CLOCK, IDS, LEASE, LOGGER, MESSAGE_BUS, TIMERS } from '@ponte/nest';
import type { Logger } from 'pino';
import { GiveUpHold } from './give-up-hold';
import { TransferHolds } from './release-transfer-hold.command';
import { Transfers } from '../transfer/transfer.repository';

/** Interval between two sweeps. */
const EVERY_MS = 15_000;
/**
 * A request that placed a hold this long ago has either created its transfer or never will: requests have a deadline of
 * ten seconds.
 */
const FORGOTTEN_MS = 60_000;
/** Holds per page, oldest first. */
const AT_ONCE = 1_000;
const NAME = 'movements-timers';

type OpenHold = ReplyOf<typeof ListOpenHolds>['holds'][number];

/**
 * Releases the holds of transfers that a crash kept from being created, and of those that have failed. Runs on one
 * process at a time.
 */
@Injectable()
export class SweepTransferHolds implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly jobs: LeasedJobs;

  constructor(
    private readonly transfers: Transfers,
    private readonly giveUp: GiveUpHold,
    private readonly holds: TransferHolds,
    @Inject(MESSAGE_BUS) private readonly bus: MessageBus,
    @Inject(TIMERS) timers: Timers,
    @Inject(LEASE) lease: Lease,
    @Inject(IDS) private readonly ids: Ids,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.jobs = new LeasedJobs(lease, NAME, timers);
  }

  onApplicationBootstrap(): void {
    this.jobs.every({
      name: 'movements-sweep-transfer-holds',
      everyMs: EVERY_MS,
      run: () => this.sweep(systemContext(this.ids, 'sweep-transfer-holds')),
    });
  }

  onApplicationShutdown(): Promise<void> {
    return this.jobs.stop();
  }

  /** One sweep; tests call it directly. Reads every page, because old holds that are needed could fill a page. */
  async sweep(context: RequestContext): Promise<void> {
    const placedBefore = isoTime(this.clock.now() - FORGOTTEN_MS);
    for (let after: HoldPlace | null = null; ;) {
      const { holds }: ReplyOf<typeof ListOpenHolds> = await this.bus.request(
        ListOpenHolds,
        { ownerKind: 'transfer', placedBefore, limit: AT_ONCE, after },
        context,
      );
      await each(
        holds,
        (hold) => this.settle(hold, context),
        (error, { owner, holdId }) => {
          this.logger.warn(
            { ...logged(context), err: error, transferId: owner.id, holdId },
            'a hold that no transfer needs could not be released; the next run retries',
          );
        },
      );
      const last = holds.at(-1);
      if (holds.length < AT_ONCE || !last) return;
      after = { placedAt: last.placedAt, holdId: last.holdId };
    }
  }

  /** Releases the hold unless its transfer needs it. */
  private async settle({ holdId, accountId, owner }: OpenHold, context: RequestContext): Promise<void> {
    const transferId = owner.id;
    const state = await this.transfers.load(transferId);
    const isOwned = state.status !== 'absent' && state.terms.holdId === holdId;
    if (isOwned && state.status !== 'failed') return;
    this.logger.warn({ ...logged(context), transferId, holdId }, 'a hold that no transfer needs is released');
    if (isOwned) await this.holds.release(state.terms, context);
    else await this.giveUp.execute({ transferId, accountId, holdId }, context);
  }
}
