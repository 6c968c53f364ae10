import type { AssetId, Violation } from '@ponte/kernel';
import { requestsOf } from '@ponte/event-sourcing';
import type { Hold } from '../ledger/ledger-account-events';
import type { DecimalText, Failure, Page, PageRequest, Timestamp } from '../shared';
import type { TransferState } from '../state-machines';
import type { MovementOwner } from './transaction-purposes';

const { command, query } = requestsOf('movements');

/** Common fields of token transfers and NFT transfers. */
export interface AnyTransferRecord {
  readonly id: string;
  readonly accountId: string;
  readonly sourceAddress: string;
  readonly targetAddress: string;
  readonly txHash: string | null;
  /** When the transaction was signed first, while the transfer is pending. A raised fee changes only the hash. */
  readonly signedAt?: Timestamp;
  readonly state: TransferState;
  readonly createdAt: Timestamp;
  readonly stateUpdatedAt: Timestamp;
  readonly externalId: string | null;
  readonly failure: Failure | null;
}

export interface TransferRecord extends AnyTransferRecord {
  readonly asset: AssetId;
  readonly amount: DecimalText;
}

/** Common fields of requests for token transfers and NFT transfers. */
export interface CreateAnyTransferPayload {
  /** Derived from the scope of the idempotency key, or new. */
  readonly transferId: string;
  /** The account of the caller's key. */
  readonly callerAccountId: string;
  readonly accountId: string;
  readonly sourceAddress: string;
  readonly targetAddress: string;
  readonly externalId: string | null;
  /** Null without an idempotency key. */
  readonly bodyHash: string | null;
}

export interface CreateTransferPayload extends CreateAnyTransferPayload {
  readonly asset: AssetId;
  readonly amount: DecimalText;
}

/** Filters of both lists of transfers. */
export interface AnyTransferFilters {
  readonly sourceAddress: string | null;
  readonly targetAddress: string | null;
  readonly state: TransferState | null;
  readonly txHash: string | null;
  readonly externalId: string | null;
}

export interface TransferFilters extends AnyTransferFilters {
  readonly asset: AssetId | null;
}

/** Returns the transfer as it was created. A repeated request, however late, gets the reply from its stream. */
export const CreateTransfer = command<CreateTransferPayload, TransferRecord>('create-transfer', 'transferId');
/** Null when the transfer does not exist or is not the account's. */
export const GetTransfer = query<{ accountId: string; transferId: string }, TransferRecord | null>(
  'get-transfer',
  'accountId',
);
export const ListTransfers = query<
  { accountId: string; filters: TransferFilters; page: PageRequest },
  Page<TransferRecord>
>('list-transfers', 'accountId');
/** For staff: transfers of all accounts or of one. */
export const ListAllTransfers = query<
  { accountId: string | null; filters: TransferFilters; page: PageRequest },
  Page<TransferRecord>
>('list-all-transfers');
/** For staff. Null when the transfer does not exist. */
export const GetAnyTransfer = query<{ transferId: string }, TransferRecord | null>('get-any-transfer', 'transferId');
/**
 * Moves tokens from the account's wallets on the asset's chain to any address. Its owner must have placed the hold.
 * Returns as soon as the movement is durable. Its outcome is published by `TransactionSigned`, `TransactionConfirmed`,
 * `TransactionReverted`, `TransactionSuperseded` and `TransactionGivenUp`, whose purpose names the owner. Idempotent by
 * movement id. Refuses asset-not-supported, invalid-address, bad-address-checksum, amount-scale-exceeded,
 * same-source-and-target and wallet-not-found.
 */
export const RequestTokenMovement = command<
  {
    movementId: string;
    owner: MovementOwner;
    accountId: string;
    asset: AssetId;
    amount: DecimalText;
    destination: string;
    sourceWalletId: string | null;
  },
  { movementId: string; destination: string }
>('request-token-movement', 'movementId');

/**
 * Whether tokens of the account could be sent to the address now. Without violations if so; otherwise
 * amount-above-maximum and those of {@link RequestTokenMovement}, at `asset`, `amount` and `destination`:
 * asset-not-supported, invalid-address, bad-address-checksum and same-source-and-target. Without an amount, only the
 * rest is checked. `movementId`: the movement, whose own hold may have been placed before. With it, also
 * insufficient-balance at `amount`, if the wallets are known to hold too little beside what earlier movements will
 * take. `holds`: the account's open holds in the asset, oldest first, so that the ledger is not asked for them; null if
 * they are more than `MAX_CHECKED_HOLDS`. `available`: the available balance of the account, including what the
 * movement's own hold keeps; for a withdrawal that the account requests, to which minimum amounts apply. With it, also
 * amount-below-minimum at `amount`.
 */
export const CheckTokenMovement = query<
  {
    readonly accountId: string;
    readonly asset: AssetId;
    readonly amount: DecimalText | null;
    readonly destination: string;
    readonly movementId?: string;
    readonly holds?: readonly Hold[] | null;
    readonly available?: DecimalText;
  },
  { readonly violations: readonly Violation[] }
>('check-token-movement', 'accountId');
/**
 * Which of the lower-case addresses are those of the service on any chain, so that no tokens can be sent there. `loss`
 * says why, for the sender.
 */
export const FindHouseAddresses = query<
  { readonly addresses: readonly string[] },
  { readonly found: readonly { readonly address: string; readonly loss: string }[] }
>('find-house-addresses');
