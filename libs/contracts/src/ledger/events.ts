import { event } from '@ponte/event-sourcing';
import type { Sealed } from '@ponte/event-sourcing';
import type { AssetId, Chain } from '@ponte/kernel';
import type { AmountOf, DecimalText, Timestamp } from '../shared';
import type { AddressHit, WithdrawalPosted } from './withdrawal-events';

/**
 * One leg of an entry. `account` is `customer:<accountId>` or `house:<name>`; `amount` is signed. The legs of an event
 * sum to zero per asset, so every prefix of the log does.
 */
export interface Posting {
  readonly account: string;
  readonly asset: AssetId;
  readonly amount: DecimalText;
}

/**
 * settlement: BRL at our bank; reserve: BRL that backs issued tokens; issuance: tokens minted; external: tokens outside
 * our custody; treasury: USDC and USDT that Ponte trades with; fx-position: BRL against the treasury; tax: IOF payable;
 * loss: what wallets with us hold less (or more) than the books after a reorg; owed: what a reorg took back from owners
 * outside our custody.
 */
export type HouseAccount =
  | 'settlement'
  | 'reserve'
  | 'issuance'
  | 'external'
  | 'treasury'
  | 'fx-position'
  | 'fees'
  | 'spread'
  | 'tax'
  | 'rounding'
  | 'suspense'
  | 'clearing'
  | 'loss'
  | 'owed';

/**
 * BRL amounts of an FX conversion that the house keeps; `tax` is the IOF. All `0.00` for a same-currency conversion.
 */
export interface ExchangeCharges {
  readonly spread: DecimalText;
  readonly fee: DecimalText;
  readonly tax: DecimalText;
}

/** The charges of a same-currency conversion. */
export const NO_CHARGES: ExchangeCharges = { spread: '0.00', fee: '0.00', tax: '0.00' };

/** Whose hold it is; a hold ends posted or released, never on time alone. */
export interface HoldOwner {
  readonly kind: 'order' | 'withdrawal' | 'transfer';
  readonly id: string;
}

export interface Hold extends AmountOf {
  readonly holdId: string;
  readonly owner: HoldOwner;
}

/** Stream `ledgerAccount-<accountId>`: one stream holds all assets of an account. */
export class HoldPlaced extends event('HoldPlaced')<{ accountId: string; hold: Hold; placedAt: Timestamp }> {}
export class HoldReleased extends event('HoldReleased')<{ accountId: string; holdId: string; reason: string }> {}

/** Money arrived and is available. */
export class DepositPosted extends event('DepositPosted')<{
  accountId: string;
  postingId: string;
  depositId: string;
  credit: AmountOf;
  postings: readonly Posting[];
  postedAt: Timestamp;
}> {}

/** A Pix that pays a charge arrives and is held for its order in one step: never available to anything else. */
export class DepositPostedAndHeld extends event('DepositPostedAndHeld')<{
  accountId: string;
  postingId: string;
  depositId: string;
  credit: AmountOf;
  postings: readonly Posting[];
  hold: Hold;
  postedAt: Timestamp;
}> {}

/** Version 1 was a conversion without charges. */
const withoutCharges = (data: object): object => ({ charges: NO_CHARGES, deliveryHold: null, ...data });

/** The held source became the target. `credit` is null when the target left our custody. */
export class ExchangePosted extends event('ExchangePosted', 2, { 1: withoutCharges })<{
  accountId: string;
  postingId: string;
  holdId: string;
  orderId: string;
  debit: AmountOf;
  credit: AmountOf | null;
  postings: readonly Posting[];
  charges: ExchangeCharges;
  /** Set when the credit is delivered to a third party: it is held for that from the start. */
  deliveryHold: Hold | null;
  postedAt: Timestamp;
}> {}

/**
 * Held money of a payment goes back to its payer. `holdId` null: the bank took the payment back by itself, and the
 * balance may go negative; a hold for an order that the payment was posted with stays, since the order ends by its own
 * rules.
 */
export class DepositReversed extends event('DepositReversed')<{
  accountId: string;
  postingId: string;
  depositId: string;
  holdId: string | null;
  debit: AmountOf;
  postings: readonly Posting[];
  reason: DepositVoidReason;
  postedAt: Timestamp;
}> {}

/**
 * Held tokens have left the account's wallets on the chain. They go to `house:external`, or to `house:clearing` when
 * another account's wallet with us is the destination, whose deposit then takes them from there. `credit` is set when
 * the destination is a wallet of the same account.
 */
