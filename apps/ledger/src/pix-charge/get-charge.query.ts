import { Query, QueryHandler } from '@nestjs/cqrs';
import type { IQueryHandler } from '@nestjs/cqrs';
import type { ChargeOutcome } from '@ponte/contracts';
import { outcomeOf } from './pix-charge.decider';
import { Charges } from './charges.repository';

/** The state of a charge, or null. */
export class GetChargeQuery extends Query<ChargeOutcome | null> {
  constructor(readonly txid: string) {
    super();
  }
}

@QueryHandler(GetChargeQuery)
export class GetChargeHandler implements IQueryHandler<GetChargeQuery> {
  constructor(private readonly charges: Charges) {}

  async execute({ txid }: GetChargeQuery): Promise<ChargeOutcome | null> {
    return outcomeOf(await this.charges.load(txid));
  }
}
