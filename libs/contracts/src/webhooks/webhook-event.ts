import type { PayloadFields } from './payload-fields';

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

/** Which event of its resource the example is. */
interface ExampleEvent {
  readonly sequence: number;
  /** Null if there was none. */
  readonly previousState: string | null;
}

export const event = (sequence: number, previousState: string | null): ExampleEvent => ({ sequence, previousState });

/** The definition of an event type: the fields of its payload, which may have several forms. */
export interface WebhookEventDefinition {
  readonly summary: string;
  readonly resource: WebhookResourceType;
  readonly example: ExampleEvent;
  readonly forms: readonly PayloadFields[];
}

export const webhookEvent = (
  resource: WebhookResourceType,
  example: ExampleEvent,
  summary: string,
  ...forms: PayloadFields[]
): WebhookEventDefinition => ({
  resource,
  example,
  summary,
  forms,
});
