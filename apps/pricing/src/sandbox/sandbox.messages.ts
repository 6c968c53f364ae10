import type { OnModuleInit } from '@nestjs/common';
import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { ClockAdvance, SandboxPricing } from '@ponte/contracts';
import { AdvanceClock, SetSandboxPricing } from '@ponte/contracts';
import type { MessageBus } from '@ponte/event-sourcing';
import { Aggregates } from '@ponte/event-sourcing';
import { MESSAGE_BUS } from '@ponte/nest';
import { AdvanceClockCommand } from './advance-clock.command';
import { applySandboxPricing, SetSandboxPricingCommand } from './set-sandbox-pricing.command';
import { SANDBOX_PRICING_ID, sandboxPricing } from './sandbox-pricing.decider';
import type { RateOverride } from './sandbox-rates.port';
import { SANDBOX_RATES } from './sandbox-rates.port';

/** Registers its messages explicitly and only in the sandbox, so that a production process does not have them. */
@Injectable()
export class SandboxPricingMessages implements OnModuleInit {
  constructor(
    @Inject(CommandBus) private readonly commands: CommandBus,
    @Inject(Aggregates) private readonly aggregates: Aggregates,
    @Inject(MESSAGE_BUS) private readonly bus: MessageBus,
    @Inject(SANDBOX_RATES) private readonly override: RateOverride | null,
  ) {}

  async onModuleInit(): Promise<void> {
    if (this.override === null) return;
    applySandboxPricing((await this.aggregates.load(sandboxPricing, SANDBOX_PRICING_ID)).state, this.override);
    this.bus.handle(SetSandboxPricing.pattern, (payload, context) =>
      this.commands.execute(new SetSandboxPricingCommand(payload as SandboxPricing, context)),
    );
    this.bus.handle(AdvanceClock.pattern, (payload, context) =>
      this.commands.execute(new AdvanceClockCommand(payload as ClockAdvance, context)),
    );
  }
}
