import type { IQueryHandler } from '@nestjs/cqrs';
import { QueryHandler } from '@nestjs/cqrs';
import type { CheckHouseAddress } from '@ponte/contracts';
import { RequestQuery } from '@ponte/nest';
import { HouseAddresses } from './token-destinations';

/** Whether an address is one of the service, on any chain. */
export class CheckHouseAddressQuery extends RequestQuery<typeof CheckHouseAddress> {}

@QueryHandler(CheckHouseAddressQuery)
export class CheckHouseAddressHandler implements IQueryHandler<CheckHouseAddressQuery> {
  constructor(private readonly house: HouseAddresses) {}

  async execute({ payload: { address } }: CheckHouseAddressQuery): Promise<{ readonly loss: string | null }> {
    return { loss: await this.house.lossAnywhere(address) };
  }
}
