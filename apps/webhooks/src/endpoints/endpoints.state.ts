import type {
  EndpointDisabledReason,
  EndpointFaults,
  WebhookEndpointChanged,
  WebhookEndpointCreated,
  WebhookEndpointEvent,
  WebhookEndpointFailing,
  WebhookEventType,
} from '@ponte/contracts';
import type { Sealed } from '@ponte/event-sourcing';
import { withReplay } from './replays/replay-limit.domain';

interface KnownEndpoint {
  readonly endpointId: string;
  readonly accountId: string;
  /** With the query masked. Streams from before queries were sealed contain the whole URL. */
  readonly url: string;
  /** The whole URL if it has a query. */
  readonly sealedUrl?: Sealed;
  readonly eventTypes: readonly WebhookEventType[] | null;
  readonly secret: Sealed;
  readonly description: string | null;
  readonly createdAt: string;
  /** When it got its URL. */
  readonly urlSetAt: string;
  /** When it was last enabled again; null when it never was disabled. */
  readonly enabledAt: string | null;
  /** The secret before the last rotation. It also signs until `until`. */
  readonly previousSecret: { readonly secret: Sealed; readonly until: string } | null;
  /** Set in the sandbox only. */
  readonly faults: EndpointFaults | null;
  /** How many events about the endpoint itself were published: each disablement by Ponte. */
  readonly published: number;
  readonly pings: number;
  /** Event id of the last ping. */
  readonly lastPing: string | null;
  /** Day (UTC) of the last failure summary; absent before the first. */
  readonly failingNotedOn?: string;
}

/** The daily summary of a failing endpoint. */
export type FailingSummary = Omit<WebhookEndpointFailing['data'], 'endpointId' | 'accountId' | 'notedAt'>;

export type Endpoint =
  | (KnownEndpoint & { readonly status: 'enabled' })
  | (KnownEndpoint & {
      readonly status: 'disabled';
      readonly reason: EndpointDisabledReason;
      readonly disabledAt: string;
    });

export interface Endpoints {
  /** By endpoint id, oldest first. */
  readonly byId: ReadonlyMap<string, Endpoint>;
  /** Times of the account's last replays of a period, oldest first. They outlive the endpoints. */
  readonly replays: readonly string[];
}

export const NO_ENDPOINTS: Endpoints = { byId: new Map(), replays: [] };

export function evolve({ byId, replays }: Endpoints, event: WebhookEndpointEvent): Endpoints {
  if (event.type === 'WebhookReplayRequested') return { byId, replays: withReplay(replays, event.data.requestedAt) };
  return { byId: evolved(new Map(byId), event), replays };
}

type EndpointChange = Exclude<WebhookEndpointEvent, { readonly type: 'WebhookReplayRequested' }>;

function evolved(next: Map<string, Endpoint>, event: EndpointChange): Map<string, Endpoint> {
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
        pings: event.data.sequence,
        lastPing: event.data.eventId,
      }));
  }
}

/** The state of an endpoint right after its creation. */
export const asCreated = ({ description, ...data }: WebhookEndpointCreated['data']): Endpoint => ({
  ...data,
  urlSetAt: data.createdAt,
  description: description ?? null,
  status: 'enabled',
  enabledAt: null,
  previousSecret: null,
  faults: null,
  published: 0,
  pings: 0,
  lastPing: null,
});

function asChanged(
  { sealedUrl, ...endpoint }: Endpoint,
  { url, sealedUrl: sealed, eventTypes, description, changedAt }: WebhookEndpointChanged['data'],
): Endpoint {
  const whole = url === undefined ? sealedUrl : (sealed ?? undefined);
  return {
    ...endpoint,
    ...(url === undefined ? {} : { url, urlSetAt: changedAt }),
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
