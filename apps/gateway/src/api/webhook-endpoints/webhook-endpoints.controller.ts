import { Delete, Get, Inject, Patch, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import {
  ChangeWebhookEndpoint,
  CreateWebhookEndpoint,
  DeleteWebhookEndpoint,
  GetWebhookEndpoint,
  ListWebhookEndpoints,
  PingWebhookEndpoint,
  ReplayWebhookEvents,
  RotateWebhookSecret,
  sealRequest,
} from '@ponte/contracts';
import type { PersonalData } from '@ponte/event-sourcing';
import { isoTime, parseInstant } from '@ponte/kernel';
import { PERSONAL_DATA } from '@ponte/nest';
import type { AccountRequest, Call } from '../../edge/request-context';
import { Services } from '../../edge/services';
import { found, notFound, shapeError } from '../../errors/api-error';
import type { ListRequest } from '../../pagination/list-request';
import { Listed } from '../../pagination/pagination';
import { PageQuery } from '../../pagination/page-query';
import { described } from '../../openapi/operation-spec';
import { Operation, Resource } from '../../openapi/operation';
import {
  ALL_KINDS,
  ENDPOINT_EXAMPLE,
  endpointDto,
  NewWebhookEndpointEnvelopeDto,
  PingEnvelopeDto,
  WebhookEndpointChangeDto,
  WebhookEndpointEnvelopeDto,
  WebhookEndpointRequestDto,
  WebhookEndpointsDto,
} from './webhook-endpoint.dto';
import { pathEndpoint } from '../path';
import {
  REPLAY_EXAMPLE,
  REPLAY_REQUEST_EXAMPLE,
  replayDto,
  WebhookReplayEnvelopeDto,
  WebhookReplayRequestDto,
} from './webhook-replay.dto';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const PING_EXAMPLE: PingEnvelopeDto = {
  'webhook-ping': { 'event-id': '7c9e6679-7425-80de-944b-e07fc1f90ae7', 'queued-at': '2026-01-31T12:00:00.000Z' },
};

@Resource('api/v1/accounts/:accountId/webhook-endpoints', 'webhooks')
export class WebhookEndpointsController {
  constructor(
    private readonly services: Services,
    @Inject(PERSONAL_DATA) private readonly personalData: PersonalData,
  ) {}

  @Operation({
    id: 'create-webhook-endpoint',
    summary: 'Have events of an account posted to a URL',
    reach: 'account',
    secretAnswer: true,
    body: described(WebhookEndpointRequestDto, {
      url: 'https://partner.example/hooks',
      'event-types': ['order-completed'],
    }),
    answer: described(NewWebhookEndpointEnvelopeDto, { 'webhook-endpoint': { ...ENDPOINT_EXAMPLE, secret: SECRET } }),
    errors: ['limit-exceeded'],
  })
  @Post()
  async create(@Req() request: FastifyRequest): Promise<NewWebhookEndpointEnvelopeDto> {
    const { call } = request;
    const body = request.body as WebhookEndpointRequestDto;
    const endpoint = await this.services.request(
      CreateWebhookEndpoint,
      {
        accountId: call.accountId,
        endpointId: call.commandId,
        url: await this.inTransit(body.url),
        eventTypes: body['event-types'] ?? null,
        description: body.description ?? null,
      },
      call,
    );
    return { 'webhook-endpoint': { ...endpointDto(endpoint), secret: endpoint.secret } };
  }

  @Operation({
    id: 'list-webhook-endpoints',
    summary: "An account's endpoints",
    reach: 'account',
    query: PageQuery,
    answer: described(WebhookEndpointsDto, { 'webhook-endpoints': [ENDPOINT_EXAMPLE] }),
    paged: true,
  })
  @Get()
  async list(@Listed() list: ListRequest): Promise<WebhookEndpointsDto> {
    const endpoints = await list.find(ListWebhookEndpoints, { accountId: list.call.accountId });
    return { 'webhook-endpoints': endpoints.map(endpointDto) };
  }

  @Operation({
    id: 'delete-webhook-endpoint',
    summary: 'Stop sending to an endpoint',
    reach: 'account',
    status: 204,
    errors: ['webhook-endpoint-not-found'],
  })
  @Delete(':id')
  async delete(@Req() { call, params }: AccountRequest): Promise<void> {
    const { deleted } = await this.services.request(DeleteWebhookEndpoint, endpointOf(call, params), call);
    if (!deleted) throw notFound('webhook-endpoint-not-found');
  }

  @Operation({
    id: 'ping-webhook-endpoint',
    summary: 'Queue a webhook-ping',
    reach: 'account',
    status: 202,
    answer: described(PingEnvelopeDto, PING_EXAMPLE),
    errors: ['webhook-endpoint-not-found', 'webhook-endpoint-disabled'],
  })
  @Post(':id/ping')
  async ping(@Req() { call, params }: AccountRequest): Promise<PingEnvelopeDto> {
    const queued = known(await this.services.request(PingWebhookEndpoint, endpointOf(call, params), call));
    return { 'webhook-ping': { 'event-id': queued.eventId, 'queued-at': queued.queuedAt } };
  }

  @Operation({
    id: 'get-webhook-endpoint',
    summary: 'One endpoint',
    reach: 'account',
    answer: described(WebhookEndpointEnvelopeDto, { 'webhook-endpoint': ENDPOINT_EXAMPLE }),
    errors: ['webhook-endpoint-not-found'],
  })
  @Get(':id')
  async get(@Req() { call, params }: AccountRequest): Promise<WebhookEndpointEnvelopeDto> {
    const endpoint = await this.services.request(GetWebhookEndpoint, endpointOf(call, params), call);
    return { 'webhook-endpoint': endpointDto(known(endpoint)) };
  }

  @Operation({
    id: 'change-webhook-endpoint',
    summary: 'Change an endpoint, disable it, or enable it again',
    reach: 'account',
    body: described(WebhookEndpointChangeDto, {
      'event-types': ['order-completed'],
      enabled: true,
      'replay-missed': true,
    }),
    answer: described(WebhookEndpointEnvelopeDto, { 'webhook-endpoint': ENDPOINT_EXAMPLE }),
    errors: ['webhook-endpoint-not-found'],
  })
  @Patch(':id')
  async change(@Req() { call, params, body }: AccountRequest): Promise<WebhookEndpointEnvelopeDto> {
    const {
      url,
      'event-types': types,
      description,
      enabled,
      'replay-missed': replayMissed,
    } = body as WebhookEndpointChangeDto;
    if (replayMissed && enabled !== true)
      throw shapeError([{ path: 'replay-missed', code: 'unknown-field', message: 'is sent with enabled true' }]);
    const endpoint = await this.services.request(
      ChangeWebhookEndpoint,
      {
        ...endpointOf(call, params),
        url: url === undefined ? null : await this.inTransit(url),
        eventTypes:
          types === undefined ? null : types.includes(ALL_KINDS) ? 'all' : types.filter((type) => type !== ALL_KINDS),
        description: description ?? null,
        enabled: enabled ?? null,
        replayMissed: replayMissed ?? false,
      },
      call,
    );
    return { 'webhook-endpoint': endpointDto(known(endpoint)) };
  }

  @Operation({
    id: 'rotate-webhook-secret',
    summary: 'Give an endpoint a new secret; the previous one signs beside it for 24 h',
    reach: 'account',
    secretAnswer: true,
    answer: described(NewWebhookEndpointEnvelopeDto, {
      'webhook-endpoint': { ...ENDPOINT_EXAMPLE, 'previous-secret-until': '2026-02-01T12:00:00.000Z', secret: SECRET },
    }),
    errors: ['webhook-endpoint-not-found'],
  })
  @Post(':id/rotate-secret')
  async rotate(@Req() { call, params }: AccountRequest): Promise<NewWebhookEndpointEnvelopeDto> {
    const endpoint = known(await this.services.request(RotateWebhookSecret, endpointOf(call, params), call));
    return { 'webhook-endpoint': { ...endpointDto(endpoint), secret: endpoint.secret } };
  }

  @Operation({
    id: 'replay-webhook-events',
    summary: 'Send the events of a range of time to an endpoint once more',
    reach: 'account',
    status: 202,
    body: described(WebhookReplayRequestDto, REPLAY_REQUEST_EXAMPLE),
    answer: described(WebhookReplayEnvelopeDto, REPLAY_EXAMPLE),
    errors: ['webhook-endpoint-not-found', 'webhook-endpoint-disabled'],
  })
  @Post(':id/replay')
  async replay(@Req() { call, params, body }: AccountRequest): Promise<WebhookReplayEnvelopeDto> {
    const { from, to, 'event-types': eventTypes = null } = body as WebhookReplayRequestDto;
    const wanted = { ...endpointOf(call, params), from: instantOf(from), to: instantOf(to), eventTypes };
    return { 'webhook-replay': replayDto(known(await this.services.request(ReplayWebhookEvents, wanted, call))) };
  }

  /** Topics of requests keep what they carry for an hour, and a query often holds a token. */
  private async inTransit(url: string): Promise<string> {
    return url.includes('?') ? sealRequest(this.personalData, { secret: url }) : url;
  }
}

/** A time as all times are written, with milliseconds and in UTC. */
const instantOf = (text: string): string => isoTime(parseInstant(text) ?? Number.NaN);

const endpointOf = (call: Call, params: AccountRequest['params']) => ({
  accountId: call.accountId,
  endpointId: pathEndpoint(params),
});

const known = <T>(endpoint: T | null): T => found(endpoint, 'webhook-endpoint-not-found');
