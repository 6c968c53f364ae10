import type { WebhookEndpointPinged } from '@ponte/contracts';
import type { Position, Recorded } from '@ponte/event-sourcing';
import type { Publication } from '../publication/publication.domain';
import { byAudience } from '../publication/publication.domain';

/** Whether no process can have delivered the event at this position of the log yet. */
export type IsUndelivered = (position: Position) => boolean;

/** What a slice of the log has for the endpoints of one account. */
export interface Scheduled {
  readonly publications: readonly Publication[];
  readonly pings: readonly Recorded<WebhookEndpointPinged>[];
}

/** How many publications and pings a slice has. */
export const sizeOf = ({ publications, pings }: Scheduled): number => publications.length + pings.length;

/** Divides a slice of the log by the account whose endpoints receive it. */
export function byAccount(
  publications: readonly Publication[],
  pings: readonly Recorded<WebhookEndpointPinged>[],
): Map<string, Scheduled> {
  const published = byAudience(publications);
  const accountIds = new Set([...published.keys(), ...pings.map(({ data }) => data.accountId)]);
  return new Map(
    [...accountIds].map((accountId) => [
      accountId,
      {
        publications: published.get(accountId) ?? [],
        pings: pings.filter(({ data }) => data.accountId === accountId),
      },
    ]),
  );
}
