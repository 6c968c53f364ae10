import type { IQueryHandler } from '@nestjs/cqrs';
import { QueryHandler } from '@nestjs/cqrs';
import type { ApiKeyRecord, GetApiKey } from '@ponte/contracts';
import { isApiKeyId } from '@ponte/contracts';
import { RequestQuery } from '@ponte/nest';
import { apiKeyRecord } from './api-key.record';
import { ApiKeys } from './api-keys.repository';

export class GetApiKeyQuery extends RequestQuery<typeof GetApiKey> {}

/**
 * Runs for every request of a partner. The key id comes from outside and is unauthenticated, so a malformed one is not
 * looked up.
 */
@QueryHandler(GetApiKeyQuery)
export class GetApiKeyHandler implements IQueryHandler<GetApiKeyQuery> {
  constructor(private readonly keys: ApiKeys) {}

  async execute({ payload: { keyId } }: GetApiKeyQuery): Promise<ApiKeyRecord | null> {
    if (!isApiKeyId(keyId)) return null;
    const state = await this.keys.load(keyId);
    return state.status === 'absent' ? null : apiKeyRecord(state);
  }
}
