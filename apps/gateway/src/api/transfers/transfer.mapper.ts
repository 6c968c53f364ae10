import type { CreateTransferPayload, TransferFilters, TransferRecord } from '@ponte/contracts';
import { derivedId, fromWire, toWire, toWireIfSet } from '@ponte/kernel';
import type { Call } from '../../edge/request-context.service';
import type { CreateTransferDto, TransferDto, TransfersQuery } from './transfer.dto';

/**
 * The id derives from the scope of the idempotency key, so that even a very late repetition finds the same transfer.
 */
export function createTransferPayload(body: CreateTransferDto, call: Call): CreateTransferPayload {
  return {
    transferId: derivedId('transfer', call.key?.scope ?? call.commandId),
    ...requestedTransfer(body, call),
    asset: body.asset,
    amount: body.amount,
  };
}

/** The payload fields that transfers of tokens and of certificates have in common: the caller and the addresses. */
export const requestedTransfer = (
  body: Pick<CreateTransferDto, 'source-address' | 'target-address' | 'external-id'>,
  { key, caller, accountId }: Call,
) => ({
  callerAccountId: caller?.accountId ?? '',
  accountId,
  sourceAddress: body['source-address'],
  targetAddress: body['target-address'],
  externalId: body['external-id'] ?? null,
  bodyHash: key?.bodyHash ?? null,
});

/** The filters that transfers of tokens and of certificates have in common: addresses and hashes in any case. */
export const hexFilters = (query: Pick<TransfersQuery, 'source-address' | 'target-address' | 'tx-hash'>) => ({
  sourceAddress: query['source-address']?.toLowerCase() ?? null,
  targetAddress: query['target-address']?.toLowerCase() ?? null,
  txHash: query['tx-hash']?.toLowerCase() ?? null,
});

export const transferFilters = (query: TransfersQuery): TransferFilters => ({
  ...hexFilters(query),
  ...fromWire(query, 'asset', 'state', 'externalId'),
});

export const transferDto = (transfer: TransferRecord): TransferDto => ({
  ...toWire(transfer, 'id', 'asset', 'amount'),
  ...transferProgress(transfer),
});

type Progress = Pick<
  TransferRecord,
  'sourceAddress' | 'targetAddress' | 'txHash' | 'state' | 'createdAt' | 'stateUpdatedAt' | 'externalId' | 'failure'
>;

/** The response fields that all transfers have in common: addresses and progress. */
export const transferProgress = (transfer: Progress) => ({
  ...toWire(transfer, 'sourceAddress', 'targetAddress', 'txHash', 'state', 'createdAt', 'stateUpdatedAt'),
  ...toWireIfSet(transfer, 'externalId', 'failure'),
});
