import type {
  AmountOf,
  DepositVoidReason,
  ExchangePayload,
  Hold,
  HoldOwner,
  HouseAccount,
  SourceFunds,
} from '@ponte/contracts';
import type { LossPath } from '../house-loss/loss-path.domain';

/**
 * `settlement`: BRL arrived at our bank, which now owes it to us. `external`: tokens came from outside our custody.
 * `clearing`: tokens came from another Ponte account.
 */
export type DepositSource = Extract<HouseAccount, 'settlement' | 'external' | 'clearing'>;

/** A command whose decision needs forgotten ids: `found` are those of them that the log shows. */
export interface Recalling {
  readonly kind: 'recalling';
  readonly command: LedgerAccountCommand | Recalling;
  readonly found: readonly string[];
}

/**
 * `now` is the single clock reading for the decision. `since` is the time of the posting's cause, before which it
 * cannot have been made; absent for a new cause. Amounts are decimal strings with at most their asset's scale.
 */
export type LedgerAccountCommand =
  | {
      readonly kind: 'place-hold';
      readonly accountId: string;
      readonly hold: Hold;
      /** The funds of the hold's source, if they are known. */
      readonly funds?: SourceFunds;
      readonly now: string;
    }
  | {
      readonly kind: 'release-hold';
      readonly accountId: string;
      readonly holdId: string;
      readonly reason: string;
      readonly placed?: boolean;
    }
  | {
      readonly kind: 'post-deposit';
      readonly accountId: string;
      readonly depositId: string;
      readonly credit: AmountOf;
      readonly hold: Hold | null;
      readonly from?: DepositSource;
      readonly since?: string;
      readonly now: string;
    }
  | {
      readonly kind: 'reverse-deposit';
      readonly accountId: string;
      readonly depositId: string;
      readonly holdId: string;
      readonly reason: DepositVoidReason;
      readonly now: string;
    }
  /** The bank took the payment back, or it was refused after it had been confirmed. */
  | {
      readonly kind: 'take-back-deposit';
      /** Absent if the bank took it back. */
      readonly reason?: DepositVoidReason;
      readonly accountId: string;
      readonly depositId: string;
      readonly credit: AmountOf;
      /** False if the deposit was not credited by then: it counts as posted only if this stream shows the posting. */
      readonly credited: boolean;
      /** Where the deposit is credited from. Absent for money of the bank. */
      readonly from?: DepositSource;
      readonly since?: string;
      readonly now: string;
    }
  /** `causeId` is the event that reported the loss or its end. Each event is posted once. */
  | {
      readonly kind: 'post-loss' | 'reverse-loss';
      readonly accountId: string;
      readonly transactionId: string;
      readonly causeId: string;
      readonly loss: AmountOf;
      readonly path: LossPath;
      readonly since?: string;
      readonly now: string;
    }
  | WriteOff
  | PostExchange
  | PostWithdrawal
  | PostTokenMovement;

/** The account was closed at `since`, and these are the balances that are left. */
export interface WriteOff {
  readonly kind: 'write-off';
  readonly accountId: string;
  readonly amounts: readonly AmountOf[];
  readonly since: string;
  readonly now: string;
}

export interface PostTokenMovement {
  readonly kind: 'post-token-movement';
  readonly accountId: string;
  readonly movementId: string;
  readonly owner: HoldOwner;
  readonly holdId: string;
  readonly debit: AmountOf;
  /** Null if the destination is outside our custody. */
  readonly receiverAccountId: string | null;
  readonly now: string;
}

export type PlaceHold = Extract<LedgerAccountCommand, { kind: 'place-hold' }>;

export type ReleaseHold = Extract<LedgerAccountCommand, { kind: 'release-hold' }>;

export interface PostExchange extends ExchangePayload {
  readonly kind: 'post-exchange';
  readonly now: string;
}

export interface PostWithdrawal {
  readonly kind: 'post-withdrawal';
  readonly accountId: string;
  readonly withdrawalId: string;
  readonly holdId: string;
  /** The account whose Ponte wallet received the tokens; null or absent for any other withdrawal. */
  readonly receiverAccountId?: string | null;
  readonly now: string;
}

/** Ids of postings. They derive from what is posted, not from the command, so that each is posted once. */
export const depositPostingId = (depositId: string): string => `deposit:${depositId}`;

export const reversalPostingId = (depositId: string): string => `reversal:${depositId}`;

export const takeBackPostingId = (depositId: string): string => `taken-back:${depositId}`;

export const withdrawalPostingId = (withdrawalId: string): string => `withdrawal:${withdrawalId}`;

export const movementPostingId = (movementId: string): string => `movement:${movementId}`;

/** An account is closed once, so it has one write-off. */
export const WRITE_OFF_POSTING_ID = 'write-off';

export const exchangePostingId = (orderId: string): string => `exchange:${orderId}`;
