import type { Violation } from '@ponte/kernel';
import type { WebhookEndpointEvent, WebhookEventType } from '@ponte/contracts';
import {
  WebhookEndpointChanged,
  WebhookEndpointDisabled,
  WebhookEndpointEnabled,
  WebhookReplayRequested,
  WebhookSecretRotated,
} from '@ponte/contracts';
import type { Sealed } from '@ponte/event-sourcing';
import { addSeconds, refuse, refuseAll } from '@ponte/kernel';
import type { Target } from './endpoint-rules.domain';
import { violationsOfFilter, violationsOfTarget, inOrder } from './endpoint-rules.domain';
import type { Endpoint } from './endpoints.state';
import { refuseTooManyReplays } from './replays/replay-limit.domain';
import { maskedUrl } from './target.domain';

const HOUR = 3_600;
const DAY = 24 * HOUR;

/** How long both secrets sign after a rotation. */
const ROTATION_GRACE_SECONDS = DAY;

/** How long the event log is kept. No replay reaches further back. */
export const LOG_RETENTION_SECONDS = 90 * DAY;

/**
 * How long before the disablement a replay of missed events begins: the 120 h of failures that may have led to it, plus
 * the four and a half days that the attempts at one event can take.
 */
const MISSED_BEFORE_SECONDS = 240 * HOUR;

export interface ChangeEndpoint {
  readonly kind: 'change';
  readonly endpointId: string;
  /** Null: unchanged. The same applies to the other fields. */
  readonly target: Target | null;
  readonly eventTypes: readonly WebhookEventType[] | 'all' | null;
  readonly description: string | null;
  readonly enabled: boolean | null;
  /**
   * Id of the replay of missed events, null when none is requested. It only takes effect if this command enables the
   * endpoint.
   */
  readonly replayId: string | null;
  readonly now: string;
}

export interface RotateSecret {
  readonly kind: 'rotate-secret';
  readonly endpointId: string;
  readonly secret: Sealed;
  readonly now: string;
}

export interface ReplayEvents {
  readonly kind: 'replay';
  readonly endpointId: string;
  readonly replayId: string;
  readonly from: string;
  readonly to: string;
  readonly eventTypes: readonly WebhookEventType[] | null;
  readonly now: string;
}

/**
 * Refuses a wrong url or event-types (`invalid-format`, `invalid-enum-value`) as a creation does. Unchanged fields
 * produce no event.
 */
export function changeEndpoint(
  command: ChangeEndpoint,
  endpoint: Endpoint,
  replays: readonly string[],
): WebhookEndpointEvent[] {
  const { target, description } = command;
  const eventTypes = command.eventTypes === 'all' ? null : command.eventTypes;
  refuseAll([...(target ? violationsOfTarget(target) : []), ...violationsOfFilter(eventTypes)]);
  const filter = command.eventTypes === null ? undefined : inOrder(eventTypes);
  const { endpointId, accountId } = endpoint;
  const changes = {
    ...(target && !isSameTarget(target, endpoint)
      ? { url: target.sealedUrl === null ? target.url : maskedUrl(target.url), sealedUrl: target.sealedUrl }
      : {}),
    ...(filter === undefined || String(filter) === String(endpoint.eventTypes) ? {} : { eventTypes: filter }),
    ...(description === null || description === endpoint.description ? {} : { description }),
  };
  return [
    ...(Object.keys(changes).length === 0
      ? []
      : [new WebhookEndpointChanged({ endpointId, accountId, ...changes, changedAt: command.now })]),
    ...switched(command, endpoint, replays),
  ];
}

/**
 * A URL with a query is sealed, and sealing the same text twice gives different results, so it always counts as
 * changed.
 */
const isSameTarget = (target: Target, endpoint: Endpoint): boolean =>
  target.sealedUrl === null && endpoint.sealedUrl === undefined && target.url === endpoint.url;

function switched(
  { enabled, replayId, now }: ChangeEndpoint,
  endpoint: Endpoint,
  replays: readonly string[],
): WebhookEndpointEvent[] {
  const { endpointId, accountId } = endpoint;
  if (enabled === false && endpoint.status === 'enabled') {
    return [new WebhookEndpointDisabled({ endpointId, accountId, reason: 'requested', disabledAt: now })];
  }
  if (enabled !== true || endpoint.status === 'enabled') return [];
  if (replayId !== null) refuseTooManyReplays(replays, now);
  const begun = addSeconds(endpoint.disabledAt, -MISSED_BEFORE_SECONDS);
  const missed = {
    from: begun > endpoint.createdAt ? begun : endpoint.createdAt,
    to: now,
    eventTypes: null,
    missedOnly: true,
    requestedAt: now,
  };
  return [
    new WebhookEndpointEnabled({ endpointId, accountId, enabledAt: now }),
    ...(replayId === null ? [] : [new WebhookReplayRequested({ endpointId, accountId, replayId, ...missed })]),
  ];
}

/** The current secret remains valid for 24 h. A previous one from an earlier rotation stops signing at once. */
export function rotateSecret(
  { secret, now }: RotateSecret,
  { endpointId, accountId }: Endpoint,
): WebhookEndpointEvent[] {
  const previousUntil = addSeconds(now, ROTATION_GRACE_SECONDS);
  return [new WebhookSecretRotated({ endpointId, accountId, secret, previousUntil, rotatedAt: now })];
}

/**
 * Refuses a disabled endpoint (`webhook-endpoint-disabled`), and a range that is empty, begins in the future or begins
 * before the retention time of the log. Also refuses a replay too many (`limit-exceeded`).
 */
export function replayEvents(
  command: ReplayEvents,
  endpoint: Endpoint,
  replays: readonly string[],
): WebhookEndpointEvent[] {
  const { replayId, from, to, eventTypes, now } = command;
  if (endpoint.status === 'disabled') {
    refuse('webhook-endpoint-disabled', 'the endpoint is disabled; enable it first', 'id');
  }
  const oldest = addSeconds(now, -LOG_RETENTION_SECONDS);
  refuseAll([
    ...(from < oldest ? [invalid('from', `must be at or after ${oldest}: the log is kept for 90 days`)] : []),
    ...(from > now ? [invalid('from', 'must not be in the future')] : []),
    ...(to < from ? [invalid('to', 'must not be before `from`')] : []),
    ...violationsOfFilter(eventTypes, 'omit event-types to replay those of the endpoint'),
  ]);
  refuseTooManyReplays(replays, now);
  const { endpointId, accountId } = endpoint;
  const range = { from, to, eventTypes: inOrder(eventTypes), missedOnly: false };
  return [new WebhookReplayRequested({ endpointId, accountId, replayId, ...range, requestedAt: now })];
}

const invalid = (path: string, message: string): Violation => ({ code: 'invalid-format', path, message });
