import type { PayloadMembers } from './payload-members';

export const WEBHOOK_RESOURCE_TYPES = [
  'order',
  'deposit',
  'withdrawal',
  'account-request',
  'account',
  'transfer',
  'nft-transfer',
  'webhook-endpoint',
  'webhook-ping',
] as const;
export type WebhookResourceType = (typeof WEBHOOK_RESOURCE_TYPES)[number];

/** A kind of webhook event with the members of its payload. Some kinds have several forms of payload. */
export interface WebhookKind {
  readonly summary: string;
  readonly resource: WebhookResourceType;
  /** The previous state in the example; null for the first event of a resource. */
  readonly previousState: string | null;
  readonly forms: readonly PayloadMembers[];
}

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
