import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandHandler } from '@nestjs/cqrs';
import { PayloadCommand } from '@ponte/nest';
import type { FailingSummary } from './endpoints.state';
import { AccountEndpoints } from './account-endpoints.service';

/** Records the summary of a failing endpoint, once a day. Sent by this service only. */
export class NoteFailingEndpointCommand extends PayloadCommand<{
  readonly accountId: string;
  readonly endpointId: string;
  readonly summary: FailingSummary;
}> {}

@CommandHandler(NoteFailingEndpointCommand)
export class NoteFailingEndpointHandler implements ICommandHandler<NoteFailingEndpointCommand> {
  constructor(private readonly endpoints: AccountEndpoints) {}

  async execute({ payload: { accountId, endpointId, summary }, context }: NoteFailingEndpointCommand): Promise<void> {
    const command = (now: string) => ({ kind: 'note-failing' as const, endpointId, summary, now });
    await this.endpoints.handle(accountId, command, context);
  }
}
