import type { CreateNftTransferPayload, NftTransferFilters, NftTransferRecord } from '@ponte/contracts';
import { derivedId } from '@ponte/kernel';
import type { Call } from '../../edge/request-context.service';
import { requestedTransfer, transferProgress } from '../transfers/transfer.mapper';
import type { CreateNftTransferDto, NftTransferDto, NftTransfersQuery } from './nft-transfer.dto';

/**
 * The id derives from the scope of the idempotency key, so that even a very late repetition finds the same transfer.
 */
export const createNftTransferPayload = (body: CreateNftTransferDto, call: Call): CreateNftTransferPayload => ({
  transferId: derivedId('nft-transfer', call.key?.scope ?? call.commandId),
  ...requestedTransfer(body, call),
  certificateId: body['reward-certificate-id'],
});

export const nftTransferFilters = (query: NftTransfersQuery): NftTransferFilters => ({
  sourceAddress: query['source-address']?.toLowerCase() ?? null,
  targetAddress: query['target-address']?.toLowerCase() ?? null,
  certificateId: query['reward-certificate-id']?.toLowerCase() ?? null,
  state: query.state ?? null,
  txHash: query['tx-hash']?.toLowerCase() ?? null,
  externalId: query['external-id'] ?? null,
});

export const nftTransferDto = (transfer: NftTransferRecord): NftTransferDto => ({
  id: transfer.id,
  'reward-certificate-id': transfer.certificateId,
  ...transferProgress(transfer),
});
