import type { IQueryHandler } from '@nestjs/cqrs';
import { QueryHandler } from '@nestjs/cqrs';
import type { GetFxDays, GetIofPayable } from '@ponte/contracts';
import type { ReplyOf } from '@ponte/event-sourcing';
import { RequestQuery } from '@ponte/nest';
import { fxReport, iofPeriods } from './fx-day.domain';
import { FxDays } from './fx-days.read-model';

export class GetFxDaysQuery extends RequestQuery<typeof GetFxDays> {}

/** FX position and profit per day, from the read model, which lags the books by a moment. */
@QueryHandler(GetFxDaysQuery)
export class GetFxDaysHandler implements IQueryHandler<GetFxDaysQuery> {
  constructor(private readonly days: FxDays) {}

  async execute({ payload: { from, to } }: GetFxDaysQuery): Promise<ReplyOf<typeof GetFxDays>> {
    return { days: fxReport(await this.days.upTo(to), from) };
  }
}

export class GetIofPayableQuery extends RequestQuery<typeof GetIofPayable> {}

/** IOF charged, by period. */
@QueryHandler(GetIofPayableQuery)
export class GetIofPayableHandler implements IQueryHandler<GetIofPayableQuery> {
  constructor(private readonly days: FxDays) {}

  async execute({ payload: { from, to, by } }: GetIofPayableQuery): Promise<ReplyOf<typeof GetIofPayable>> {
    return { periods: iofPeriods(await this.days.upTo(to), from, by) };
  }
}
