import type { EndpointDisabledReason, WebhookEndpointFact, WebhookEventType } from '@ponte/contracts';
import {
  WEBHOOK_EVENT_TYPES, WebhookEndpointCreated, WebhookEndpointDeleted, WebhookEndpointDisabled, WebhookEndpointPinged,
} from '@ponte/contracts';
import type { Decider, Sealed } from '@ponte/event-sourcing';
import type { Fault } from '@ponte/kernel';
import { refuse, refuseAll } from '@ponte/kernel';
import { faultsOfUrl } from './endpoint-url';
import type { TargetRules } from './target.policy';
import { faultsOfAddresses, maskedUrl } from './target.policy';

interface Known {
  readonly endpointId: string;
  readonly accountId: string;
  /** With the query masked, in streams written since queries are sealed. */
  readonly url: string;
  /** The whole URL, where it has a query. */
  readonly sealedUrl?: Sealed;
  readonly eventTypes: readonly WebhookEventType[] | null;
  readonly secret: Sealed;
  readonly createdAt: string;
  /** How many pings were asked for. */
  readonly pings: number;
  /** Event id of the last of them. */
  readonly lastPing: string | null;
}

export type Endpoint =
  | (Known & { readonly status: 'enabled' })
  | (Known & { readonly status: 'disabled'; readonly reason: EndpointDisabledReason });

/** The endpoints of one account by id, oldest first. */
export type Endpoints = ReadonlyMap<string, Endpoint>;

export interface CreateEndpoint {
  readonly kind: 'create';
  readonly endpointId: string;
  readonly accountId: string;
  /** As the partner gave it. */
  readonly url: string;
  /** The same, sealed; null when it has no query. */
  readonly sealedUrl: Sealed | null;
  readonly eventTypes: readonly WebhookEventType[] | null;
  readonly secret: Sealed;
  readonly rules: TargetRules;
  /** What the host resolves to; empty when it could not be resolved. Every attempt resolves it again. */
  readonly addresses: readonly string[];
  readonly now: string;
}

export type EndpointCommand =
  | CreateEndpoint
  | { readonly kind: 'delete'; readonly endpointId: string; readonly now: string }
  | { readonly kind: 'disable'; readonly endpointId: string; readonly reason: EndpointDisabledReason; readonly now: string }
  | { readonly kind: 'ping'; readonly endpointId: string; readonly eventId: string; readonly now: string };

/** Contract §12: at most 10 per account. A disabled one counts until it is deleted. */
export const MAX_ENDPOINTS = 10;

/**
 * Commands on an endpoint that is not there come to nothing; whoever asked sees that no event followed. A ping of a disabled one is
 * refused `webhook-endpoint-disabled`: nothing is sent to it any more, and nothing enables it again.
 */
export const endpointsDecider: Decider<EndpointCommand, Endpoints, WebhookEndpointFact> = {
  category: 'webhookEndpoint',
  initial: new Map(),
  events: [WebhookEndpointCreated, WebhookEndpointDeleted, WebhookEndpointDisabled, WebhookEndpointPinged],
  decide(command, endpoints) {
    if (command.kind === 'create') return create(command, endpoints);
    const endpoint = endpoints.get(command.endpointId);
    if (!endpoint) return [];
    const { endpointId, accountId } = endpoint;
    switch (command.kind) {
      case 'delete':
        return [new WebhookEndpointDeleted({ endpointId, accountId, deletedAt: command.now })];
      case 'disable':
        if (endpoint.status === 'disabled') return [];
        return [new WebhookEndpointDisabled({ endpointId, accountId, reason: command.reason, disabledAt: command.now })];
      case 'ping':
        if (endpoint.status === 'disabled') refuse('webhook-endpoint-disabled', 'the endpoint is disabled; delete it and create another', 'id');
        return [new WebhookEndpointPinged({
          endpointId, accountId, eventId: command.eventId, sequence: endpoint.pings + 1,
          ...(endpoint.lastPing === null ? {} : { previousEventId: endpoint.lastPing }), pingedAt: command.now,
        })];
    }
  },
  evolve(endpoints, fact) {
    const next = new Map(endpoints);
    switch (fact.type) {
      case 'WebhookEndpointCreated':
        return next.set(fact.data.endpointId, { ...fact.data, status: 'enabled', pings: 0, lastPing: null });
      case 'WebhookEndpointDeleted':
        next.delete(fact.data.endpointId);
        return next;
      case 'WebhookEndpointDisabled':
        return change(next, fact.data.endpointId, (endpoint) => ({ ...endpoint, status: 'disabled', reason: fact.data.reason }));
      case 'WebhookEndpointPinged':
        return change(next, fact.data.endpointId, (endpoint) => ({ ...endpoint, pings: fact.data.sequence, lastPing: fact.data.eventId }));
    }
  },
};

/** Whether an endpoint is told of a kind. Pings are not asked here: no filter keeps them away. */
export const wants = (endpoint: Endpoint, type: WebhookEventType): boolean =>
  endpoint.status === 'enabled' && (endpoint.eventTypes === null || endpoint.eventTypes.includes(type));

function create(command: CreateEndpoint, endpoints: Endpoints): WebhookEndpointFact[] {
  if (endpoints.has(command.endpointId)) return [];
  refuseAll([...faultsOfTarget(command), ...faultsOfFilter(command.eventTypes)]);
  if (endpoints.size >= MAX_ENDPOINTS) refuse('limit-exceeded', `an account has at most ${MAX_ENDPOINTS} webhook endpoints`);
  const { endpointId, accountId, url, sealedUrl, secret } = command;
  const eventTypes = command.eventTypes && WEBHOOK_EVENT_TYPES.filter((type) => command.eventTypes?.includes(type));
  return [new WebhookEndpointCreated({
    endpointId, accountId, url: sealedUrl === null ? url : maskedUrl(url), ...(sealedUrl === null ? {} : { sealedUrl }), eventTypes, secret, createdAt: command.now,
  })];
}

function faultsOfTarget({ url, rules, addresses }: CreateEndpoint): Fault[] {
  const faults = faultsOfUrl(url, rules);
  return faults.length > 0 ? faults : faultsOfAddresses(addresses, rules);
}

function faultsOfFilter(eventTypes: readonly string[] | null): Fault[] {
  if (eventTypes === null) return [];
  const path = 'event-types';
  if (eventTypes.length === 0) return [{ code: 'invalid-format', path, message: 'event-types names at least one kind; leave it out for all' }];
  const known: readonly string[] = WEBHOOK_EVENT_TYPES;
  return eventTypes.flatMap((type, at) =>
    known.includes(type) ? [] : [{ code: 'invalid-enum-value', path: `${path}[${at}]`, message: `event-types are of ${known.join(', ')}` }]);
}

function change(endpoints: Map<string, Endpoint>, id: string, to: (endpoint: Endpoint) => Endpoint): Map<string, Endpoint> {
  const endpoint = endpoints.get(id);
  return endpoint ? endpoints.set(id, to(endpoint)) : endpoints;
}
