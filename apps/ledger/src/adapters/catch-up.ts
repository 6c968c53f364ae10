import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { Inject, Injectable } from '@nestjs/common';
import type { Projector } from '@ponte/read-models';
import { runProjector } from '@ponte/read-models';
import type { Checkpoints, EventStore, Lease, LogSlice } from '@ponte/event-sourcing';
import { categoryOf, idOf } from '@ponte/event-sourcing';
import { VIEW_CHECKPOINTS, EVENT_STORE, LEASE, LOGGER } from '@ponte/nest';
import type { Logger } from 'pino';
import { AddressReviews } from '../address-screening/address-reviews.repository';
import { Charges } from '../commands/charges';
import { Deposits } from '../commands/deposits';
import { TRIAL_BALANCE } from '../ports/trial-balance';
import type { TrialBalance } from '../ports/trial-balance';
import { Withdrawals } from '../withdrawal/withdrawals.repository';
import { TRIAL_BALANCE_READER, LISTS_READER } from './rebuild';

/** How far the books may lie behind a quiet log, and how many events are gathered under load. */
const BREATH_MS = 100;
const BATCH = 1_024;

/**
 * The projectors of this service: the net under the lists of deposits, charges, withdrawals and reviews, and the books,
 * which have no other way.
 */
@Injectable()
export class CatchUpLedger implements OnApplicationBootstrap, OnApplicationShutdown {
  private projectors: readonly Projector[] = [];

  constructor(
    private readonly deposits: Deposits,
    private readonly charges: Charges,
    private readonly withdrawals: Withdrawals,
    private readonly reviews: AddressReviews,
    @Inject(TRIAL_BALANCE) private readonly trialBalance: TrialBalance,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(VIEW_CHECKPOINTS) private readonly checkpoints: Checkpoints,
    @Inject(LEASE) private readonly lease: Lease,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    const { store, checkpoints, lease, logger, trialBalance } = this;
    // The books keep their own place, in one transaction with what they add up.
    const own: Checkpoints = {
      load: () => trialBalance.position(),
      save: (_reader, position, fence = 0) => trialBalance.moveOn(position, fence),
      trouble: async (reader, trouble, at) => checkpoints.trouble?.(reader, trouble, at),
    };
    this.projectors = [
      runProjector({
        store,
        checkpoints,
        lease,
        logger,
        name: LISTS_READER,
        categories: ['deposit', 'pixCharge', 'withdrawal', 'addressReview'],
        batchSize: BATCH,
        lingerMs: BREATH_MS,
        apply: (slice) => this.apply(slice),
      }),
      runProjector({
        store,
        checkpoints: own,
        lease,
        logger,
        name: TRIAL_BALANCE_READER,
        categories: ['ledgerAccount'],
        batchSize: BATCH,
        lingerMs: BREATH_MS,
        apply: (slice, fence) => trialBalance.apply(slice, fence),
      }),
    ];
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.projectors.map((projector) => projector.stop()));
  }

  /** One look at each stream, however many of its events are in the slice. */
  private async apply(slice: LogSlice): Promise<void> {
    const newest = new Map(slice.events.map(({ stream, revision }) => [stream, revision]));
    const lists = {
      deposit: this.deposits,
      pixCharge: this.charges,
      withdrawal: this.withdrawals,
      addressReview: this.reviews,
    };
    for (const [stream, revision] of newest)
      await lists[categoryOf(stream) as keyof typeof lists].catchUp(idOf(stream), revision);
  }
}
