import type { OnApplicationBootstrap, OnApplicationShutdown, OnModuleInit } from '@nestjs/common';
import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { SandboxPricing } from '@ponte/contracts';
import { SetSandboxPricing } from '@ponte/contracts';
import type { LogWatch } from '@ponte/engines';
import { watchLog } from '@ponte/engines';
import type { EventStore, MessageBus } from '@ponte/event-sourcing';
import { Aggregates } from '@ponte/event-sourcing';
import { EVENT_STORE, LOGGER, MESSAGE_BUS } from '@ponte/nest';
import type { Logger } from 'pino';
import { applySandboxPricing, SetSandboxPricingCommand } from './commands/set-sandbox-pricing';
import { SANDBOX_PRICING_ID, sandboxPricing } from './domain/sandbox-pricing/sandbox-pricing';
import type { RateOverride } from './ports/sandbox-rates';
import { SANDBOX_RATES } from './ports/sandbox-rates';

/**
 * Registered by hand and in the sandbox alone, so that a production process has no such message at all. What one replica was
 * told, the others hear of from the log.
 */
@Injectable()
export class SandboxPricingMessages implements OnModuleInit, OnApplicationBootstrap, OnApplicationShutdown {
  private watch: LogWatch | undefined;

  constructor(
    @Inject(CommandBus) private readonly commands: CommandBus,
    @Inject(Aggregates) private readonly aggregates: Aggregates,
    @Inject(MESSAGE_BUS) private readonly bus: MessageBus,
    @Inject(SANDBOX_RATES) private readonly override: RateOverride | null,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async onModuleInit(): Promise<void> {
    if (this.override === null) return;
    await this.apply(this.override);
    this.bus.handle(SetSandboxPricing.pattern, (payload, context) =>
      this.commands.execute(new SetSandboxPricingCommand(payload as SandboxPricing, context)));
  }

  async onApplicationBootstrap(): Promise<void> {
    const { override, store, logger } = this;
    if (override === null) return;
    this.watch = await watchLog({
      store, logger, name: 'pricing-sandbox-settings', categories: [sandboxPricing.category],
      tell: () => void this.apply(override).catch(() => logger.warn('settings of the sandbox were changed and could not be read')),
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.watch?.stop();
  }

  private async apply(override: RateOverride): Promise<void> {
    applySandboxPricing((await this.aggregates.load(sandboxPricing, SANDBOX_PRICING_ID)).state, override);
  }
}
