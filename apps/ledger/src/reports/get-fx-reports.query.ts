import { Inject } from '@nestjs/common';
import type { IQueryHandler } from '@nestjs/cqrs';
import { QueryHandler } from '@nestjs/cqrs';
import type { GetFxDays, GetIofPayable } from '@ponte/contracts';
import type { ReplyOf } from '@ponte/event-sourcing';
import { VIEWS, RequestQuery } from '@ponte/nest';
import type { Kysely } from 'kysely';
import { fxReport, iofPeriods } from './fx-day';
import { readFxDays } from './fx-days.read-model';

export class GetFxDaysQuery extends RequestQuery<typeof GetFxDays> {}

/** FX position and profit per day, as the books stood a moment ago. */
@QueryHandler(GetFxDaysQuery)
export class GetFxDaysHandler implements IQueryHandler<GetFxDaysQuery> {
  constructor(@Inject(VIEWS) private readonly views: Kysely<unknown>) {}

  async execute({ payload: { from, to } }: GetFxDaysQuery): Promise<ReplyOf<typeof GetFxDays>> {
    return { days: fxReport(await readFxDays(this.views, to), from) };
  }
}

export class GetIofPayableQuery extends RequestQuery<typeof GetIofPayable> {}

/** IOF that was charged, by period. */
@QueryHandler(GetIofPayableQuery)
export class GetIofPayableHandler implements IQueryHandler<GetIofPayableQuery> {
  constructor(@Inject(VIEWS) private readonly views: Kysely<unknown>) {}

  async execute({ payload: { from, to, by } }: GetIofPayableQuery): Promise<ReplyOf<typeof GetIofPayable>> {
    return { periods: iofPeriods(await readFxDays(this.views, to), from, by) };
  }
}
