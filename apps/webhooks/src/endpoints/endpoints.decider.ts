import type { EndpointDisabledReason, EndpointFaults, WebhookEndpointEvent, WebhookEventType } from '@ponte/contracts';
import {
  WebhookEndpointChanged,
  WebhookEndpointCreated,
  WebhookEndpointDeleted,
  WebhookEndpointDisabled,
  WebhookEndpointEnabled,
  WebhookEndpointFailing,
  WebhookEndpointPinged,
  WebhookFaultsChanged,
  WebhookReplayRequested,
  WebhookSecretRotated,
} from '@ponte/contracts';
import type { Decider, Sealed } from '@ponte/event-sourcing';
import { addSeconds, refuse, refuseAll } from '@ponte/kernel';
import { FAILING_LIMIT_SECONDS } from '../deliveries/retry-schedule.domain';
import type { ChangeEndpoint, ReplayEvents, RotateSecret } from './endpoint-changes.domain';
import { changeEndpoint, replayEvents, rotateSecret } from './endpoint-changes.domain';
import type { Target } from './endpoint-rules.domain';
import { violationsOfFilter, violationsOfTarget, inOrder } from './endpoint-rules.domain';
import { maskedUrl } from './target.domain';

interface Known {
  readonly endpointId: string;
  readonly accountId: string;
  /** With the query masked, in streams written since queries are sealed. */
  readonly url: string;
  /** The whole URL, where it has a query. */
  readonly sealedUrl?: Sealed;
  readonly eventTypes: readonly WebhookEventType[] | null;
  readonly secret: Sealed;
  readonly description: string | null;
  readonly createdAt: string;
  /** When it was last enabled again; null when it never was disabled. */
  readonly enabledAt: string | null;
  /** Signs beside the secret until then. */
  readonly previousSecret: { readonly secret: Sealed; readonly until: string } | null;
  /** Sandbox alone. */
  readonly faults: EndpointFaults | null;
  /** How many events about the endpoint itself were published: its pings, and each time that it was disabled. */
  readonly published: number;
  /** Event id of the last of them. */
  readonly lastPing: string | null;
  /** Day (UTC) of the last summary of its failures; absent before the first. */
  readonly failingNotedOn?: string;
}

/** What the summary of a failing endpoint says. */
export type FailingSummary = Omit<WebhookEndpointFailing['data'], 'endpointId' | 'accountId' | 'notedAt'>;

export type Endpoint =
  | (Known & { readonly status: 'enabled' })
  | (Known & { readonly status: 'disabled'; readonly reason: EndpointDisabledReason; readonly disabledAt: string });

/** The endpoints of one account by id, oldest first. */
export type Endpoints = ReadonlyMap<string, Endpoint>;

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
      /** Null of an account without a parent. */
      readonly parentId: string | null;
      readonly now: string;
    }
  | { readonly kind: 'ping'; readonly endpointId: string; readonly eventId: string; readonly now: string };

/** At most 10 per account. A disabled one counts until it is deleted. */
export const MAX_ENDPOINTS = 10;

/**
 * Commands on an endpoint that is not there come to nothing; the caller sees that no event followed. A ping or a replay
 * of a disabled one is refused `webhook-endpoint-disabled`: nothing is sent to it until its account enables it again.
 */
