import type { OnApplicationBootstrap } from '@nestjs/common';
import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { systemContext } from '@ponte/event-sourcing';
import type { Clock, Ids } from '@ponte/kernel';
import type { Timers } from '@ponte/concurrency';
import { CLOCK, IDS, LOGGER, TIMERS } from '@ponte/nest';
import type { Logger } from 'pino';
import { gaps } from './coverage.domain';
import { yearsWithoutHolidays } from './holidays.domain';
import { CONFIGURED_RULES } from './rules.port';
import { AdoptRulesCommand } from './adopt-rules.command';
import type { ConfiguredRules } from './configured-rules.domain';

/** Milliseconds between attempts while the event store is unavailable. */
const RETRY_MS = 10_000;

/**
 * Records the rules of this process in the log when it starts, so that every quote can be recomputed by the rules
 * version that it names. Quotes do not wait for this, because they contain the rows that they depend on.
 */
@Injectable()
export class AdoptRules implements OnApplicationBootstrap {
  private done = false;

  constructor(
    private readonly commands: CommandBus,
    @Inject(CONFIGURED_RULES) private readonly configured: ConfiguredRules,
    @Inject(TIMERS) private readonly timers: Timers,
    @Inject(IDS) private readonly ids: Ids,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    const [{ rules }, now] = [this.configured, this.clock.now()];
    for (const { path, message } of gaps(rules, now)) {
      this.logger.warn({ path }, `the pricing rules have a gap: ${path} ${message}`);
    }
    for (const year of yearsWithoutHolidays(rules, now)) {
      this.logger.warn(
        { path: 'market' },
        `the pricing rules list no holiday of ${year}: FX quotes on its holidays would not be marked as off-market`,
      );
    }
    this.timers.every('pricing.adopt-rules', RETRY_MS, () => this.adopt());
  }

  private async adopt(): Promise<void> {
    if (this.done) return;
    await this.commands.execute(new AdoptRulesCommand(systemContext(this.ids, 'pricing')));
    this.done = true;
  }
}
