import { Inject } from '@nestjs/common';
import type { IQueryHandler } from '@nestjs/cqrs';
import { QueryHandler } from '@nestjs/cqrs';
import type {
  AdoptedRules,
  RulesHistory,
  GetPricingRules,
  GetRulesVersion,
  RulesCheck,
  CheckPricingRules,
} from '@ponte/contracts';
import { PRICING_RULES_ID } from '@ponte/contracts';
import { Aggregates } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { isoTime } from '@ponte/kernel';
import { CLOCK, RequestQuery } from '@ponte/nest';
import { CONFIGURED_RULES } from './rules.port';
import type { ConfiguredRules } from './configured-rules.domain';
import { versionOf } from './configured-rules.domain';
import { rulesHistory } from './rules-history.decider';
import { checkRules } from './check-rules.domain';

export class GetRulesQuery extends RequestQuery<typeof GetPricingRules> {}

export class GetRulesVersionQuery extends RequestQuery<typeof GetRulesVersion> {}

/** The rules that this process uses, and every version recorded in the log. */
@QueryHandler(GetRulesQuery)
export class GetRulesHandler implements IQueryHandler<GetRulesQuery> {
  constructor(
    @Inject(Aggregates) private readonly aggregates: Aggregates,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIGURED_RULES) private readonly configured: ConfiguredRules,
  ) {}

  async execute(): Promise<RulesHistory> {
    const { adopted } = (await this.aggregates.load(rulesHistory, PRICING_RULES_ID)).state;
    const { rules, tables } = this.configured;
    const own = adopted.findLast(({ version }) => version === rules.version);
    return {
      inForce: own ?? { ...versionOf(rules), adoptedAt: isoTime(this.clock.now()), tables },
      history: adopted.map(({ tables: _, ...version }) => version).reverse(),
    };
  }
}

/** One version from the log; quotes name the version that they were priced by. */
@QueryHandler(GetRulesVersionQuery)
export class GetRulesVersionHandler implements IQueryHandler<GetRulesVersionQuery> {
  constructor(@Inject(Aggregates) private readonly aggregates: Aggregates) {}

  async execute({ payload: { version } }: GetRulesVersionQuery): Promise<AdoptedRules | null> {
    const { adopted } = (await this.aggregates.load(rulesHistory, PRICING_RULES_ID)).state;
    return adopted.find((one) => one.version === version) ?? null;
  }
}

export class CheckRulesQuery extends RequestQuery<typeof CheckPricingRules> {}

@QueryHandler(CheckRulesQuery)
export class CheckRulesHandler implements IQueryHandler<CheckRulesQuery> {
  constructor(@Inject(CLOCK) private readonly clock: Clock) {}

  async execute({ payload: { rules } }: CheckRulesQuery): Promise<RulesCheck> {
    return checkRules(rules, this.clock.now()).check;
  }
}