export const endpointsDecider: Decider<EndpointCommand, Endpoints, WebhookEndpointEvent> = {
  category: 'webhookEndpoint',
  initial: new Map(),
  events: [
    WebhookEndpointCreated,
    WebhookEndpointChanged,
    WebhookEndpointDeleted,
    WebhookEndpointDisabled,
    WebhookEndpointEnabled,
    WebhookEndpointPinged,
    WebhookSecretRotated,
    WebhookReplayRequested,
    WebhookFaultsChanged,
    WebhookEndpointFailing,
  ],
  decide(command, endpoints) {
    if (command.kind === 'create') return create(command, endpoints);
    const endpoint = endpoints.get(command.endpointId);
    if (!endpoint) return [];
    const { endpointId, accountId } = endpoint;
    switch (command.kind) {
      case 'delete':
        return [new WebhookEndpointDeleted({ endpointId, accountId, deletedAt: command.now })];
      case 'disable':
        if (
          endpoint.status === 'disabled' ||
          (command.reason === 'no-success' && isFreshlyEnabled(endpoint, command.now))
        )
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
            sequence: endpoint.published + 1,
            ...(endpoint.lastPing === null ? {} : { previousEventId: endpoint.lastPing }),
            pingedAt: command.now,
          }),
        ];
      case 'change':
        return changeEndpoint(command, endpoint);
      case 'rotate-secret':
        return rotateSecret(command, endpoint);
      case 'replay':
        return replayEvents(command, endpoint);
      case 'note-failing':
        if (endpoint.failingNotedOn !== undefined && endpoint.failingNotedOn >= command.summary.date) return [];
        return [new WebhookEndpointFailing({ endpointId, accountId, ...command.summary, notedAt: command.now })];
      case 'change-faults':
        return [new WebhookFaultsChanged({ endpointId, accountId, faults: command.faults, changedAt: command.now })];
    }
  },
  evolve(endpoints, event) {
    const next = new Map(endpoints);
    switch (event.type) {
      case 'WebhookEndpointCreated':
        return next.set(event.data.endpointId, asCreated(event.data));
      case 'WebhookEndpointChanged':
        return change(next, event.data.endpointId, (endpoint) => asChanged(endpoint, event.data));
      case 'WebhookEndpointEnabled':
        return change(next, event.data.endpointId, (endpoint) => ({
          ...endpoint,
          status: 'enabled',
          enabledAt: event.data.enabledAt,
        }));
      case 'WebhookSecretRotated':
        return change(next, event.data.endpointId, (endpoint) => ({
          ...endpoint,
          secret: event.data.secret,
          previousSecret: { secret: endpoint.secret, until: event.data.previousUntil },
        }));
      case 'WebhookFaultsChanged':
        return change(next, event.data.endpointId, (endpoint) => ({ ...endpoint, faults: event.data.faults }));
      case 'WebhookEndpointFailing':
        return change(next, event.data.endpointId, (endpoint) => ({ ...endpoint, failingNotedOn: event.data.date }));
      case 'WebhookReplayRequested':
        return endpoints;
      case 'WebhookEndpointDeleted':
        next.delete(event.data.endpointId);
        return next;
      case 'WebhookEndpointDisabled':
        return change(next, event.data.endpointId, (endpoint) => ({
          ...endpoint,
          status: 'disabled',
          reason: event.data.reason,
          disabledAt: event.data.disabledAt,
          published: event.data.sequence ?? endpoint.published,
        }));
      case 'WebhookEndpointPinged':
        return change(next, event.data.endpointId, (endpoint) => ({
          ...endpoint,
          published: event.data.sequence,
          lastPing: event.data.eventId,
        }));
    }
  },
};

/** Failures from before it was enabled again do not count: it gets the same 120 h as at first. */
const isFreshlyEnabled = ({ enabledAt }: Endpoint, now: string): boolean =>
  enabledAt !== null && now < addSeconds(enabledAt, FAILING_LIMIT_SECONDS);

/** Whether an endpoint receives events of a kind. Pings skip this check: no filter applies to them. */
export const wants = (endpoint: Endpoint, type: WebhookEventType): boolean =>
  endpoint.status === 'enabled' && (endpoint.eventTypes === null || endpoint.eventTypes.includes(type));

function create(command: CreateEndpoint, endpoints: Endpoints): WebhookEndpointEvent[] {
  if (endpoints.has(command.endpointId)) return [];
  refuseAll([...violationsOfTarget(command), ...violationsOfFilter(command.eventTypes)]);
  if (endpoints.size >= MAX_ENDPOINTS)
    refuse('limit-exceeded', `an account has at most ${MAX_ENDPOINTS} webhook endpoints`);
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

/** An endpoint at the moment that it was made. */
export const asCreated = ({ description, ...data }: WebhookEndpointCreated['data']): Endpoint => ({
  ...data,
  description: description ?? null,
  status: 'enabled',
  enabledAt: null,
  previousSecret: null,
  faults: null,
  published: 0,
  lastPing: null,
});

function asChanged(
  { sealedUrl, ...endpoint }: Endpoint,
  { url, sealedUrl: sealed, eventTypes, description }: WebhookEndpointChanged['data'],
): Endpoint {
  const whole = url === undefined ? sealedUrl : (sealed ?? undefined);
  return {
    ...endpoint,
    ...(url === undefined ? {} : { url }),
    ...(whole === undefined ? {} : { sealedUrl: whole }),
    ...(eventTypes === undefined ? {} : { eventTypes }),
    ...(description === undefined ? {} : { description }),
  };
}

function change(
  endpoints: Map<string, Endpoint>,
  id: string,
  to: (endpoint: Endpoint) => Endpoint,
): Map<string, Endpoint> {
  const endpoint = endpoints.get(id);
  return endpoint ? endpoints.set(id, to(endpoint)) : endpoints;
}
