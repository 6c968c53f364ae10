import { event } from '@ponte/event-sourcing';
import type { AssetId } from '@ponte/kernel';
import type { AmountOf, DecimalText, Timestamp } from '../shared';
import type { DepositVoidReason } from './deposit-events';

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
 * settlement: BRL at our bank; reserve: BRL that backs issued tokens; issuance: minted tokens; external: tokens outside
 * our custody; treasury: USDC and USDT that Ponte trades with; fx-position: BRL against the treasury; tax: IOF payable;
 * loss: the shortfall (or surplus) of our wallets against the books after a reorg; owed: what a reorg took back from
 * owners outside our custody.
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

/** Version 1 had no charges. */
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

/** Held funds of a withdrawal have left the account. */
export class WithdrawalPosted extends event('WithdrawalPosted')<{
  accountId: string;
  postingId: string;
  holdId: string;
  withdrawalId: string;
  debit: AmountOf;
  postings: readonly Posting[];
  postedAt: Timestamp;
}> {}

export const LEDGER_ACCOUNT_EVENTS = [
  HoldPlaced,
  HoldReleased,
  DepositPosted,
  DepositPostedAndHeld,
  ExchangePosted,
  DepositReversed,
  HouseLossPosted,
  HouseLossReversed,
  WithdrawalPosted,
  TokenMovementPosted,
] as const;
export type LedgerAccountEvent = InstanceType<(typeof LEDGER_ACCOUNT_EVENTS)[number]>;
