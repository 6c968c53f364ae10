import { event } from '@ponte/event-sourcing';
import type { Sealed } from '@ponte/event-sourcing';
import type { AssetId, Chain } from '@ponte/kernel';
import { holderIdOf, unidentifiedPayerIdOf } from '../onboarding/sealing';
import type { DecimalText, Timestamp } from '../shared';
import { DEPOSIT_RETURN_EVENTS } from './deposit-return-events';
import { SET_ASIDE_EVENTS } from './set-aside-events';
import { SUSPENSE_EVENTS } from './suspense-events';
import { SUSPENSE_SENDING_EVENTS } from './suspense-sending-events';
import type { AddressHit } from './withdrawal-events';

export type DepositType = 'pix' | 'token' | 'manual-fx' | 'brlv' | 'ted';
export type DepositVoidReason =
  | 'payer-tax-id-mismatch'
  | 'amount-mismatch'
  | 'paid-late'
  | 'paid-twice'
  | 'charge-closed'
  | 'unknown-target'
  | 'account-not-active'
  | 'order-rolled-back'
  | 'taken-back'
  | 'refused-by-staff'
  | 'compliance'
  | 'reorged';

/**
 * Why no account may receive a payment that the bank returned. `exceeds-payment`: the returns add up to more than the
 * payment. `payment-refused`: the bank had refused the payment. `unknown-payment`: no withdrawal made it.
 * `account-closed`: the account that paid was closed meanwhile. Also the reason for money that staff recorded or that
 * the bank returned, and whose account was closed before it was credited.
 */
export type UnallocatedReason = 'exceeds-payment' | 'payment-refused' | 'unknown-payment' | 'account-closed';

/** The sender of a Pix or TED. Name, tax id, branch and account are sealed under the sender's own subject. */
export interface PixCoordinates {
  readonly sourceTaxId: Sealed;
  readonly sourceTaxIdFingerprint: string;
  readonly sourceLegalName: Sealed;
  readonly sourceBankCode: string;
  readonly sourceType: string;
  readonly sourceAccountNumber: Sealed;
  readonly sourceBranchCode: Sealed;
  /** The paid txid: the one of a charge, or the compact id of an account. */
  readonly target: string;
}

/** The origin of a token deposit. Addresses are lower-case and public, so nothing is sealed. */
export interface TokenCoordinates {
  readonly sourceChain: Chain;
  readonly sourceAddress: string;
  readonly targetAddress: string;
  readonly txHash: string;
  /** Our movement that sent the tokens from another Ponte account; null if they came from outside. */
  readonly movementId: string | null;
}

/** Source and target of a USD payment as entered by staff, sealed under the holder of the account. */
export interface UsdCoordinates {
  readonly source: Sealed | null;
  readonly target: Sealed | null;
}

export type DepositCoordinates = PixCoordinates | UsdCoordinates | TokenCoordinates;
/** Whether the deposit is a Pix or a TED, for which the bank reports the sender. */
export const isBankCoordinates = (coordinates: DepositCoordinates): coordinates is PixCoordinates =>
  'sourceTaxId' in coordinates;

/** Id of the payer as a person. A payer without a valid tax id is one person for each deposit. */
export const payerIdOf = (depositId: string, coordinates: DepositCoordinates): string =>
  isBankCoordinates(coordinates) && coordinates.sourceTaxIdFingerprint !== ''
    ? holderIdOf(coordinates.sourceTaxIdFingerprint)
    : unidentifiedPayerIdOf(depositId);

/** The evidence for a deposit that staff recorded. */
export interface DepositEvidence {
  /** Reference of the payment at the bank: a SWIFT reference or a line of the statement. */
  readonly bankReference: string;
  /** SHA-256 of the document that shows the payment, lower-case hex. */
  readonly documentSha256: string;
}

/** Whether the deposit is tokens that arrived at one of our wallets. */
export const isTokenCoordinates = (coordinates: DepositCoordinates): coordinates is TokenCoordinates =>
  'sourceChain' in coordinates;

/** The log on the chain that brought tokens from outside. Such a deposit is credited once its block is final. */
interface TokenArrival {
  readonly blockNumber: string;
  readonly blockHash: string;
  readonly logIndex: number;
}

