import { Inject } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';
import { CreateWebhookEndpoint, DeleteWebhookEndpoint, ListWebhookEndpoints, PingWebhookEndpoint } from '@ponte/contracts';
import type { PayloadOf, RequestContext } from '@ponte/event-sourcing';
import { Messages } from '@ponte/nest';
import { CreateWebhookEndpointCommand } from './commands/create-webhook-endpoint';
import { DeleteWebhookEndpointCommand } from './commands/delete-webhook-endpoint';
import { PingWebhookEndpointCommand } from './commands/ping-webhook-endpoint';
import { ListWebhookEndpointsQuery } from './queries/list-webhook-endpoints';

@Messages()
export class WebhooksMessages {
  constructor(
    @Inject(CommandBus) private readonly commands: CommandBus,
    @Inject(QueryBus) private readonly queries: QueryBus,
  ) {}

  @MessagePattern(CreateWebhookEndpoint.pattern)
  createWebhookEndpoint(@Payload() payload: PayloadOf<typeof CreateWebhookEndpoint>, @Ctx() context: RequestContext) {
    return this.commands.execute(new CreateWebhookEndpointCommand(payload, context));
  }

  @MessagePattern(DeleteWebhookEndpoint.pattern)
  deleteWebhookEndpoint(@Payload() payload: PayloadOf<typeof DeleteWebhookEndpoint>, @Ctx() context: RequestContext) {
    return this.commands.execute(new DeleteWebhookEndpointCommand(payload, context));
  }

  @MessagePattern(PingWebhookEndpoint.pattern)
  pingWebhookEndpoint(@Payload() payload: PayloadOf<typeof PingWebhookEndpoint>, @Ctx() context: RequestContext) {
    return this.commands.execute(new PingWebhookEndpointCommand(payload, context));
  }

  @MessagePattern(ListWebhookEndpoints.pattern)
  listWebhookEndpoints(@Payload() payload: PayloadOf<typeof ListWebhookEndpoints>) {
    return this.queries.execute(new ListWebhookEndpointsQuery(payload));
  }
}
