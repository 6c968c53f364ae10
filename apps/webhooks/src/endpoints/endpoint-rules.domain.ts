import type { WebhookEventType } from '@ponte/contracts';
import { WEBHOOK_EVENT_TYPES } from '@ponte/contracts';
import type { Sealed } from '@ponte/event-sourcing';
import type { Violation } from '@ponte/kernel';
import { violationsOfUrl } from './endpoint-url.domain';
import type { TargetRules } from './target.domain';
import { violationsOfAddresses } from './target.domain';

/** The target of an endpoint, with what is needed to check it. */
export interface Target {
  /** The URL as the partner sent it. */
  readonly url: string;
  /** The sealed URL; null when it has no query. */
  readonly sealedUrl: Sealed | null;
  readonly rules: TargetRules;
  /** Addresses of the host; empty when it could not be resolved. Every attempt resolves it again. */
  readonly addresses: readonly string[];
}

/** Checks the form of the URL first, then the addresses of its host. */
export function violationsOfTarget({ url, rules, addresses }: Target): Violation[] {
  const violations = violationsOfUrl(url, rules);
  return violations.length > 0 ? violations : violationsOfAddresses(addresses, rules);
}

/**
 * Checks a filter of event types; null means no filter and is valid. `advice` tells the sender of an empty one what to
 * send without a filter.
 */
export function violationsOfFilter(
  eventTypes: readonly string[] | null,
  advice = 'send ["*"] for all types',
): Violation[] {
  if (eventTypes === null) return [];
  const path = 'event-types';
  if (eventTypes.length === 0) {
    return [{ code: 'invalid-format', path, message: `must name at least one event type; ${advice}` }];
  }
  const known: readonly string[] = WEBHOOK_EVENT_TYPES;
  return eventTypes.flatMap((type, at) =>
    known.includes(type)
      ? []
      : [{ code: 'invalid-enum-value', path: `${path}[${at}]`, message: `must be one of ${known.join(', ')}` }],
  );
}

/** A filter without duplicates, in the order of `WEBHOOK_EVENT_TYPES`. */
export const inOrder = (eventTypes: readonly WebhookEventType[] | null): readonly WebhookEventType[] | null =>
  eventTypes && WEBHOOK_EVENT_TYPES.filter((type) => eventTypes.includes(type));
