import { Inject } from '@nestjs/common';
import type { IQueryHandler } from '@nestjs/cqrs';
import { QueryHandler } from '@nestjs/cqrs';
import type { Pair, PairRecord, GetPairs, PairLimits, GetLimits } from '@ponte/contracts';
import type { Clock } from '@ponte/kernel';
import { CLOCK, RequestQuery } from '@ponte/nest';
import { rateLocksAt, validityAt } from '../rules/in-force.domain';
import type { PricingRules } from '../rules/rules.domain';
import type { QuotedPairs } from './quoted-pairs.port';
import { QUOTED_PAIRS } from './quoted-pairs.port';
import { RULES } from '../rules/rules.port';
import { RecentLimits } from './recent-limits';
import type { Rates } from '../rates/rates.port';
import { RATES } from '../rates/rates.port';

export class GetPairsQuery extends RequestQuery<typeof GetPairs> {}

/** The pairs that can be quoted, with the validity of their quotes by the rules in force. */
@QueryHandler(GetPairsQuery)
export class GetPairsHandler implements IQueryHandler<GetPairsQuery> {
  constructor(
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(RULES) private readonly rules: PricingRules,
    @Inject(QUOTED_PAIRS) private readonly pairs: QuotedPairs,
  ) {}

  async execute(): Promise<{ pairs: readonly PairRecord[] }> {
    const now = this.clock.now();
    return { pairs: this.pairs.current.map((pair) => this.record(pair, now)) };
  }

  private record({ orderable: _, ...pair }: Pair, now: number): PairRecord {
    const rateLocks =
      pair.conversion === 'fx' ? rateLocksAt(this.rules, now).map(({ name, seconds }) => ({ name, seconds })) : [];
    return { ...pair, validitySeconds: validityAt(this.rules, pair.conversion, now).seconds, rateLocks };
  }
}

/** The limits of quotes. They do not depend on the account, because no account has its own limits yet. */
export class GetLimitsQuery extends RequestQuery<typeof GetLimits> {}

@QueryHandler(GetLimitsQuery)
export class GetLimitsHandler implements IQueryHandler<GetLimitsQuery> {
  private readonly recent: RecentLimits;

  constructor(
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(RATES) private readonly rates: Rates,
    @Inject(RULES) rules: PricingRules,
    @Inject(QUOTED_PAIRS) private readonly pairs: QuotedPairs,
  ) {
    this.recent = new RecentLimits(rules);
  }

  async execute(): Promise<{ limits: readonly PairLimits[] }> {
    const now = this.clock.now();
    return { limits: this.recent.at(this.pairs.current, this.rates.market(now), now) };
  }
}
