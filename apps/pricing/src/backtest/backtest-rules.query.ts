import { Inject } from '@nestjs/common';
import type { IQueryHandler } from '@nestjs/cqrs';
import { QueryHandler } from '@nestjs/cqrs';
import type { BacktestReport, IssuedQuote, BacktestPricingRules } from '@ponte/contracts';
import { MAX_BACKTESTED, QuoteIssued } from '@ponte/contracts';
import type { EventStore } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { fromIso, parseInstant, Refusal, refuse } from '@ponte/kernel';
import { CLOCK, EVENT_STORE, RequestQuery } from '@ponte/nest';
import { quote } from '../quote/quote.decider';
import { backtest } from './backtest.domain';
import { checkRules } from '../rules/check-rules.domain';

export class BacktestRulesQuery extends RequestQuery<typeof BacktestPricingRules> {}

/** Prices the latest quotes again by proposed rules. Reads the end of the log and writes nothing. */
@QueryHandler(BacktestRulesQuery)
export class BacktestRulesHandler implements IQueryHandler<BacktestRulesQuery> {
  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Refuses invalid rules with their violations, each with its path below `rules`. */
  async execute({ payload: { rules: proposed, last, at } }: BacktestRulesQuery): Promise<BacktestReport> {
    if (!Number.isInteger(last) || last < 1 || last > MAX_BACKTESTED)
      refuse('invalid-format', `must be a whole number from 1 to ${MAX_BACKTESTED}`, 'last');
    if (at !== null && parseInstant(at) === undefined)
      refuse('invalid-format', 'must be an RFC 3339 time such as 2026-01-31T12:00:00.000Z', 'at');
    const now = this.clock.now();
    const { rules, check } = checkRules(proposed, now);
    if (rules === undefined) {
      throw new Refusal(
        check.violations.map(({ path, message }) => ({
          code: 'invalid-format',
          path: path === '' ? 'rules' : `rules.${path}`,
          message,
        })),
      );
    }
    return backtest(await this.issued(last), rules, at === null ? Math.max(now, rules.validFrom) : fromIso(at));
  }

  /** The latest issued quotes, newest first. */
  private async issued(last: number): Promise<readonly IssuedQuote[]> {
    const found: IssuedQuote[] = [];
    let before: string | undefined;
    while (found.length < last) {
      const limit = last - found.length;
      const events = await this.store.newest({ categories: [quote.category], limit, ...(before && { before }) });
      // Events of version 1 have no inputs, so their quotes cannot be priced again.
      for (const { type, version, data } of events) {
        if (type === QuoteIssued.type && version === QuoteIssued.version) found.push(data as IssuedQuote);
      }
      if (events.length < limit) break;
      before = events.at(-1)?.position;
    }
    return found;
  }
}
