import { Inject } from '@nestjs/common';
import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandHandler } from '@nestjs/cqrs';
import type { ApiKeyRecord, CreateApiKey } from '@ponte/contracts';
import { materialViolations } from '@ponte/contracts';
import type { Runtime } from '@ponte/nest';
import { RequestCommand, RUNTIME } from '@ponte/nest';
import type { Create } from './api-key.decider';
import { created } from './api-key.decider';
import { apiKeyRecord } from './api-key.record';
import { ApiKeys } from './api-keys.repository';
import { Accounts } from '../account/accounts.service';

export class CreateApiKeyCommand extends RequestCommand<typeof CreateApiKey> {}

@CommandHandler(CreateApiKeyCommand)
export class CreateApiKeyHandler implements ICommandHandler<CreateApiKeyCommand> {
  constructor(
    private readonly keys: ApiKeys,
    private readonly accounts: Accounts,
    @Inject(RUNTIME) private readonly runtime: Pick<Runtime, 'environment'>,
  ) {}

  async execute({ payload: terms, context }: CreateApiKeyCommand): Promise<ApiKeyRecord> {
    const violations = materialViolations(terms.credential, terms.ipAllowlist);
    const command = async (): Promise<Create> => ({
      kind: 'create',
      terms,
      environment: this.runtime.environment,
      accountStatus: (await this.accounts.load(terms.accountId)).status,
      materialViolations: violations,
    });
    return apiKeyRecord(created(await this.keys.execute(terms.keyId, command, context)));
  }
}
