import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { MessagePattern, Payload } from '@nestjs/microservices';
import { BacktestPricingRules, CheckPricingRules, GetPricingRules, GetRulesVersion } from '@ponte/contracts';
import type { PayloadOf } from '@ponte/event-sourcing';
import { BacktestRulesQuery } from '../backtest/backtest-rules.query';
import { CheckRulesQuery } from './check-rules.query';
import { GetRulesQuery, GetRulesVersionQuery } from './get-rules.query';

/** What staff ask about the rules. */
@Controller()
export class RulesMessages {
  constructor(private readonly queries: QueryBus) {}

  @MessagePattern(GetPricingRules.pattern)
  getRules() {
    return this.queries.execute(new GetRulesQuery());
  }

  @MessagePattern(GetRulesVersion.pattern)
  getVersion(@Payload() { version }: PayloadOf<typeof GetRulesVersion>) {
    return this.queries.execute(new GetRulesVersionQuery(version));
  }

  @MessagePattern(CheckPricingRules.pattern)
  check(@Payload() { rules }: PayloadOf<typeof CheckPricingRules>) {
    return this.queries.execute(new CheckRulesQuery(rules));
  }

  @MessagePattern(BacktestPricingRules.pattern)
  backtest(@Payload() { rules, last, at }: PayloadOf<typeof BacktestPricingRules>) {
    return this.queries.execute(new BacktestRulesQuery(rules, last, at));
  }
}
