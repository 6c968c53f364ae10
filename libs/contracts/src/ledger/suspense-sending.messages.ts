import { requestsOf } from '@ponte/event-sourcing';
import type { Failure } from '../shared';
import type { FailedReturn } from './suspense.messages';

const { command, query } = requestsOf('ledger');

export interface ProposeSuspenseSendingPayload {
  readonly depositId: string;
  readonly destination: string;
  readonly reference: string;
  readonly staffId: string;
}
/**
 * A staff member says where tokens in suspense go. `ConfirmSuspenseSettlement` and `RejectSuspenseSettlement` decide
 * about it. Repeating the pending proposal changes nothing. Refuses `failed-return-not-found`, `method-asset-mismatch`
 * for money at the bank, `settlement-pending`, `payment-already-settled`, `address-refused` if a sanctions list names
 * the address, and what `CheckTokenMovement` finds.
 */
export const ProposeSuspenseSending = command<ProposeSuspenseSendingPayload, FailedReturn>(
  'propose-suspense-sending',
  'depositId',
);

/** Whether a started proposal is known to have ended: its tokens were sent, or never will be. */
export const HasSuspenseSendingEnded = query<{ depositId: string; proposal: number }, { readonly ended: boolean }>(
  'has-suspense-sending-ended',
  'depositId',
);

/** Reports that the movement of a started proposal will never be sent. Idempotent. */
export const FailSuspenseSending = command<
  { depositId: string; movementId: string; failure: Failure },
  Record<string, never>
>('fail-suspense-sending', 'depositId');
