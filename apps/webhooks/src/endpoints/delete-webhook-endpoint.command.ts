import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandHandler } from '@nestjs/cqrs';
import type { DeleteWebhookEndpoint } from '@ponte/contracts';
import type { ReplyOf } from '@ponte/event-sourcing';
import { RequestCommand } from '@ponte/nest';
import { AccountEndpoints } from './account-endpoints.service';

export class DeleteWebhookEndpointCommand extends RequestCommand<typeof DeleteWebhookEndpoint> {}

/** Deliveries that are still pending fail when they are due. The account's outbox keeps all events. */
@CommandHandler(DeleteWebhookEndpointCommand)
export class DeleteWebhookEndpointHandler implements ICommandHandler<DeleteWebhookEndpointCommand> {
  constructor(private readonly endpoints: AccountEndpoints) {}

  async execute({
    payload: { accountId, endpointId },
    context,
  }: DeleteWebhookEndpointCommand): Promise<ReplyOf<typeof DeleteWebhookEndpoint>> {
    const command = (now: string) => ({ kind: 'delete' as const, endpointId, now });
    const { events } = await this.endpoints.handle(accountId, command, context);
    return { deleted: events.length > 0 };
  }
}
