import { requestsOf } from '@ponte/event-sourcing';
import type { PersonalData, Sealed } from '@ponte/event-sourcing';
import type { AssetId } from '@ponte/kernel';
import type { DecimalText, Failure, Page, PageRequest, Timestamp } from '../shared';
import type { WithdrawalState } from '../state-machines';
import type { AddressHit, AddressVerdict, PixPayee, WithdrawalMethod, WithdrawalTarget } from './withdrawal-events';

const { command, query } = requestsOf('ledger');

/** The review of a withdrawal to an address on a sanctions list. For staff only. */
export interface WithdrawalReview {
  readonly hits: readonly AddressHit[];
  readonly heldAt: Timestamp;
  readonly verdicts: readonly {
    readonly staffId: string;
    readonly verdict: AddressVerdict;
    /** Sealed under the holder of the account. */
    readonly reason: Sealed;
    readonly reviewedAt: Timestamp;
  }[];
}

export interface WithdrawalRecord {
  readonly id: string;
  readonly accountId: string;
  readonly asset: AssetId;
  readonly amount: DecimalText;
  readonly method: WithdrawalMethod;
  readonly state: WithdrawalState;
  readonly stateUpdatedAt: Timestamp;
  readonly createdAt: Timestamp;
  /** Account of the API key that made the request, and the key. */
  readonly createdBy: string;
  readonly createdByApiKey: string;
  readonly externalId: string | null;
  /** The order whose BRL it pays out; null for a withdrawal that the account requested. */
  readonly orderId: string | null;
  /** When a TED that waits for banking hours is sent, null when it does not wait. */
  readonly scheduledFor: Timestamp | null;
  /** Personal fields are sealed; the service that responds to the account opens them. */
  readonly target: WithdrawalTarget;
  readonly endToEndId: string | null;
  readonly txHash: string | null;
  /** When the transaction of tokens that are being sent was signed first. Absent before, and afterwards. */
  readonly signedAt?: Timestamp;
  readonly failure: Failure | null;
  /** Never shown to the account. Null or absent when the address is on no list. */
  readonly review?: WithdrawalReview | null;
}

/** The target of a withdrawal in clear, as the caller sent it. Fields of other methods are null. */
export interface ClearWithdrawalTarget {
  readonly pixKey: string | null;
  readonly bankCode: string | null;
  readonly branchNumber: string | null;
  readonly accountNumber: string | null;
  readonly accountHolderName: string | null;
  readonly accountHolderTaxId: string | null;
  readonly destinationWalletAddress: string | null;
}

/** Sealing subject for data in transit to the ledger. What the ledger keeps is sealed again under the payee. */
export const LEDGER_TRANSIT_SUBJECT = 'ledger-transit';

/** Seals the target of a withdrawal for transit to the ledger. */
export const sealWithdrawalTarget = (
  personalData: Pick<PersonalData, 'seal'>,
  target: ClearWithdrawalTarget,
): Promise<Sealed> => personalData.seal(LEDGER_TRANSIT_SUBJECT, JSON.stringify(target));

/** Seals the reason of a verdict for transit to the ledger, which seals it again under the holder of the account. */
export const sealVerdictReason = (personalData: Pick<PersonalData, 'seal'>, reason: string): Promise<Sealed> =>
  personalData.seal(LEDGER_TRANSIT_SUBJECT, reason);

/** Throws `SealBroken` when it was tampered with, and a TypeError when it was sealed under another subject. */
export async function openVerdictReason(personalData: Pick<PersonalData, 'open'>, reason: Sealed): Promise<string> {
  if (!reason.startsWith(`sealed:v1:${LEDGER_TRANSIT_SUBJECT}:`))
    throw new TypeError('the reason of a verdict must be encrypted under the transit subject of the ledger');
  return personalData.open(reason);
}

/** Throws `SealBroken` when it was tampered with, and a TypeError when it was sealed under another subject. */
export async function openWithdrawalTarget(
  personalData: Pick<PersonalData, 'open'>,
  sealed: Sealed,
): Promise<ClearWithdrawalTarget> {
  if (!sealed.startsWith(`sealed:v1:${LEDGER_TRANSIT_SUBJECT}:`))
    throw new TypeError('a withdrawal target must be encrypted under the transit subject of the ledger');
  return JSON.parse(await personalData.open(sealed)) as ClearWithdrawalTarget;
}

export interface CreateWithdrawalPayload {
  /** Derived from the scope of the idempotency key, so that one key makes one withdrawal; random without a key. */
  readonly withdrawalId: string;
  readonly accountId: string;
  readonly callerAccountId: string;
  readonly keyHash: string | null;
  readonly bodyHash: string | null;
  readonly asset: AssetId;
  /** Null when omitted, which is allowed for tokens. */
  readonly method: WithdrawalMethod | null;
  readonly amount: DecimalText;
  /** A {@link ClearWithdrawalTarget}, sealed for transit. */
  readonly target: Sealed;
  readonly externalId: string | null;
}

