import type { StateMachine } from '@ponte/event-sourcing';

export type AccountStatus = 'active' | 'frozen' | 'closed';
export type QuoteState = 'open' | 'accepted' | 'expired';
export type OrderState = 'created' | 'processing' | 'completed' | 'rolled-back';
export type DepositStatus = 'created' | 'confirmed' | 'credited' | 'voided';
export type TransferState = 'created' | 'pending' | 'completed' | 'failed';
export type WebhookDeliveryState = 'pending' | 'delivering' | 'succeeded' | 'failed';

export const accountMachine: StateMachine<AccountStatus> = {
  active: ['frozen', 'closed'],
  frozen: ['active', 'closed'],
  closed: [],
};

/** `expired` is computed from the time and never appended. */
export const quoteMachine: StateMachine<QuoteState> = { open: ['accepted', 'expired'], accepted: [], expired: [] };

export const orderMachine: StateMachine<OrderState> = {
  created: ['processing', 'rolled-back'],
  processing: ['completed', 'rolled-back'],
  completed: [],
  'rolled-back': [],
};

export const depositMachine: StateMachine<DepositStatus> = {
  created: ['confirmed', 'voided'],
  confirmed: ['credited', 'voided'],
  credited: [],
  voided: [],
};

/** Also the states of a mint, which is the transfer of new tokens. */
export const transferMachine: StateMachine<TransferState> = {
  created: ['pending', 'failed'],
  pending: ['completed', 'failed'],
  completed: [],
  failed: [],
};

export const webhookDeliveryMachine: StateMachine<WebhookDeliveryState> = {
  pending: ['delivering'],
  delivering: ['succeeded', 'pending', 'failed'],
  succeeded: [],
  failed: ['pending'],
};

/** What `GET /api/v1/state-machines` serves and the documents print. */
export const STATE_MACHINES = {
  account: accountMachine,
  quote: quoteMachine,
  order: orderMachine,
  deposit: depositMachine,
  'webhook-delivery': webhookDeliveryMachine,
} as const;
