import type { AssetId } from '@ponte/kernel';
import { requestsOf } from '@ponte/event-sourcing';
import type { Sealed } from '@ponte/event-sourcing';
import type { TransactionConfirmed } from '../movements/chain-transaction-events';
import type { TokenMovementPurpose } from '../movements/transaction-purposes';
import type { AmountOf, DecimalText, Page, PageRequest, Timestamp } from '../shared';
import type { DepositStatus } from '../state-machines';
import type { PixPayee } from './withdrawal-events';
import type { DepositCoordinates, DepositEvidence, DepositType, DepositVoidReason } from './deposit-events';
import type { ExchangeCharges, Hold, HoldOwner } from './ledger-account-events';
import type { Posting } from './postings';
import type { SetAsideRequest } from './set-aside-events';

const { command, query } = requestsOf('ledger');

export interface BalanceRecord {
  /** Posted. */
  readonly running: DecimalText;
  /** Posted and not held. */
  readonly available: DecimalText;
  readonly held: DecimalText;
  readonly asOf: Timestamp;
}

export interface DepositRecord {
  readonly id: string;
  readonly accountId: string;
  readonly type: DepositType;
  readonly asset: AssetId;
  readonly amount: DecimalText;
  readonly status: DepositStatus;
  readonly voidReason: DepositVoidReason | null;
  readonly endToEndId: string | null;
  /** The order that it pays. */
  readonly orderId: string | null;
  /** The withdrawal whose payment came back, and the order that it had paid out, if any. */
  readonly withdrawalId: string | null;
  readonly returnedOrderId: string | null;
  /** Sealed; opened when shown to the account. */
  readonly coordinates: DepositCoordinates;
  /** Set for a deposit that staff recorded. */
  readonly recorded: { readonly staffId: string; readonly evidence: DepositEvidence } | null;
  readonly createdAt: Timestamp;
  readonly statusUpdatedAt: Timestamp;
  readonly processedAt: Timestamp | null;
  /** For staff: the return that the bank executed; absent before that. */
  readonly returned?: ReturnOfDeposit;
  /** For staff: the pending request to set the deposit aside; absent without one. */
  readonly setAside?: SetAsideRequest;
}

interface ReturnOfDeposit {
  /** The id that Ponte gave the return. */
  readonly returnId: string;
  /** The id of the return in the payment system; null if the bank did not give it. */
  readonly bankReturnId: string | null;
  readonly returnedAt: Timestamp;
}

export interface DepositFilters {
  readonly assets: readonly AssetId[];
  readonly status: DepositStatus | null;
  readonly type: DepositType | null;
  readonly endToEndId: string | null;
  readonly txHash: string | null;
}

export interface ExchangePayload {
  readonly accountId: string;
  readonly orderId: string;
  readonly holdId: string;
  readonly debit: AmountOf;
  readonly credit: AmountOf;
  /** True when the credited tokens are in one of our wallets. */
  readonly custody: boolean;
  readonly charges: ExchangeCharges;
  /** A hold of the whole credit, placed in the same event; null when the account may use the credit at once. */
  readonly deliveryHold: Hold | null;
}

export type ChargeOutcome =
  | { readonly state: 'open' }
  | { readonly state: 'closed' }
  | { readonly state: 'paid'; readonly depositId: string; readonly holdId: string }
  | {
      readonly state: 'mispaid';
      readonly depositId: string;
      readonly reason: 'payer-tax-id-mismatch' | 'amount-mismatch' | 'paid-late';
    };

/** Tokens that a confirmed transaction has moved. */
export interface ConfirmedMovement extends Pick<TransactionConfirmed['data'], 'chain' | 'txHash' | 'minedAt'> {
  readonly purpose: TokenMovementPurpose;
}

/** Exchanges the held source for the target, once per order. */
export const PostExchange = command<ExchangePayload, { postingId: string }>('post-exchange', 'accountId');
/**
 * Posts held tokens that have left on the chain, once per movement. Refuses `hold-not-open` for a hold that is not
 * open, has another amount or belongs to another owner. `confirmed`: the movement, from which the deposit of another
 * account that received it is created too, because the event may be lost. Earlier releases do not send it.
 */
export const PostTokenMovement = command<
  {
    accountId: string;
    movementId: string;
    owner: HoldOwner;
    holdId: string;
    debit: AmountOf;
    receiverAccountId: string | null;
    confirmed?: ConfirmedMovement;
  },
  { postingId: string }
>('post-token-movement', 'accountId');
/** Opens a one-time charge at the bank. `rail-unavailable` when the bank does not respond. */
export const OpenPixCharge = command<
  { txid: string; accountId: string; orderId: string; amount: DecimalText; expiration: Timestamp },
  { brcode: string; expiration: Timestamp }
>('open-pix-charge', 'txid');
/** Closes the charge at the bank and returns its state, which is never `open`. */
export const ClosePixCharge = command<{ txid: string }, ChargeOutcome>('close-pix-charge', 'txid');
/** Sends a charge's held payment back to its payer. */
export const ReturnChargePayment = command<{ txid: string; reason: DepositVoidReason }, { depositId: string }>(
  'return-charge-payment',
  'txid',
);

/** The result of a Pix key look-up. `target` is set only when its owner has the tax id of the account's holder. */
export type ResolvedPixKey =
  { readonly ownedByHolder: true; readonly target: PixPayee } | { readonly ownedByHolder: false };

/**
 * Looks up a Pix key and compares its owner with the holder of the account. Null when the directory does not know it;
 * `rail-unavailable` when it does not respond; `too-many-pix-key-look-ups` when the limit of the account is reached.
 */
export const ResolvePixKey = query<{ accountId: string; key: Sealed }, ResolvedPixKey | null>(
  'resolve-pix-key',
  'accountId',
);

export const GetCharge = query<{ txid: string }, ChargeOutcome | null>('get-charge', 'txid');
/** The sum of the balances of assets with the same scale, at one revision of the account's stream. */
export const GetBalance = query<{ accountId: string; assets: readonly AssetId[] }, BalanceRecord>(
  'get-balance',
  'accountId',
);
export const ListDeposits = query<
  { accountId: string; filters: DepositFilters; page: PageRequest },
  Page<DepositRecord>
>('list-deposits', 'accountId');
export const GetDeposit = query<{ accountId: string; depositId: string }, DepositRecord | null>(
  'get-deposit',
  'accountId',
);
/** The static Pix code for deposits of any amount to the account. */
export const GetFundingCode = query<{ accountId: string }, { brcode: string }>('get-funding-code', 'accountId');
/** The position of a charge in the order of expiration, as a page cursor. */
export interface ChargeCursor {
  readonly expiration: Timestamp;
  readonly txid: string;
}
export interface OverdueCharge extends ChargeCursor {
  readonly orderId: string;
  readonly accountId: string;
}

/** Charges that are still open at the bank after their expiration. Their order may never have been placed. */
export const ListOverdueCharges = query<
  { expiredBefore: Timestamp; limit: number; after?: ChargeCursor | null },
  { charges: readonly OverdueCharge[] }
>('list-overdue-charges');

/** One line of the books: an account (`customer:<accountId>` or `house:<name>`) and its signed amount of an asset. */
export type TrialBalanceLine = Posting;

/**
 * The books, which may lag behind the log for a moment. `sums` is per asset over all accounts and always zero;
 * `customers` is the total of all customers. `lines` lists the house accounts and, on request, those of the customers.
 */
export const GetTrialBalance = query<
  { customers: boolean },
  { lines: readonly TrialBalanceLine[]; customers: readonly AmountOf[]; sums: readonly AmountOf[] }
>('get-trial-balance');
