import type { TokenMovementPurpose, TransactionPurpose } from '@ponte/contracts';

/** Whether a transaction moves tokens in suspense: of a closed account, to an address that two staff members named. */
export const isOfSuspense = (purpose: TransactionPurpose): purpose is TokenMovementPurpose =>
  purpose.kind === 'token-movement' && purpose.owner.kind === 'suspense';
