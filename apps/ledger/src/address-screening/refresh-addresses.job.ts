import type { OnApplicationBootstrap } from '@nestjs/common';
import { Inject, Injectable } from '@nestjs/common';
import type { Timers } from '@ponte/concurrency';
import type { Clock } from '@ponte/kernel';
import type { Metrics } from '@ponte/observability';
import { measureLists } from '@ponte/observability';
import { LOGGER, METRICS, SYSTEM_CLOCK, TIMERS } from '@ponte/nest';
import type { Logger } from 'pino';
import type { AddressScreening } from './address-screening.port';
import { ADDRESS_SCREENING } from './address-screening.port';

const REFRESH_MS = 60_000;

/** Loads a changed list of sanctioned addresses within a minute, and measures the list in use. */
@Injectable()
export class RefreshAddressesJob implements OnApplicationBootstrap {
  constructor(
    @Inject(TIMERS) private readonly timers: Timers,
    @Inject(ADDRESS_SCREENING) private readonly screening: AddressScreening,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(METRICS) private readonly metrics: Metrics,
    @Inject(SYSTEM_CLOCK) private readonly systemClock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    const { screening } = this;
    measureLists(this.metrics, this.systemClock.now, () => screening.inUse());
    this.timers.every('ledger-refresh-sanctioned-addresses', REFRESH_MS, async () => {
      try {
        if (await screening.refresh()) this.logger.info('a new list of sanctioned addresses is in force');
      } catch (error) {
        const reason = error instanceof Error ? error.message : 'unknown';
        this.logger.error(
          { reason },
          'the list of sanctioned addresses could not be loaded; the previous list stays in force',
        );
      }
    });
  }
}
