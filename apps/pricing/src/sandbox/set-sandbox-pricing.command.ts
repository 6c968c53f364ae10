import { Inject } from '@nestjs/common';
import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandHandler } from '@nestjs/cqrs';
import type { SandboxPricing, SetSandboxPricing } from '@ponte/contracts';
import { Aggregates, commandContext } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { Rate, Refusal, refuse, Unavailable } from '@ponte/kernel';
import { CLOCK, RequestCommand } from '@ponte/nest';
import { SANDBOX_PRICING_ID, sandboxPricing } from './sandbox-pricing.decider';
import type { RateOverride } from './sandbox-rates.port';
import { SANDBOX_RATES } from './sandbox-rates.port';

export class SetSandboxPricingCommand extends RequestCommand<typeof SetSandboxPricing> {}

/** The accepted range of BRL for one USD. A rate outside it would test nothing that can happen. */
const MIN_RATE = Rate.parse('USD', 'BRL', '0.01');
const MAX_RATE = Rate.parse('USD', 'BRL', '10000');

@CommandHandler(SetSandboxPricingCommand)
export class SetSandboxPricingHandler implements ICommandHandler<SetSandboxPricingCommand> {
  constructor(
    @Inject(Aggregates) private readonly aggregates: Aggregates,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(SANDBOX_RATES) private readonly override: RateOverride | null,
  ) {}

  async execute({ payload: command, context }: SetSandboxPricingCommand): Promise<SandboxPricing> {
    if (this.override === null) throw new Unavailable('service-unavailable');
    const settings: SandboxPricing = {
      rate: command.rate === null ? null : readRate(command.rate).toString(),
      offMarket: command.offMarket,
    };
    const { state } = await this.aggregates.handle(
      sandboxPricing,
      SANDBOX_PRICING_ID,
      settings,
      commandContext(context, this.clock),
    );
    applySandboxPricing(state, this.override);
    return state;
  }
}

/** Applies recorded settings to the rates. */
export const applySandboxPricing = ({ rate, offMarket }: SandboxPricing, override: RateOverride): void =>
  override.set(rate === null ? null : Rate.parse('USD', 'BRL', rate), offMarket);

function readRate(text: string): Rate {
  const wrong = (): never => refuse('invalid-format', 'must be a decimal string from 0.01 to 10000', 'rate');
  try {
    const rate = Rate.parse('USD', 'BRL', text);
    return rate.scaled < MIN_RATE.scaled || rate.scaled > MAX_RATE.scaled ? wrong() : rate;
  } catch (error) {
    if (error instanceof Refusal) return wrong();
    throw error;
  }
}
