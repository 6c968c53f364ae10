import type { Aggregates } from '@ponte/event-sourcing';
import type { Endpoint, Endpoints } from '../domain/webhook-endpoint/endpoints';
import { endpointsDecider } from '../domain/webhook-endpoint/endpoints';

/** The endpoints as their streams have them now; no view stands between a deletion and the next request. */
export class AccountEndpoints {
  constructor(private readonly aggregates: Aggregates) {}

  async of(accountId: string): Promise<Endpoints> {
    return (await this.aggregates.load(endpointsDecider, accountId)).state;
  }

  async find(accountId: string, endpointId: string): Promise<Endpoint | undefined> {
    return (await this.of(accountId)).get(endpointId);
  }
}
