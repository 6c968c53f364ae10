import type { EndpointDisabledReason, EndpointFaults, WebhookEndpointEvent, WebhookEventType } from '@ponte/contracts';
import {
  WEBHOOK_ENDPOINT_EVENTS,
  WebhookEndpointCreated,
  WebhookEndpointDeleted,
  WebhookEndpointDisabled,
  WebhookEndpointFailing,
  WebhookEndpointPinged,
  WebhookFaultsChanged,
} from '@ponte/contracts';
import type { Decider, Sealed } from '@ponte/event-sourcing';
import { addSeconds, refuse, refuseAll } from '@ponte/kernel';
import { FAILING_LIMIT_SECONDS } from '../deliveries/retry-schedule.domain';
import type { ChangeEndpoint, ReplayEvents, RotateSecret } from './endpoint-changes.domain';
import { changeEndpoint, replayEvents, rotateSecret } from './endpoint-changes.domain';
import type { Target } from './endpoint-rules.domain';
import { violationsOfFilter, violationsOfTarget, inOrder } from './endpoint-rules.domain';
import { endpointsSnapshots } from './snapshots/endpoints.snapshot';
import type { Endpoint, Endpoints, FailingSummary } from './endpoints.state';
import { NO_ENDPOINTS, evolve } from './endpoints.state';
import { maskedUrl } from './target.domain';

export interface CreateEndpoint extends Target {
  readonly kind: 'create';
  readonly endpointId: string;
  readonly accountId: string;
  readonly eventTypes: readonly WebhookEventType[] | null;
  readonly description: string | null;
  readonly secret: Sealed;
  readonly now: string;
}

export type EndpointCommand =
  | CreateEndpoint
  | ChangeEndpoint
  | RotateSecret
  | ReplayEvents
  | {
      readonly kind: 'change-faults';
      readonly endpointId: string;
      readonly faults: EndpointFaults | null;
      readonly now: string;
    }
  | {
      readonly kind: 'note-failing';
      readonly endpointId: string;
      readonly summary: FailingSummary;
      readonly now: string;
    }
  | { readonly kind: 'delete'; readonly endpointId: string; readonly now: string }
  | {
      readonly kind: 'disable';
      readonly endpointId: string;
      readonly reason: Exclude<EndpointDisabledReason, 'requested'>;
      /** Null when the account has no parent. */
      readonly parentId: string | null;
      /** When the attempt failed that is the reason. */
      readonly failedAt: string;
      readonly now: string;
    }
  | { readonly kind: 'ping'; readonly endpointId: string; readonly eventId: string; readonly now: string };

/** The largest number of endpoints per account. A disabled endpoint counts until it is deleted. */
export const MAX_ENDPOINTS = 10;

/**
 * The rules of the endpoints of one account. A command on an unknown endpoint produces no events, from which the caller
 * sees that it does not exist. A ping or a replay of a disabled endpoint is refused (`webhook-endpoint-disabled`):
 * nothing is sent to it until its account enables it again.
 */
export const endpointsDecider: Decider<EndpointCommand, Endpoints, WebhookEndpointEvent> = {
  category: 'webhookEndpoint',
  initial: NO_ENDPOINTS,
  events: WEBHOOK_ENDPOINT_EVENTS,
  snapshots: endpointsSnapshots,
  decide(command, endpoints) {
    if (command.kind === 'create') return create(command, endpoints);
    const endpoint = endpoints.byId.get(command.endpointId);
    if (!endpoint) return [];
    const { endpointId, accountId } = endpoint;
    switch (command.kind) {
      case 'delete':
        return [new WebhookEndpointDeleted({ endpointId, accountId, deletedAt: command.now })];
      case 'disable':
        if (endpoint.status === 'disabled') return [];
        if (command.reason === 'gone' ? isOutdated(command, endpoint) : isFreshlyEnabled(endpoint, command.now))
          return [];
        return [
          new WebhookEndpointDisabled({
            endpointId,
            accountId,
            reason: command.reason,
            disabledAt: command.now,
            sequence: endpoint.published + 1,
            ...(command.parentId === null ? {} : { parentId: command.parentId }),
          }),
        ];
      case 'ping':
        if (endpoint.status === 'disabled')
          refuse('webhook-endpoint-disabled', 'the endpoint is disabled; enable it first', 'id');
        return [
          new WebhookEndpointPinged({
            endpointId,
            accountId,
            eventId: command.eventId,
            sequence: endpoint.pings + 1,
            ...(endpoint.lastPing === null ? {} : { previousEventId: endpoint.lastPing }),
            pingedAt: command.now,
          }),
        ];
      case 'change':
        return changeEndpoint(command, endpoint, endpoints.replays);
      case 'rotate-secret':
        return rotateSecret(command, endpoint);
      case 'replay':
        return replayEvents(command, endpoint, endpoints.replays);
      case 'note-failing':
        if (endpoint.failingNotedOn !== undefined && endpoint.failingNotedOn >= command.summary.date) return [];
        return [new WebhookEndpointFailing({ endpointId, accountId, ...command.summary, notedAt: command.now })];
      case 'change-faults':
        return [new WebhookFaultsChanged({ endpointId, accountId, faults: command.faults, changedAt: command.now })];
    }
  },
  evolve,
};

/** A 410 from before the endpoint got its URL or was enabled again says nothing about the endpoint of now. */
const isOutdated = ({ failedAt }: { readonly failedAt: string }, { urlSetAt, enabledAt }: Endpoint): boolean =>
  failedAt < urlSetAt || (enabledAt !== null && failedAt < enabledAt);

/** Failures before the endpoint was enabled again do not count: it gets the full 120 h again. */
const isFreshlyEnabled = ({ enabledAt }: Endpoint, now: string): boolean =>
  enabledAt !== null && now < addSeconds(enabledAt, FAILING_LIMIT_SECONDS);

function create(command: CreateEndpoint, { byId }: Endpoints): WebhookEndpointEvent[] {
  if (byId.has(command.endpointId)) return [];
  refuseAll([...violationsOfTarget(command), ...violationsOfFilter(command.eventTypes)]);
  if (byId.size >= MAX_ENDPOINTS) refuse('limit-exceeded', `an account has at most ${MAX_ENDPOINTS} webhook endpoints`);
  const { endpointId, accountId, url, sealedUrl, secret, description } = command;
  const eventTypes = inOrder(command.eventTypes);
  return [
    new WebhookEndpointCreated({
      endpointId,
      accountId,
      url: sealedUrl === null ? url : maskedUrl(url),
      ...(sealedUrl === null ? {} : { sealedUrl }),
      eventTypes,
      secret,
      ...(description === null ? {} : { description }),
      createdAt: command.now,
    }),
  ];
}
