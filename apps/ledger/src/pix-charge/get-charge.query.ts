import { QueryHandler } from '@nestjs/cqrs';
import type { IQueryHandler } from '@nestjs/cqrs';
import type { ChargeOutcome, GetCharge } from '@ponte/contracts';
import { RequestQuery } from '@ponte/nest';
import { outcomeOf } from './pix-charge.decider';
import { Charges } from './charges.repository';

/** The outcome of a charge so far, or null if it does not exist. */
export class GetChargeQuery extends RequestQuery<typeof GetCharge> {}

@QueryHandler(GetChargeQuery)
export class GetChargeHandler implements IQueryHandler<GetChargeQuery> {
  constructor(private readonly charges: Charges) {}

  async execute({ payload: { txid } }: GetChargeQuery): Promise<ChargeOutcome | null> {
    return outcomeOf(await this.charges.load(txid));
  }
}
