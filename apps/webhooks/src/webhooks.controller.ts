import { Controller, Inject } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';
import {
  ChangeWebhookEndpoint,
  ChangeWebhookFaults,
  CheckWebhookSignature,
  CreateWebhookEndpoint,
  DeleteWebhookEndpoint,
  GetWebhookDelivery,
  GetWebhookEndpoint,
  ListAccountEvents,
  ListWebhookDeliveries,
  ListWebhookEndpoints,
  PingWebhookEndpoint,
  ReplayWebhookDelivery,
  ReplayWebhookEvents,
  RotateWebhookSecret,
} from '@ponte/contracts';
import type { PayloadOf, RequestContext } from '@ponte/event-sourcing';
import { CreateWebhookEndpointCommand } from './endpoints/create-webhook-endpoint.command';
import { DeleteWebhookEndpointCommand } from './endpoints/delete-webhook-endpoint.command';
import { PingWebhookEndpointCommand } from './endpoints/ping-webhook-endpoint.command';
import { GetWebhookDeliveryQuery } from './deliveries/get-webhook-delivery.query';
import { ListWebhookDeliveriesQuery } from './deliveries/list-webhook-deliveries.query';
import { ReplayWebhookDeliveryCommand } from './deliveries/replay-webhook-delivery.command';
import { ChangeWebhookEndpointCommand } from './endpoints/change-webhook-endpoint.command';
import { GetWebhookEndpointQuery } from './endpoints/get-webhook-endpoint.query';
import { ReplayWebhookEventsCommand } from './endpoints/replay-webhook-events.command';
import { RotateWebhookSecretCommand } from './endpoints/rotate-webhook-secret.command';
import { ListAccountEventsQuery } from './event-log/list-account-events.query';
import { ChangeWebhookFaultsCommand } from './faults/change-webhook-faults.command';
import { CheckWebhookSignatureQuery } from './faults/check-webhook-signature.query';
import { ListWebhookEndpointsQuery } from './endpoints/list-webhook-endpoints.query';

@Controller()
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

  @MessagePattern(ChangeWebhookEndpoint.pattern)
  changeWebhookEndpoint(@Payload() payload: PayloadOf<typeof ChangeWebhookEndpoint>, @Ctx() context: RequestContext) {
    return this.commands.execute(new ChangeWebhookEndpointCommand(payload, context));
  }

  @MessagePattern(RotateWebhookSecret.pattern)
  rotateWebhookSecret(@Payload() payload: PayloadOf<typeof RotateWebhookSecret>, @Ctx() context: RequestContext) {
    return this.commands.execute(new RotateWebhookSecretCommand(payload, context));
  }

  @MessagePattern(ReplayWebhookDelivery.pattern)
  replayWebhookDelivery(@Payload() payload: PayloadOf<typeof ReplayWebhookDelivery>, @Ctx() context: RequestContext) {
    return this.commands.execute(new ReplayWebhookDeliveryCommand(payload, context));
  }

  @MessagePattern(ReplayWebhookEvents.pattern)
  replayWebhookEvents(@Payload() payload: PayloadOf<typeof ReplayWebhookEvents>, @Ctx() context: RequestContext) {
    return this.commands.execute(new ReplayWebhookEventsCommand(payload, context));
  }

  @MessagePattern(ChangeWebhookFaults.pattern)
  changeWebhookFaults(@Payload() payload: PayloadOf<typeof ChangeWebhookFaults>, @Ctx() context: RequestContext) {
    return this.commands.execute(new ChangeWebhookFaultsCommand(payload, context));
  }

  @MessagePattern(GetWebhookEndpoint.pattern)
  getWebhookEndpoint(@Payload() payload: PayloadOf<typeof GetWebhookEndpoint>) {
    return this.queries.execute(new GetWebhookEndpointQuery(payload));
  }

  @MessagePattern(ListWebhookDeliveries.pattern)
  listWebhookDeliveries(@Payload() payload: PayloadOf<typeof ListWebhookDeliveries>) {
    return this.queries.execute(new ListWebhookDeliveriesQuery(payload));
  }

  @MessagePattern(GetWebhookDelivery.pattern)
  getWebhookDelivery(@Payload() payload: PayloadOf<typeof GetWebhookDelivery>) {
    return this.queries.execute(new GetWebhookDeliveryQuery(payload));
  }

  @MessagePattern(CheckWebhookSignature.pattern)
  checkWebhookSignature(@Payload() payload: PayloadOf<typeof CheckWebhookSignature>) {
    return this.queries.execute(new CheckWebhookSignatureQuery(payload));
  }

  @MessagePattern(ListAccountEvents.pattern)
  listAccountEvents(@Payload() payload: PayloadOf<typeof ListAccountEvents>) {
    return this.queries.execute(new ListAccountEventsQuery(payload));
  }
}
