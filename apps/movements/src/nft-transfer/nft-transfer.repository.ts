import { Inject, Injectable } from '@nestjs/common';
import type { NftTransferEvent } from '@ponte/contracts';
import { Aggregates } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { CLOCK, LOGGER } from '@ponte/nest';
import type { Logger } from 'pino';
import { ShownStreams } from '../transfer/shown-streams';
import type { NftTransfer, NftTransferCommand } from './nft-transfer.decider';
import { nftTransfer } from './nft-transfer.decider';
import type { NftTransferRow, NftTransfersTable } from './nft-transfers-table.port';
import { NFT_TRANSFERS_TABLE } from './nft-transfers-table.port';
import { nftTransferRows } from './nft-transfers.read-model';

/** The streams of NFT transfers. */
@Injectable()
export class NftTransfers extends ShownStreams<NftTransferCommand, NftTransfer, NftTransferEvent, NftTransferRow> {
  constructor(
    aggregates: Aggregates,
    @Inject(NFT_TRANSFERS_TABLE) table: NftTransfersTable,
    @Inject(CLOCK) clock: Clock,
    @Inject(LOGGER) logger: Logger,
  ) {
    const putAll = (rows: readonly NftTransferRow[]) => table.putAll(rows);
    super({ aggregates, decider: nftTransfer, rowsOf: nftTransferRows, putAll, clock, logger });
  }
}