/**
 * Stream `deposit-<depositId>`. The id is derived from the payment (endToEndId or log), so each payment is one deposit.
 */
export class DepositCreated extends event('DepositCreated')<{
  depositId: string;
  /** The account to credit, or the account of the paid charge; null if the target is unknown. */
  accountId: string | null;
  parentId: string | null;
  type: DepositType;
  asset: AssetId;
  amount: DecimalText;
  /** Id of the payment at the bank; for USD, the bank's reference. Null if the deposit did not come through a bank. */
  endToEndId: string | null;
  /** The order whose charge was paid; null for any other deposit. */
  orderId: string | null;
  /** The withdrawal whose payment was sent back; absent for any other deposit. */
  withdrawalId?: string;
  /** The order whose BRL that withdrawal paid out; absent for any other deposit. The money does not pay the order. */
  returnedOrderId?: string;
  /** Set for a deposit that a staff member recorded and another one has to confirm. */
  recorded?: { readonly staffId: string; readonly evidence: DepositEvidence };
  /** Set for money that no account may receive. It is posted to suspense at once; `accountId` is null. */
  unallocated?: UnallocatedReason;
  coordinates: DepositCoordinates;
  /** Set for tokens from outside; absent for any other deposit. */
  arrival?: TokenArrival;
  /** When the bank settled the payment, which decides whether it is late. For tokens, the time of the block. */
  settledAt: Timestamp;
  createdAt: Timestamp;
}> {}

/** The deposit passed its checks and is credited next; tokens from outside are credited after `DepositFinalized`. */
export class DepositConfirmed extends event('DepositConfirmed')<{
  depositId: string;
  accountId: string;
  confirmedAt: Timestamp;
  /** The staff member who confirmed the deposit; absent if the rules did. */
  confirmedBy?: string;
}> {}

/**
 * Tokens from outside: their block is final, so they can be credited. If `hits` is set, the sender is on sanctions
 * lists and staff have to decide first.
 */
export class DepositFinalized extends event('DepositFinalized')<{
  depositId: string;
  finalizedAt: Timestamp;
  hits?: readonly AddressHit[];
}> {}

export class DepositCredited extends event('DepositCredited')<{
  depositId: string;
  accountId: string;
  processedAt: Timestamp;
  orderId: string | null;
  /** Repeated from `DepositCreated`, like `asset`, `amount` and `coordinates`, so that the webhook needs no look-up. */
  type: DepositType;
  asset: AssetId;
  amount: DecimalText;
  coordinates: DepositCoordinates;
  /** Set for token deposits, whose webhook contains it. */
  createdAt?: Timestamp;
}> {}

/**
 * The deposit was refused or undone, and the money is returned under `returnId`. Null if nothing is returned: the bank
 * took the payment back, staff refused it or set it aside, the sender is sanctioned, or the block was replaced.
 */
export class DepositVoided extends event('DepositVoided')<{
  depositId: string;
  accountId: string | null;
  voidedAt: Timestamp;
  reason: DepositVoidReason;
  returnId: string | null;
  type: DepositType;
  asset: AssetId;
  amount: DecimalText;
  orderId: string | null;
  /** Set for token deposits, whose webhook contains them. */
  tokenCoordinates?: TokenCoordinates;
}> {}

/** A credited payment left the books again and is returned to its payer. The deposit stays `credited`. */
export class DepositReturnRequested extends event('DepositReturnRequested')<{
  depositId: string;
  returnId: string;
  reason: DepositVoidReason;
  requestedAt: Timestamp;
}> {}

export const DEPOSIT_EVENTS = [
  DepositCreated,
  DepositConfirmed,
  DepositFinalized,
  DepositCredited,
  DepositVoided,
  DepositReturnRequested,
  ...DEPOSIT_RETURN_EVENTS,
  ...SET_ASIDE_EVENTS,
  ...SUSPENSE_EVENTS,
  ...SUSPENSE_SENDING_EVENTS,
] as const;
export type DepositEvent = InstanceType<(typeof DEPOSIT_EVENTS)[number]>;
