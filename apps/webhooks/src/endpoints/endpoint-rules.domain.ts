import type { WebhookEventType } from '@ponte/contracts';
import { WEBHOOK_EVENT_TYPES } from '@ponte/contracts';
import type { Sealed } from '@ponte/event-sourcing';
import type { Violation } from '@ponte/kernel';
import { violationsOfUrl } from './endpoint-url.domain';
import type { TargetRules } from './target.domain';
import { violationsOfAddresses } from './target.domain';

/** Where events are to be sent, and what that is checked against. */
export interface Target {
  /** As the partner gave it. */
  readonly url: string;
  /** The same, sealed; null when it has no query. */
  readonly sealedUrl: Sealed | null;
  readonly rules: TargetRules;
  /** What the host resolves to; empty when it could not be resolved. Every attempt resolves it again. */
  readonly addresses: readonly string[];
}

/** What is wrong with a target: the form of its URL, else the addresses of its host. */
export function violationsOfTarget({ url, rules, addresses }: Target): Violation[] {
  const violations = violationsOfUrl(url, rules);
  return violations.length > 0 ? violations : violationsOfAddresses(addresses, rules);
}

/** What is wrong with a filter of kinds; null, which is all kinds, is correct. */
export function violationsOfFilter(eventTypes: readonly string[] | null): Violation[] {
  if (eventTypes === null) return [];
  const path = 'event-types';
  if (eventTypes.length === 0) {
    return [{ code: 'invalid-format', path, message: 'event-types names at least one kind; leave it out for all' }];
  }
  const known: readonly string[] = WEBHOOK_EVENT_TYPES;
  return eventTypes.flatMap((type, at) =>
    known.includes(type)
      ? []
      : [{ code: 'invalid-enum-value', path: `${path}[${at}]`, message: `event-types are of ${known.join(', ')}` }],
  );
}

/** A filter in the order of the table of kinds, each kind once. */
export const inOrder = (eventTypes: readonly WebhookEventType[] | null): readonly WebhookEventType[] | null =>
  eventTypes && WEBHOOK_EVENT_TYPES.filter((type) => eventTypes.includes(type));
