import type { PayloadMembers } from './payload-members';

/** What an event may be about. */
export const WEBHOOK_RESOURCE_TYPES = [
  'order',
  'deposit',
  'withdrawal',
  'account-request',
  'transfer',
  'nft-transfer',
  'webhook-endpoint',
] as const;
export type WebhookResourceType = (typeof WEBHOOK_RESOURCE_TYPES)[number];

/**
 * A kind of event: what partners are notified of by it, and the members of its payload. Some kinds have several
 * forms.
 */
export interface WebhookKind {
  readonly summary: string;
  readonly resource: WebhookResourceType;
  /** State before, for the example; null for the first event of a resource. */
  readonly previousState: string | null;
  readonly forms: readonly PayloadMembers[];
}

/** A kind, by its parts. */
export const kind = (
  resource: WebhookResourceType,
  previousState: string | null,
  summary: string,
  ...forms: PayloadMembers[]
): WebhookKind => ({
  resource,
  previousState,
  summary,
  forms,
});
