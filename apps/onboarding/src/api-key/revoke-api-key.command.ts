import { Inject } from '@nestjs/common';
import type { ICommandHandler } from '@nestjs/cqrs';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ApiKeyRecord, RevokeApiKey } from '@ponte/contracts';
import type { PayloadOf, RequestContext } from '@ponte/event-sourcing';
import { Aggregates } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { CLOCK, commandContext } from '@ponte/nest';
import { apiKey, created } from './api-key.decider';
import { apiKeyRecord } from './api-key.record';

export class RevokeApiKeyCommand extends Command<ApiKeyRecord> {
  constructor(
    readonly payload: PayloadOf<typeof RevokeApiKey>,
    readonly context: RequestContext,
  ) {
    super();
  }
}

@CommandHandler(RevokeApiKeyCommand)
export class RevokeApiKeyHandler implements ICommandHandler<RevokeApiKeyCommand> {
  constructor(
    private readonly aggregates: Aggregates,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ payload: { keyId, reason }, context }: RevokeApiKeyCommand): Promise<ApiKeyRecord> {
    const { state } = await this.aggregates.handle(
      apiKey,
      keyId,
      { kind: 'revoke', reason },
      commandContext(context, this.clock),
    );
    return apiKeyRecord(created(state));
  }
}
