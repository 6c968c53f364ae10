import { Inject } from '@nestjs/common';
import type { IQueryHandler } from '@nestjs/cqrs';
import { QueryHandler } from '@nestjs/cqrs';
import type { RulesCheck, CheckPricingRules } from '@ponte/contracts';
import type { Clock } from '@ponte/kernel';
import { CLOCK, RequestQuery } from '@ponte/nest';
import { checkRules } from './check-rules';

export class CheckRulesQuery extends RequestQuery<typeof CheckPricingRules> {}

@QueryHandler(CheckRulesQuery)
export class CheckRulesHandler implements IQueryHandler<CheckRulesQuery> {
  constructor(@Inject(CLOCK) private readonly clock: Clock) {}

  async execute({ payload: { rules } }: CheckRulesQuery): Promise<RulesCheck> {
    return checkRules(rules, this.clock.now()).check;
  }
}
