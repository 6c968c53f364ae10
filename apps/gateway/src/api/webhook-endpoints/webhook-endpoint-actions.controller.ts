import { Inject, Post, Req } from '@nestjs/common';
import { PingWebhookEndpoint, ReplayWebhookEvents, RotateWebhookSecret } from '@ponte/contracts';
import type { PersonalData } from '@ponte/event-sourcing';
import { isoTime, parseInstant } from '@ponte/kernel';
import { PERSONAL_DATA } from '@ponte/nest';
import type { AccountRequest } from '../../edge/request-context.service';
import { Services } from '../../edge/request-context.service';
import { described } from '../../openapi/operation-spec';
import { Operation, Resource } from '../../openapi/operation';
import {
  ENDPOINT_EXAMPLE,
  endpointDto,
  NewWebhookEndpointEnvelopeDto,
  PingEnvelopeDto,
  SECRET_EXAMPLE,
} from './webhook-endpoint.dto';
import {
  REPLAY_EXAMPLE,
  REPLAY_REQUEST_EXAMPLE,
  replayDto,
  WebhookReplayEnvelopeDto,
  WebhookReplayRequestDto,
} from './webhook-replay.dto';
import { endpointOf, known } from './endpoint-path';

/** Actions on an endpoint: ping it, rotate its secret, replay its events. */
@Resource('api/v1/accounts/:accountId/webhook-endpoints', 'webhooks')
export class WebhookEndpointActionsController {
  constructor(
    private readonly services: Services,
    @Inject(PERSONAL_DATA) private readonly personalData: Pick<PersonalData, 'open'>,
  ) {}

  @Operation({
    id: 'ping-webhook-endpoint',
    summary: 'Send a webhook-ping',
    reach: 'account',
    status: 202,
    answer: described(PingEnvelopeDto),
    errors: ['webhook-endpoint-not-found', 'webhook-endpoint-disabled'],
  })
  @Post(':id/ping')
  async ping(@Req() { call, params }: AccountRequest): Promise<PingEnvelopeDto> {
    const queued = known(await this.services.request(PingWebhookEndpoint, endpointOf(call, params), call));
    return { 'webhook-ping': { 'event-id': queued.eventId, 'queued-at': queued.queuedAt } };
  }

  @Operation({
    id: 'rotate-webhook-secret',
    summary:
      'Rotate the secret of an endpoint; requests are also signed with the previous secret for 24 h, or until the next rotation',
    reach: 'account',
    secretAnswer: true,
    answer: described(NewWebhookEndpointEnvelopeDto, {
      'webhook-endpoint': {
        ...ENDPOINT_EXAMPLE,
        'previous-secret-until': '2026-02-01T12:00:00.000Z',
        secret: SECRET_EXAMPLE,
      },
    }),
    errors: ['webhook-endpoint-not-found'],
  })
  @Post(':id/rotate-secret')
  async rotate(@Req() { call, params }: AccountRequest): Promise<NewWebhookEndpointEnvelopeDto> {
    const endpoint = known(await this.services.request(RotateWebhookSecret, endpointOf(call, params), call));
    const secret = await this.personalData.open(endpoint.secret);
    return { 'webhook-endpoint': { ...endpointDto(endpoint), secret } };
  }

  @Operation({
    id: 'replay-webhook-events',
    summary: 'Send the events of a time range to an endpoint again',
    reach: 'account',
    status: 202,
    body: described(WebhookReplayRequestDto, REPLAY_REQUEST_EXAMPLE),
    answer: described(WebhookReplayEnvelopeDto, REPLAY_EXAMPLE),
    errors: ['webhook-endpoint-not-found', 'webhook-endpoint-disabled', 'limit-exceeded'],
  })
  @Post(':id/replay')
  async replay(@Req() { call, params, body }: AccountRequest): Promise<WebhookReplayEnvelopeDto> {
    const { from, to, 'event-types': eventTypes = null } = body as WebhookReplayRequestDto;
    const wanted = { ...endpointOf(call, params), from: instantOf(from), to: instantOf(to), eventTypes };
    return { 'webhook-replay': replayDto(known(await this.services.request(ReplayWebhookEvents, wanted, call))) };
  }
}

/** Normalizes a time to UTC with milliseconds. */
const instantOf = (text: string): string => isoTime(parseInstant(text) ?? Number.NaN);