export class TokenMovementPosted extends event('TokenMovementPosted')<{
  accountId: string;
  postingId: string;
  holdId: string;
  movementId: string;
  owner: HoldOwner;
  debit: AmountOf;
  credit: AmountOf | null;
  postings: readonly Posting[];
  postedAt: Timestamp;
}> {}

/**
 * A reorg took back a completed movement of the account, and the books say again what the chain has: the postings are
 * between accounts of the house. What was promised stays promised. `postingId` derives from what was taken back, so
 * that each is posted once.
 */
export class HouseLossPosted extends event('HouseLossPosted')<{
  accountId: string;
  postingId: string;
  transactionId: string;
  loss: AmountOf;
  postings: readonly Posting[];
  postedAt: Timestamp;
}> {}
/** The movement is on the chain again. */
export class HouseLossReversed extends event('HouseLossReversed')<{
  accountId: string;
  postingId: string;
  transactionId: string;
  loss: AmountOf;
  postings: readonly Posting[];
  postedAt: Timestamp;
}> {}

export type LedgerAccountEvent =
  | HoldPlaced
  | HoldReleased
  | DepositPosted
  | DepositPostedAndHeld
  | ExchangePosted
  | DepositReversed
  | HouseLossPosted
  | HouseLossReversed
  | WithdrawalPosted
  | TokenMovementPosted;

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
 * Where a Pix came from. The account, branch, name and tax id of the sender are sealed under the sender's own subject.
 */
export interface PixCoordinates {
  readonly sourceTaxId: Sealed;
  readonly sourceTaxIdFingerprint: string;
  readonly sourceLegalName: Sealed;
  readonly sourceBankCode: string;
  readonly sourceType: string;
  readonly sourceAccountNumber: Sealed;
  readonly sourceBranchCode: Sealed;
  /** The txid that was paid: a charge's, or the compact id of an account. */
  readonly target: string;
}

/** Where tokens came from. Addresses are lower-case and public, so nothing is sealed. */
export interface TokenCoordinates {
  readonly sourceChain: Chain;
  readonly sourceAddress: string;
  readonly targetAddress: string;
  readonly txHash: string;
  /** The movement of ours that brought them, from another account with us; null when they came from outside. */
  readonly movementId: string | null;
}

/** Where USD came from and where it was paid to, as staff wrote it down, sealed under the holder of the account. */
export interface UsdCoordinates {
  readonly source: Sealed | null;
  readonly target: Sealed | null;
}

export type DepositCoordinates = PixCoordinates | UsdCoordinates | TokenCoordinates;
/** Of a Pix or a TED, whose sender the bank names. */
export const isBankCoordinates = (coordinates: DepositCoordinates): coordinates is PixCoordinates =>
  'sourceTaxId' in coordinates;

/** What a deposit that staff record rests on. */
export interface DepositEvidence {
  /** Of the payment at the bank: a SWIFT reference or a line of the statement. */
  readonly bankReference: string;
  /** SHA-256 of the document that shows the payment, lower-case hex. */
  readonly documentSha256: string;
}

/** Of tokens that arrived at a wallet of ours. */
export const isTokenCoordinates = (coordinates: DepositCoordinates): coordinates is TokenCoordinates =>
  'sourceChain' in coordinates;

/** The log of a chain that tokens from outside arrived by. Such a deposit is credited once its block is final. */
export interface TokenArrival {
  readonly blockNumber: string;
  readonly blockHash: string;
  readonly logIndex: number;
}

/** Stream `deposit-<depositId>`; the id derives from the endToEndId, so a Pix is a deposit once for ever. */
export class DepositCreated extends event('DepositCreated')<{
  depositId: string;
  /** The account that is credited, or that the paid charge belongs to; null when the target is unknown. */
  accountId: string | null;
  parentId: string | null;
  type: DepositType;
  asset: AssetId;
  amount: DecimalText;
  /** The payment's id at the bank; of USD, the bank's reference. Null of a deposit that did not come through a bank. */
  endToEndId: string | null;
  /** The order whose charge was paid, if any. */
  orderId: string | null;
  /** The withdrawal whose payment came back; absent of any other deposit. */
  withdrawalId?: string;
  /** Of a deposit that staff recorded; another member of staff confirms it. */
  recorded?: { readonly staffId: string; readonly evidence: DepositEvidence };
  coordinates: DepositCoordinates;
  /** Of tokens from outside; absent of any other deposit. */
  arrival?: TokenArrival;
  /** Settlement time at the bank: lateness is judged by it. Of tokens, the time of the block. */
  settledAt: Timestamp;
  createdAt: Timestamp;
}> {}

