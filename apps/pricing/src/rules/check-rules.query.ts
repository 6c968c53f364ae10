import { Inject } from '@nestjs/common';
import type { IQueryHandler } from '@nestjs/cqrs';
import { Query, QueryHandler } from '@nestjs/cqrs';
import type { RulesCheck } from '@ponte/contracts';
import type { Clock } from '@ponte/kernel';
import { CLOCK } from '@ponte/nest';
import { checkRules } from './check-rules';

export class CheckRulesQuery extends Query<RulesCheck> {
  constructor(readonly rules: unknown) {
    super();
  }
}

@QueryHandler(CheckRulesQuery)
export class CheckRulesHandler implements IQueryHandler<CheckRulesQuery> {
  constructor(@Inject(CLOCK) private readonly clock: Clock) {}

  async execute({ rules }: CheckRulesQuery): Promise<RulesCheck> {
    return checkRules(rules, this.clock.now()).check;
  }
}
