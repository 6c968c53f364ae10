import { event } from '@ponte/event-sourcing';
import type { AmountOf, DecimalText, Timestamp } from '../shared';
import type { DepositVoidReason } from './deposit-events';
import type { Posting } from './postings';

/** Charges of an FX conversion in BRL; `tax` is the IOF. All `0.00` for a same-currency conversion. */
export interface ExchangeCharges {
  readonly spread: DecimalText;
  readonly fee: DecimalText;
  readonly tax: DecimalText;
}

/** The charges of a same-currency conversion. */
export const NO_CHARGES: ExchangeCharges = { spread: '0.00', fee: '0.00', tax: '0.00' };

/** The resource that owns a hold. A hold ends by being posted or released, never by time alone. */
export interface HoldOwner {
  readonly kind: 'order' | 'withdrawal' | 'transfer';
  readonly id: string;
}

/** The wallet that pays held tokens, and the id under which their movement on the chain is requested. */
export interface HoldSource {
  readonly walletId: string;
  readonly movementId: string;
}

export interface Hold extends AmountOf {
  readonly holdId: string;
  readonly owner: HoldOwner;
  /** Absent if any wallets of the account may pay, if no wallet does, and in holds placed before it was recorded. */
  readonly source?: HoldSource;
}

/** Stream `ledgerAccount-<accountId>`: one stream for all assets of an account. */
export class HoldPlaced extends event('HoldPlaced')<{ accountId: string; hold: Hold; placedAt: Timestamp }> {}
export class HoldReleased extends event('HoldReleased')<{ accountId: string; holdId: string; reason: string }> {}

/** A deposit was credited and is available. */
export class DepositPosted extends event('DepositPosted')<{
  accountId: string;
  postingId: string;
  depositId: string;
  credit: AmountOf;
  postings: readonly Posting[];
  postedAt: Timestamp;
}> {}

/**
 * A Pix that pays a charge was credited and held for its order in one step, so it was never available for anything
 * else.
 */
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

/** The held source amount was exchanged for the target amount. `credit` is null if the target left our custody. */
export class ExchangePosted extends event('ExchangePosted', 2, { 1: withoutCharges })<{
  accountId: string;
  postingId: string;
  holdId: string;
  orderId: string;
  debit: AmountOf;
  credit: AmountOf | null;
  postings: readonly Posting[];
  charges: ExchangeCharges;
  /** Set if the credit is paid out to a Pix key: it is held for that from the start. Null otherwise. */
  deliveryHold: Hold | null;
  postedAt: Timestamp;
}> {}

/**
 * A deposit was debited again and goes back to its payer. `holdId` is the hold it is debited from. It is null if the
 * account was closed before the deposit was credited, or if the bank took the payment back by itself: the balance may
 * become negative, and a hold that the payment placed for an order stays, because the order ends by its own rules.
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
 * A payment that was not posted yet is never posted: the bank took it back, or its account was closed. Without this
 * event, a process that had read the deposit before could still post it.
 */
export class DepositPostingBarred extends event('DepositPostingBarred')<{
  accountId: string;
  /** The id under which the take-back would have been posted. */
  postingId: string;
  depositId: string;
  barredAt: Timestamp;
}> {}

/**
 * Held tokens left the account's wallets on the chain. They are posted to `house:external`, or to `house:clearing` if
 * the destination is another account's Ponte wallet, whose deposit takes them from there. `credit` is set if the
 * destination is a wallet of the same account.
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
 * A reorg removed a completed movement of the account. Postings between house accounts make the books match the chain
 * again; balances of customers do not change. `postingId` is derived from what was removed, so that each loss is posted
 * once.
 */
export class HouseLossPosted extends event('HouseLossPosted')<{
  accountId: string;
  postingId: string;
  transactionId: string;
  loss: AmountOf;
  postings: readonly Posting[];
  postedAt: Timestamp;
}> {}
/** The movement is on the chain again, so the loss is reversed. */
export class HouseLossReversed extends event('HouseLossReversed')<{
  accountId: string;
  postingId: string;
  transactionId: string;
  loss: AmountOf;
  postings: readonly Posting[];
  postedAt: Timestamp;
}> {}

/** The held funds of a withdrawal left the account. */
export class WithdrawalPosted extends event('WithdrawalPosted')<{
  accountId: string;
  postingId: string;
  holdId: string;
  withdrawalId: string;
  debit: AmountOf;
  postings: readonly Posting[];
  postedAt: Timestamp;
}> {}

/**
 * What was left in the account when it was closed went to `house:unclaimed`, as two staff members had decided. The
 * tokens stay in the account's wallets.
 */
export class BalanceWrittenOff extends event('BalanceWrittenOff')<{
  accountId: string;
  postingId: string;
  debits: readonly AmountOf[];
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
  DepositPostingBarred,
  HouseLossPosted,
  HouseLossReversed,
  WithdrawalPosted,
  TokenMovementPosted,
  BalanceWrittenOff,
] as const;
export type LedgerAccountEvent = InstanceType<(typeof LEDGER_ACCOUNT_EVENTS)[number]>;
