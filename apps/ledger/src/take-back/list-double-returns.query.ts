import type { IQueryHandler } from '@nestjs/cqrs';
import { QueryHandler } from '@nestjs/cqrs';
import type { DoubleReturn, ListDoubleReturns, Page } from '@ponte/contracts';
import { RequestQuery } from '@ponte/nest';
import { DoubleReturns } from './double-returns.read-model';

/** Payments whose money left our bank twice, newest first. */
export class ListDoubleReturnsQuery extends RequestQuery<typeof ListDoubleReturns> {}

@QueryHandler(ListDoubleReturnsQuery)
export class ListDoubleReturnsHandler implements IQueryHandler<ListDoubleReturnsQuery> {
  constructor(private readonly doubleReturns: DoubleReturns) {}

  execute({ payload: { page } }: ListDoubleReturnsQuery): Promise<Page<DoubleReturn>> {
    return this.doubleReturns.records({ where: {}, page });
  }
}
