import { Inject } from '@nestjs/common';
import type { IQueryHandler } from '@nestjs/cqrs';
import { QueryHandler } from '@nestjs/cqrs';
import type { PairLimits, GetLimits } from '@ponte/contracts';
import type { Clock } from '@ponte/kernel';
import { CLOCK, RequestQuery } from '@ponte/nest';
import { limitsOf } from './limits.domain';
import type { PricingRules } from '../rules/rules.domain';
import type { QuotedPairs } from './quoted-pairs.port';
import { QUOTED_PAIRS } from './quoted-pairs.port';
import type { Rates } from '../rates/rates.port';
import { RATES } from '../rates/rates.port';
import { RULES } from '../rules/rules.port';

/** Limits are the same for every account as long as none has its own. */
export class GetLimitsQuery extends RequestQuery<typeof GetLimits> {}

@QueryHandler(GetLimitsQuery)
export class GetLimitsHandler implements IQueryHandler<GetLimitsQuery> {
  constructor(
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(RATES) private readonly rates: Rates,
    @Inject(RULES) private readonly rules: PricingRules,
    @Inject(QUOTED_PAIRS) private readonly pairs: QuotedPairs,
  ) {}

  async execute(): Promise<{ limits: readonly PairLimits[] }> {
    const now = this.clock.now();
    return { limits: limitsOf(this.pairs, this.rates.market(now), this.rules, now) };
  }
}
