import { Injectable } from '@nestjs/common';
import { defineRepository } from '@ponte/nest';
import { nftTransfer } from './nft-transfer.decider';
import type { NftTransfersTable } from './nft-transfers-table.port';
import { NFT_TRANSFERS_TABLE } from './nft-transfers-table.port';
import { nftTransferRows } from './nft-transfers.read-model';

/** The streams of NFT transfers. */
@Injectable()
export class NftTransfers extends defineRepository(nftTransfer, {
  readModel: NFT_TRANSFERS_TABLE,
  show: (table: NftTransfersTable, { state, revision }) => table.putAll(nftTransferRows(state, revision)),
}) {}
