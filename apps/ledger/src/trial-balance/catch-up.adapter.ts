import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { Inject, Injectable } from '@nestjs/common';
import type { Projector } from '@ponte/read-models';
import { runProjector } from '@ponte/read-models';
import type { Checkpoints, EventStore, Lease } from '@ponte/event-sourcing';
import { VIEW_CHECKPOINTS, EVENT_STORE, LEASE, LOGGER } from '@ponte/nest';
import type { Logger } from 'pino';
import { TRIAL_BALANCE } from './trial-balance.port';
import type { TrialBalance } from './trial-balance.port';
import { TRIAL_BALANCE_READER } from '../rebuild.adapter';

/** How far the books may lie behind a quiet log, and how many events are gathered under load. */
const BREATH_MS = 100;
const BATCH = 1_024;

/** The projector of the books, which have no other way. */
@Injectable()
export class CatchUpTrialBalance implements OnApplicationBootstrap, OnApplicationShutdown {
  private projector: Projector | undefined;

  constructor(
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
    this.projector = runProjector({
      ...{ store, lease, logger, checkpoints: own },
      name: TRIAL_BALANCE_READER,
      categories: ['ledgerAccount'],
      batchSize: BATCH,
      lingerMs: BREATH_MS,
      apply: (slice, fence) => trialBalance.apply(slice, fence),
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.projector?.stop();
  }
}
