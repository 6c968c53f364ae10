import type { IQueryHandler } from '@nestjs/cqrs';
import { QueryHandler } from '@nestjs/cqrs';
import type { FindHouseAddresses } from '@ponte/contracts';
import type { ReplyOf } from '@ponte/event-sourcing';
import { RequestQuery } from '@ponte/nest';
import { HouseAddresses } from './token-destinations.service';

/** Which addresses are those of the service, on any chain. */
export class FindHouseAddressesQuery extends RequestQuery<typeof FindHouseAddresses> {}

@QueryHandler(FindHouseAddressesQuery)
export class FindHouseAddressesHandler implements IQueryHandler<FindHouseAddressesQuery> {
  constructor(private readonly house: HouseAddresses) {}

  async execute({ payload: { addresses } }: FindHouseAddressesQuery): Promise<ReplyOf<typeof FindHouseAddresses>> {
    return { found: await this.house.among(addresses) };
  }
}
