import type { IQueryHandler } from '@nestjs/cqrs';
import { Query, QueryHandler } from '@nestjs/cqrs';
import type { ApiKeyRecord } from '@ponte/contracts';
import { isApiKeyId } from '@ponte/contracts';
import { Aggregates } from '@ponte/event-sourcing';
import { apiKey } from './api-key.decider';
import { apiKeyRecord } from './api-key.record';

export class GetApiKeyQuery extends Query<ApiKeyRecord | null> {
  constructor(readonly keyId: string) {
    super();
  }
}

/**
 * Asked at every request of a partner. A text that is no key id costs nothing: it comes from outside, unauthenticated.
 */
@QueryHandler(GetApiKeyQuery)
export class GetApiKeyHandler implements IQueryHandler<GetApiKeyQuery> {
  constructor(private readonly aggregates: Aggregates) {}

  async execute({ keyId }: GetApiKeyQuery): Promise<ApiKeyRecord | null> {
    if (!isApiKeyId(keyId)) return null;
    const { state } = await this.aggregates.load(apiKey, keyId);
    return state.status === 'absent' ? null : apiKeyRecord(state);
  }
}
