import type { CreateTransferPayload, TransferFilters, TransferRecord } from '@ponte/contracts';
import { derivedId } from '@ponte/kernel';
import type { Call } from '../../edge/call';
import type { CreateTransferDto, TransferDto, TransfersQuery } from './transfer.dto';

/** The id follows from the scope of the idempotency key, so that a repetition, however late, finds the same transfer (contract §4). */
export function createTransferPayload(body: CreateTransferDto, call: Call): CreateTransferPayload {
  const { key } = call;
  return {
    transferId: derivedId('transfer', key?.scope ?? call.commandId),
    callerAccountId: call.caller?.accountId ?? '',
    accountId: call.accountId,
    sourceAddress: body['source-address'],
    targetAddress: body['target-address'],
    asset: body.asset,
    amount: body.amount,
    externalId: body['external-id'] ?? null,
    bodyHash: key?.bodyHash ?? null,
  };
}

export const transferFilters = (query: TransfersQuery): TransferFilters => ({
  sourceAddress: query['source-address']?.toLowerCase() ?? null,
  targetAddress: query['target-address']?.toLowerCase() ?? null,
  asset: query.asset ?? null,
  state: query.state ?? null,
  txHash: query['tx-hash']?.toLowerCase() ?? null,
  externalId: query['external-id'] ?? null,
});

export const transferDto = (transfer: TransferRecord): TransferDto => ({
  id: transfer.id,
  asset: transfer.asset,
  amount: transfer.amount,
  'source-address': transfer.sourceAddress,
  'target-address': transfer.targetAddress,
  'tx-hash': transfer.txHash,
  state: transfer.state,
  'created-at': transfer.createdAt,
  'state-updated-at': transfer.stateUpdatedAt,
  ...(transfer.externalId === null ? {} : { 'external-id': transfer.externalId }),
  ...(transfer.failure === null ? {} : { failure: transfer.failure }),
});