/** All checks passed: the money is the account's. */
export class DepositConfirmed extends event('DepositConfirmed')<{
  depositId: string;
  accountId: string;
  confirmedAt: Timestamp;
  /** Who of the staff confirmed it; absent where the rules did. */
  confirmedBy?: string;
}> {}

/**
 * Tokens from outside: their block is final, so they can be credited. With `hits`, sanctions lists name the sender, and
 * staff decide first.
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
  /** What the webhook tells, repeated so that it needs no other look-up. */
  type: DepositType;
  asset: AssetId;
  amount: DecimalText;
  coordinates: DepositCoordinates;
  /** Of token deposits, whose webhook tells it. */
  createdAt?: Timestamp;
}> {}

/**
 * Refused or returned; the money goes back under `returnId`. Null: the bank took it back by itself (`taken-back`), so
 * that there is nothing to return.
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
  /** Of tokens whose block was replaced (`reorged`), whose webhook tells them. */
  tokenCoordinates?: TokenCoordinates;
}> {}

/**
 * A credited payment whose money has left the books again goes back to its payer; the deposit stays `credited`, which
 * it was.
 */
export class DepositReturnRequested extends event('DepositReturnRequested')<{
  depositId: string;
  returnId: string;
  reason: DepositVoidReason;
  requestedAt: Timestamp;
}> {}

/** The bank certainly did not carry the return out. `nextReturnId` is tried next; null: a person has to look. */
export class DepositReturnFailed extends event('DepositReturnFailed')<{
  depositId: string;
  returnId: string;
  nextReturnId: string | null;
  failedAt: Timestamp;
}> {}

/** The bank took the return. */
export class DepositReturned extends event('DepositReturned')<{
  depositId: string;
  returnId: string;
  returnedAt: Timestamp;
}> {}

export type DepositEvent =
  | DepositCreated
  | DepositConfirmed
  | DepositFinalized
  | DepositCredited
  | DepositVoided
  | DepositReturnRequested
  | DepositReturnFailed
  | DepositReturned;

/** Stream `pixCharge-<txid>`: a one-time charge at the bank, owned by one acceptance of a quote. */
export class PixChargeRequested extends event('PixChargeRequested')<{
  txid: string;
  accountId: string;
  parentId: string | null;
  orderId: string;
  amount: DecimalText;
  expiration: Timestamp;
  /** The only payer whose money is taken. */
  payerTaxIdFingerprint: string;
}> {}
export class PixChargeOpened extends event('PixChargeOpened')<{ txid: string; brcode: string; openedAt: Timestamp }> {}
/** A payment is as agreed: from here on the charge cannot be closed, and the deposit is posted and held. */
export class PixChargePaymentAccepted extends event('PixChargePaymentAccepted')<{
  txid: string;
  orderId: string;
  accountId: string;
  depositId: string;
  holdId: string;
  settledAt: Timestamp;
}> {}
/** A payment that does not change what the charge came to is sent back. */
export class PixChargePaymentRefused extends event('PixChargePaymentRefused')<{
  txid: string;
  depositId: string;
  reason: 'paid-twice' | 'charge-closed' | 'paid-late' | 'account-not-active';
}> {}
/** Paid as agreed: posted and held for the order under `holdId`. */
export class PixChargePaid extends event('PixChargePaid')<{
  txid: string;
  orderId: string;
  accountId: string;
  depositId: string;
  holdId: string;
  settledAt: Timestamp;
}> {}
/** A payment came that is not as agreed; it is returned and the charge is spent. */
export class PixChargeMispaid extends event('PixChargeMispaid')<{
  txid: string;
  orderId: string;
  accountId: string;
  depositId: string;
  reason: 'payer-tax-id-mismatch' | 'amount-mismatch' | 'paid-late';
}> {}
/** Closed at the bank, then read: certainly unpaid. */
export class PixChargeClosed extends event('PixChargeClosed')<{
  txid: string;
  orderId: string;
  accountId: string;
  closedAt: Timestamp;
}> {}

export type PixChargeEvent =
  | PixChargeRequested
  | PixChargeOpened
  | PixChargePaymentAccepted
  | PixChargePaymentRefused
  | PixChargePaid
  | PixChargeMispaid
  | PixChargeClosed;
