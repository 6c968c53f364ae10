import { Inject, Injectable } from '@nestjs/common';
import type { TransferEvent } from '@ponte/contracts';
import { Aggregates } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { CLOCK, LOGGER } from '@ponte/nest';
import type { Logger } from 'pino';
import { ShownStreams } from './shown-streams';
import type { Transfer, TransferCommand } from './transfer.decider';
import { transfer } from './transfer.decider';
import type { TransferRow, TransfersTable } from './transfers-table.port';
import { TRANSFERS_TABLE } from './transfers-table.port';
import { transferRow } from './transfers.read-model';

/** The streams of token transfers. */
@Injectable()
export class Transfers extends ShownStreams<TransferCommand, Transfer, TransferEvent, TransferRow> {
  constructor(
    aggregates: Aggregates,
    @Inject(TRANSFERS_TABLE) table: TransfersTable,
    @Inject(CLOCK) clock: Clock,
    @Inject(LOGGER) logger: Logger,
  ) {
    const rowsOf = (state: Transfer, revision: number) => [transferRow(state, revision) ?? []].flat();
    const putAll = (rows: readonly TransferRow[]) => Promise.all(rows.map((row) => table.put(row)));
    super({ aggregates, decider: transfer, rowsOf, putAll, clock, logger });
  }
}
