import { Inject } from '@nestjs/common';
import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandHandler } from '@nestjs/cqrs';
import type { AdoptedRules } from '@ponte/contracts';
import { PRICING_RULES_ID } from '@ponte/contracts';
import { Aggregates, commandContext } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { isoTime } from '@ponte/kernel';
import { CLOCK, ContextCommand } from '@ponte/nest';
import { CONFIGURED_RULES } from './rules.port';
import type { ConfiguredRules } from './configured-rules.domain';
import { versionOf } from './configured-rules.domain';
import { rulesHistory } from './rules-history.decider';

/** Records the rules of this process, unless they are already the latest recorded version. */
export class AdoptRulesCommand extends ContextCommand<AdoptedRules> {}

@CommandHandler(AdoptRulesCommand)
export class AdoptRulesHandler implements ICommandHandler<AdoptRulesCommand> {
  constructor(
    @Inject(Aggregates) private readonly aggregates: Aggregates,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIGURED_RULES) private readonly configured: ConfiguredRules,
  ) {}

  /** Returns the latest recorded version. */
  async execute({ context }: AdoptRulesCommand): Promise<AdoptedRules> {
    const { rules, tables } = this.configured;
    const adopted = { ...versionOf(rules), adoptedAt: isoTime(this.clock.now()), tables };
    const { state } = await this.aggregates.handle(
      rulesHistory,
      PRICING_RULES_ID,
      adopted,
      commandContext(context, this.clock),
    );
    return state.adopted.at(-1) ?? adopted;
  }
}
