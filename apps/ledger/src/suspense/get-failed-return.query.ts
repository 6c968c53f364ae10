import type { IQueryHandler } from '@nestjs/cqrs';
import { QueryHandler } from '@nestjs/cqrs';
import type { FailedReturnOfPayer, GetFailedReturn } from '@ponte/contracts';
import { payerIdOf } from '@ponte/contracts';
import { RequestQuery } from '@ponte/nest';
import { Deposits } from '../deposit/deposits.repository';
import { failedReturnOf } from './failed-return.mapper';
import { isInSuspense } from './suspense.domain';

/** One deposit whose money is or was in suspense, and its payer. */
export class GetFailedReturnQuery extends RequestQuery<typeof GetFailedReturn> {}

@QueryHandler(GetFailedReturnQuery)
export class GetFailedReturnHandler implements IQueryHandler<GetFailedReturnQuery> {
  constructor(private readonly deposits: Deposits) {}

  async execute({ payload: { depositId } }: GetFailedReturnQuery): Promise<FailedReturnOfPayer | null> {
    const state = await this.deposits.load(depositId);
    if (!isInSuspense(state)) return null;
    return { failedReturn: failedReturnOf(state), payerId: payerIdOf(depositId, state.facts.coordinates) };
  }
}