export interface WithdrawalFilters {
  readonly asset: AssetId | null;
  readonly state: WithdrawalState | null;
  readonly method: WithdrawalMethod | null;
  readonly externalId: string | null;
}

/** The state of a token withdrawal on its chain. `failed` only when it is final that nothing moved. */
export type TokenWithdrawalOutcome =
  | { readonly state: 'broadcast'; readonly txHash: string }
  /** `receiverAccountId`: the account whose Ponte wallet received the tokens; null or absent outside our custody. */
  | { readonly state: 'completed'; readonly txHash: string; readonly receiverAccountId?: string | null }
  | { readonly state: 'failed'; readonly failure: Failure };

/**
 * Places the hold and creates the withdrawal. Refuses all violated rules at once (`method-asset-mismatch`,
 * `amount-scale-exceeded`, `invalid-pix-key`, `invalid-bank-account`, `invalid-tax-id`, `invalid-address`,
 * `bad-address-checksum`), then `account-not-active`, `external-id-already-used`, `limit-exceeded`,
 * `pix-key-not-found`, `same-source-and-target`, `insufficient-balance`; `idempotency-key-reused` for another body.
 */
export const CreateWithdrawal = command<CreateWithdrawalPayload, WithdrawalRecord>('create-withdrawal', 'withdrawalId');
/** The payout of an order: a Pix withdrawal of the BRL that the order holds for it. */
export interface PayOutOrderPayload {
  readonly withdrawalId: string;
  readonly orderId: string;
  readonly accountId: string;
  readonly parentId: string | null;
  /** As in `OrderPlaced`. */
  readonly createdBy: string;
  readonly createdByApiKey: string | null;
  /** The hold that `ExchangePosted` placed. It belongs to the withdrawal. */
  readonly holdId: string;
  readonly amount: DecimalText;
  /** The key and its owner as they were when the order was placed. */
  readonly target: PixPayee;
}

/**
 * Creates the withdrawal that owns the hold, once per order. It never refuses: a problem ends the withdrawal with a
 * failure. It does not count towards the daily limit, because the order has limits of its own and pays only the holder
 * of the account.
 */
export const PayOutOrder = command<PayOutOrderPayload, WithdrawalRecord>('pay-out-order', 'withdrawalId');
/** Null when the withdrawal does not exist or is not the account's. */
export const GetWithdrawal = query<{ accountId: string; withdrawalId: string }, WithdrawalRecord | null>(
  'get-withdrawal',
  'accountId',
);
export const ListWithdrawals = query<
  { accountId: string; filters: WithdrawalFilters; page: PageRequest },
  Page<WithdrawalRecord>
>('list-withdrawals', 'accountId');
/** For staff: withdrawals of all accounts or of one. */
export const ListAllWithdrawals = query<
  { accountId: string | null; filters: WithdrawalFilters; page: PageRequest },
  Page<WithdrawalRecord>
>('list-all-withdrawals');
/** Open token withdrawals of any account to a lower-case address on any chain, at most `limit`. */
export const ListWithdrawalsTo = query<
  { address: string; state: 'created' | 'processing'; limit: number },
  { readonly items: readonly WithdrawalRecord[] }
>('list-withdrawals-to');
/** For staff: one withdrawal of any account. */
export const GetAnyWithdrawal = query<{ withdrawalId: string }, WithdrawalRecord | null>(
  'get-any-withdrawal',
  'withdrawalId',
);
/**
 * Records the verdict of a staff member. `false-positive` needs two different members; one `true-match` rolls the
 * withdrawal back. `reason` is sealed with {@link sealVerdictReason}. Refuses `withdrawal-not-found`,
 * `review-not-open`, `second-approver-required`, `review-changed` unless `version` is the `addressReviewVersion` of the
 * review, and `person-erased` if the data of the account's holder was erased.
 */
export const ReviewWithdrawal = command<
  { withdrawalId: string; version: string; verdict: AddressVerdict; reason: Sealed; staffId: string },
  WithdrawalRecord
>('review-withdrawal', 'withdrawalId');
/** Reports the outcome of a token withdrawal on its chain. Idempotent. Refuses `withdrawal-not-found`. */
export const SettleTokenWithdrawal = command<
  { withdrawalId: string; outcome: TokenWithdrawalOutcome },
  { state: WithdrawalState }
>('settle-token-withdrawal', 'withdrawalId');
/**
 * Sandbox only: the bank settles held-back payments, and the withdrawal advances as far as possible. Null when the
 * account has no such withdrawal.
 */
export const AdvanceWithdrawal = command<
  { withdrawalId: string; accountIds: readonly string[] },
  WithdrawalRecord | null
>('advance-withdrawal', 'withdrawalId');
