import { Inject } from '@nestjs/common';
import type { ICommandHandler } from '@nestjs/cqrs';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { DeleteWebhookEndpoint } from '@ponte/contracts';
import type { PayloadOf, RequestContext } from '@ponte/event-sourcing';
import { Aggregates } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { CLOCK, commandContext } from '@ponte/nest';
import { endpointsDecider } from './endpoints.decider';

export class DeleteWebhookEndpointCommand extends Command<{ deleted: boolean }> {
  constructor(
    readonly payload: PayloadOf<typeof DeleteWebhookEndpoint>,
    readonly context: RequestContext,
  ) {
    super();
  }
}

/** What still waits for the endpoint ends as failed when it falls due; the account's outbox keeps everything. */
@CommandHandler(DeleteWebhookEndpointCommand)
export class DeleteWebhookEndpointHandler implements ICommandHandler<DeleteWebhookEndpointCommand> {
  constructor(
    @Inject(Aggregates) private readonly aggregates: Aggregates,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({
    payload: { accountId, endpointId },
    context,
  }: DeleteWebhookEndpointCommand): Promise<{ deleted: boolean }> {
    const command = (now: string) => ({ kind: 'delete' as const, endpointId, now });
    const { events } = await this.aggregates.handle(
      endpointsDecider,
      accountId,
      command,
      commandContext(context, this.clock),
    );
    return { deleted: events.length > 0 };
  }
}
