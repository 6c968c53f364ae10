import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandHandler } from '@nestjs/cqrs';
import type { ApiKeyRecord, RevokeApiKey } from '@ponte/contracts';
import { RequestCommand } from '@ponte/nest';
import { created } from './api-key.decider';
import { apiKeyRecord } from './api-key.record';
import { ApiKeys } from './api-keys.repository';

export class RevokeApiKeyCommand extends RequestCommand<typeof RevokeApiKey> {}

@CommandHandler(RevokeApiKeyCommand)
export class RevokeApiKeyHandler implements ICommandHandler<RevokeApiKeyCommand> {
  constructor(private readonly keys: ApiKeys) {}

  async execute({ payload: { keyId, reason }, context }: RevokeApiKeyCommand): Promise<ApiKeyRecord> {
    return apiKeyRecord(created(await this.keys.execute(keyId, { kind: 'revoke', reason }, context)));
  }
}
