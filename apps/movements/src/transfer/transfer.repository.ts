import { Injectable } from '@nestjs/common';
import { defineRepository } from '@ponte/nest';
import { transfer } from './transfer.decider';
import type { TransfersTable } from './transfers-table.port';
import { TRANSFERS_TABLE } from './transfers-table.port';
import { transferRow } from './transfers.read-model';

/** The streams of token transfers. */
@Injectable()
export class Transfers extends defineRepository(transfer, {
  readModel: TRANSFERS_TABLE,
  show: (table: TransfersTable, { state, revision }) => {
    const row = transferRow(state, revision);
    return row && table.put(row);
  },
}) {}
