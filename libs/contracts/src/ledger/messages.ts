import type { AssetId } from '@ponte/kernel';
import { requestsOf } from '@ponte/event-sourcing';
import type { Sealed } from '@ponte/event-sourcing';
import type { AmountOf, DecimalText, Page, PageRequest, Timestamp } from '../shared';
import type { DepositStatus } from '../state-machines';
import type { PixPayee } from './withdrawal-events';
import type { DepositCoordinates, DepositEvidence, DepositType, DepositVoidReason } from './deposit-events';
import type { ExchangeCharges, Hold, HoldOwner, Posting } from './ledger-account-events';

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
  readonly orderId: string | null;
  /** The withdrawal whose payment came back. */
  readonly withdrawalId: string | null;
  /** Sealed; opened when they are shown to the account. */
  readonly coordinates: DepositCoordinates;
  /** Of a deposit that staff recorded. */
  readonly recorded: { readonly staffId: string; readonly evidence: DepositEvidence } | null;
  readonly createdAt: Timestamp;
  readonly statusUpdatedAt: Timestamp;
  readonly processedAt: Timestamp | null;
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
  /** True when the credited tokens are in a wallet of ours. */
  readonly custody: boolean;
  readonly charges: ExchangeCharges;
  /** A hold of the whole credit, placed in the same event; null when the account may use the credit at once. */
  readonly deliveryHold: Hold | null;
}

/** What a charge came to. */
export type ChargeOutcome =
  | { readonly state: 'open' }
  | { readonly state: 'closed' }
  | { readonly state: 'paid'; readonly depositId: string; readonly holdId: string }
  | {
      readonly state: 'mispaid';
      readonly depositId: string;
      readonly reason: 'payer-tax-id-mismatch' | 'amount-mismatch' | 'paid-late';
    };

/** Refuses with `insufficient-balance`. A hold of the same id is placed once. */
export const PlaceHold = command<{ accountId: string; hold: Hold }, { holdId: string }>('place-hold', 'accountId');
/**
 * Releasing a hold that is not open is nothing; the held payment of a charge is never released, only posted or
 * returned. `placed` says that the hold is known to have been placed: an account that does not know it yet answers
 * `service-unavailable`.
 */
export const ReleaseHold = command<
  { accountId: string; holdId: string; reason: string; placed?: boolean },
  { released: boolean }
>('release-hold', 'accountId');
/** Turns the held source into the target, once per order. */
export const PostExchange = command<ExchangePayload, { postingId: string }>('post-exchange', 'accountId');
/**
 * Held tokens have left on the chain, once per movement. Refuses `hold-not-open` when the hold is another one than the
 * owner's.
 */
export const PostTokenMovement = command<
  {
    accountId: string;
    movementId: string;
    owner: HoldOwner;
    holdId: string;
    debit: AmountOf;
    receiverAccountId: string | null;
  },
  { postingId: string }
>('post-token-movement', 'accountId');
/** Opens a one-time charge at the bank; refuses nothing, `rail-unavailable` when the bank does not answer. */
export const OpenPixCharge = command<
  { txid: string; accountId: string; orderId: string; amount: DecimalText; expiration: Timestamp },
  { brcode: string; expiration: Timestamp }
>('open-pix-charge', 'txid');
/** Closes the charge at the bank and reads it: the answer is never `open`. */
export const ClosePixCharge = command<{ txid: string }, ChargeOutcome>('close-pix-charge', 'txid');
/** Sends a charge's held payment back to its payer. */
export const ReturnChargePayment = command<{ txid: string; reason: DepositVoidReason }, { depositId: string }>(
  'return-charge-payment',
  'txid',
);

/** What the key directory says of a Pix key. `target` only when its owner has the tax id of the account's holder. */
export type ResolvedPixKey =
  { readonly ownedByHolder: true; readonly target: PixPayee } | { readonly ownedByHolder: false };

/**
 * Looks a Pix key up for an account and compares its owner with the holder of the account; null when the directory does
 * not know it. `rail-unavailable` when it does not answer.
 */
export const ResolvePixKey = query<{ accountId: string; key: Sealed }, ResolvedPixKey | null>(
  'resolve-pix-key',
  'accountId',
);

export const GetCharge = query<{ txid: string }, ChargeOutcome | null>('get-charge', 'txid');
/** The sum over the named assets, which share a scale; one reading of the account's stream. */
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
/** The static code that funds the account, of any amount. */
export const GetFundingCode = query<{ accountId: string }, { brcode: string }>('get-funding-code', 'accountId');
/** A hold's place in the order of placement, from which the next page goes on. */
export interface HoldPlace {
  readonly placedAt: Timestamp;
  readonly holdId: string;
}

/**
 * Holds older than a given age that their owner may have forgotten; the owner's service decides. Held payments of
 * charges are not among them.
 */
export const ListOpenHolds = query<
  { ownerKind: Hold['owner']['kind']; placedBefore: Timestamp; limit: number; after?: HoldPlace | null },
  { holds: readonly (Hold & { accountId: string; placedAt: Timestamp })[] }
>('list-open-holds');
/** A charge's place in the order of expiration, from which the next page goes on. */
export interface ChargePlace {
  readonly expiration: Timestamp;
  readonly txid: string;
}
export interface OverdueCharge extends ChargePlace {
  readonly orderId: string;
  readonly accountId: string;
}

/** Charges that are open at the bank past their expiration, whose order may never have been placed. */
export const ListOverdueCharges = query<
  { expiredBefore: Timestamp; limit: number; after?: ChargePlace | null },
  { charges: readonly OverdueCharge[] }
>('list-overdue-charges');

/**
 * One line of the books: an account (`customer:<accountId>` or `house:<name>`) and what it holds of an asset, signed.
 */
export type TrialBalanceLine = Posting;

/**
 * The books as the log stood a moment ago. `sums` is per asset over every account, customers included, and always zero;
 * `customers` is what all customers hold together. `lines` lists the house accounts, and those of the customers when
 * asked for.
 */
export const GetTrialBalance = query<
  { customers: boolean },
  { lines: readonly TrialBalanceLine[]; customers: readonly AmountOf[]; sums: readonly AmountOf[] }
>('get-trial-balance');
