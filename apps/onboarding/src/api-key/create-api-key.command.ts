import { Inject } from '@nestjs/common';
import type { ICommandHandler } from '@nestjs/cqrs';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ApiKeyRecord, CreateApiKeyPayload } from '@ponte/contracts';
import { materialViolations } from '@ponte/contracts';
import type { RequestContext } from '@ponte/event-sourcing';
import { Aggregates } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import type { Runtime } from '@ponte/nest';
import { CLOCK, commandContext, RUNTIME } from '@ponte/nest';
import type { Create } from './api-key.decider';
import { apiKey, created } from './api-key.decider';
import { apiKeyRecord } from './api-key.record';
import { Accounts } from '../account/accounts';

export class CreateApiKeyCommand extends Command<ApiKeyRecord> {
  constructor(
    readonly payload: CreateApiKeyPayload,
    readonly context: RequestContext,
  ) {
    super();
  }
}

@CommandHandler(CreateApiKeyCommand)
export class CreateApiKeyHandler implements ICommandHandler<CreateApiKeyCommand> {
  constructor(
    private readonly aggregates: Aggregates,
    private readonly accounts: Accounts,
    @Inject(CLOCK) private readonly clock: Clock,
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
    const { state } = await this.aggregates.handle(apiKey, terms.keyId, command, commandContext(context, this.clock));
    return apiKeyRecord(created(state));
  }
}
