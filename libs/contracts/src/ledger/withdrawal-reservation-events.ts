import { event } from '@ponte/event-sourcing';
import type { AssetId } from '@ponte/kernel';
import type { DecimalText, Timestamp } from '../shared';

/**
 * Stream `dailyAllowance-<id derived from account, date and asset>`: what an account withdraws of an asset on one day
 * in São Paulo, which counts towards its daily limit.
 */
export class AllowanceTaken extends event('AllowanceTaken')<{
  accountId: string;
  date: string;
  asset: AssetId;
  amount: DecimalText;
  holdId: string;
}> {}

/**
 * The withdrawal was not created or was rolled back, so its amount no longer counts. `isCounted`: it still counts as a
 * withdrawal, because its transaction was signed and may have cost gas.
 */
export class AllowanceReturned extends event('AllowanceReturned')<{
  accountId: string;
  date: string;
  asset: AssetId;
  amount: DecimalText;
  holdId: string;
  isCounted?: true;
}> {}

export type DailyAllowanceEvent = AllowanceTaken | AllowanceReturned;

/**
 * Stream `clientReference-<id derived from account and external id>`: an account uses an external id for one
 * withdrawal.
 */
export class ClientReferenceReserved extends event('ClientReferenceReserved')<{
  accountId: string;
  withdrawalId: string;
  holdId: string;
  reservedAt: Timestamp;
}> {}

export class ClientReferenceReleased extends event('ClientReferenceReleased')<{
  accountId: string;
  withdrawalId: string;
  holdId: string;
}> {}

export type ClientReferenceEvent = ClientReferenceReserved | ClientReferenceReleased;
