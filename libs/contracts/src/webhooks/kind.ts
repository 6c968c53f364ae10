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

/** Which event of its resource the example of a kind is. */
interface ExampleEvent {
  readonly sequence: number;
  /** Null if there was none. */
  readonly previousState: string | null;
}

export const event = (sequence: number, previousState: string | null): ExampleEvent => ({ sequence, previousState });

/** A kind of webhook event with the members of its payload. Some kinds have several forms of payload. */
export interface WebhookKind {
  readonly summary: string;
  readonly resource: WebhookResourceType;
  readonly example: ExampleEvent;
  readonly forms: readonly PayloadMembers[];
}

export const kind = (
  resource: WebhookResourceType,
  example: ExampleEvent,
  summary: string,
  ...forms: PayloadMembers[]
): WebhookKind => ({
  resource,
  example,
  summary,
  forms,
});
