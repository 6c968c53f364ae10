import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { Inject, Injectable } from '@nestjs/common';
import type { LogWatch } from '@ponte/read-models';
import { watchLog } from '@ponte/read-models';
import type { EventStore } from '@ponte/event-sourcing';
import { Aggregates } from '@ponte/event-sourcing';
import { EVENT_STORE, LOGGER } from '@ponte/nest';
import type { Logger } from 'pino';
import { applySandboxPricing } from './set-sandbox-pricing.command';
import { SANDBOX_PRICING_ID, sandboxPricing } from './sandbox-pricing.decider';
import type { RateOverride } from './sandbox-rates.port';
import { SANDBOX_RATES } from './sandbox-rates.port';

/** Follows the log, so that pricing settings of the sandbox that one replica received reach the others. */
@Injectable()
export class FollowSandboxPricing implements OnApplicationBootstrap, OnApplicationShutdown {
  private watch: LogWatch | undefined;

  constructor(
    private readonly aggregates: Aggregates,
    @Inject(SANDBOX_RATES) private readonly override: RateOverride | null,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const { override, store, logger } = this;
    if (override === null) return;
    this.watch = await watchLog({
      store,
      logger,
      name: 'pricing-sandbox-settings',
      categories: [sandboxPricing.category],
      notify: () =>
        void this.apply(override).catch(() => logger.warn('changed pricing settings of the sandbox could not be read')),
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.watch?.stop();
  }

  private async apply(override: RateOverride): Promise<void> {
    applySandboxPricing((await this.aggregates.load(sandboxPricing, SANDBOX_PRICING_ID)).state, override);
  }
}
