import type { CreateNftTransferPayload, NftTransferFilters, NftTransferRecord } from '@ponte/contracts';
import { derivedId, fromWire } from '@ponte/kernel';
import type { Call } from '../../edge/request-context.service';
import { hexFilters, requestedTransfer, transferProgress } from '../transfers/transfer.mapper';
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
  ...hexFilters(query),
  certificateId: query['reward-certificate-id']?.toLowerCase() ?? null,
  ...fromWire(query, 'state', 'externalId'),
});

export const nftTransferDto = (transfer: NftTransferRecord): NftTransferDto => ({
  id: transfer.id,
  'reward-certificate-id': transfer.certificateId,
  ...transferProgress(transfer),
});
